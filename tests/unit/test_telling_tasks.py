"""Which of the suspended tasks of a process is told first."""

from dataclasses import replace

from hangtui.analysis.waitgraph import build
from hangtui.findings.telling_tasks import telling_tasks
from hangtui.findings.words import words_of
from hangtui.model import EventLoop, LoopState, PythonFrame, Sleep, Task, TaskState
from tests.unit.factories import PID, capture, python_frame, thread

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
