"""From the words of a command line to one capture."""

import argparse
import os
import signal
import time
from collections.abc import Collection, Sequence
from dataclasses import replace
from types import FrameType

from hangtui.cli import names, reading
from hangtui.cli.several import combine
from hangtui.cli.signals import handled
from hangtui.dataclass import dataclass
from hangtui.model import Capture, Notice, Process, Source, TargetError, UsageError, clean
from hangtui.provider import CaptureRequest, NativeMode

_PID_LIMIT = 2**22
"""Linux gives no PIDs from here on, whatever kernel.pid_max says."""
MOST_WORKERS = 16
"""Descendants that are looked at although nobody asked for them."""


@dataclass(frozen=True, slots=True)
class Targets:
    """What a command was asked to look at."""

    pids: tuple[int, ...] = ()
    files: tuple[str, ...] = ()


def parse_pid(word: str) -> int:
    """The PID that *word* is, or of the process that is called so.

    Raises:
        UsageError: it cannot be one, and no process or more than one is called so.
    """
    digits = word.removeprefix("-")
    if not (digits.isascii() and digits.isdecimal()):
        named = os.path.sep not in word and not word.endswith(".hang")
        if word.isdecimal() or word.startswith("-") or not named:
            raise UsageError(
                f"{clean(word)!r} is not a PID", "a PID is a number: hangtui lists them"
            )
        return names.pid_of(word)
    # int() refuses numbers of thousands of digits.
    number = int(digits) if len(digits) < 20 else _PID_LIMIT
    if word.startswith("-") or number == 0:
        raise UsageError(f"{clean(word)} is not a PID: PIDs begin at 1")
    if number >= _PID_LIMIT:
        raise UsageError(f"{clean(word, 30)} is not a PID: Linux PIDs are below {_PID_LIMIT}")
    return number


def parse_pids(words: Sequence[str]) -> tuple[int, ...]:
    """The PIDs that *words* are, each once.

    Raises:
        UsageError: one of them cannot be one.
    """
    return tuple(dict.fromkeys(parse_pid(word) for word in words))


def parse_targets(words: Sequence[str]) -> Targets:
    """PIDs, names of processes, and files among *words*; ``-`` is standard input.

    Raises:
        UsageError: one of them is none of these.
    """
    words = ["/dev/stdin" if word == "-" else word for word in words]
    files = tuple(dict.fromkeys(word for word in words if _is_file(word)))
    return Targets(parse_pids([word for word in words if word not in files]), files)


def _is_file(word: str) -> bool:
    if word.isascii() and word.isdecimal():
        return False
    return word.endswith(".hang") or os.path.sep in word or os.path.exists(word)  # noqa: PTH110


def take(
    words: Sequence[str],
    *,
    children: bool,
    native: str,
    sysroot: str | None = None,
    follow: bool = False,
    within_s: float | None = None,
) -> tuple[Targets, Capture]:
    """Capture the processes and load the files among *words*.

    Args:
        words: PIDs and names of files.
        children: also the descendants of the processes.
        native: how native stacks are read, a `NativeMode`.
        sysroot: where the files of the machine lie on which core files were written; None: here.
        follow: also the Python processes that those wait for, where no file is named.
        within_s: for how long to read live processes at most, in seconds; what is known then is the
            capture. None: as long as it takes.

    Raises:
        UsageError: a word is neither, or two captures cannot be shown as one.
        InputError: a file cannot be read.
        TargetError: none of the processes could be read.
    """
    from hangtui.cli.files import load

    targets = parse_targets(words)
    captures = [load(file, sysroot) for file in targets.files]
    if targets.pids:
        alone = follow and not targets.files
        request = CaptureRequest(targets.pids, children, NativeMode(native), alone)
        captures.append(live(request, within_s))
    return targets, combine(captures)


def words(args: argparse.Namespace) -> list[str]:
    """The processes and files that a command line names, one way or the other.

    Raises:
        UsageError: it names none.
    """
    named: list[str] = [*args.targets, *([str(parent())] if args.parent else [])]
    if not named:
        raise UsageError("which process?", "hangtui   (lists them; or give a PID or --parent)")
    return named


