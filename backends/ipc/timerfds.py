"""Waits in a read of a timerfd, which the clock ends; of one that is not armed nothing does but who
arms it: a first time of zero disarms it, whatever its interval is, timerfd_settime(2)."""

import re
from dataclasses import replace

from hangtui.backends.ipc.channel_calls import Access, Demand
from hangtui.backends.ipc.peer import Sleeper
from hangtui.backends.ipc.scene import Scene
from hangtui.model import NodeKind, NoHolder

_LINK = "anon_inode:[timerfd]"
_TIME = re.compile(r"\((\d{1,20}), (\d{1,9})\)")
"""Seconds and nanoseconds, in ``/proc/PID/fdinfo/FD``."""


def add(scene: Scene, sleeper: Sleeper, demand: Demand, link: str) -> bool:
    """Add the wait if *link* is a timerfd that is read."""
    if link != _LINK or demand.access is not Access.READ or demand.polled:
        return False
    left, interval = (_time(scene, sleeper, demand, key) for key in ("it_value", "it_interval"))
    if left is None:
        return False
    name = f"timerfd {demand.fd}"
    note = None
    if not left:
        every = f", though its interval is {interval:g} s" if interval else ""
        note = f"it is not armed{every}: only who calls timerfd_settime() can end that"
        name += f", which is not armed{every}"
    node = scene.resource(NodeKind.PIPE, f"{sleeper.pid}/{demand.fd}/timer", name, sleeper, note)
    if not left and interval:
        unarmed = replace(scene.facts.resources[node], no_holder=NoHolder.UNARMED)
        scene.facts.resources[node] = unarmed
    state = f"expires in {left:g} s" if left else "is not armed"
    text = f"{demand.said}, a timerfd that {state}"
    scene.wait(sleeper, node, text, "timer", expires=demand.expires or left > 0)
    return True


def _time(scene: Scene, sleeper: Sleeper, demand: Demand, key: str) -> float | None:
    values = scene.descriptors.info(sleeper.pid, demand.fd).values(key)
    match = _TIME.search(values[0]) if values else None
    return int(match[1]) + int(match[2]) / 1e9 if match else None
