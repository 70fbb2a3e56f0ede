"""What a thread has called of multiprocessing that waits for a semaphore, and what would end it."""

from hangtui.analysis.waitgraph import Edge
from hangtui.findings.stack_queries import index_of
from hangtui.findings.words import Words
from hangtui.model import Thread

SYNCHRONIZE = "multiprocessing/synchronize.py"
ROOM = "room in a Queue of multiprocessing"
"""What who puts something into a full one waits for."""
_NAMED = "the Queue "
_QUEUES = "multiprocessing/queues.py"


def ending(thread: Thread, wait: Edge, words: Words) -> str:
    """What would end a wait for a semaphore, by what *thread* called: ``set an Event of
    multiprocessing``."""
    if index_of(thread, {"join"}, _QUEUES) is not None:
        return "call task_done() on a JoinableQueue"
    if puts(thread):
        return f"make {room(wait, words)}"
    if at_barrier(thread):
        return "join at a multiprocessing Barrier"
    first = index_of(thread, {"wait"}, SYNCHRONIZE)
    if notifies(thread):
        return "say that it has woken up, which Condition.notify of multiprocessing waits for"
    if first is None:
        return f"release {words.name(wait.target)}"
    event = index_of(thread, {"wait"}, SYNCHRONIZE, start=first + 1) is not None
    return f"{'set an Event' if event else 'notify a Condition'} of multiprocessing"


def room(wait: Edge, words: Words) -> str:
    """``room in the Queue jobs``, for which a thread waits that puts into it."""
    name = words.name(wait.target)
    return f"room in {name}" if name.startswith(_NAMED) else ROOM


def puts(thread: Thread) -> bool:
    """Whether it waits until somebody takes an item from a queue that is full."""
    return index_of(thread, {"put"}, _QUEUES) is not None


def notifies(thread: Thread) -> bool:
    """Whether it is inside of a Condition's notify(), which waits until those that it has woken up
    have gone on: only they end that, and nobody else can come to wait meanwhile."""
    return calls(thread, "notify") or calls(thread, "notify_all")


def at_barrier(thread: Thread) -> bool:
    """Whether it waits at a barrier until the others are there."""
    return index_of(thread, {"_wait"}, "threading.py") is not None and calls(thread, "wait")


def calls(thread: Thread, name: str) -> bool:
    """Whether it is inside of a method of multiprocessing's locks of that *name*."""
    return index_of(thread, {name}, SYNCHRONIZE) is not None
