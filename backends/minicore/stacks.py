"""Native stacks of all threads with source lines and inlined functions, by gdb on a mini-core.

The process stands still for the milliseconds that copying its stacks takes. gdb then thinks about
the copy for as long as it likes, or until the deadline.
"""

import contextlib
import re
import time
from collections.abc import Iterator, Mapping
from dataclasses import field, replace
from pathlib import Path

from hangtui.backends.elf.images import Images
from hangtui.backends.gdb import answers
from hangtui.backends.gdb.answers import GdbFrame
from hangtui.backends.gdb.commands import GdbCommand
from hangtui.backends.gdb.files import no_room
from hangtui.backends.gdb.safety import notice
from hangtui.backends.gdb.session import GdbEndedError, GdbError, GdbSession, GdbTimeoutError
from hangtui.backends.memory.process_memory import ProcessMemory
from hangtui.backends.minicore import GDB_OPENING, GDB_SETTINGS, MiniCore, Stop, write_minicore
from hangtui.backends.packages.python import package_of
from hangtui.backends.permission import access
from hangtui.backends.tools import programs
from hangtui.dataclass import dataclass
from hangtui.model import NativeFrame, Notice, TargetError, Thread, clean

_MAX_FRAMES = 4096
_VERSION = re.compile(r"GNU gdb.{0,100} (\d{1,4})\.\d")
_OUTERMOST = frozenset({"_start", "clone", "clone3", "__clone", "__clone3"})
"""Where threads begin."""
_SETTINGS = (
    GdbCommand("set print frame-arguments none"),
    GdbCommand("set source open off"),
    # Up to where a thread begins, as all other sources do.
    GdbCommand("set backtrace past-main on"),
)


@dataclass(frozen=True, slots=True)
class GdbResult:
    """What gdb said, and for how long the process stood still for it."""

    stacks: Mapping[int, tuple[NativeFrame, ...]] = field(default_factory=dict)
    """By TID, innermost frame first."""
    stopped_ms: float = 0.0
    notices: tuple[Notice, ...] = ()
    """What is missing, and why."""


def native_stacks(pid: int, deadline_s: float = 60) -> GdbResult:
    """The native stacks of all threads; the process is stopped for milliseconds."""
    program = programs.find("gdb")
    if program is None:
        return _failed(notice(pid, "gdb is not installed", "apt-get install gdb"))
    try:
        core = write_minicore(pid, stop=Stop.FEW)
    except TargetError as error:
        gone = not Path(f"/proc/{pid}").exists()
        fix = error.fix or (None if gone or access.may_trace(pid) else access.fix(pid))
        return _failed(notice(pid, error.message, fix))
    except OSError as error:
        return _failed(notice(pid, *no_room(error)))
    reading = _Reading(pid, core)
    reading.run(program, time.monotonic() + deadline_s, deadline_s)
    return GdbResult(reading.stacks(), core.stopped_ms, tuple(reading.notices))


def with_stack(thread: Thread, stack: tuple[NativeFrame, ...]) -> Thread:
    """*thread* with gdb's stack, unless another source got further.

    gdb gives up in the middle of code that was built without frame pointers and without what it
    needs to guess; the unwind tables lead on.
    """
    known = thread.native_stack
    outermost = bool(stack) and stack[-1].function in _OUTERMOST
    if not stack or (known and thread.native_complete and stack[-1].address != known[-1].address):
        return thread
    complete = outermost or (bool(known) and thread.native_complete)
    stack = tuple(_enriched(stack, {frame.address: frame for frame in known or ()}))
    return replace(
        thread,
        native_stack=stack,
        native_complete=complete,
        native_sampled=False,
        native_marks=(),
    )


def _enriched(
    stack: tuple[NativeFrame, ...], known: Mapping[int, NativeFrame]
) -> Iterator[NativeFrame]:
    """gdb's frames with what another source knew of the same places."""
    for index, frame in enumerate(stack):
        other = known.get(frame.address)
        inlined = index + 1 < len(stack) and stack[index + 1].address == frame.address
        if other is None or inlined:
            yield frame
        else:
            function = frame.function or other.function
            package = frame.package or other.package
            yield replace(frame, function=function, package=package, evaluates=other.evaluates)


