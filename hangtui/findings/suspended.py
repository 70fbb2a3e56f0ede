"""The tasks of a process that wait below a line of the application, the most telling first."""

from collections.abc import Hashable, Sequence

from hangtui.analysis.places import application_index, function_of, library_frame, package_of
from hangtui.analysis.waitgraph import Edge
from hangtui.findings.looked import looked_at, polled_by
from hangtui.findings.package_queries import hands_over
from hangtui.findings.stack_queries import below_application, name_of, way_of
from hangtui.findings.words import Words
from hangtui.model import FIRST_TASK, NodeKind, Process, PythonFrame, Task, TaskState

_Place = tuple[bool, bool, bool, bool, bool]
_ENDS = frozenset({"shutdown", "graceful_shutdown", "stop", "wait_closed"})
"""What libraries call the functions that wait until all that they run has ended."""
_LEAVE = frozenset({"__aexit__", "aclose", "close", "shutdown", "stop"})
"""Functions that end something, as programs call them."""
_TIMED = (" left)", "(due now)")
"""How it ends what a task is said to await that sleeps."""
_SLEEPS = ("/gevent/hub.py", "/eventlet/greenthread.py", "/trio/_timeouts.py", "/asyncio/tasks.py")


def suspended(process: Process, words: Words) -> list[Task]:
    """The tasks that wait below a line of the application: those last that wait for others, before
    them those that the clock alone wakes, before these such as wait for work or are there to keep
    the program alive, and of the others the one that the program began with first."""
    waiting = [
        task
        for task in words.capture.tasks
        if task.pid == process.pid and task.state is TaskState.WAITING
    ]
    stacks = {id(task.python_stack): task.python_stack or () for task in waiting}
    own = {at for at, stack in stacks.items() if application_index(stack) is not None}
    found = [task for task in waiting if id(task.python_stack) in own]
    # What the program itself waits for may be a library's: a function that is tried again, say.
    found = found or [task for task in waiting if task.is_entry]
    known: dict[Hashable, _Place] = {}
    return sorted(found, key=lambda task: _known_place_of(task, words, known))


def not_rid(process: Process, words: Words) -> list[Task]:
    """A library's own tasks that have something which nobody takes: they wait for room in a queue
    or a channel, without a timeout."""
    found = []
    for task in words.capture.tasks:
        wait = words.graph.wait_of(task.id)
        if wait is None or wait.target.kind is not NodeKind.QUEUE or wait.expires:
            continue
        own = task.pid != process.pid or below_application(task)
        if not own and way_of(wait, words) == "put":
            found.append(task)
    return found


def shutting_down(process: Process, words: Words) -> str:
    """``task serve is in Server.shutdown of uvicorn``: a library ends what it runs, and that waits
    for what else there is; empty: none does."""
    seen: set[int] = set()
    for task in words.capture.tasks:
        if task.pid != process.pid or task.state is not TaskState.WAITING:
            continue
        if closes_executor(task):
            runs = words.carriers([task])
            whose = f" of {words.thread_name(runs[0])}" if runs else ""
            return f"the event loop{whose} ends, and waits for all threads of its executor"
        if id(task.python_stack) in seen:
            continue  # thousands of tasks share a few
        seen.add(id(task.python_stack))
        stack = task.python_stack or ()
        for index, frame in enumerate(stack):
            package = package_of(frame)
            if package and name_of(frame) in _ENDS and not _serves_on(stack[index + 1 :]):
                polled = polled_by(task.id, words)
                looks = f", and polls {looked_at(polled)}" if polled else ""
                return f"{words.actor_name(task)} is in {function_of(frame)} of {package}{looks}"
    return ""


def closes_executor(task: Task) -> bool:
    """Whether it is what an event loop runs last: it waits for the threads of its executor, as
    ``asyncio.run()`` does once the program's coroutine has returned or failed."""
    stack = task.python_stack or ()
    last = stack[-1] if stack else None
    return (
        last is not None
        and name_of(last) == "shutdown_default_executor"
        and last.filename.endswith("/asyncio/base_events.py")
    )


