"""What is concluded from the tasks of trio as they were read."""

from hangtui.backends.cpython.aio.awaited import Awaited
from hangtui.backends.cpython.aio.futures import RawTask
from hangtui.backends.cpython.aio.locks import TaskHold
from hangtui.backends.cpython.aio.tasks import TaskReading
from hangtui.backends.cpython.trio.tasks import hand_over
from hangtui.model import Certainty, NodeKind, TaskState

LOCK = 0x900


def wanting(address: int) -> TaskReading:
    awaited = Awaited("{}", "in acquire()", NodeKind.LOCK, LOCK, "trio.Lock")
    raw = RawTask(address, 0x10, address + 1, "#1", awaited=0)
    return TaskReading(raw, TaskState.WAITING, (), awaited)


def test_who_has_the_lock_that_it_waits_for_is_about_to_run() -> None:
    tasks = {one: wanting(one) for one in (0x100, 0x200)}
    hold = TaskHold(LOCK, NodeKind.LOCK, "trio.Lock", 0x100, Certainty.CERTAIN, "its owner", None)

    hand_over(tasks, [hold])

    assert (tasks[0x100].state, tasks[0x100].awaited) == (TaskState.READY, None)
    assert tasks[0x200] == wanting(0x200)
