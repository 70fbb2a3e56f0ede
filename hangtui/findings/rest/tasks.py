"""Whether a suspended task is at rest, and what it waits for if it is not."""

from collections.abc import Sequence

from hangtui.analysis.places import application_index, package_of
from hangtui.analysis.waitgraph import Edge
from hangtui.findings.given_work import in_request
from hangtui.findings.handled import handled_by
from hangtui.findings.looked import polled_by
from hangtui.findings.package_queries import hands_over
from hangtui.findings.polled import ring
from hangtui.findings.rest.greenlet_waits import rests_in_hub, takes_next
from hangtui.findings.rest.trio_waits import rests_on_trio
from hangtui.findings.rhythm import OFTEN_S, wakes_often
from hangtui.findings.stack_queries import below_application, name_of
from hangtui.findings.suspended import leaves
from hangtui.findings.words import Words
from hangtui.findings.written import nobody_comes
from hangtui.model import EventLoop, NodeId, NodeKind, PythonFrame, Task, TaskState, thread_id

_OTHERS = ("trio", "gevent", "eventlet")
_TASKS = (NodeKind.TASK, NodeKind.GREENLET)
_SLEEPS, _QUEUES, _LOCKS = "/asyncio/tasks.py", "/asyncio/queues.py", "/asyncio/locks.py"
_SCHEDULER = "anyio"
"""It has a coroutine of its own around each task."""


