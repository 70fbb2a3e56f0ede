"""Takes a capture: runs the sources over the targets and hands out what is known so far."""

import socket
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import replace
from datetime import UTC, datetime

from hangtui.backends import heartbeat, ipc
from hangtui.backends.capture import subjects, turns
from hangtui.backends.capture.awaited import awaited
from hangtui.backends.capture.process_reader import Inspector
from hangtui.backends.capture.record import REST, Record
from hangtui.backends.capture.turns import Turns
from hangtui.backends.capture.visibility import without_interpreter
from hangtui.backends.gpu import nvml
from hangtui.backends.heartbeat import OverrunError
from hangtui.backends.limits import limits_for
from hangtui.backends.process import discovery
from hangtui.backends.procfs.life import GoneError
from hangtui.model import Capture, Notice, Part, Process, Source, TargetError
from hangtui.provider import CaptureRequest, NativeMode

_WAITS, _NATIVE, _STILLNESS, _GPUS = Part
_GPU_LIMIT_S = 3.0
"""The driver is asked while all else is read, which it delays, if it hangs, up to this long."""


def collect(request: CaptureRequest, aside: Mapping[int, str] | None = None) -> Iterator[Capture]:
    """Captures that grow; the last one is complete.

    *aside*: by PID, why processes are not to be read.

    Raises:
        TargetError: no process could be read at all.
    """
    return _Collection(request, aside or {}).run()


