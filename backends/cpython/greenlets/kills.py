"""Greenlets that others have killed, and that have not ended: who kills waits for that."""

from collections.abc import Iterable

from hangtui.backends.cpython.application import of_application
from hangtui.backends.cpython.greenlets.units import GreenletReading
from hangtui.backends.cpython.message_loops import MessageLoops
from hangtui.model import NodeKind, TaskState

_KILLS = frozenset({"kill", "killall"})
"""How the functions of gevent are called, and the methods of its greenlets and groups, that raise
an exception in others and wait until these have ended."""


def killed(units: Iterable[GreenletReading], messages: MessageLoops) -> dict[int, str]:
    """By address those that wait on, and the call that waits for their end: ``gevent.killall``."""
    found = {}
    for unit in units:
        awaited = [one.address for one in unit.waits if one.kind is NodeKind.GREENLET]
        if unit.state is TaskState.WAITING and awaited and (call := _kills(unit, messages)):
            found.update(dict.fromkeys(awaited, call))
    return found


def _kills(unit: GreenletReading, messages: MessageLoops) -> str:
    """What it has called that kills others; empty: it waits for them in another way."""
    for frame in unit.frames:
        if of_application(frame):
            call = messages.called_at(frame)
            return call if call.rpartition(".")[2] in _KILLS else ""
        if frame.code.bare_name in _KILLS:
            return frame.code.bare_name
    return ""
