"""Whether a process was looked at well enough for an all-clear: the one place that decides it.

Silence must not be taken for good news. What the readers could not give, they say themselves
(``Process.gaps``, ``Process.incomplete``); what their facts show to be missing is added here, so
that captures of older versions and of other programs are judged by the same rule.
"""

from hangtui.model import Capture, Gap, Process, Thread

ENDED = ("Z", "X")
"""States in which nothing is left to look at."""
_BOUND = "a limit on its reading was reached"
_MISREAD = "their memory could not be followed"
_UNLISTED = "they run Python code, and no interpreter lists them (any more)"
_UNTOLD = "the kernel does not show their system calls"
_EVALUATOR = "_PyEval_EvalFrameDefault"
_NAMED = 5
"""Threads that are named in one gap."""


def gaps(capture: Capture, process: Process) -> tuple[Gap, ...]:
    """What an all-clear of *process* needs and was not read, each once; empty: it was looked at
    well enough, or it has ended."""
    if process.state in ENDED:
        return ()
    known = {gap.what for gap in process.gaps}
    cut = (Gap(what, _BOUND) for what in process.incomplete if what not in known)
    found = (*process.gaps, *cut)
    if not found and _dark(process):
        found = (_nothing(capture, process),)
    return found or tuple(_blind_spots(process))


def overlooked(capture: Capture) -> dict[int, tuple[Gap, ...]]:
    """`gaps` of the processes that have some, by PID."""
    found = {process.pid: gaps(capture, process) for process in capture.processes}
    return {pid: some for pid, some in found.items() if some}


def sentence(pid: int, found: tuple[Gap, ...]) -> str:
    """*found* of a process in one sentence without its full stop."""
    return f"process {pid} was not looked at well enough: not read: {told(found)}"


def told(found: tuple[Gap, ...]) -> str:
    """``the GIL (the reason); its memory (another one)``."""
    parts: dict[str, list[str]] = {}
    for gap in found:
        parts.setdefault(gap.reason, []).append(gap.what)
    return "; ".join(f"{', '.join(whats)} ({reason})" for reason, whats in parts.items())


def fix_of(found: tuple[Gap, ...]) -> str | None:
    """The first thing to do about *found*."""
    return next((gap.fix for gap in found if gap.fix), None)


def unread(capture: Capture) -> tuple[Process, ...]:
    """The processes of which nothing is known but that they exist: no stack, no wait, no GIL."""
    return tuple(one for one in capture.processes if one.state not in ENDED and _dark(one))


def nothing_read(capture: Capture) -> bool:
    """Whether that is all that is known of every process that has not ended."""
    alive = [process for process in capture.processes if process.state not in ENDED]
    dark = unread(capture)
    recorded = capture.processes or capture.collectives
    return len(dark) == len(alive) and (bool(dark) or not recorded)


def _dark(process: Process) -> bool:
    if any(_seen(thread) for thread in process.threads):
        return False
    # A thread on a CPU is in no system call; only a Python one has a stack that could be read. But
    # whoever could look into its process has counted how often it ran.
    asleep = any(thread.state != "R" for thread in process.threads)
    watched = any(thread.runs is not None for thread in process.threads)
    return asleep or process.python is not None or not watched


def _seen(thread: Thread) -> bool:
    return (
        thread.python_stack is not None
        or thread.native_stack is not None
        or thread.syscall is not None
        or thread.gil is not None
    )


def _nothing(capture: Capture, process: Process) -> Gap:
    """Why nothing at all was read, as a notice has it."""
    about = [notice for notice in capture.notices if notice.pid == process.pid]
    notice = next(iter((*about, *(one for one in capture.notices if one.pid is None))), None)
    reason, fix = (notice.message, notice.fix) if notice else ("the reason is not known", None)
    return Gap("its stacks and waits", reason, fix)


def _blind_spots(process: Process) -> list[Gap]:
    """Threads that stand still, and of which it is not known where."""
    still = [thread for thread in process.threads if thread.blocked]
    stacks = "the Python stacks of threads that stood still"
    spots = (
        (stacks, _MISREAD, [t for t in still if t.is_python and t.python_stack is None]),
        (stacks, _UNLISTED, [t for t in still if t.is_python is False and _evaluates(t)]),
        ("what the threads that stood still wait for", _UNTOLD, [t for t in still if not _seen(t)]),
    )
    return [
        Gap(f"{what}: {', '.join(str(thread.tid) for thread in blind[:_NAMED])}", reason)
        for what, reason, blind in spots
        if blind
    ]


def _evaluates(thread: Thread) -> bool:
    return any(frame.function == _EVALUATOR for frame in thread.native_stack or ())
