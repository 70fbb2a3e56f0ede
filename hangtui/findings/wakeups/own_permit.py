"""What a package has called for its next piece of work waits in the same package again, while the
piece after it waits for the permit that this one has."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from hangtui.analysis.places import application_index, function_of, line_and_function, package_of
from hangtui.analysis.waitgraph import Edge
from hangtui.findings.chains import leads_back
from hangtui.findings.doing import doing
from hangtui.findings.english import counted, joined
from hangtui.findings.lookers import lasted_s
from hangtui.findings.stack_queries import at_own_line, below_application
from hangtui.findings.thresholds import NAMES_LISTED, STILL_S
from hangtui.findings.words import Words, ref
from hangtui.model import (
    Capture,
    Certainty,
    Finding,
    NodeKind,
    PythonFrame,
    Severity,
    Task,
    TaskState,
)

_PERMITS = (NodeKind.SEMAPHORE, NodeKind.LOCK)
_MOST = 1000
"""Tasks that are looked at."""


class _Again(NamedTuple):
    """A task in which a package has called the program, and that the same module of it again."""

    task: Task
    wait: Edge
    runs: PythonFrame
    """The function of the package that has called the program."""
    called: PythonFrame
    """What of the program it has called."""


class _Next(NamedTuple):
    """A task of the package that waits for the permit of another one."""

    task: Task
    wait: Edge
    holder: Task


def own_permit(identifier: str, capture: Capture, words: Words) -> Iterator[Finding]:
    """One finding for each such task, of which nobody else runs a piece of work meanwhile."""
    waiting = [one for one in capture.tasks[:_MOST] if one.state is TaskState.WAITING]
    again = [found for one in waiting if (found := _again(one, words))]
    for one in again:
        running = [task for task in waiting if _stands_in(one.runs, task)]
        inside = {other.task.id for other in again}
        following = _following(one, waiting, words)
        if following and all(task.id in inside for task in running):
            yield _finding(identifier, one, following, words)


def _again(task: Task, words: Words) -> _Again | None:
    """*task*, if it has waited long, and without a timeout, in the module that has called it."""
    stack, wait = task.python_stack or (), words.graph.wait_of(task.id)
    own = application_index(stack)
    if not own or wait is None or wait.expires or lasted_s(task, words) < STILL_S:
        return None
    inner, files = stack[own - 1], {frame.filename for frame in stack[:own]}
    outer = next((i for i in range(own, len(stack)) if stack[i].filename in files), None)
    if outer is None or package_of(inner) is None or words.graph.holders_of(wait.target):
        return None
    ends = next(i for i in range(outer, len(stack)) if not _next_is_in(stack, i))
    return _Again(task, wait, stack[ends], stack[outer - 1])


def _next_is_in(stack: Sequence[PythonFrame], index: int) -> bool:
    """Whether the caller of a frame is in the same module."""
    return index + 1 < len(stack) and stack[index + 1].filename == stack[index].filename


def _stands_in(runs: PythonFrame, task: Task) -> bool:
    """Whether a task is in the function that calls the program for a piece of work."""
    stack = task.python_stack or ()
    return any((one.filename, one.function) == (runs.filename, runs.function) for one in stack)


def _following(one: _Again, waiting: Sequence[Task], words: Words) -> list[_Next]:
    """Who of the same module waits for a permit that only such have as wait for *one*; nobody, if
    one of that module waits for the clock: for more that its piece of work may have."""
    found: list[_Next] = []
    for task in waiting:
        wait = words.graph.wait_of(task.id)
        if task.pid != one.task.pid or not _is_of(one.runs.filename, task):
            continue
        if wait is None or wait.expires:
            return []
        holders = [words.actor(hold.target) for hold in words.graph.holders_of(wait.target)]
        found += [
            _Next(task, wait, holder)
            for holder in holders
            if wait.target.kind in _PERMITS and isinstance(holder, Task)
            if leads_back(holder.id, one.task.id, words)
        ]
    return found


def _is_of(file: str, task: Task) -> bool:
    """Whether a task was begun in a module."""
    stack = task.python_stack or ()
    return bool(stack) and stack[-1].filename == file


def _finding(identifier: str, one: _Again, following: Sequence[_Next], words: Words) -> Finding:
    package, first = package_of(one.runs), following[0]
    head = doing(one.task, words, alone=False)
    called = f"{function_of(one.called)} (called by {line_and_function(one.runs)})"
    permit = words.name(first.wait.target)
    nexts = joined([words.actor_name(each.task) for each in following[:NAMES_LISTED]])
    return Finding(
        id=identifier,
        severity=Severity.WARNING,
        certainty=Certainty.INFERRED,
        title=(
            f"{head[0].upper()}{head[1:]}, inside of what {package} has called, "
            f"{function_of(one.called)}: what comes next waits until that has ended"
        ),
        sentence=(
            f"{head[0].upper()}{head[1:]}. It is inside of {called}, and has called {package} "
            f"again. What {package} is to do next waits meanwhile: {nexts} for {permit}, which "
            f"{words.actor_name(first.holder)} has until {words.actor_name(one.task)} has ended. "
            f"If that is to bring what it waits for, it waits for itself."
            f"{_behind(one, words)}"
        ),
        subject=one.task.id,
        threads=tuple(map(ref, words.carriers([one.task]))),
        tasks=(one.task.id, first.holder.id, first.task.id),
        resources=(first.wait.target,),
        processes=(one.task.pid,),
        evidence=(words.reading(one.wait), words.reading(first.wait)),
        unknown=(f"whether {package} does what this one waits for in another way",),
        advice=(
            (
                f"Do not wait inside of {function_of(one.called)} for what {package} does only "
                f"after it: call the code itself there, or allow {package} more than "
                f"{counted(1, 'such call')} at once."
            ),
        ),
    )


def _behind(one: _Again, words: Words) -> str:
    """`` 3 more tasks wait in batch_wrapper of ray, too; behind these waits MainThread at main.py:9
    (ask).``"""
    stack = one.task.python_stack or ()
    inner = stack[(application_index(stack) or 1) - 1]
    alike = [
        task
        for task in words.capture.tasks[:_MOST]
        if task.pid == one.task.pid and task is not one.task and _stands_in(inner, task)
    ]
    if not alike:
        return ""
    known = [one.task.id, *(task.id for task in alike)]
    threads = [
        thread
        for node in words.graph.behind_all(known)
        if (thread := words.thread(node)) and below_application(thread)
    ]
    verb = "waits" if len(alike) == 1 else "wait"
    names = joined(
        [f"{words.thread_name(each)}{at_own_line(each)}" for each in threads[:NAMES_LISTED]]
    )
    return (
        f" {counted(len(alike), 'more task')} {verb} in {function_of(inner)}, too"
        f"{f'; behind them {names}' if names else ''}."
    )
