"""A process's event loops and tasks as text: tasks in a deadlock first, those alike together."""

from collections.abc import Iterator

from hangtui.analysis.places import line_of
from hangtui.analysis.waitgraph import WaitGraph
from hangtui.model import Capture, EventLoop, NodeKind, Process, Task, TaskState
from hangtui.report.drawing import Signs, cut, wrapped
from hangtui.report.hold_rows import hold_rows

_SHOWN = 40
_FRAMES = 12
_ALIKE = 3
"""So many tasks at the same place are shown one by one."""
_WITH_HUBS = frozenset({"gevent", "eventlet"})
_ORDER = {TaskState.RUNNING: 1, TaskState.WAITING: 2, TaskState.READY: 3}


def task_rows(
    process: Process, capture: Capture, graph: WaitGraph, signs: Signs, width: int
) -> Iterator[str]:
    """The rows of all event loops of *process*; nothing without any."""
    tasks = [task for task in capture.tasks if task.pid == process.pid]
    loops = {loop.address: loop for loop in capture.event_loops if loop.pid == process.pid}
    for address in dict.fromkeys([*loops, *(task.loop for task in tasks)]):
        own = [task for task in tasks if task.loop == address]
        rows = _Rows(process, graph, signs, width)
        yield ""
        yield from rows.loop(loops.get(address), own)


class _Rows:
    def __init__(self, process: Process, graph: WaitGraph, signs: Signs, width: int) -> None:
        self.process, self.graph, self.signs, self.width = process, graph, signs, width

    def loop(self, loop: EventLoop | None, tasks: list[Task]) -> Iterator[str]:
        yield from wrapped(self._title(loop, tasks), self.width, "", "  ")
        ordered = sorted(tasks, key=self._rank)
        alike: dict[object, int] = {}
        shown = left_out = 0
        for task in ordered:
            key = (task.state, task.python_stack)
            alike[key] = alike.get(key, 0) + 1
            if (alike[key] > _ALIKE and not self._deadlocked(task)) or shown >= _SHOWN:
                left_out += 1
                continue
            shown += 1
            yield from self._task(task)
        if left_out:
            yield f"  {self.signs.more} {left_out} more tasks, most of them alike; --json has all"

    def _title(self, loop: EventLoop | None, own: list[Task]) -> str:
        hub = loop is not None and loop.library in _WITH_HUBS
        by_hand = any(task.by_hand for task in own)
        unit, count = "greenlet" if hub or by_hand else "task", len(own)
        tasks = f"{count} {unit}{'' if count == 1 else 's'}"
        if loop is None:
            return f"{'GREENLETS' if by_hand else 'EVENT LOOP'}  {tasks}"
        names = {thread.tid: thread.name for thread in self.process.threads}
        where = (
            f"in {names.get(loop.tid, 'a thread')} (TID {loop.tid})" if loop.tid else "no thread"
        )
        kind = f"HUB OF {loop.library.upper()}" if hub else "EVENT LOOP"
        facts = [f"{kind}  {where}", loop.state, tasks]
        if loop.timers is not None:
            facts.append(f"{loop.timers} timer{'' if loop.timers == 1 else 's'}")
        if loop.watched is not None:
            facts.append(f"{loop.watched} connection{'' if loop.watched == 1 else 's'} watched")
        return ", ".join(facts)

    def _deadlocked(self, task: Task) -> bool:
        return self.graph.cycle_of(task.id) is not None

    def _rank(self, task: Task) -> tuple[int, str]:
        return (0 if self._deadlocked(task) else _ORDER[task.state]), task.name

    def _task(self, task: Task) -> Iterator[str]:
        sign = "X " if self._deadlocked(task) else ""
        verb = "awaits" if task.kind is NodeKind.TASK else "waits for"
        awaits = f"{verb} {task.awaits}" if task.awaits else task.state.value
        yield from wrapped(f"{sign}{task.label}  {awaits}", self.width, "  ", "      ")
        for text in hold_rows(self.graph, task.id):
            yield from wrapped(text, self.width, "    ", "      ")
        frames = task.python_stack or ()
        for frame in frames[:_FRAMES]:
            yield cut(f"    {line_of(frame)} {frame.function}", self.width, self.signs.more)
        if len(frames) > _FRAMES:
            yield f"    {self.signs.more} {len(frames) - _FRAMES} more frames"
