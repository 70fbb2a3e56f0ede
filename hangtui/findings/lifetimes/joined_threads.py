"""Whether a thread that the end of a program joins gets on with what it is there for."""

from hangtui.analysis.places import library_frame, package_of
from hangtui.analysis.waitgraph import Edge
from hangtui.findings.by_the_clock import all_go_on, at_own_work, goes_on, moves, passed_on
from hangtui.findings.givers import givers_going_on
from hangtui.findings.outside.due import nothing_due
from hangtui.findings.pool_workers import at_task, manages_executor
from hangtui.findings.words import Words
from hangtui.model import NodeKind, Thread


def joined_goes_on(awaited: Thread, own: Edge | None, words: Words) -> bool:
    """Whether the threads are what the program does, after its main one has started them: the one
    that is joined hears what others may send, or is about to get what it waits for."""
    holders = [hold.target for hold in words.graph.holders_of(own.target)] if own else [awaited.id]
    if holders and all(_does_its_rounds(one, words) for one in words.threads(holders)):
        return True
    if manages_executor(awaited) and (workers := at_task(awaited.pid, words)):
        return all(_gets_on(one, words) for one in workers)
    if own is None:
        return goes_on(awaited, words)
    if own.target.kind is NodeKind.SOCKET and nothing_due(awaited, own, words):
        return True
    resource = words.resource(own.target)
    if resource is not None and all_go_on(words.actors(resource.named_by), words):
        return True
    if givers_going_on(own, words):
        return True
    at_work = any(moves(one, words) for one in _siblings(awaited, words))
    return at_work or goes_on(awaited, words) or passed_on(own, words)


def _gets_on(worker: Thread, words: Words) -> bool:
    """Whether a pool's worker sleeps by the clock, or is at work: its pool ends once it is done."""
    return goes_on(worker, words) or moves(worker, words) or at_own_work(worker, words)


def _does_its_rounds(thread: Thread, words: Words) -> bool:
    """Whether it sleeps now and then in a loop that does something else in between than to look
    whether it should go on."""
    seen = words.progress.get(thread.id)
    rounds = seen is not None and seen.ran and thread.only_sleeps is False
    sleeps = thread.syscall is not None and thread.syscall.sleeps
    return rounds and sleeps and thread.id not in words.looking


def _siblings(thread: Thread, words: Words) -> list[Thread]:
    """The other threads of its process that began in the same function of the program."""
    process = words.capture.process(thread.pid)
    begun = _begun(thread)
    others = (one for one in (process.threads if process else ()) if one is not thread)
    return [one for one in others if begun is not None and _begun(one) == begun]


def _begun(thread: Thread) -> tuple[str, str] | None:
    own = [f for f in thread.python_stack or () if not library_frame(f) and package_of(f) is None]
    return (own[-1].filename, own[-1].function) if own else None
