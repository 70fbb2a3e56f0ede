"""Who of a capture stood still, so that what was read of them held all at once."""

from hangtui.model import Capture, NodeId, thread_id


def stillness_of(capture: Capture) -> dict[NodeId, bool]:
    """Whether those that wait and hold stood still: Python threads first, then tasks, then threads
    of programs that run no Python, from whose side a ring is not told.

    Who woke up only to go on with the same wait did so, and only the thread of its event loop moves
    a task. What was read while that did not run was true at once: who then waits in a ring cannot
    go on, whatever else the thread does.
    """
    waited_on = {wait.waiter for wait in capture.waits if wait.lasting}
    still = {one.id: one.still is True or one.id in waited_on for one in capture.threads()}
    for task in capture.tasks:
        loop = None if task.loop_tid is None else thread_id(task.pid, task.loop_tid)
        still[task.id] = task.still is True or (loop is not None and still.get(loop, False))
    without = {one.pid for one in capture.processes if one.python is None}
    return dict(sorted(still.items(), key=lambda pair: pair[0].pid in without))
