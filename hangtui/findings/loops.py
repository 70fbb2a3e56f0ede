"""What the libraries of event loops call what a finding tells of them, or advises."""

from collections.abc import Iterable

from hangtui.dataclass import dataclass
from hangtui.model import Capture, EventLoop, Task


@dataclass(frozen=True, slots=True)
class Terms:
    """Those of one library."""

    library: str
    timeout: str
    """What bounds a wait."""
    in_thread: str
    """What runs a blocking call in a thread."""


_ASYNCIO = Terms(
    "asyncio",
    "asyncio.timeout() (asyncio.wait_for() before 3.11)",
    "await asyncio.to_thread(...) (loop.run_in_executor() before 3.9)",
)
_TERMS = {
    "asyncio": _ASYNCIO,
    "trio": Terms("trio", "trio.move_on_after()", "await trio.to_thread.run_sync(...)"),
}


def terms_of(loop: EventLoop) -> Terms:
    """Those of the library whose loop it is."""
    return _TERMS.get(loop.library, _ASYNCIO)


def terms_for(tasks: Iterable[Task], capture: Capture) -> Terms:
    """Those of the library that runs *tasks*; of asyncio where there are several."""
    loops = {(task.pid, task.loop) for task in tasks}
    found = {one.library for one in capture.event_loops if (one.pid, one.address) in loops}
    return _TERMS.get(found.pop(), _ASYNCIO) if len(found) == 1 else _ASYNCIO
