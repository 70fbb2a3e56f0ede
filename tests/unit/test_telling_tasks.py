"""Which of the suspended tasks of a process is told first."""

from dataclasses import replace

import pytest

from hangtui.analysis.waitgraph import build
from hangtui.findings.given_work import called_by_server
from hangtui.findings.package_queries import hands_over
from hangtui.findings.telling_tasks import takes_messages, telling_tasks
from hangtui.findings.words import words_of
from hangtui.model import (
    EventLoop,
    LoopState,
    NodeKind,
    PythonFrame,
    Sleep,
    Task,
    TaskState,
    Wait,
)
from tests.unit.factories import PID, capture, evidence, lock, python_frame, thread, waits

SITE = "/venv/lib/python3.12/site-packages/gevent"
HANDLER = python_frame("page", 8, "/app/site.py")
MAIN = python_frame("<module>", 13, "/app/site.py")


def greenlet(address: int, *stack: PythonFrame) -> Task:
    made = Task(PID, address, f"g{address}", "page", TaskState.WAITING, 9, PID, stack)
    return replace(made, sleep=Sleep(30.0, 20.0)) if HANDLER in stack else made


def test_a_request_is_told_before_the_server_that_has_taken_it() -> None:
    serves = greenlet(1, python_frame("BaseServer.serve_forever", 398, f"{SITE}/base.py"), MAIN)
    handler = python_frame("WSGIHandler.run_application", 1023, f"{SITE}/pywsgi.py")
    request = greenlet(2, python_frame("sleep", 159, f"{SITE}/hub.py"), HANDLER, handler)
    hub = thread("MainThread", python=[python_frame("Hub.run", 647, f"{SITE}/hub.py")])
    loop = EventLoop(PID, 9, "hub", LoopState.IDLE, PID, library="gevent")
    made = replace(capture(hub), tasks=(serves, request), event_loops=(loop,))
    told = telling_tasks(made.processes[0], words_of(made, build(made)))

    assert [one.id for one in told] == [request.id, serves.id]


def gathered(*, asks: bool) -> tuple[list[str], list[str]]:
    """The names told, of who began with a server's task and one of its own, and these."""
    grpc = "/venv/lib/python3.12/site-packages/grpc/aio/_server.py"
    main, report, serve = (
        Task(PID, at, name, name, TaskState.WAITING, 9, PID, (frame,))
        for at, name, frame in (
            (1, "Task-1", python_frame("main", 16)),
            (2, "report", python_frame("report", 53)),
            (3, "serve", python_frame("Server.wait_for_termination", 210, grpc)),
        )
    )
    answer = lock("answer", 0x80, NodeKind.FUTURE)
    own = [waits(report.id, answer)] if asks else []
    for_tasks = [Wait(main.id, one.id, evidence(), together=True) for one in (report, serve)]
    loop = EventLoop(PID, 9, "loop", LoopState.IDLE, PID)
    hub = thread("MainThread", python=[python_frame("select", 9, "/usr/lib/python3/selectors.py")])
    made = capture(hub, resources=[answer], waits=[*for_tasks, *own])
    made = replace(made, tasks=(main, report, serve), event_loops=(loop,))
    told = telling_tasks(made.processes[0], words_of(made, build(made)))
    return [one.name for one in told], [main.name, report.name]


def test_who_waits_for_a_server_and_a_task_of_the_program_is_told_behind_that() -> None:
    told, (main, report) = gathered(asks=True)

    assert told == [report, main]


def test_a_task_that_waits_for_nothing_tells_no_more_than_who_waits_for_it() -> None:
    told, (main, report) = gathered(asks=False)

    assert told == [main, report]


@pytest.mark.parametrize(("waits_in", "rests"), [("receive", True), ("startup", False)])
def test_an_application_that_hears_of_its_end_has_nothing_in_hand(
    waits_in: str, rests: bool
) -> None:
    site = "/venv/lib/python3.12/site-packages"
    stack = (
        python_frame(f"LifespanOn.{waits_in}", 137, f"{site}/uvicorn/lifespan/on.py"),
        python_frame("Router.lifespan", 611, f"{site}/starlette/routing.py"),
        python_frame("Signed.__call__", 31, "/app/site.py"),
        python_frame("LifespanOn.main", 86, f"{site}/uvicorn/lifespan/on.py"),
    )
    main = Task(PID, 1, "Task-2", "main", TaskState.WAITING, 9, PID, stack)

    assert (called_by_server(main) is None) is rests
    assert hands_over(stack, 2) is rests


@pytest.mark.parametrize(
    ("function", "file", "what"),
    [
        ("Dispatcher._process_update", "aiogram/dispatcher/dispatcher.py", "an update"),
        ("Worker._process_job", "procrastinate/worker.py", "a job"),
        ("Dispatcher._polling", "aiogram/dispatcher/dispatcher.py", None),
    ],
)
def test_who_is_called_for_what_has_come(function: str, file: str, what: str | None) -> None:
    calls = python_frame(function, 321, f"/venv/lib/python3.12/site-packages/{file}")
    task = Task(PID, 1, "Task-9", "handle", TaskState.WAITING, 9, PID, (HANDLER, calls))

    assert called_by_server(task) == what


@pytest.mark.parametrize(
    ("file", "takes"), [("lifespan/on.py", False), ("protocols/http/h11_impl.py", True)]
)
def test_a_startup_that_takes_messages_does_not_come_to_its_end(file: str, *, takes: bool) -> None:
    name = "main" if "lifespan" in file else "run_asgi"
    server = python_frame(name, 86, f"/venv/lib/python3.12/site-packages/uvicorn/{file}")
    task = Task(PID, 1, "Task-2", name, TaskState.WAITING, 9, PID, (HANDLER, server))
    task = replace(task, takes_next=True)
    made = replace(capture(thread("MainThread")), tasks=(task,))

    assert takes_messages(task, words_of(made, build(made))) is takes
