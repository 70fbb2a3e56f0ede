"""A rank that waits in a package for what the others of its job are not told of."""

from dataclasses import replace

from hangtui import findings
from hangtui.model import Progress
from tests.unit.factories import capture, python_frame, thread

TORCH = "/venv/lib/python3.11/site-packages/torch/distributed/distributed_c10d.py"
ZMQ = "/venv/lib/python3.11/site-packages/zmq/sugar/socket.py"


def test_what_a_rank_waits_for_in_a_package_is_told() -> None:
    reduces = [python_frame("all_reduce", 25, TORCH), python_frame("step", 41, "/app/main.py")]
    reads = [python_frame("recv_pyobj", 9, ZMQ), python_frame("read_orders", 17, "/app/main.py")]
    waiting = replace(thread("MainThread", 201, python=reduces), pid=201)
    away = replace(thread("MainThread", 200, python=reads), pid=200)
    away = replace(away, calling="zmq.Socket(PULL).recv")
    parts = [replace(capture(one).processes[0], ppid=50) for one in (away, waiting)]
    made = replace(
        capture(),
        processes=tuple(parts),
        progress=tuple(Progress(one.id, 5, 2.0, 2.0, 0.0) for one in (away, waiting)),
    )
    first = findings.run(made)[0]
    goal = "zmq, for a message of another socket (recv of its PULL socket)"
    assert first.id == "rank-elsewhere"
    assert first.title.endswith(f"elsewhere at main.py:17 (read_orders), in {goal}")
    assert f"is elsewhere at main.py:17 (read_orders), waiting in {goal}." in first.sentence