def parent() -> int:
    """The nearest Python process that this command was started by, through shells or directly.

    Raises:
        UsageError: there is none.
    """
    import psutil

    from hangtui.backends.precedence import waiter
    from hangtui.backends.process.discovery import is_python

    for process in psutil.Process().parents():
        if process.pid != waiter() and is_python(process.pid):
            return process.pid
    raise UsageError("no Python process started this command", "hangtui dump PID")


def overlooked(
    asked: Targets, capture: Capture, wanted: Collection[int] | None
) -> list[TargetError]:
    """Why all must not be called well, although nothing wrong was found: an error for each process
    that was not looked at well enough.

    *wanted*: the processes that count; None: all of the capture.
    """
    from hangtui.analysis import coverage

    missing = [pid for pid in asked.pids if capture.process(pid) is None]
    errors = [_blind(capture, [pid]) for pid in missing]
    for process in capture.processes:
        if wanted is not None and process.pid not in wanted:
            continue
        gaps = coverage.gaps(capture, process)
        if gaps:
            message = coverage.sentence(process.pid, gaps)
            errors.append(TargetError(message, coverage.fix_of(gaps)))
        elif process.state in coverage.ENDED and process.pid in asked.pids:
            errors.append(_ended(capture, process))
    seen = errors or capture.processes or capture.collectives
    return errors if seen else [_blind(capture, ())]


def _ended(capture: Capture, process: Process) -> TargetError:
    if process.state == "X":
        return TargetError(f"process {process.pid} ended while it was looked at")
    notice = next((one for one in capture.notices if one.pid == process.pid), None)
    message = notice.message if notice else f"process {process.pid} has ended"
    parent = f"hangtui check {process.ppid}   (what its parent does)" if process.ppid else None
    return TargetError(message, parent)


def require_some_sight(capture: Capture) -> None:
    """A capture in which nothing at all could be read is a failure.

    Raises:
        TargetError: nothing but the existence of the processes is known.
    """
    from hangtui.analysis.coverage import nothing_read, unread

    if nothing_read(capture):
        raise _blind(capture, [process.pid for process in unread(capture)])


def _blind(capture: Capture, pids: Sequence[int]) -> TargetError:
    notice = next((n for n in capture.notices if n.pid is None or n.pid in pids), None)
    names = ", ".join(map(str, pids)) or "any process"
    why = f": {notice.message}" if notice else ""
    return TargetError(f"cannot look into {names}{why}", notice.fix if notice else None)


def live(request: CaptureRequest, within_s: float | None = None) -> Capture:
    """A complete capture of live processes; *within_s*: or what is known of them after so long.

    Raises:
        TargetError: none of them could be read.
    """
    from hangtui.backends.supervision.supervisor import LateError

    last: bytes | None = None
    late = False
    # A helper that holds a target lets it go first.
    with handled((signal.SIGTERM, signal.SIGHUP), _unwind):
        reader = reading.reader()
        reader.start()
        until = None if within_s is None else time.monotonic() + within_s
        try:
            for capture in reader.take(request, steps=within_s is not None, until=until):
                last = capture
        except LateError:
            late = True
    if last is None:
        raise TargetError(
            f"nothing was known after {within_s:.1f} s" if late else "nothing could be read"
        )
    from hangtui.backends.supervision.flat import decode

    found = decode(last)
    return (
        replace(found, notices=(_ended_early(found, within_s), *found.notices)) if late else found
    )


def _ended_early(capture: Capture, within_s: float | None) -> Notice:
    missing = ", ".join(capture.pending) or "the last of it"
    message = f"the reading was ended after {within_s:.1f} s; not read to the end: {missing}"
    pids = " ".join(str(process.pid) for process in capture.processes[:5])
    return Notice(Source.PROCFS, message, f"hangtui dump {pids}   (without --within)")


def workers(capture: Capture) -> tuple[int, ...]:
    """PIDs of those that run Python and are not in *capture*, but were started by its processes, or
    by programs without Python that these started."""
    from hangtui.backends.process.descendants import python_descendants

    known = {process.pid for process in capture.processes}
    children = (c for p in capture.processes for c in (p.around.children if p.around else ()) or ())
    alive = [child.pid for child in children if child.state not in ("Z", "X")]
    return python_descendants(alive, known, MOST_WORKERS)


def _unwind(number: int, _frame: FrameType | None) -> None:
    raise SystemExit(128 + number)
