"""The suspended tasks of a process, what tells most first."""

from collections.abc import Iterable

from hangtui.analysis.places import application_index
from hangtui.findings.enders import enders
from hangtui.findings.given_work import called_by_server, handed_on
from hangtui.findings.looked import polled_by
from hangtui.findings.other_end import hears_own
from hangtui.findings.package_queries import hands_over, package_entry
from hangtui.findings.remote_sides import awaits_request
from hangtui.findings.stack_queries import below_application
from hangtui.findings.suspended import leaves, not_rid, shutting_down, suspended
from hangtui.findings.words import Words
from hangtui.findings.written import nobody_comes
from hangtui.model import NodeId, NodeKind, Process, Task


def telling_tasks(process: Process, words: Words) -> list[Task]:
    """Those that wait below a line of the application, or for a package that is not rid of them."""
    known = (*suspended(process, words), *not_rid(process, words))
    own = {task.id for task in known if below_application(task)}
    ends = [task for task in known if task.id in own and _awaits_end(task, words)]
    ending = ends and shutting_down(process, words)
    first = {task.id for task in ends if ending or leaves(task)}
    asked = requested(known, words)
    return sorted(
        known,
        key=lambda task: (
            task.id not in first,
            _behind(task, own, words),
            _serves(task),
            task.id not in asked,
            not _unrun(task, words),
        ),
    )


def innermost(task: Task, words: Words) -> Task:
    """The task that *task* waits for in the end, as far as each awaits one alone."""
    seen: set[NodeId] = set()
    while task.id not in seen:
        seen.add(task.id)
        wait = words.graph.wait_of(task.id)
        after = words.actor(wait.target) if wait is not None else None
        if not isinstance(after, Task) or not below_application(after):
            break
        task = after
    return task


def awaited_by_server(task: Task, words: Words) -> str | None:
    """``a request``, ``a task``: what a server awaits the application for in a task, or in another
    one that this awaits; None: nothing of that kind is seen."""
    if what := called_by_server(task):
        return what
    wait = words.graph.wait_of(task.id)
    other = words.actor(wait.target) if wait is not None else None
    return handed_on(task) if isinstance(other, Task) and below_application(other) else None


def takes_messages(task: Task, words: Words) -> bool:
    """Whether it takes one message after the other, as who serves a connection does: who does so
    in a server's startup keeps that from its end."""
    what = awaited_by_server(task, words) or ""
    return bool(task.takes_next) and not what.startswith("its ")


def requested(tasks: Iterable[Task], words: Words) -> set[NodeId]:
    """What those of *tasks* wait for in the end that a server has called for a request, and that do
    not take one message of their client after the other: somebody waits for their answers."""
    asked = (task for task in tasks if awaited_by_server(task, words))
    asked = (task for task in asked if not takes_messages(task, words))
    last = {one for task in asked if not awaits_request(one := innermost(task, words), words)}
    # Who in the same process is to send what it waits for tells more.
    asked_of = {task for task in last if not hears_own(task.id, words)}
    return {task.id for task in asked_of if task.sleep is None or polled_by(task.id, words)}


def _awaits_end(task: Task, words: Words) -> bool:
    """Whether it waits for another task to end: while a library shuts down, that tells why it does
    not come to its end."""
    wait = words.graph.wait_of(task.id)
    return wait is not None and wait.target.kind is NodeKind.TASK


def _behind(task: Task, own: set[NodeId], words: Words) -> bool:
    """Whether it waits in a package for what another one of *own*, below a line of the application,
    alone could end: as a server's middleware waits for the request that it has passed on."""
    wait = words.graph.wait_of(task.id) if package_entry(task) else None
    awaited = enders(wait, words) if wait else []
    return len(awaited) == 1 and awaited[0].id in own - {task.id}


def _serves(task: Task) -> bool:
    """Whether it was left to a library to serve: what the library has called tells more."""
    stack = task.python_stack or ()
    return hands_over(stack, application_index(stack) or 0)


def _unrun(task: Task, words: Words) -> bool:
    """Whether a function of the program is known that would end its wait, and nobody is to run it:
    who waits in a library meanwhile waits for such tasks, as a rule."""
    wait = words.graph.wait_of(task.id)
    resource = words.resource(wait.target) if wait else None
    if wait is None or resource is None or not resource.enders:
        return False
    return nobody_comes(wait, words)