def _failed(reason: Notice) -> GdbResult:
    return GdbResult(notices=(reason,))


class _Reading:
    """What gdb says of a mini-core."""

    def __init__(self, pid: int, core: MiniCore) -> None:
        self._pid = pid
        self._core = core
        self._answers: list[tuple[int, dict[str, object]]] = []
        self._said: list[bytes] = []
        self.notices = list(core.notices)

    def run(self, program: str, deadline: float, limit_s: float) -> None:
        """Ask gdb; what it has answered when it fails is kept."""
        settings = (*GDB_SETTINGS, *_SETTINGS)
        session: GdbSession | None = None
        problem, fix = "", None
        try:
            with (
                self._core.files as files,
                GdbSession(program, settings, deadline, files) as session,
            ):
                session.on_record = self._said.append
                session.ask(GdbCommand("-gdb-version"))
                version = self._version()
                if version is not None and version < programs.OLDEST_GDB:
                    problem = f"gdb {version} is too old: it cannot read a copy of stacks alone"
                    fix = programs.NEWER_GDB
                else:
                    self._ask(session)
        except GdbError as error:
            problem = f"gdb failed: {clean(str(error), 200)}"
        except GdbTimeoutError:
            problem = f"gdb did not finish within {limit_s:g} s and was ended"
        except GdbEndedError:
            last = clean(session.last_words(), 200) if session else ""
            problem = f"gdb ended early: {last}"
        except OSError as error:
            problem = f"gdb does not start: {error.strerror}"
        if problem:
            self.notices.append(notice(self._pid, problem, fix))

    def _version(self) -> int | None:
        found = _VERSION.search(b"".join(self._said).decode(errors="replace"))
        return int(found[1]) if found else None

    def _ask(self, session: GdbSession) -> None:
        core = self._core
        opening = session.send((*GDB_OPENING, *core.gdb_symbols(core.modules)))
        (threads,) = session.send([GdbCommand("-thread-info")])
        for token in opening[: len(GDB_OPENING)]:
            session.require(token)
        numbers = answers.thread_numbers(session.require(threads).payload)
        alike: dict[int, list[int]] = {}
        for tid in numbers:
            first = core.same.get(tid, tid)
            alike.setdefault(first if first in numbers else tid, []).append(tid)
        asked = session.send(
            GdbCommand(
                "-stack-list-frames",
                "--thread",
                numbers[tid],
                "--no-frame-filters 0",
                _MAX_FRAMES - 1,
            )
            for tid in alike
        )
        failed: list[str] = []
        for tids, token in zip(alike.values(), asked, strict=True):
            try:
                payload = session.require(token).payload
            except GdbError as error:  # of one thread; the others may be read
                failed.append(clean(str(error), 200))
            else:
                self._answers += [(tid, payload) for tid in tids]
        if failed:
            message = f"gdb could not follow {len(failed)} of {len(alike)} stacks: {failed[0]}"
            self.notices.append(notice(self._pid, message))

    def stacks(self) -> dict[int, tuple[NativeFrame, ...]]:
        """What was answered, be it only a part."""
        stacks: dict[int, tuple[NativeFrame, ...]] = {}
        with _images(self._pid) as images:
            for _, payload in self._answers:
                if id(payload) not in stacks:  # threads with the same stack share one answer
                    frames = answers.frames(payload)
                    stacks[id(payload)] = tuple(_native(frame, images) for frame in frames)
        return {tid: stacks[id(payload)] for tid, payload in self._answers}


@contextlib.contextmanager
def _images(pid: int) -> Iterator[Images | None]:
    """The process's mapped files, to name the module of an address; None once it is gone."""
    with contextlib.ExitStack() as stack:
        images = None
        with contextlib.suppress(TargetError):
            images = Images(stack.enter_context(ProcessMemory(pid)))
        yield images


def _native(frame: GdbFrame, images: Images | None) -> NativeFrame:
    image = images.at(frame.address) if images else None
    return replace(
        frame.shown(),
        module=image.path if image else None,
        package=package_of(image.path, images.root) if images and image else None,
        offset=frame.address - image.bias if image else None,
    )