class TaskRests:
    """The rests of the tasks of one capture."""

    def __init__(self, words: Words) -> None:
        self._words = words
        self._tasks = {task.id: task for task in words.capture.tasks}
        self._asked: dict[NodeId, bool] = {}

    def rests(self, task: Task, loop: EventLoop) -> bool:
        """Whether something shows that it is at rest."""
        if task.id not in self._asked:
            self._asked[task.id] = False  # who waits for itself in a ring does not rest
            self._asked[task.id] = self._rests(task, loop)
        return self._asked[task.id]

    def _rests(self, task: Task, loop: EventLoop) -> bool:
        stack = task.python_stack
        told = task.cancels or task.cancelled_at or self._is_forgotten(task, loop)
        told = told or self._tries_again(task)
        if task.state is not TaskState.WAITING or not stack or told:
            return False  # one that was told to end has nothing to rest for
        if in_request(task):
            return False  # a client waits for it
        if loop.library in _OTHERS:
            return self._rests_elsewhere(task, stack, loop)
        waits = self._words.graph.waits_of(task.id)
        index = application_index(stack)
        sleeps = task.is_entry and _is(stack[0], "sleep", _SLEEPS)
        if index is None or hands_over(stack, index):
            # A library's that sleeps may try a function of the program's again and again.
            serves = hands_over(stack, len(stack)) or not sleeps
            own = serves and all(self._comes(w, loop) for w in waits)
            return own if index is None else not self._waits_for_itself(task, loop, waits)
        if sleeps:
            return bool(task.only_sleeps)
        alone = application_index(stack[index + 1 :]) is None
        if alone and not any(map(package_of, stack[:index])):
            if _is(stack[0], "sleep", _SLEEPS):
                ticks = task.goes_round and polled_by(task.id, self._words) is None
                return ticks or (not self._polls(loop) and not self._looks_often(task))
            ends = (takes_next(one, self._words) or self._is_forever(one, loop) for one in waits)
            if _rests_there(stack, index, loop) or (waits and all(ends)):
                return True
        awaited = [self._tasks.get(wait.target) for wait in waits]
        owes = _callers(stack, index)  # a package waits until it returns, as a server that begins
        return (
            not (owes or leaves(task))
            and bool(awaited)
            and all(one and self._serves(one, loop) for one in awaited)
        )

    def _waits_for_itself(self, task: Task, loop: EventLoop, waits: Sequence[Edge]) -> bool:
        """Whether what it was left to waits for the end of a child; or only looks, by the clock, at
        what nobody is there to change: its loop hears nothing, no thread is beside it, and no task
        that goes on by the clock."""
        if any(wait.target.kind is NodeKind.PROCESS for wait in waits):
            return True
        process = self._words.capture.process(task.pid)
        alone = process is not None and len(process.threads) == 1
        hears = loop.watched != 0 or loop.signal_handlers != 0
        looking = self._words.looking
        others = (one for one in self._words.tasks_of(loop) if one.sleep is not None)
        ticks = any(one.id != task.id and one.id not in looking for one in others)
        return alone and not hears and not ticks and task.id in looking

    def _tries_again(self, task: Task) -> bool:
        """Whether it sleeps between two tries, the first of which has failed."""
        stack = task.python_stack or ()
        sleeps = bool(stack) and _is(stack[0], "sleep", _SLEEPS)
        return sleeps and handled_by(task.id, self._words) is not None

    def _is_forgotten(self, task: Task, loop: EventLoop) -> bool:
        """Whether it waits for the next item of a queue that nobody who is there comes to put, in a
        loop to which nothing else can come than the time."""
        if loop.watched != 0 or loop.signal_handlers != 0:
            return False
        waits = self._words.graph.waits_of(task.id)
        return any(takes_next(one, self._words) and nobody_comes(one, self._words) for one in waits)

    def _rests_elsewhere(self, task: Task, stack: Sequence[PythonFrame], loop: EventLoop) -> bool:
        """Its waits end in its library's own frames, and who waits for others rests if all of them
        do."""
        waits = self._words.graph.waits_of(task.id)
        if waits and all(wait.target.kind in _TASKS for wait in waits):
            children = [self._tasks.get(wait.target) for wait in waits]
            asks = self.rests if loop.library == "trio" else self._serves
            return all(one and asks(one, loop) for one in children)
        if self._looks_often(task):
            return False
        if loop.library != "trio":
            return rests_in_hub(stack, waits, self._words)
        return rests_on_trio(stack, waits)

    def _comes(self, wait: Edge, loop: EventLoop) -> bool:
        """Whether a library's own task rests in it: another task has to rest as well; of a bare
        Future nothing says that it is a connection's, or was meant to be set at all; and who has to
        get rid of something does not rest."""
        other, kind = self._tasks.get(wait.target), wait.target.kind
        if other:
            return self.rests(other, loop)
        gives = kind is NodeKind.QUEUE and not takes_next(wait, self._words)
        return not gives and kind is not NodeKind.FUTURE

    def _is_forever(self, wait: Edge, loop: EventLoop) -> bool:
        """Whether nobody was meant to end it, in a server: ``await Event().wait()``, or ``await
        Future()``, of what the program has not kept."""
        found = self._words.resource(wait.target)
        if found is None or not found.unshared or not _only_accepts(loop):
            return False
        # A future that variables refer to was to be set by one who has it no more.
        if found.kind is NodeKind.FUTURE:
            return found.bare
        return found.kind is NodeKind.EVENT and found.name is None

    def _polls(self, loop: EventLoop) -> bool:
        """Whether its thread wakes up so often that who sleeps in it looks for something."""
        if loop.tid is None:
            return False
        return wakes_often(self._words.progress.get(thread_id(loop.pid, loop.tid)))

    def _looks_often(self, task: Task) -> bool:
        """Whether its code looks for something between one short sleep and the next, or for what
        another one would change that looks for something of it."""
        polled = polled_by(task.id, self._words)
        if polled is None or ring(task.id, self._words):
            return polled is not None
        total_s = task.sleep.total_s if task.sleep else None
        return total_s is not None and total_s < OFTEN_S

    def _serves(self, task: Task, loop: EventLoop) -> bool:
        """Whether it is at rest for the application: a package's own coroutine, of which somebody
        wants the result, is not."""
        own = below_application(task)
        return own and self.rests(task, loop)


def _is(frame: PythonFrame, function: str, file: str) -> bool:
    return name_of(frame) == function and frame.filename.endswith(file)


def _only_accepts(loop: EventLoop) -> bool:
    """Whether all that it listens to are the sockets of servers, to which nobody is connected."""
    return bool(loop.accepting) and loop.watched == loop.accepting


def _rests_there(stack: Sequence[PythonFrame], index: int, loop: EventLoop) -> bool:
    """Whether the application, whose frame is at *index*, awaits its next item there, or an event
    that one of the loop's signals may set: not where a package has called it, a server that begins
    or has a request, and waits until it returns."""
    if _is(stack[0], "get", _QUEUES):
        return True
    called = _callers(stack, index)
    return bool(loop.signal_handlers) and not called and _is(stack[0], "wait", _LOCKS)


def _callers(stack: Sequence[PythonFrame], index: int) -> set[str | None]:
    """The packages that have called the application's frame at *index*, but for a scheduler."""
    return {package_of(frame) for frame in stack[index + 1 :]} - {None, _SCHEDULER}
