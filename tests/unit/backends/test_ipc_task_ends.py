"""Who has the other end of a connection at which a task waits, in its own process."""

from collections.abc import Collection
from types import SimpleNamespace
from typing import Any

from hangtui.backends.ipc import task_ends
from hangtui.backends.ipc.peer import TaskStream
from hangtui.model import task_id, thread_id

TASK = task_id(100, 0x900)
OWN, FAR = 11, 22


def scene(users: frozenset[int]) -> Any:
    """A process of which task TASK waits at descriptor 5, and descriptor 6 is the other end."""
    stream = TaskStream(TASK, 101, 5, "receive", False, "it waits for data", "main.py:9")

    def in_hand(fds: Collection[int], _: Collection[int]) -> frozenset[int]:
        return users if set(fds) == {6} else frozenset()

    peer = SimpleNamespace(
        pid=100,
        streams=lambda: [stream],
        stream_users=lambda _: frozenset(),
        socket_users=in_hand,
        paused=dict,
    )
    descriptors = SimpleNamespace(link=lambda *_: f"socket:[{OWN}]", holders=lambda _: {100: [6]})
    loop = SimpleNamespace(pid=100, tid=101)
    facts = SimpleNamespace(far_ends=[], event_loops=[loop])
    return SimpleNamespace(
        peers={100: peer},
        descriptors=descriptors,
        facts=facts,
        hidden_relatives=False,
        name=lambda pid: f"process {pid}",
    )


def told(users: frozenset[int]) -> list[Any]:
    made = scene(users)
    sockets: Any = SimpleNamespace(far_ends=lambda *_: [FAR])
    task_ends.add(made, sockets)
    return list(made.facts.far_ends)


def test_a_single_thread_of_its_own_process_is_told() -> None:
    (end,) = told(frozenset({103}))

    assert (end.task, end.pid, end.users) == (TASK, 100, (thread_id(100, 103),))


def test_nothing_is_told_of_the_loop_itself_or_of_several() -> None:
    assert told(frozenset({101})) == []
    assert told(frozenset()) == []
    assert told(frozenset({103, 104})) == []
