"""What the libraries of event loops call what a finding tells of them, or advises."""

from collections.abc import Iterable

from hangtui.dataclass import dataclass
from hangtui.model import Capture, EventLoop, LoopState, NodeId, Task, thread_id


@dataclass(frozen=True, slots=True)
class Terms:
    """Those of one library."""

    library: str
    timeout: str
    """What bounds a wait."""
    in_thread: str
    """What runs a blocking call in a thread."""
    unit: str = "task"
    """What its loop runs."""
    loop: str = "event loop"
    """What it calls that."""
    instead: str = "Await an asynchronous version of the call"
    """What to do instead of a call that blocks, before where that is."""
    reentrant: str | None = None
    """Its lock that whoever has it may take again."""
    walked: bool = False
    """Whether its units are found by a walk over all objects, which may miss what moves."""

    @property
    def whole(self) -> str:
        """``asyncio event loop``, ``gevent hub``."""
        return f"{self.library} {self.loop}"

    @property
    def short(self) -> str:
        """``loop``, ``hub``."""
        return self.loop.rpartition(" ")[2]


_ASYNCIO = Terms(
    "asyncio",
    "asyncio.timeout() (asyncio.wait_for() before 3.11)",
    "await asyncio.to_thread(...) (loop.run_in_executor() before 3.9)",
)
_TERMS = {
    "asyncio": _ASYNCIO,
    "trio": Terms("trio", "trio.move_on_after()", "await trio.to_thread.run_sync(...)"),
    "gevent": Terms(
        "gevent",
        "gevent.Timeout()",
        "gevent.get_hub().threadpool.apply(...)",
        "greenlet",
        "hub",
        "Call monkey.patch_all() before anything else is imported, or use a cooperative version of "
        "the call",
        "gevent.lock.RLock",
        walked=True,
    ),
    "eventlet": Terms(
        "eventlet",
        "eventlet.Timeout()",
        "eventlet.tpool.execute(...)",
        "greenlet",
        "hub",
        "Call monkey_patch() before anything else is imported, or use a cooperative version of the "
        "call",
        "threading.RLock (after monkey_patch())",
        walked=True,
    ),
    "Twisted": Terms(
        "Twisted",
        "Deferred.addTimeout()",
        "twisted.internet.threads.deferToThread(...)",
        loop="reactor",
        instead="Call something that returns a Deferred",
        walked=True,
    ),
}


def terms_of(loop: EventLoop) -> Terms:
    """Those of the library whose loop it is."""
    return _TERMS.get(loop.library, _ASYNCIO)


def terms_for(tasks: Iterable[Task], capture: Capture) -> Terms:
    """Those of the library that runs *tasks*; of asyncio where there are several."""
    loops = {(task.pid, task.loop) for task in tasks}
    found = {one.library for one in capture.event_loops if (one.pid, one.address) in loops}
    return _TERMS.get(found.pop(), _ASYNCIO) if len(found) == 1 else _ASYNCIO


def idle_loops(capture: Capture) -> frozenset[NodeId]:
    """The threads whose event loops have nothing to run."""
    return frozenset(
        thread_id(one.pid, one.tid)
        for one in capture.event_loops
        if one.tid is not None and one.state is LoopState.IDLE
    )
