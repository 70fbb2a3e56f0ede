"""What the tasks wait for whose event loop has the other end of a connection, where that is one
thing: who should end that alone keeps all of them."""

from collections.abc import Collection, Sequence

from hangtui.analysis.waitgraph import Edge
from hangtui.findings.doing import doing
from hangtui.findings.senders import tasks_of
from hangtui.findings.waiting_inside import short_unrun
from hangtui.findings.words import Words
from hangtui.findings.written import nobody_comes, own_code
from hangtui.model import NodeId, Task


def in_its_loop(ends: Collection[NodeId], words: Words) -> str:
    """``; there task score waits at app.py:26 (score) for gate, as does 1 more; resume (app.py:9)
    would end that, and nobody runs it``, of tasks that all wait for the same; else nothing."""
    tasks = tasks_of(ends, words)
    waits = alike(tasks, words)
    if not waits:
        return ""
    more = len(tasks) - 1
    others = f", as {'does' if more == 1 else 'do'} {more} more" if more else ""
    return f"; there {doing(tasks[0], words)}{others}{_who_would(tasks[0], waits[0], words)}"


def _who_would(task: Task, wait: Edge, words: Words) -> str:
    resource = words.resource(wait.target)
    if resource is None or not nobody_comes(wait, words) or own_code(resource, task):
        return ""
    return short_unrun(resource.enders, resource, task, words)


def alike(tasks: Sequence[Task], words: Words) -> list[Edge]:
    """What they wait for, if that is one thing; nothing: it is not."""
    waits = [words.graph.wait_of(one.id) for one in tasks]
    known = [one for one in waits if one is not None]
    same = len(known) == len(waits) and len({one.target for one in known}) == 1
    return known if same else []