def leaves(task: Task) -> bool:
    """Whether a function of the application's is on its stack that an ``async with`` ends with, or
    that has the name of those that end something."""
    frames = (one for one in task.python_stack or () if name_of(one) in _LEAVE)
    return any(package_of(one) is None and not library_frame(one) for one in frames)


def _serves_on(callers: Sequence[PythonFrame]) -> bool:
    """Whether a server waits there for its end, whenever that comes: it serves until then."""
    return any(name_of(one) == "serve_forever" and package_of(one) for one in callers)


def _known_place_of(task: Task, words: Words, known: dict[Hashable, _Place]) -> _Place:
    """Its place among the others: of thousands that stand alike it is found once."""
    waits = words.graph.waits_of(task.id)
    wait = words.wait(waits[0]) if len(waits) == 1 else None
    if wait is None:
        return _place_of(task, words)
    how = wait.target, wait.operation, wait.call
    key = id(task.python_stack), how, task.name == FIRST_TASK
    if key not in known:
        known[key] = _place_of(task, words)
    return known[key]


def _place_of(task: Task, words: Words) -> _Place:
    wait = words.graph.wait_of(task.id)
    takes = wait is not None and wait.target.kind is NodeKind.QUEUE and way_of(wait, words) == "get"
    rests = (takes and not _called(task)) or _parks(task, wait, words)
    timed = _timed(task, wait, words)
    by_clock, first = timed and task.name != FIRST_TASK, task.name == FIRST_TASK
    return _joins(task, words), by_clock, rests, timed, not first


def _called(task: Task) -> bool:
    """Whether a package has called the application there, for a request, say: that is no worker."""
    stack = task.python_stack or ()
    index = application_index(stack)
    return index is not None and any(map(package_of, stack[index + 1 :]))


def _timed(task: Task, wait: Edge | None, words: Words) -> bool:
    """Whether it goes on by itself: one that looks for something each time does not. One that the
    program began with may do so, and comes before such as rest."""
    if polled_by(task.id, words):
        return False
    return wait is None and ((task.awaits or "").endswith(_TIMED) or _sleeps(task))


def _sleeps(task: Task) -> bool:
    """Whether it is in its library's sleep, be that just over."""
    stack = task.python_stack or ()
    inside = stack[: application_index(stack) or 0]
    return any(name_of(one) == "sleep" and one.filename.endswith(_SLEEPS) for one in inside)


def _parks(task: Task, wait: Edge | None, words: Words) -> bool:
    """Whether it has left itself to a server, or waits for an event that nothing else refers to."""
    stack = task.python_stack or ()
    if hands_over(stack, application_index(stack) or 0):
        return True
    found = words.resource(wait.target) if wait else None
    event = found is not None and found.kind is NodeKind.EVENT
    return event and found is not None and found.unshared and found.name is None


def _joins(task: Task, words: Words) -> bool:
    """Whether it waits for other tasks alone, which tell what there is to tell: all but such as are
    a library's own, or have not begun; or one of them that does not rest, beside a server's."""
    waits = words.graph.waits_of(task.id)
    others = [words.actor(wait.target) for wait in waits]
    tasks = [one for one in others if isinstance(one, Task)]
    own = [one for one in tasks if one.python_stack is None or below_application(one)]
    if len(tasks) < len(others) or len(own) == len(others):
        return bool(own) and len(own) == len(others)
    return any(_owed(one, words) for one in own)


def _owed(task: Task, words: Words) -> bool:
    """Whether it waits for something, and neither for work nor to stay."""
    wait = words.graph.wait_of(task.id)
    takes = wait is not None and wait.target.kind is NodeKind.QUEUE and way_of(wait, words) == "get"
    return wait is not None and not takes and not _parks(task, wait, words)
