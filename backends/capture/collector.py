"""Takes a capture: runs the sources over the targets and hands out what is known so far."""

import socket
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import replace
from datetime import UTC, datetime

from hangtui.backends import heartbeat, ipc, precedence
from hangtui.backends.capture import subjects, turns
from hangtui.backends.capture.awaited import awaited, is_python
from hangtui.backends.capture.other_programs import add_gdb, add_gpus, add_pyspy, ask_driver
from hangtui.backends.capture.process_reader import ProcessReader
from hangtui.backends.capture.record import REST, Record
from hangtui.backends.capture.turns import Turns
from hangtui.backends.capture.visibility import is_plain, without_interpreter
from hangtui.backends.heartbeat import OverrunError
from hangtui.backends.limits import limits_for
from hangtui.backends.process import discovery
from hangtui.backends.process.thread_watch import STEP_S, Watch
from hangtui.model import Capture, Notice, Part, Process, Source, TargetError
from hangtui.provider import CaptureRequest, NativeMode

_WAITS, _NATIVE, _STILLNESS, _GPUS = Part
_STEP_S = 1.0
"""How long to read before what is known is handed out, in seconds."""
_STEPS = 3
"""How far it is followed from those that were asked for: a shell may stand in between."""
_LONG_QUEUE_S = 1.0
"""Waiting for a processor that is worth a word, in seconds."""


def collect(request: CaptureRequest, aside: Mapping[int, str] | None = None) -> Iterator[Capture]:
    """Captures that grow; the last one is complete.

    *aside*: by PID, why processes are not to be read.

    Raises:
        TargetError: no process could be read at all.
    """
    native = () if request.native is NativeMode.NONE else (_NATIVE,)
    with ExitStack() as stack:
        growing = _Growing(request, aside or {}, stack)
        question = ask_driver(growing.record, stack) if native else None
        gpus = (_GPUS,) if question else ()
        yield growing.capture(_WAITS, *native, _STILLNESS, *gpus)
        late: list[Process] = []
        shown = time.monotonic()
        for process in growing.record.known():
            late += [] if growing.read(process) else [process]
            if time.monotonic() - shown > _STEP_S:
                growing.describe()
                yield growing.capture(_WAITS, *native, _STILLNESS, *gpus)
                shown = time.monotonic()
        if late:
            yield growing.capture(_WAITS, *native, _STILLNESS, *gpus)
        for process in late:
            growing.read(process, last=True)
        if growing.relate() and native and question is None:
            question = ask_driver(growing.record, stack)
        growing.describe()
        yield growing.capture(*native, _STILLNESS, *gpus)
        if native:
            growing.read_native_stacks()
        growing.conclude()
        if question:
            add_gpus(growing.record, question)
        growing.tell_of_the_queue()
    if request.native is NativeMode.GDB:
        for pid in growing.read_pids:
            yield growing.capture(*native)
            add_gdb(growing.record, pid)
    yield growing.capture()


