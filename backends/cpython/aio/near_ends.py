"""Connections of libraries with both ends in one process: which task has the other end in hand.

A task waits beside a connection of asyncio, by a future, an event or a queue of its library, and
the other end is another transport of this process: whose variables lead to that one, or to its
protocol, is to answer.
"""

import re
from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

from hangtui.backends.cpython.aio.stream_ends import StreamEnds
from hangtui.backends.cpython.aio.tasks import AsyncReading, TaskReading
from hangtui.backends.cpython.aio.transport_users import TransportUsers, innermost
from hangtui.backends.cpython.aio.transports import connections
from hangtui.backends.cpython.frames import Frame
from hangtui.backends.cpython.reader import PythonReader
from hangtui.backends.cpython.trio.fields import Fields
from hangtui.model import Certainty, Evidence, Hold, NodeId, Resource, Source, Wait, task_id

_MOST_WAITS = 50
"""Of one process that are followed."""
_MOST_USERS = 4
_PROOF = "are in this process"
_IN_HAND = "its variables lead to the other end of the connection"
_ENDINGS = re.compile("shutdown|close|clean|stop|drain|disconnect|exit|quit|finish")
"""How functions are called that wait for the own side to be done, not for the other one."""
_INNERMOST = 6


class NearWait(NamedTuple):
    """A wait for who has the other end."""

    replaces: NodeId | None
    """What the task was said to wait for."""
    wait: Wait
    resource: Resource
    holds: tuple[Hold, ...]


class NearEnds:
    """Finds them among the tasks of one interpreter."""

    def __init__(self, pid: int, python: PythonReader, fields: Fields, ends: StreamEnds) -> None:
        self._pid = pid
        self._users = TransportUsers(python, fields)
        self._fields = fields
        self._ends = ends

    def waits(
        self, reading: AsyncReading, told: Collection[NodeId], targets: dict[NodeId, NodeId]
    ) -> Iterator[NearWait]:
        """Those of tasks; *told*: tasks whose other ends are known; *targets*: what each is said
        to wait for.

        Raises:
            BudgetSpentError: too many objects of this process were looked at.
        """
        waiting = [
            one
            for one in reading.tasks.values()
            if one.awaited
            and (one.awaited.connection or one.awaited.transport)
            and not any(map(_ends, one.frames[:_INNERMOST]))
            and task_id(self._pid, one.address) not in told
        ]
        if not waiting:
            return
        known = {
            self._ends.names(transport): transport
            for _, transport in connections(self._fields, reading.loops)
        }
        near = [(one, *self._both(one, known)) for one in waiting[:_MOST_WAITS]]
        users = self._users.of({other for _, _, other in near} - {0}, reading.tasks.values())
        for task, names, other in near:
            others = innermost([one for one in users.get(other, ()) if one is not task])
            hears = any(self._waits_at(one, other) for one in others)
            if 0 < len(others) <= _MOST_USERS and not hears:
                wait, resource = self._ends.wait(task, names, _PROOF)
                holds = tuple(self._hold(wait.target, one) for one in others)
                yield NearWait(targets.get(wait.waiter), wait, resource, holds)
            elif hears and task_id(self._pid, task.address) not in targets:
                # Where both only hear what comes, who begins is not known.
                yield NearWait(None, *self._ends.wait(task, names, _PROOF), ())

    def _both(
        self, task: TaskReading, known: Mapping[tuple[str, str], int]
    ) -> tuple[tuple[str, str], int]:
        """The names of both ends, and the transport of the other one; 0: that is not here."""
        awaited = task.awaited
        here, there = (
            self._ends.names(awaited.connection or awaited.transport) if awaited else ("", "")
        )
        other = known.get((there, here), 0) if here and here != there else 0
        return (here, there), other

    @staticmethod
    def _waits_at(task: TaskReading, transport: int) -> bool:
        awaited = task.awaited
        return awaited is not None and transport in (awaited.connection, awaited.transport)

    def _hold(self, node: NodeId, task: TaskReading) -> Hold:
        evidence = Evidence(Source.CPYTHON, Certainty.INFERRED, _IN_HAND, task.place)
        return Hold(node, task_id(self._pid, task.address), evidence)


def _ends(frame: Frame) -> bool:
    return bool(_ENDINGS.search(frame.code.bare_name))
