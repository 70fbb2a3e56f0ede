"""What a package runs of the application in tasks, while a task of its own waits."""

from hangtui.analysis.places import application_index, package_of
from hangtui.findings.doing import doing
from hangtui.findings.stack_queries import below_application
from hangtui.findings.telling_tasks import telling_tasks
from hangtui.findings.words import Actor, Words
from hangtui.model import Task


def run_meanwhile(actor: Actor, words: Words) -> Task | None:
    """The task that tells most of those that wait, not by the clock, below a line of the
    application which the same package runs as the task *actor*, that has no such line itself."""
    process = words.capture.process(actor.pid)
    if process is None or not isinstance(actor, Task) or below_application(actor):
        return None
    packages = {package_of(frame) for frame in actor.python_stack or ()}
    waiting = (one for one in telling_tasks(process, words) if one.sleep is None)
    mine = (one for one in waiting if below_application(one))
    return next((one for one in mine if _calls(one) in packages - {None}), None)


def told_meanwhile(task: Task, words: Words) -> str:
    """``; of what aiometer runs, task _worker waits at site.py:15 (Site.build) for done``."""
    return f"; of what {_calls(task)} runs, {doing(task, words)}"


def _calls(task: Task) -> str | None:
    """The package that has called the application's innermost code in a task."""
    stack = task.python_stack or ()
    outside = stack[application_index(stack) or 0 :]
    return next(filter(None, map(package_of, outside)), None)
