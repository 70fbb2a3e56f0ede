"""Who waits for a result of a compiled graph of Ray, and what its actors do."""

from dataclasses import replace

import pytest

from hangtui.analysis.frame_classifier import asks_peers
from hangtui.analysis.waitgraph import build
from hangtui.findings.outside import waiting_for_cluster
from hangtui.findings.outside.compiled_graphs import looks_after_graph, told_graph
from hangtui.findings.words import words_of
from hangtui.model import (
    NodeKind,
    PythonFrame,
    Resource,
    Task,
    TaskState,
    Wait,
    resource_id,
    shared_id,
)
from tests.unit.factories import capture, evidence, native_frame, python_frame, thread, waits

RAY = "/venv/lib/python3.11/site-packages/ray"
GRAPH = f"{RAY}/dag/compiled_dag_node.py"
CHANNEL = f"{RAY}/experimental/channel/shared_memory_channel.py"
DRIVER = thread(
    "MainThread",
    100,
    100,
    python=[
        python_frame("Worker.get_objects", 1007, f"{RAY}/_private/worker.py"),
        python_frame("Channel.read", 492, CHANNEL),
        python_frame("CompiledDAG._execute_until", 2531, GRAPH),
        python_frame("encode_all", 24),
    ],
)


@pytest.mark.parametrize(
    ("inner", "said"),
    [
        (python_frame("Channel.write", 440, CHANNEL), "waits to write its result into a channel"),
        (python_frame("Channel.read", 492, CHANNEL), "waits for the next input of its part"),
        (python_frame("Encoder.encode", 16), "is in a method at main.py:16 (Encoder.encode)"),
    ],
)
def test_what_the_actors_of_a_graph_do(inner: PythonFrame, said: str) -> None:
    loop = python_frame("do_exec_tasks", 247, GRAPH)
    actor = thread("Dummy-1", 201, 200, python=[inner, loop])
    made = capture(DRIVER, actor)
    words = words_of(made, build(made))
    assert f"Its graph is run by actors: process 200 {said}" in told_graph(100, words)
    assert told_graph(200, words) == ""


def test_a_request_of_ray_serve_waits_for_its_batch() -> None:
    frames = (
        python_frame("batch_wrapper", 977, f"{RAY}/serve/batching.py", entry=None),
        python_frame("Scorer.__call__", 15, entry=None),
    )
    task = Task(100, 0x9, "Task-2", "score", TaskState.WAITING, 0x1, 100, frames, None)
    future = Resource(resource_id(NodeKind.FUTURE, 100, 0xA), NodeKind.FUTURE, "future", 100, 0xA)
    wait = Wait(task.id, future.id, evidence(), expires=False)
    made = replace(capture(DRIVER), tasks=(task,), resources=(future,), waits=(wait,))
    graph = build(made)
    (edge,) = graph.waits_of(task.id)
    assert (
        words_of(made, graph)
        .goal(edge)
        .startswith("for the result of its batch (serve.batch), which begins once that is full")
    )


def test_the_thread_that_looks_after_a_graph_is_rays_own() -> None:
    frames = [
        python_frame("Worker.get_objects", 1007, f"{RAY}/_private/worker.py"),
        python_frame("CompiledDAG._monitor_failures.<locals>.Monitor.run", 2211, GRAPH),
    ]
    monitor = thread("CompiledGraphMonitorThread", 102, 100, python=frames)
    assert looks_after_graph(monitor)
    assert not looks_after_graph(DRIVER)
    actor = Resource(shared_id(NodeKind.ACTOR, "ray-1"), NodeKind.ACTOR, "the actor A", 100, 0)
    made = capture(DRIVER, monitor, resources=[actor], waits=[waits(monitor, actor)])
    assert waiting_for_cluster.check(made, build(made)) == []


def test_a_driver_that_spins_for_a_result_waits_for_it() -> None:
    spins = native_frame(
        "ray::experimental::MutableObjectManager::ReadAcquire(ray::ObjectID const&)", "_raylet.so"
    )
    assert asks_peers(replace(DRIVER, native_stack=(spins,)))
    assert not asks_peers(DRIVER)
