"""A family in which somebody waits for an answer is not idle."""

from dataclasses import replace

from hangtui import findings
from hangtui.findings.in_flight import in_flight
from hangtui.model import Capture, Thread
from tests.unit.factories import capture, process, python_frame, thread

VLLM = "/venv/lib/python3.11/site-packages/vllm/v1/"


def _stands(pid: int, *functions: tuple[str, str]) -> Thread:
    stack = [python_frame(name, 30, file) for name, file in functions]
    return replace(thread("MainThread", pid, python=stack), pid=pid)


def _family(engine: Thread, server: Thread) -> Capture:
    """A server, its engine, a worker of that, and another process."""
    worker = _stands(300, ("worker_busy_loop", f"{VLLM}executor/multiproc_executor.py"))
    parents = {100: 1, 200: 100, 300: 200, 400: 1}
    made = [process(one.pid, one) for one in (server, engine, worker, _stands(400))]
    placed = tuple(replace(one, ppid=parents[one.pid]) for one in made)
    return replace(capture(), processes=placed)


def test_a_request_for_the_engine_is_in_flight() -> None:
    loop = ("run_busy_loop", f"{VLLM}engine/core.py")
    server = _stands(100, ("generate", f"{VLLM}engine/async_llm.py"), ("ask", "/app/main.py"))
    assert in_flight(_family(_stands(200, loop), server)) == {100, 200, 300}
    assert not in_flight(_family(_stands(200, loop), _stands(100, ("serve", "/app/main.py"))))


def test_a_command_for_the_workers_is_in_flight() -> None:
    executor = f"{VLLM}executor/multiproc_executor.py"
    shared = "/venv/lib/python3.11/site-packages/vllm/distributed/device_communicators/shm.py"
    engine = _stands(200, ("dequeue", shared), ("get_response", executor))
    made = _family(engine, _stands(100, ("serve", "/app/main.py")))
    assert in_flight(made) == {100, 200, 300}
    assert not {one.processes for one in findings.run(made) if one.id == "idle"} & {
        (pid,) for pid in (100, 200, 300)
    }