class _Growing:
    """One capture while it grows.

    All processes are watched over the whole time of their reading, so that waits that lead from
    one into another are judged over a time that they have in common.
    """

    def __init__(self, request: CaptureRequest, aside: Mapping[int, str], stack: ExitStack) -> None:
        self._request = request
        self._stack = stack
        """What is open until all have been read."""
        self._started, self._queued_s = time.monotonic(), precedence.queued_s()
        self._base = Capture(
            taken_at=datetime.now(UTC).isoformat(timespec="milliseconds"),
            host=socket.gethostname(),
        )
        self._turns = Turns(many=len(request.pids) != 1 or request.children, all=not request.pids)
        self.record = Record(subjects.find(request, self._turns, aside))
        # One without children need not leave time to them.
        self._turns.many = self._turns.many and len(self.record.processes) != 1
        self._asked = set(request.pids)
        self._aside = aside
        self._readers: dict[int, ProcessReader] = {}
        self._relations: ipc.Relations | None = None
        self._unrelated: Notice | None = None
        """Why waits that lead from one process into another are missing, if they are."""
        self._limits = limits_for(asked=bool(request.pids), count=len(self.record.processes))

    @property
    def read_pids(self) -> Iterable[int]:
        """The processes that were read to the end."""
        return self._readers.keys()

    def describe(self) -> None:
        """Put down what is known before the watch has ended."""
        for pid, reader in self._readers.items():
            self.record.processes[pid] = reader.described()

    def read_native_stacks(self) -> None:
        """Take the native stacks of threads that run, and find the names of all native frames."""
        stops = self._request.native is NativeMode.STOP
        self._each(ProcessReader.stop if stops else ProcessReader.sample)
        self._each(ProcessReader.name_native_stacks)

    def conclude(self) -> None:
        """Watch on, and put down everything; take back what was not so to the end."""
        self._watch_on()
        self._each(self._conclude)
        self._confirm()
        for reader in self._readers.values():
            self.record.notices += [*reader.notices, *reader.left_out]

    def _watch_on(self) -> None:
        """Watch all of them on in one window: each sleep of ours waits for a processor anew."""
        self._each(lambda reader: reader.go_on(self.record.facts))
        while (left_s := max((watch.left_s for watch in self._watches()), default=0.0)) > 0:
            time.sleep(min(STEP_S, left_s))
            self._each(lambda reader: reader.live_watch.look() if reader.live_watch else None)

    def _watches(self) -> list[Watch]:
        watches = [reader.live_watch for reader in self._readers.values()]
        return [watch for watch in watches if watch]

    def relate(self) -> bool:
        """Find the waits that lead from one process into another; whether others were read for it,
        those that they wait for, and whom these wait for in turn."""
        before = len(self.record.processes)
        own = self.record.facts.copy()
        self._find_relations()
        for _ in range(_STEPS if self._request.follow else 0):
            if self._relations is None:
                break
            more = awaited(self.record.facts, self.record.processes.values())
            if not more:
                break
            self.record.facts = own
            self._add(more)
            own = self.record.facts.copy()
            self._find_relations()
        self.record.notices += self._relations.notices if self._relations else ()
        return len(self.record.processes) > before

    def _find_relations(self) -> None:
        self._relations = None
        count = sum(len(self.record.processes[pid].threads) for pid in self._readers)
        turn = self._turns.step(count)
        try:
            with heartbeat.at(0, turn.patience_s, turn.processor_s):
                peers = [reader.peer() for reader in self._readers.values()]
                self._relations = ipc.Relations(peers, self.record.facts)
        except (OverrunError, MemoryError):
            message = "not all waits that lead from one process into another are followed"
            self._unrelated = Notice(Source.PROCFS, f"{message}: there are too many")
            self.record.notices.append(self._unrelated)

    def _confirm(self) -> None:
        """Take back what was not so to the end, now that all have been watched."""
        if self._relations is None:
            return
        turn = self._turns.step(sum(len(one.threads) for one in self.record.processes.values()))
        try:
            with heartbeat.at(0, turn.patience_s, turn.processor_s):
                self._relations.confirm(self.record.processes)
        except (OverrunError, MemoryError):
            for pid in self._readers:
                message = "who holds what others wait for was not looked at a second time"
                notice = Notice(Source.PROCFS, f"{message}: there are too many")
                self.record.cut(pid, "who holds what others wait for", notice)

    def tell_of_the_queue(self) -> None:
        """Say that it took long because others had all processors, if it did."""
        took_s = time.monotonic() - self._started
        waited_s = precedence.queued_s() - self._queued_s
        if waited_s > max(_LONG_QUEUE_S, took_s / 2):
            message = (
                f"no processor was free: for {waited_s:.1f} s of {took_s:.1f} it waited for one"
            )
            fix = None if precedence.is_highest() else precedence.FIX
            self.record.notices.append(Notice(Source.PROCFS, message, fix))

    def _each(self, step: Callable[[ProcessReader], None]) -> None:
        """Take a step for every process; one that fails, whatever the reason, is left behind."""
        for pid, reader in list(self._readers.items()):
            turn = self._turns.step(len(self.record.processes[pid].threads))
            stops = self._request.native is NativeMode.STOP
            patience_s = turns.GUARD_PATIENCE_S if stops else turn.patience_s
            try:
                with heartbeat.at(pid, patience_s, turn.processor_s):
                    step(reader)
            except OverrunError:
                self.record.cut(pid, REST, turns.took_long(pid, "to read it to the end", turn))
                self._readers.pop(pid, None)
            except Exception as error:  # noqa: BLE001  one process must not cost the others theirs
                self.record.failed(pid, error)
                self._readers.pop(pid, None)

    def _conclude(self, reader: ProcessReader) -> None:
        pid = reader.pid
        process = reader.conclude(self.record.facts)
        if self.record.is_another(reader):
            return
        if not (pid in self._asked or discovery.is_named_python(pid)):
            process = without_interpreter(process)
            reader.notices[:] = [one for one in reader.notices if not is_plain(one)]
        self.record.processes[pid] = process
        if self._unrelated:
            self.record.cut(pid, "waits for other processes", self._unrelated)
        if reader.held_back:
            message = "memory that a userfaultfd or a FUSE file system would have to deliver is not"
            notice = Notice(Source.PROCFS, f"{message} read", None, pid)
            self.record.cut(pid, "memory that somebody would have to deliver", notice)
        elif not reader.reads_python:
            add_pyspy(self.record, reader, self._turns.pyspy_s)

    def capture(self, *pending: str) -> Capture:
        """Everything so far, but for what is *pending*."""
        return replace(
            self.record.facts.added_to(self._base),
            processes=self.record.known(),
            notices=tuple(self.record.notices),
            pending=pending,
            took_ms=(time.monotonic() - self._started) * 1000,
        )

    def _add(self, pids: tuple[int, ...]) -> None:
        """Read more processes."""
        self._turns.many = True
        request = replace(self._request, pids=pids)
        try:
            found = subjects.find(request, self._turns, self._aside)
        except TargetError:
            return  # they have ended
        self._asked.update(filter(is_python, pids))
        new = self.record.add(found)
        self._limits = limits_for(asked=True, count=len(self.record.processes))
        late = [process for process in new if not self.read(process)]
        for process in late:
            self.read(process, last=True)

    # -- one process ----------------------------------------------------------------------------

    def read(self, process: Process, *, last: bool = False) -> bool:
        """Open and read one process, in its turn; a failure costs its own facts alone.

        Returns:
            Whether that is done; otherwise it took longer than its turn, and gets a *last* one.
        """
        pid, count = process.pid, len(process.threads)
        if not last:
            self.record.notices += subjects.state_notices(process)
        turn = self._turns.rest(count) if last else self._turns.first(count)
        try:
            with heartbeat.at(pid, turn.patience_s, turn.processor_s):
                if process.threads:
                    reader = ProcessReader(process, limits=self._limits)
                    self._readers[pid] = self._stack.enter_context(reader)
                    reader.read(self.record.facts)
        except OverrunError:
            self.record.facts.forget(pid)
            self._readers.pop(pid, None)
            if self._turns.many and not last:
                return False
            notice = turns.took_long(pid, "to read its memory", turn)
            self.record.cut(pid, subjects.MEMORY, notice)
        except Exception as error:  # noqa: BLE001  foreign memory can be anything
            self.record.failed(pid, error)
            self._readers.pop(pid, None)
        return True
