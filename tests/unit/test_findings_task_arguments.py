"""Tasks of Ray that no worker runs, while an actor may be to bring an argument of theirs."""

from dataclasses import replace

import pytest

from hangtui.analysis.waitgraph import build
from hangtui.findings.outside import waiting_for_cluster
from hangtui.model import (
    Certainty,
    Evidence,
    Hold,
    NodeKind,
    Progress,
    RayNode,
    Resource,
    Severity,
    Source,
    Surroundings,
    Task,
    TaskState,
    Wait,
    shared_id,
)
from tests.unit.factories import capture, evidence, lock, process, python_frame, thread

_RAY = "/venv/lib/python3.11/site-packages/ray/_private/worker.py"
_TASKS = shared_id(NodeKind.WORKER, "ray")
_CALL = shared_id(NodeKind.CALL, "ray-02")


@pytest.mark.parametrize(("stood_s", "severity"), [(4.0, Severity.WARNING), (0.0, Severity.NOTE)])
def test_an_argument_that_an_actor_is_to_bring(stood_s: float, severity: Severity) -> None:
    loop = python_frame("Worker.main_loop", 1069, _RAY)
    stack = [python_frame("get_objects", 1007, _RAY), python_frame("main", 14)]
    asks = thread("MainThread", 100, 100, python=stack)
    runs = thread("MainThread", 200, 200, python=[python_frame("Till.count", 9), loop])
    rests = thread("MainThread", 300, 300, python=[loop])
    till = replace(process(200, runs), cmdline=("ray::Till.count",))
    made = replace(capture(), processes=(process(100, asks), till, process(300, rests)))
    one_at_a_time = Evidence(Source.CPYTHON, Certainty.PROVEN, "it runs one at a time")
    made = replace(
        made,
        resources=(
            Resource(_TASKS, NodeKind.WORKER, "a worker of Ray", 100, 0, package="ray"),
            Resource(_CALL, NodeKind.CALL, "the call Till.count", 200, 0, package="ray"),
        ),
        waits=(Wait(asks.id, _TASKS, evidence(), expires=False, call="ray.get", asks="add()"),),
        holds=(Hold(_CALL, runs.id, one_at_a_time, "Till.count"),),
        progress=tuple(
            Progress(one.id, 5, 4.0, stood_s if one is runs else 4.0, 0.0, same_line=True)
            for one in (asks, runs, rests)
        ),
    )
    (finding,) = waiting_for_cluster.check(made, build(made))
    assert "or an argument of theirs has not come" in finding.sentence
    assert "Meanwhile MainThread of ray::Till.count (process 200)" in finding.sentence
    assert finding.severity is severity


@pytest.mark.parametrize(("known", "severity"), [(True, Severity.WARNING), (False, Severity.NOTE)])
def test_a_task_that_waits_for_what_nobody_brings_it(*, known: bool, severity: Severity) -> None:
    loop = python_frame("Worker.main_loop", 1069, _RAY)
    stack = [python_frame("get_objects", 1007, _RAY), python_frame("main", 14)]
    asks = thread("MainThread", 100, 100, python=stack)
    runs = thread("MainThread", 200, 200, python=[python_frame("count_task", 9), loop])
    orders = replace(lock("orders (queue.Queue)", 0xA, NodeKind.QUEUE, pid=200), wakers_known=known)
    made = replace(capture(), processes=(process(100, asks), process(200, runs)))
    perhaps = Evidence(Source.CPYTHON, Certainty.INFERRED, "it runs a task")
    made = replace(
        made,
        resources=(
            orders,
            Resource(_TASKS, NodeKind.WORKER, "a worker of Ray", 100, 0, package="ray"),
        ),
        waits=(
            Wait(asks.id, _TASKS, evidence(), expires=False, call="ray.get", asks="count_task()"),
            Wait(runs.id, orders.id, evidence(), expires=False),
        ),
        holds=(Hold(_TASKS, runs.id, perhaps, "count_task"),),
        progress=tuple(Progress(one.id, 5, 4.0, 4.0, 0.0, same_line=True) for one in (asks, runs)),
    )
    (finding,) = waiting_for_cluster.check(made, build(made))
    assert finding.severity is severity
    assert ("Nobody in its process is on the way to put into it" in finding.sentence) is known


