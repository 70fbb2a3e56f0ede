"""The task that is to bring what another one sends: a library began both in one call, and the one
at the other end of a connection only waits meanwhile."""

from hangtui.analysis.places import package_of
from hangtui.findings.doing import doing
from hangtui.findings.outside.due import answering
from hangtui.findings.package_queries import package_entry
from hangtui.findings.stack_queries import below_application
from hangtui.findings.telling_tasks import telling_tasks
from hangtui.findings.words import Words
from hangtui.findings.written import nobody_comes, told_unrun
from hangtui.model import Task, Thread


def begun_beside(thread: Thread, words: Words) -> Task | None:
    """The only task of its own process that stands inside of the same call of a library as one that
    has the other end of what *thread* waits at, and waits for what nobody comes to bring; None:
    there is none, or several."""
    ends = answering(thread, words)
    process = words.capture.process(thread.pid)
    tasks = [one for one in ends if isinstance(one, Task) and _in_package(one)]
    if process is None or not tasks or len(tasks) < len(ends):
        return None
    inside = {place for task in tasks for place in _places(task)}
    found = [
        one
        for one in telling_tasks(process, words)
        if one not in ends
        and below_application(one)
        and not inside.isdisjoint(_places(one))
        and (wait := words.graph.wait_of(one.id))
        and nobody_comes(wait, words)
    ]
    return found[0] if len(found) == 1 else None


def told_beside(thread: Thread, words: Words) -> str:
    """`` Beside it task wrap waits at app.py:9 (next) for an item of stream, which is to be sent
    there. The program does so in decode (app.py:3), which nobody runs.``"""
    task = begun_beside(thread, words)
    wait = words.graph.wait_of(task.id) if task else None
    if task is None or wait is None:
        return ""
    return f" Beside it, inside of the same call, {doing(task, words)}.{told_unrun([wait], words)}"


def _in_package(task: Task) -> bool:
    return package_entry(task) is not None or not below_application(task)


def _places(task: Task) -> set[tuple[str, str, int | None]]:
    """The lines of libraries that it stands below."""
    stack = task.python_stack or ()
    return {(one.filename, one.function, one.line) for one in stack if package_of(one)}
