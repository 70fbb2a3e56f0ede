"""The tasks of a process that wait below a line of the application, the most telling first."""

from hangtui.analysis.places import application_index, function_of, package_of
from hangtui.findings.stack_queries import name_of
from hangtui.findings.words import Words
from hangtui.model import FIRST_TASK, Process, Task, TaskState

_ENDS = frozenset({"shutdown", "graceful_shutdown", "wait_closed"})
"""What libraries call the functions that wait until all that they run has ended."""


def suspended(process: Process, words: Words) -> list[Task]:
    """The tasks that wait below a line of the application: those last that wait for others, before
    them those that wait for work, and of the others the one that the program began with first."""
    waiting = [
        task
        for task in words.capture.tasks
        if task.pid == process.pid and task.state is TaskState.WAITING
    ]
    stacks = {id(task.python_stack): task.python_stack or () for task in waiting}
    own = {at for at, stack in stacks.items() if application_index(stack) is not None}
    found = [task for task in waiting if id(task.python_stack) in own]
    return sorted(found, key=lambda task: _place_of(task, words))


def shutting_down(process: Process, words: Words) -> str:
    """``task serve is in Server.shutdown of uvicorn``: a library ends what it runs, and that waits
    for what else there is; empty: none does."""
    for task in words.capture.tasks:
        if task.pid != process.pid or task.state is not TaskState.WAITING:
            continue
        for frame in task.python_stack or ():
            package = package_of(frame)
            if package and name_of(frame) in _ENDS:
                return f"{words.actor_name(task)} is in {function_of(frame)} of {package}"
    return ""


def _place_of(task: Task, words: Words) -> tuple[bool, bool, bool]:
    wait = words.graph.wait_of(task.id)
    works = wait is not None and (words.method(wait) or words.operation(wait)) == "get"
    return _joins(task, words), works, task.name != FIRST_TASK


def _joins(task: Task, words: Words) -> bool:
    """Whether it waits for other tasks alone, which tell what there is to tell."""
    waits = words.graph.waits_of(task.id)
    return bool(waits) and all(isinstance(words.actor(wait.target), Task) for wait in waits)
