"""The threads in which a package has called the application in its turn, while somebody waits in
the package for what that brings."""

from collections.abc import Sequence

from hangtui.analysis.places import package_of
from hangtui.findings.enders import enders
from hangtui.findings.english import clauses, counted
from hangtui.findings.outside.library_enders import Member
from hangtui.findings.outside.traffic import is_own
from hangtui.findings.package_queries import is_job
from hangtui.findings.re_entered import short_by_its_own
from hangtui.findings.stack_queries import at_work, below_application, does
from hangtui.findings.thresholds import BUSY_SHARE, LEAST_SHARE
from hangtui.findings.words import Words
from hangtui.model import NodeKind, Pid, Thread, Watched

_TOLD = 2


def jobs_of(waiting: Sequence[Thread], package: str, words: Words) -> list[Thread]:
    """Those of the process of who waits, of one that it has started, or at the other end of a
    connection of the package's threads of C code."""
    pid = waiting[0].pid
    peers = {peer for one in heard_by_native(pid, words) for peer in one.peers}
    return [
        thread
        for process in words.capture.processes
        if pid in (process.pid, process.ppid) or process.pid in peers
        for thread in process.threads
        if thread not in waiting and is_job(thread, package)
    ]


def computes(waiting: Sequence[Thread], package: str, words: Words) -> bool:
    """Whether a thread of the package's own computes in the process of who waits: with several
    looks, and a good part of a processor. What that does is judged there."""
    process = words.capture.process(waiting[0].pid)
    own = (t for t in (process.threads if process else ()) if t not in waiting)
    return any(
        _uses_processor(one, words)
        for one in own
        if package in map(package_of, one.python_stack or ()) and not below_application(one)
    )


def _uses_processor(thread: Thread, words: Words) -> bool:
    """Whether it does, or was ready to and got little of one."""
    seen = words.progress.get(thread.id)
    share = (seen.busy if seen else None) or 0.0
    return share >= (LEAST_SHARE if thread.state == "R" else BUSY_SHARE)


def heard_by_native(pid: int, words: Words) -> list[Watched]:
    """The connections to other processes that threads of C code watch in one."""
    process = words.capture.process(pid)
    native = {one.id for one in (process.threads if process else ()) if not one.is_python}
    return [
        one
        for one in words.capture.watched
        if one.thread in native and one.accepted and not is_own(one)
    ]


def heard_at_work(pid: Pid, words: Words) -> bool:
    """Whether somebody is at work at the other ends of these, who may come to it yet."""
    return at_work({peer for one in heard_by_native(pid, words) for peer in one.peers}, words)


def called_in_its_own(thread: Thread, package: str, words: Words) -> str:
    """``; paho has called bridge in its own Client._thread_main``, where the package has no other
    thread in the process that it runs for itself, which may be the one to bring what is waited for;
    else empty."""
    process = words.capture.process(thread.pid)
    others = (one for one in (process.threads if process else ()) if one is not thread)
    for one in others:
        if not below_application(one) and package in map(package_of, one.python_stack or ()):
            return ""
    return short_by_its_own(thread)


def short_jobs(members: Sequence[Member], package: str, words: Words) -> str:
    """``; meanwhile worker-0 waits at shop.py:9 (reprice) for stock``: of the only one, or of those
    who alone could end that, and wait in the program themselves."""
    jobs = _for_tasks(members, package, words)
    if len(jobs) == 1:
        return f"; meanwhile {does(jobs[0], words)}"
    able = _held_up(members, words)
    more = f", and {counted(len(able) - 1, 'more thread')}" if able[1:] else ""
    return f"; meanwhile {does(able[0], words)}{more}" if able else ""


def _held_up(members: Sequence[Member], words: Words) -> list[Thread]:
    """The threads that alone are on the way to end the wait, if each of them waits in the program
    without a timeout; empty: one does not, or somebody else could end it."""
    (first, wait) = members[0]
    if wait is None or words.graph.holders_of(wait.target):
        return []
    able = [one for one in enders(wait, words) if one.id != first.id]
    found = [one for one in able if isinstance(one, Thread) and _waits_inside(one, words)]
    return found if len(found) == len(able) else []


def _waits_inside(thread: Thread, words: Words) -> bool:
    wait = words.graph.wait_of(thread.id)
    return wait is not None and not wait.expires and below_application(thread)


def told_jobs(members: Sequence[Member], package: str, words: Words) -> str:
    """The same of all, as a sentence."""
    jobs = _for_tasks(members, package, words)
    if not jobs:
        return ""
    doing = clauses([does(one, words) for one in jobs[:_TOLD]], len(jobs), _TOLD)
    return f" Meanwhile {package} has called the program: {doing}."


def _for_tasks(members: Sequence[Member], package: str, words: Words) -> list[Thread]:
    """Those of the process itself, of which it is not known whose work they do; none if others than
    tasks have what is waited for, which tells more."""
    (first, wait) = members[0]
    holds = words.graph.holders_of(wait.target) if wait else ()
    if not holds or any(one.target.kind is not NodeKind.TASK for one in holds):
        return []
    jobs = jobs_of([thread for thread, _ in members], package, words)
    return [one for one in jobs if one.pid == first.pid]