def test_a_task_that_waits_for_an_actor_which_nobody_lets_go_on() -> None:
    loop = python_frame("Worker.main_loop", 1069, _RAY)
    stack = [python_frame("get_objects", 1007, _RAY), python_frame("main", 14)]
    asks = thread("MainThread", 100, 100, python=stack)
    runs = thread("MainThread", 300, 300, python=[python_frame("Till.count", 9), loop])
    frames = (python_frame("Boss.ask", 12, entry=None),)
    task = Task(200, 0x900, "Task-9", "ask", TaskState.WAITING, 0x1, 200, frames, None)
    orders = replace(lock("orders", 0xA, NodeKind.QUEUE, pid=300), wakers_known=True)
    actor = shared_id(NodeKind.ACTOR, "ray-03")
    made = replace(capture(), processes=(process(100, asks), process(300, runs)), tasks=(task,))
    sure = Evidence(Source.CPYTHON, Certainty.PROVEN, "it runs it")
    made = replace(
        made,
        resources=(
            orders,
            Resource(_CALL, NodeKind.CALL, "the call Boss.ask", 200, 0, package="ray"),
            Resource(actor, NodeKind.ACTOR, "the actor Till", 300, 0, package="ray"),
        ),
        waits=(
            Wait(asks.id, _CALL, evidence(), expires=False, call="ray.get"),
            Wait(task.id, actor, evidence(), expires=False, call="await"),
            Wait(runs.id, orders.id, evidence(), expires=False),
        ),
        holds=(Hold(_CALL, task.id, sure, "ask"), Hold(actor, runs.id, sure, "Till.count")),
        progress=tuple(Progress(one.id, 5, 4.0, 4.0, 0.0, same_line=True) for one in (asks, runs)),
    )
    found = waiting_for_cluster.check(made, build(made))
    assert Severity.WARNING in [one.severity for one in found if one.threads[0].pid == 100]


@pytest.mark.parametrize(
    ("node", "said"),
    [
        (RayNode(8.0, 0, 0, (), (), 1, ()), True),
        (RayNode(8.0, 0, 1, (), (), 1, ()), False),
        (RayNode(8.0, 0, 0, (), (), 2, ()), False),
    ],
    ids=["nothing to place", "one waits for a place", "another node"],
)
def test_it_is_an_argument_where_the_only_scheduler_has_nothing_to_place(
    node: RayNode, *, said: bool
) -> None:
    loop = python_frame("Worker.main_loop", 1069, _RAY)
    stack = [python_frame("get_objects", 1007, _RAY), python_frame("Kitchen.season", 14), loop]
    asks = thread("MainThread", 100, 100, python=stack)
    rests = thread("MainThread", 300, 300, python=[loop])
    actor = shared_id(NodeKind.ACTOR, "ray-03")
    sure = Evidence(Source.CPYTHON, Certainty.PROVEN, "it runs one at a time")
    raylet = replace(process(400), around=Surroundings(ray_node=node))
    made = replace(capture(), processes=(process(100, asks), process(300, rests), raylet))
    made = replace(
        made,
        resources=(
            Resource(_TASKS, NodeKind.WORKER, "a worker of Ray", 100, 0, package="ray"),
            Resource(actor, NodeKind.ACTOR, "the actor Kitchen", 100, 0, package="ray"),
        ),
        waits=(Wait(asks.id, _TASKS, evidence(), expires=False, call="ray.get", asks="blend()"),),
        holds=(Hold(actor, asks.id, sure, "Kitchen.season"),),
    )
    (finding,) = waiting_for_cluster.check(made, build(made))
    assert ("so it is an argument that has not come" in finding.sentence) is said
    assert ("another call of the actor which waits here" in finding.sentence) is said
