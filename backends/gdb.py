"""Native stacks of all threads with source lines, by attaching gdb.

The process stands still from attach to detach. It must run again whatever happens on the way: to
gdb, to us, or to the deadline.
"""

import contextlib
import os
import posixpath
import re
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from hangtui.backends import access, programs
from hangtui.backends.demangle import demangle
from hangtui.backends.elf import Images
from hangtui.backends.gdb_safety import let_run, notice, refusal, thread_statuses
from hangtui.backends.gdb_session import (
    GdbEndedError,
    GdbError,
    GdbSession,
    GdbTimeoutError,
)
from hangtui.backends.memory import ProcessMemory
from hangtui.backends.procfile import PROC
from hangtui.model import NativeFrame, Notice, TargetError, clean

_MAX_FRAMES = 4096
_MORE_THREADS = 32
_LWP = re.compile(r"(?:LWP|process) (\d+)")
_RESCUE_S = 0.3
_SETTINGS = (
    "set confirm off",
    "set pagination off",
    "set auto-load off",            # nothing that a target's folder holds is run
    "set auto-load safe-path /nonexistent",
    "set libthread-db-search-path /nonexistent",
    "set debuginfod enabled off",   # no network
    "set demangle-style none",      # costs seconds of stop in big C++ libraries; done afterwards
    "set print frame-arguments none",
    "set source open off",
    "set exec-file-mismatch off",   # it is given a link to the program, and attaches to that
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class GdbResult:
    """What gdb said, and for how long the process stood still for it."""

    stacks: Mapping[int, tuple[NativeFrame, ...]] = field(default_factory=dict)
    """By TID, innermost frame first."""
    stopped_ms: float = 0.0
    notice: Notice | None = None


def native_stacks(pid: int, deadline_s: float = 30) -> GdbResult:
    """The native stacks of all threads; the process is stopped meanwhile."""
    program = programs.find("gdb")
    if program is None:
        return GdbResult(notice=notice(pid, "gdb is not installed", "apt-get install gdb"))
    reason = refusal(pid)
    if reason is not None:
        return GdbResult(notice=reason)
    visit = _Visit(pid)
    try:
        with GdbSession(program, _settings(pid), time.monotonic() + deadline_s) as session:
            visit.run(session)
    except GdbError as error:
        visit.notice = _failure(pid, str(error))
    except GdbTimeoutError:
        visit.notice = notice(pid, f"gdb did not finish within {deadline_s:g} s and was ended")
    except GdbEndedError:
        visit.notice = notice(pid, f"gdb ended early: {clean(session.last_words(), 200)}")
    except OSError as error:
        visit.notice = notice(pid, f"gdb does not start: {error.strerror}")
    finally:
        visit.end()
    return GdbResult(visit.stacks(), visit.stopped_ms, visit.notice)


class _Visit:
    """From attach to detach, and what was heard in between."""

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._session: GdbSession | None = None
        self._threads = 0
        self._lists: list[int] = []
        self._attached_at: float | None = None
        self._left_orderly = False
        self.stopped_ms = 0.0
        self.notice: Notice | None = None

    def run(self, session: GdbSession) -> None:
        """Raises what ``GdbSession.require`` raises."""
        # The link leads to the program that runs, be it in a container, replaced or deleted.
        _, ready = session.send(
            [f"-file-exec-and-symbols /proc/{self._pid}/exe", "-gdb-set mi-async off"]
        )
        session.require(ready)
        # All commands at once, for as many threads as there are now and some that may come: gdb
        # numbers threads from 1. So the stop holds no round trip, and ends even if we stand still.
        count = len(thread_statuses(self._pid)) + _MORE_THREADS
        commands = [
            f"-target-attach {self._pid}",
            "-thread-info",
            *(
                f"-stack-list-frames --thread {number} --no-frame-filters 0 {_MAX_FRAMES - 1}"
                for number in range(1, count + 1)
            ),
            "-target-detach",
            "-gdb-exit",
        ]
        self._attached_at = time.monotonic()
        attach, self._threads, *self._lists, detach, _ = session.send(commands)
        self._session = session
        session.require(attach)
        session.require(detach)
        self._left_orderly = True
        self._measure()

    def end(self) -> None:
        """After gdb is gone, in whatever way."""
        if self._attached_at is None:
            return
        if not self._left_orderly:
            self._measure()
        let_run(self._pid, 0 if self._left_orderly else _RESCUE_S)

    def _measure(self) -> None:
        assert self._attached_at is not None
        self.stopped_ms = round((time.monotonic() - self._attached_at) * 1000, 1)

    def stacks(self) -> dict[int, tuple[NativeFrame, ...]]:
        """What was answered, be it only a part. Parsed now that the process runs again."""
        known = self._session.answer(self._threads) if self._session else None
        if self._session is None or known is None:
            return {}
        tids = _tids(known.payload)
        result = {}
        with _images(self._pid) as images:
            for number, token in enumerate(self._lists, 1):
                answer = self._session.answer(token) if number in tids else None
                if answer is not None and answer.ok:
                    entries = _entries(answer.payload, "stack")
                    result[tids[number]] = tuple(_frame(entry, images) for entry in entries)
        return result


@contextlib.contextmanager
def _images(pid: int) -> Iterator[Images | None]:
    """The process's mapped files, to name the module of an address; None once it is gone."""
    with contextlib.ExitStack() as stack:
        images = None
        with contextlib.suppress(TargetError):
            images = Images(stack.enter_context(ProcessMemory(pid)))
        yield images


def _failure(pid: int, message: str) -> Notice:
    if "Operation not permitted" in message or "Permission denied" in message:
        return notice(pid, *access.explain(pid, "no permission to attach gdb"))
    return notice(pid, f"gdb failed: {clean(message, 200)}")


# -- gdb's words to ours --------------------------------------------------------------------------


def _settings(pid: int) -> tuple[str, ...]:
    if _has_own_files(pid):
        return (*_SETTINGS, f"set sysroot /proc/{pid}/root")
    return _SETTINGS


def _has_own_files(pid: int) -> bool:
    """Whether the paths that it loaded its libraries from are other files to us.

    So it is in a container and in a chroot, but not after it went into a chroot by itself.
    """
    ours, its = PROC / "self", PROC / str(pid)
    with contextlib.suppress(OSError):
        if os.readlink(ours / "ns/mnt") != os.readlink(its / "ns/mnt"):
            return True
        root = os.readlink(its / "root")
        return root != "/" and os.readlink(its / "exe").startswith(f"{root}/")
    return False


def _tids(payload: Mapping[str, object]) -> dict[int, int]:
    """gdb's numbers of the threads, and the kernel's."""
    result = {}
    for entry in _entries(payload, "threads"):
        lwp = _LWP.search(str(entry.get("target-id", "")))
        number = str(entry.get("id", ""))
        if lwp and number.isdecimal():
            result[int(number)] = int(lwp[1])
    return result


def _frame(entry: Mapping[str, object], images: Images | None) -> NativeFrame:
    address = _integer(entry.get("addr"), 16) or 0
    image = images.at(address) if images else None
    function = str(entry.get("func", "??"))
    file = entry.get("fullname") or entry.get("file")
    return NativeFrame(
        function=None if function == "??" else clean(demangle(function.removeprefix("__GI_"))),
        module=image.path if image else None,
        address=address,
        file=clean(posixpath.normpath(str(file))) if file else None,
        line=_integer(entry.get("line"), 10),
        offset=address - image.bias if image else None,
    )


def _entries(payload: Mapping[str, object], key: str) -> list[dict[str, object]]:
    value = payload.get(key)
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _integer(value: object, base: int) -> int | None:
    try:
        return int(str(value), base)
    except ValueError:
        return None
