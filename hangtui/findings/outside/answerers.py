"""Who would answer over the connections of a library whose calls alone take what comes: in the
processes at the other ends, whether any thread is in that library, and which threads have ended."""

from collections.abc import Iterator

from hangtui.analysis.places import package_of
from hangtui.findings.by_the_clock import goes_on, moves
from hangtui.findings.child_ends import ended_children, short_ended, told_ended
from hangtui.findings.english import joined, listed
from hangtui.findings.message_rings import would_send
from hangtui.findings.outside.traffic import is_own
from hangtui.findings.stack_queries import at_work, below_application, does
from hangtui.findings.thresholds import NAMES_LISTED
from hangtui.findings.words import Words
from hangtui.model import Process, Thread

_BY_CALLS = frozenset({"zmq", "pyzmq"})
"""What comes over their connections is taken, and answered, where some thread calls them."""


def nobody_answers(thread: Thread, package: str, words: Words) -> tuple[str, str]:
    """`` The other end of its connections is open in process 8, where no thread is in zmq``, and
    the same for a title, if a thread has ended there; empty: somebody may answer, or it is not
    known who that would be."""
    ends = _other_ends(thread, words) if package in _BY_CALLS else []
    if ends and (both := _all_receive(thread, ends, words)):
        return both, ""
    if package in _BY_CALLS and not ends:
        both = _all_receive_here(thread, words)
        return (both, "") if both else _children_gone(thread, words)
    if not ends or any(_may_answer(process, words) for process in ends):
        return "", ""
    names = joined([words.process_name(process.pid) for process in ends])
    ended = [name for process in ends for name in (process.python.ended if process.python else ())]
    several = len(ended) > 1
    gone = ""
    if ended:
        verb = "threads" if several else "thread"
        gone = f" The {verb} {listed(ended)} {'have' if several else 'has'} ended there."
    now = [does(one, words) for process in ends for one in process.threads
           if one.is_python and below_application(one)]  # fmt: skip
    does_now = f" Now {listed(now[:NAMES_LISTED])}." if now else ""
    title = f", and no thread of {names} is in {package} to answer" if ended else ""
    sentence = (
        f" The other end of its connections is open in {names}, where no thread is in {package} to "
        f"take what it sends, and to answer.{gone}{does_now}"
    )
    return sentence, title


def told_receivers(process: Process, words: Words) -> str:
    """`` Meanwhile MainThread of process 7 waits at ..., for a message that only process 8 could
    send.``, of those in other processes none of whose connections leads anywhere else."""
    waiting = [
        one for one in words.capture.threads()
        if one.pid != process.pid and below_application(one) and hears_only(one, process, words)
    ]  # fmt: skip
    told = listed([does(one, words) for one in waiting[:NAMES_LISTED]])
    sends = f"for a message that only {words.process_name(process.pid)} could send"
    return f" Meanwhile {told}, {sends}." if told else ""


def hears_only(thread: Thread, process: Process, words: Words) -> bool:
    """Whether it waits for a message of this library, and all its connections lead to *process*."""
    return _receives(thread) and _other_ends(thread, words) == [process]


def _children_gone(thread: Thread, words: Words) -> tuple[str, str]:
    """`` Of process 3's children, process 7 (store) ended with status 1.``, of one none of whose
    connections is known to lead to another process; for a title, too, if it waits for somebody to
    take what it sends."""
    process = words.capture.process(thread.pid)
    if process is None or any(one.thread.pid == thread.pid for one in words.capture.watched):
        return "", ""
    gone = ended_children(process)
    told = told_ended(gone, f"{words.process_name(process.pid)}'s")
    return told, "" if _receives(thread) else short_ended(gone)


def answered_later(thread: Thread, package: str, words: Words) -> bool:
    """Whether it waits for what those send at the other ends of its connections who are about
    something else of the application's meanwhile, and all go on by the clock or are at work; or one
    is who runs, and may come to it yet."""
    ends = _other_ends(thread, words) if package in _BY_CALLS else []
    if at_work({process.pid for process in ends}, words):
        return True
    busy = [one for process in ends for one in process.threads
            if one.is_python and below_application(one)]  # fmt: skip
    return bool(busy) and all(goes_on(one, words) or moves(one, words) for one in busy)


