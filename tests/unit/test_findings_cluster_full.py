"""A library of Ray waits for what workers keep that do nothing with it."""

from dataclasses import replace

import pytest

from hangtui import findings
from hangtui.model import (
    Capture,
    Finding,
    Hold,
    NodeKind,
    Progress,
    RayNode,
    RayUse,
    Resource,
    Severity,
    Surroundings,
    Task,
    TaskState,
    Thread,
    Wait,
    shared_id,
)
from tests.unit.factories import capture, evidence, python_frame, thread

RAY = "/venv/lib/python3.11/site-packages/ray"
DRIVER = thread(
    "MainThread",
    100,
    100,
    python=[
        python_frame("Dataset.materialize", 7957, f"{RAY}/data/dataset.py"),
        python_frame("embed_all", 19),
    ],
)
REST = python_frame("Worker.main_loop", 1069, f"{RAY}/_private/worker.py")
ACTOR = thread("MainThread", 201, 201, python=[REST])
AT_WORK = thread("MainThread", 201, 201, python=[python_frame("Embedder.__call__", 12), REST])
OTHER = thread("MainThread", 202, 202, python=[REST])
NODE = RayNode(
    5.0,
    0,
    1,
    ("{'CPU': 1.0}: 1+ pending tasks/actors",),
    (),
    1,
    ("2.0/2.0 CPU",),
    (
        RayUse(201, "Embedder", "CPU: 1"),
        RayUse(202, "Embedder", "CPU: 1"),
        RayUse(203, "_StatsActor", "node:10.0.0.1: 0.001"),
    ),
)


def cluster(*workers: Thread, node: RayNode = NODE, busy: float = 0.0) -> Capture:
    raylet = thread("raylet", 300, 300)
    made = capture(DRIVER, *workers, raylet)
    processes = [
        replace(one, around=Surroundings(ray_node=node)) if one.pid == 300 else one
        for one in made.processes
    ]
    seen = tuple(
        Progress(t.id, 5, 2.0, 2.0, busy * 2.0 * (t.pid == 201), same_stack=True, same_line=True)
        for t in made.threads()
    )
    return replace(made, processes=tuple(processes), progress=seen)


def told(made: Capture) -> Finding | None:
    return next((one for one in findings.run(made) if one.id == "never-scheduled"), None)


def test_actors_with_nothing_to_do_keep_all_there_is() -> None:
    finding = told(cluster(ACTOR, OTHER))
    assert finding is not None
    assert finding.severity is Severity.WARNING
    assert "at main.py:19 (embed_all) for 2 s or more, in ray" in finding.title
    assert "2 actors of Embedder keep it, and have nothing to do" in finding.title
    assert "Embedder (process 201), Embedder (process 202)" in finding.sentence
    assert "{'CPU': 1.0}: 1+ pending tasks/actors" in finding.sentence


@pytest.mark.parametrize(
    "made",
    [
        pytest.param(cluster(AT_WORK, OTHER), id="one is in a method"),
        pytest.param(cluster(ACTOR, OTHER, busy=0.5), id="one computes"),
        pytest.param(cluster(ACTOR), id="one was not captured"),
        pytest.param(cluster(ACTOR, OTHER, node=replace(NODE, used_up=())), id="some is free"),
        pytest.param(cluster(ACTOR, OTHER, node=replace(NODE, nodes=2)), id="several nodes"),
        pytest.param(
            cluster(ACTOR, OTHER, node=replace(NODE, demands=(), waiting=0)), id="nothing asked for"
        ),
        pytest.param(
            cluster(ACTOR, OTHER, node=replace(NODE, demands=("{'GPU': 1.0}: 1+ pending",))),
            id="something else is asked for",
        ),
    ],
)
def test_a_cluster_that_may_be_at_work(made: Capture) -> None:
    assert told(made) is None


IDLE = replace(NODE, waiting=0, demands=(), used_up=())


def test_nobody_of_a_cluster_is_at_work() -> None:
    made = cluster(ACTOR, OTHER, node=IDLE)
    finding = next(one for one in findings.run(made) if one.id == "waiting-in-library")
    assert "nobody in its cluster is at work for that: all workers of Ray" in finding.sentence
    for other in (cluster(AT_WORK, OTHER, node=IDLE), cluster(ACTOR, OTHER, node=IDLE, busy=0.5)):
        assert all("nobody in its cluster" not in one.sentence for one in findings.run(other))


def test_a_task_of_the_application_is_told_of_a_worker_whose_main_thread_rests() -> None:
    made = cluster(ACTOR, OTHER, node=IDLE)
    frames = (python_frame("Scorer.__call__", 15, entry=None),)
    task = Task(201, 0x900, "Task-25", "score", TaskState.WAITING, 0x1, 201, frames, "a future")
    found = findings.run(replace(made, tasks=(task,)))
    sentence = next(one.sentence for one in found if one.id == "waiting-in-library")
    assert "have nothing to do, or wait with what was begun, and its scheduler" in sentence
    assert "What was begun: in process 201, task score awaits a future at main.py:15" in sentence