class _Collection:
    """One capture while it grows.

    All processes are watched over the whole time of their reading, so that waits that lead from
    one into another are judged over a time that they have in common.
    """

    def __init__(self, request: CaptureRequest, aside: Mapping[int, str]) -> None:
        self._request = request
        self._started = time.monotonic()
        self._base = Capture(
            taken_at=datetime.now(UTC).isoformat(timespec="milliseconds"),
            host=socket.gethostname(),
        )
        self._turns = Turns(many=len(request.pids) != 1 or request.children, all=not request.pids)
        self._record = Record(subjects.find(request, self._turns, aside))
        self._asked = set(request.pids)
        self._aside = aside
        self._inspectors: dict[int, Inspector] = {}
        self._relations: ipc.Relations | None = None
        self._unrelated: Notice | None = None
        """Why waits that lead from one process into another are missing, if they are."""
        self._limits = limits_for(asked=bool(request.pids), count=len(self._record.processes))

    def run(self) -> Iterator[Capture]:
        """The steps: open and watch, read, name native frames, watch on, conclude, ask gdb."""
        native = () if self._request.native is NativeMode.NONE else (_NATIVE,)
        with ExitStack() as stack:
            question = self._ask_driver(stack) if native else None
            gpus = (_GPUS,) if question else ()
            yield self._capture(_WAITS, *native, _STILLNESS, *gpus)
            late = [p for p in list(self._record.processes.values()) if not self._inspect(p, stack)]
            if late:
                yield self._capture(_WAITS, *native, _STILLNESS, *gpus)
            for process in late:
                self._inspect(process, stack, last=True)
            if self._relate(stack) and native and question is None:
                question = self._ask_driver(stack)
            for pid, inspector in self._inspectors.items():
                self._record.processes[pid] = inspector.described()
            yield self._capture(*native, _STILLNESS, *gpus)
            if native:
                stops = self._request.native is NativeMode.STOP
                self._each(Inspector.stop if stops else Inspector.sample)
                self._each(Inspector.name_native_stacks)
            self._each(lambda inspector: inspector.go_on(self._record.facts))
            self._each(self._conclude)
            self._confirm()
            for inspector in self._inspectors.values():
                self._record.notices += [*inspector.notices, *inspector.left_out]
            if question:
                self._add_gpus(question)
        if self._request.native is NativeMode.GDB:
            for pid in self._inspectors:
                yield self._capture(*native)
                with heartbeat.at(pid, turns.GDB_PATIENCE_S):
                    self._ask_gdb(pid)
        yield self._capture()

    def _relate(self, stack: ExitStack) -> bool:
        """Find the waits that lead from one process into another; whether others were read for it,
        those that they wait for."""
        own, more = self._record.facts.copy(), tuple[int, ...]()
        self._find_relations()
        if self._request.follow and self._relations:
            more = awaited(self._record.facts, self._record.processes.values())
        if more:
            self._record.facts = own
            self._add(more, stack)
            self._find_relations()
        self._record.notices += self._relations.notices if self._relations else ()
        return bool(more)

    def _find_relations(self) -> None:
        self._relations = None
        count = sum(len(self._record.processes[pid].threads) for pid in self._inspectors)
        turn = self._turns.step(count)
        try:
            with heartbeat.at(0, turn.patience_s, turn.processor_s):
                peers = [inspector.peer() for inspector in self._inspectors.values()]
                self._relations = ipc.Relations(peers, self._record.facts)
        except (OverrunError, MemoryError):
            message = "waits that lead from one process into another are not all followed"
            self._unrelated = Notice(Source.PROCFS, f"{message}: there are too many")
            self._record.notices.append(self._unrelated)

    def _confirm(self) -> None:
        """Take back what was not so to the end, now that all have been watched."""
        if self._relations is None:
            return
        turn = self._turns.step(sum(len(one.threads) for one in self._record.processes.values()))
        try:
            with heartbeat.at(0, turn.patience_s, turn.processor_s):
                self._relations.confirm(self._record.processes)
        except (OverrunError, MemoryError):
            for pid in self._inspectors:
                message = "who holds what others wait for was not looked at a second time"
                notice = Notice(Source.PROCFS, f"{message}: there are too many")
                self._record.cut(pid, "who holds what others wait for", notice)

    def _each(self, step: Callable[[Inspector], None]) -> None:
        """Take a step for every process; one that fails, whatever the reason, is left behind."""
        for pid, inspector in list(self._inspectors.items()):
            turn = self._turns.step(len(self._record.processes[pid].threads))
            stops = self._request.native is NativeMode.STOP
            patience_s = turns.GUARD_PATIENCE_S if stops else turn.patience_s
            try:
                with heartbeat.at(pid, patience_s, turn.processor_s):
                    step(inspector)
            except OverrunError:
                self._record.cut(pid, REST, turns.took_long(pid, "to read it to the end", turn))
                self._inspectors.pop(pid, None)
            except Exception as error:  # noqa: BLE001  one process must not cost the others theirs
                self._record.failed(pid, error)
                self._inspectors.pop(pid, None)

    def _conclude(self, inspector: Inspector) -> None:
        pid = inspector.pid
        process = inspector.conclude(self._record.facts)
        if self._record.is_another(inspector):
            return
        if not (pid in self._asked or discovery.is_named_python(pid)):
            process = without_interpreter(process)
        self._record.processes[pid] = process
        if self._unrelated:
            self._record.cut(pid, "waits for other processes", self._unrelated)
        if inspector.held_back:
            message = "memory that a userfaultfd or a FUSE file system would have to deliver is not"
            notice = Notice(Source.PROCFS, f"{message} read", None, pid)
            self._record.cut(pid, "memory that somebody would have to deliver", notice)
        elif not inspector.reads_python:
            self._ask_pyspy(inspector)

    def _capture(self, *pending: str) -> Capture:
        """Everything so far."""
        return replace(
            self._record.facts.added_to(self._base),
            processes=tuple(self._record.processes.values()),
            notices=tuple(self._record.notices),
            pending=pending,
            took_ms=(time.monotonic() - self._started) * 1000,
        )

    def _add(self, pids: tuple[int, ...], stack: ExitStack) -> None:
        """Read more processes."""
        self._turns.many = True
        request = replace(self._request, pids=pids)
        try:
            found = subjects.find(request, self._turns, self._aside)
        except TargetError:
            return  # they have ended
        self._asked.update(pids)
        new = self._record.add(found)
        self._limits = limits_for(asked=True, count=len(self._record.processes))
        late = [process for process in new if not self._inspect(process, stack)]
        for process in late:
            self._inspect(process, stack, last=True)

    # -- one process ----------------------------------------------------------------------------

    def _inspect(self, process: Process, stack: ExitStack, *, last: bool = False) -> bool:
        """Open and read one process, in its turn; a failure costs its own facts alone.

        Returns:
            Whether that is done; otherwise it took longer than its turn, and gets a *last* one.
        """
        pid, count = process.pid, len(process.threads)
        if not last:
            self._record.notices += subjects.state_notices(process)
        turn = self._turns.rest(count) if last else self._turns.first(count)
        try:
            with heartbeat.at(pid, turn.patience_s, turn.processor_s):
                self._open(process, stack)
        except OverrunError:
            self._record.facts.forget(pid)
            self._inspectors.pop(pid, None)
            if self._turns.many and not last:
                return False
            notice = turns.took_long(pid, "to read its memory", turn)
            self._record.cut(pid, subjects.MEMORY, notice)
        return True

    def _open(self, process: Process, stack: ExitStack) -> None:
        if not process.threads:
            return
        try:
            inspector = stack.enter_context(Inspector(process, limits=self._limits))
        except GoneError:
            self._record.gone(process)
            return
        except TargetError as error:
            self._record.closed(process, error)
            return
        except Exception as error:  # noqa: BLE001  foreign memory can be anything
            self._record.failed(process.pid, error)
            return
        self._inspectors[process.pid] = inspector
        try:
            inspector.read(self._record.facts)
        except Exception as error:  # noqa: BLE001
            self._record.failed(process.pid, error)
            del self._inspectors[process.pid]

    # -- other programs -------------------------------------------------------------------------

    def _ask_driver(self, stack: ExitStack) -> nvml.Question | None:
        """Ask who uses the GPUs, where one of the processes has one."""
        if not nvml.concerns(self._record.processes.values()):
            return None
        try:
            return stack.enter_context(nvml.Question())
        except nvml.NoAnswerError as error:
            self._no_gpus(error)
            return None

    def _add_gpus(self, question: nvml.Question) -> None:
        try:
            answer = question.answer(_GPU_LIMIT_S)
        except nvml.NoAnswerError as error:
            self._no_gpus(error)
            return
        self._record.processes = {
            pid: nvml.with_use(process, answer) for pid, process in self._record.processes.items()
        }
        self._record.notices += nvml.notices(answer)

    def _no_gpus(self, error: nvml.NoAnswerError) -> None:
        message = f"what the processes use of their GPUs is not known: {error.reason}"
        self._record.notices.append(Notice(Source.NVML, message, error.fix))

    def _ask_pyspy(self, inspector: Inspector) -> None:
        """Python stacks by py-spy, for interpreters that the own reader does not know."""
        process = self._record.processes[inspector.pid]
        if process.python is not None:
            from hangtui.backends.capture import pyspy

            seconds = self._turns.pyspy_s
            found, notice = pyspy.with_stacks(process, inspector.tid_of_ident, seconds)
            if notice and self._record.is_another(inspector):
                return
            self._record.processes[inspector.pid] = found
            self._record.notices += [notice] if notice else []

    def _ask_gdb(self, pid: int) -> None:
        """Native stacks of all threads by gdb, from a copy of the process."""
        from hangtui.backends.minicore.stacks import native_stacks, with_stack

        record = self._record
        if record.has_ended(pid):
            return
        result = native_stacks(pid)
        process = record.processes[pid]
        threads = tuple(with_stack(t, result.stacks.get(t.tid, ())) for t in process.threads)
        record.processes[pid] = replace(process, threads=threads, stopped_for_ms=result.stopped_ms)
        record.notices += result.notices
        if result.stacks:  # what could not be read from memory is there now
            stale = [n for n in record.notices if n.source == Source.UNWIND and n.pid == pid]
            record.notices = [notice for notice in record.notices if notice not in stale]