def _other_ends(thread: Thread, words: Words) -> list[Process]:
    """The processes at the other ends of what native threads of its own watch, if all of these were
    looked at."""
    process = words.capture.process(thread.pid)
    native = {one.id for one in (process.threads if process else ()) if not one.is_python}
    pids: dict[int, None] = {}
    for one in words.capture.watched:
        if one.thread in native:
            if not one.peers:
                return []  # it leads to somebody who is not known
            pids.update((pid, None) for pid in one.peers if pid != thread.pid)
    found = [words.capture.process(pid) for pid in pids]
    known = [one for one in found if one is not None and one.python and not one.incomplete]
    return known if len(known) == len(found) <= NAMES_LISTED else []


def _may_answer(process: Process, words: Words) -> bool:
    """Whether a thread is in the package, or an event loop may call it."""
    return _runs_loop(process, words) or any(
        _BY_CALLS & set(_packages(one)) for one in process.threads
    )


def _runs_loop(process: Process, words: Words) -> bool:
    return any(loop.pid == process.pid for loop in words.capture.event_loops)


def _packages(thread: Thread) -> Iterator[str | None]:
    """Those whose code it is in; C code may be called without a Python frame of the package."""
    stack = thread.python_stack or ()
    yield from map(package_of, stack)
    if stack:
        yield from ((one.package or "").partition(" ")[0] for one in thread.native_stack or ())


def _all_receive(thread: Thread, ends: list[Process], words: Words) -> str:
    """`` The other end of its connections is open in process 8, which waits for a message as
    well``: of one that waits for a message itself, where a thread waits below the application's
    own line in each of these processes that has threads in the package."""
    if not _receives(thread):
        return ""
    inside = {
        process.pid: [one for one in process.threads if _BY_CALLS & set(_packages(one))]
        for process in ends
    }
    owing = [one for those in inside.values() for one in those if below_application(one)]
    if not owing or not all(map(_receives, owing)):
        return ""
    names = joined([words.process_name(pid) for pid in dict.fromkeys(one.pid for one in owing)])
    now = listed([does(one, words) for one in owing[:NAMES_LISTED]])
    return (
        f" The other end of one of its connections is open in {names}, where the application waits "
        f"for a message of this library as well, instead of sending one: {now}."
        f"{would_send({one.pid for one in owing}, words.capture)}"
    )


def _all_receive_here(thread: Thread, words: Words) -> str:
    """`` Its connections lead from this process to itself, where ...``, of what `_all_receive` says
    of several processes."""
    process = words.capture.process(thread.pid)
    if process is None or not _receives(thread) or _runs_loop(process, words):
        return ""
    native = {one.id for one in process.threads if not one.is_python}
    connections = [one for one in words.capture.watched if one.thread in native]
    others = [one for one in process.threads if one is not thread and one.is_python]
    inside = [one for one in others if _BY_CALLS & set(_packages(one))]
    busy = [one for one in others if one not in inside and below_application(one)]
    if not inside or busy or not all(map(_receives, inside)) or not all(map(is_own, connections)):
        return ""
    now = listed([does(one, words) for one in inside[:NAMES_LISTED]])
    return (
        " Its connections lead from this process to itself, where the application's other threads "
        f"wait for a message of this library as well, instead of sending one: {now}."
        f"{would_send({process.pid}, words.capture)}"
    )


def _receives(thread: Thread) -> bool:
    """Whether the innermost function of the package that it sleeps in takes a message."""
    names = [one.function.rpartition(".")[2] for one in thread.python_stack or ()
             if package_of(one) in _BY_CALLS]  # fmt: skip
    names += [one.function or "" for one in thread.native_stack or ()
              if (one.package or "").partition(" ")[0] in _BY_CALLS]  # fmt: skip
    return thread.asleep and any("recv" in name for name in names)