def test_who_waits_while_a_worker_starts_is_not_warned_of() -> None:
    for worker, severity in ((ACTOR, Severity.WARNING), (AT_WORK, Severity.NOTE)):
        made = cluster(worker, OTHER, node=IDLE, busy=0.5 * (worker is AT_WORK))
        found = next(one for one in findings.run(made) if one.id == "waiting-in-library")
        assert found.severity is severity


EXECUTOR = f"{RAY}/data/_internal/execution/streaming_executor_state.py"


def waiting_task(pid: int) -> Thread:
    """A task that waits in Ray Data."""
    waits = python_frame("OpState.get_output_blocking", 567, EXECUTOR)
    inside = python_frame("Dataset.sum", 3994, f"{RAY}/data/dataset.py")
    own = python_frame("summarize", 16)
    return thread("MainThread", pid, pid, python=[waits, inside, own, REST])


TASKS = replace(NODE, uses=(RayUse(201, "summarize", "CPU: 1"), RayUse(202, "summarize", "CPU: 1")))
RUNS_TASKS = shared_id(NodeKind.WORKER, "ray")


def tasks(*workers: Thread, node: RayNode = TASKS, looks: float = 2.0) -> Capture:
    made = cluster(*workers, node=node)
    holds = tuple(Hold(RUNS_TASKS, one.id, evidence()) for one in workers[:2])
    seen = tuple(replace(one, lasted_s=looks) for one in made.progress)
    return replace(made, holds=holds, progress=seen)


def test_tasks_that_wait_in_a_library_keep_what_that_needs() -> None:
    finding = told(tasks(waiting_task(201), waiting_task(202)))
    assert finding is not None
    assert finding.severity is Severity.ERROR
    assert "2 tasks of summarize keep it, and wait for the cluster themselves" in finding.title
    assert "summarize (process 201) at main.py:16 (summarize)" in finding.sentence
    assert "a task keeps that until it returns" in finding.sentence


@pytest.mark.parametrize(
    "made",
    [
        pytest.param(
            tasks(waiting_task(201), waiting_task(202), replace(AT_WORK, pid=203, tid=203)),
            id="another worker runs something",
        ),
        pytest.param(tasks(waiting_task(201), OTHER), id="one has nothing to do"),
        pytest.param(tasks(waiting_task(201), waiting_task(202), looks=0.5), id="a moment"),
    ],
)
def test_tasks_that_may_get_on(made: Capture) -> None:
    finding = told(made)
    assert finding is None or finding.severity is not Severity.ERROR


def asking(pid: int) -> Thread:
    get = python_frame("get_objects", 1007, f"{RAY}/_private/worker.py")
    return thread("MainThread", pid, pid, python=[get, python_frame("summarize", 16), REST])


@pytest.mark.parametrize(
    ("pid", "expires", "severity"),
    [
        pytest.param(0, False, Severity.ERROR, id="no worker is that actor"),
        pytest.param(203, False, Severity.WARNING, id="one is, and may answer"),
        pytest.param(0, True, Severity.WARNING, id="it gives up"),
    ],
)
def test_workers_that_wait_for_an_actor(pid: int, expires: bool, severity: Severity) -> None:
    """*pid*: of the process that the actor lives in; 0: none."""
    asks = [asking(201), asking(202)]
    actors = [shared_id(NodeKind.ACTOR, f"ray-{one.pid}") for one in asks]
    resources = [
        Resource(node, NodeKind.ACTOR, "an actor", pid or one.pid, 0, package="ray")
        for node, one in zip(actors, asks, strict=True)
    ]
    ends = [
        Wait(one.id, node, evidence(), expires, call="ray.get")
        for node, one in zip(actors, asks, strict=True)
    ]
    made = replace(cluster(*asks, node=TASKS), resources=tuple(resources), waits=tuple(ends))
    finding = told(made)
    assert finding is not None
    assert finding.severity is severity


def test_who_waits_while_a_worker_waits_for_the_cluster_is_not_warned_of() -> None:
    asks = asking(201)
    node = shared_id(NodeKind.ACTOR, "ray-1")
    made = cluster(asks, OTHER, node=IDLE)
    found = next(one for one in findings.run(made) if one.id == "waiting-in-library")
    assert found.severity is Severity.WARNING
    wait = Wait(asks.id, node, evidence(), expires=False, call="ray.get")
    actor = Resource(node, NodeKind.ACTOR, "an actor", 201, 0, package="ray")
    found = next(
        one
        for one in findings.run(replace(made, waits=(wait,), resources=(actor,)))
        if one.id == "waiting-in-library"
    )
    assert found.severity is Severity.NOTE
