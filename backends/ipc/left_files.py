"""Files that an event loop holds to be watched, and that the kernel watches no more: they were
closed behind its back, or a child that has the same epoll object since a fork took them out of it.
They wake nobody."""

from dataclasses import replace

from hangtui.backends.ipc.channel_calls import EPOLLS
from hangtui.backends.ipc.peer import Sleeper
from hangtui.backends.ipc.scene import Scene
from hangtui.backends.procfs.syscalls import signed
from hangtui.model import EventLoop, LoopState

_ASYNCIO = "asyncio"
_OWN = 1
"""Of what such a loop watches: the socket by which other threads and signals wake it."""


def forget(scene: Scene, sleeper: Sleeper) -> None:
    """Leave these out of the count of the loop that a thread runs, which waits in epoll, and count
    them by themselves."""
    if sleeper.where.call not in EPOLLS:
        return
    loops = scene.facts.event_loops
    own = [index for index, one in enumerate(loops) if _waits_in(one, sleeper)]
    epoll = signed(sleeper.where.arguments[0])
    real = len(scene.descriptors.info(sleeper.pid, epoll).values("tfd"))
    if len(own) == 1 and real:
        loop = loops[own[0]]
        known = loop.watched or 0
        watched = min(known, max(0, real - _OWN))
        loops[own[0]] = replace(loop, watched=watched, dropped=known - watched)


def _waits_in(loop: EventLoop, sleeper: Sleeper) -> bool:
    runs = (loop.pid, loop.tid) == (sleeper.pid, sleeper.tid)
    return runs and loop.library == _ASYNCIO and loop.state is LoopState.IDLE and bool(loop.watched)
