"""Tasks of requests that wait while their process goes on: literal captures."""

from dataclasses import replace

import pytest

from hangtui import findings
from hangtui.analysis.progress import with_progress
from hangtui.analysis.waitgraph import build
from hangtui.findings.rest import request_waits
from hangtui.model import (
    Capture,
    Certainty,
    Ends,
    EventLoop,
    Finding,
    LoopState,
    NodeKind,
    PythonFrame,
    Resource,
    Severity,
    Sleep,
    Stay,
    Surroundings,
    Syscall,
    Task,
    TaskState,
    Thread,
    Traffic,
    Watched,
    thread_id,
)
from tests.unit import factories
from tests.unit.factories import (
    PID,
    between,
    capture,
    holds,
    lock,
    python_frame,
    thread,
    waits,
)

SITE = "/venv/lib/python3.12/site-packages"
RUNS = python_frame("run_asgi", 401, f"{SITE}/uvicorn/protocols/http/h11_impl.py")
SELECT = python_frame("select", 9, "/usr/lib/python3.12/selectors.py")
EVENT = replace(lock("loaded (asyncio.Event)", 0xE, NodeKind.EVENT), wakers_known=True)
NEXT = lock("next event of the connection to 10.0.0.1:80 (Stream.receive)", 0xC, NodeKind.EVENT)


def request(number: int, line: int, **more: object) -> Task:
    page = python_frame("page", line, "/app/shop.py")
    made = Task(
        PID, 0x100 + number, f"Task-{number}", "run_asgi", TaskState.WAITING, 0x10, PID,
        (page, RUNS),
    )  # fmt: skip
    return replace(made, **more)  # type: ignore[arg-type]


def made(*tasks: Task, awaits: dict[int, Resource | Task]) -> Capture:
    """A server whose loop goes on, beside a thread that takes what comes."""
    main = replace(thread("MainThread", python=[SELECT]), runs=7, cpu_ns=7000)
    beat = replace(
        thread("beat", PID + 1, python=[python_frame("run", 5, "/app/beat.py")]), still=False
    )
    resources = [one for one in awaits.values() if isinstance(one, Resource)]
    found = capture(
        main, beat,
        resources=resources,
        waits=[waits(tasks[number].id, other) for number, other in awaits.items()
               if isinstance(other, Resource)],
    )  # fmt: skip
    (process,) = found.processes
    process = replace(process, around=Surroundings(handles_signals=()))
    loop = EventLoop(
        PID, 0x10, "asyncio.Loop", LoopState.IDLE, PID, timers=1, watched=2, signal_handlers=0
    )
    return replace(found, processes=(process,), tasks=tasks, event_loops=(loop,))


def told(one: Capture) -> list[Finding]:
    looks = []
    for n in range(4):
        at = replace(one, taken_at=f"2026-01-02T03:04:0{n}+00:00")
        main, beat = (
            replace(thread, runs=7 + n, cpu_ns=7000 + n) for thread in one.processes[0].threads
        )
        step = (python_frame("run", 5 + n, "/app/beat.py"), python_frame(f"do_{n}", 2, "/app/b.py"))
        moved = (main, replace(beat, python_stack=step[::-1]))
        looks.append(replace(at, processes=(replace(one.processes[0], threads=moved),)))
    return [found for found in findings.run(with_progress(looks)) if found.id == "request-waits"]


def test_a_request_that_waits_for_what_nobody_brings_is_a_warning() -> None:
    (found,) = told(made(request(1, 8), awaits={0: EVENT}))

    assert found.severity is Severity.WARNING
    assert found.title.startswith("Inside a request, task run_asgi waits at shop.py:8 (page) for ")
    assert "loaded for 3 s or more; nobody is seen on the way to that" in found.title
    assert found.where is not None
    assert found.where.line == 8


def test_who_waits_for_a_peer_is_a_note() -> None:
    (found,) = told(
        made(request(1, 8), awaits={0: replace(NEXT, enders=("Stream.feed (s.py:3)",))})
    )

    assert found.severity is Severity.NOTE


@pytest.mark.parametrize("task", [request(1, 8, sleep=Sleep(30.0, 20.0)), request(1, 8)])
def test_who_only_sleeps_is_not_told(task: Task) -> None:
    assert told(made(task, awaits={})) == []


def test_one_that_takes_the_messages_of_its_client_is_not_told() -> None:
    assert told(made(request(1, 8, takes_next=True), awaits={0: EVENT})) == []


@pytest.mark.parametrize(
    ("sent_last", "waited"), [(False, "for 40 s or more"), (True, "for 3 s or more")]
)
def test_what_has_a_request_in_hand_waits_since_that_came(sent_last: bool, waited: str) -> None:
    """As under Twisted: no function of the server is on its stack."""
    own = request(1, 8, python_stack=(python_frame("look", 8, "/app/shop.py"),))
    base = made(replace(own, answers="10.0.0.7:1"), awaits={0: EVENT})
    came = Traffic(None, 40.0, sent_last, accepted=True)
    client = Watched(thread_id(PID, PID), "", came, ends=Ends("10.0.0.1:80", "10.0.0.7:1"))
    (found,) = told(replace(base, watched=(client,)))

    assert found.title.startswith("Inside a request, task run_asgi waits at shop.py:8 (look) for ")
    assert waited in found.title


@pytest.mark.parametrize(("name", "severity"), [("Task-1", "warning"), ("pump", "note")])
def test_a_handler_that_may_be_another_one_each_time_is_a_note(name: str, severity: str) -> None:
    """Who gives its tasks names of their own, as textual does, may make a new one for each."""
    pump = f"{SITE}/textual/message_pump.py"
    stack = (python_frame("add", 8, "/app/shop.py"), python_frame("_dispatch_message", 739, pump))
    (found,) = told(made(request(1, 8, name=name, python_stack=stack), awaits={0: EVENT}))

    assert found.title.startswith("Inside a message's handler, task run_asgi")
    assert "waits at shop.py:8 (add) for loaded" in found.title
    assert found.severity is Severity(severity)
    assert ("for 3 s or more" in found.title) is (name == "Task-1")


def test_a_task_of_the_program_is_not_a_request() -> None:
    own = request(1, 8, python_stack=(python_frame("watch", 3, "/app/shop.py"),))

    assert told(made(own, awaits={0: EVENT})) == []


@pytest.mark.parametrize("called", [True, False])
def test_a_thread_of_a_request_is_told_beside_those_that_go_on(called: bool) -> None:
    handles = python_frame("finish_request", 362, "/usr/lib/python3.12/socketserver.py")
    stack = [python_frame("page", 8, "/app/shop.py"), *([handles] if called else [])]
    page = replace(thread("Thread-8", PID + 2, python=stack), runs=7, cpu_ns=7000)
    base = made(awaits={})
    (process,) = base.processes
    process = replace(process, threads=(*process.threads, page))
    one = replace(base, processes=(process,), resources=(EVENT,), waits=(waits(page, EVENT),))
    looks = [replace(one, taken_at=f"2026-01-02T03:04:0{n}+00:00") for n in range(3)]
    seen = with_progress(looks)
    found = request_waits.check(seen, build(seen))

    assert len(found) == called
    for finding in found:
        assert finding.severity is Severity.NOTE
        assert finding.title.startswith("Inside a request, Thread-8 waits at shop.py:8 (page) for ")


DATA = "data from 10.0.0.1:80 (StreamReader.read)"
HERE = Ends("10.0.0.9:4000", "10.0.0.1:80")


def over(sent_s: float, ends: Ends = HERE, *, last: bool = True) -> Watched:
    traffic = Traffic(sent_s, sent_s + (1 if last else -1), last)
    return Watched(thread("MainThread").id, ends.name, traffic, (77,), ends=ends)


@pytest.mark.parametrize(
    ("connections", "told_"),
    [
        ([over(5.0)], True),
        ([over(5.0), over(3.0, Ends("10.0.0.9:4001", "10.0.0.1:80"))], True),
        ([over(5.0, last=False)], False),
        ([over(0.2)], False),
        ([over(5.0, Ends("10.0.0.9:4001", "10.0.0.1:80"))], False),
        ([], False),
    ],
)
def test_who_awaits_data_of_a_silent_peer_is_told(connections: list[Watched], told_: bool) -> None:
    one = replace(
        made(request(1, 8, awaits=DATA, ends=HERE), awaits={}), watched=tuple(connections)
    )
    found = told(one)

    assert len(found) == told_
    for finding in found:
        assert finding.severity is Severity.NOTE
        assert finding.title == (
            f"Inside a request, task run_asgi awaits {DATA} at shop.py:8 (page) for 5 s or more; "
            "the other end is open in process 77"
        )
        assert "Only the other end of such a connection, open in process 77" in finding.sentence


@pytest.mark.parametrize("held", [True, False])
def test_who_awaits_the_answer_of_its_own_process_with_a_lock_that_the_answer_needs(
    held: bool,
) -> None:
    asks, answers = request(1, 8), request(2, 9)
    once, data = lock("once", 0xD), replace(NEXT, ends=HERE)
    itself = replace(over(5.0), peers=(PID,))
    base = replace(made(asks, answers, awaits={0: data, 1: once}), watched=(itself,))
    found = told(replace(base, holds=(holds(once, asks.id),) if held else ()))[0]

    turn = ", where task run_asgi (Task-2) waits at shop.py:9 (page) for once, which this one has"
    assert found.severity is (Severity.WARNING if held else Severity.NOTE)
    assert "; its own process has the other end open" in found.title
    assert (turn in found.title) is held


@pytest.mark.parametrize("called", [True, False])
def test_a_job_that_its_worker_awaits_as_a_task_of_its_own_is_told(called: bool) -> None:
    file = f"{SITE}/arq/worker.py" if called else f"{SITE}/arq/cron.py"
    runs = request(1, 0, python_stack=(python_frame("run_job", 599, file),))
    job = request(2, 12, name="Task-2", python_stack=(python_frame("restock", 12, "/app/j.py"),))
    awaited = NodeKind.TASK, "task restock"
    node = Resource(job.id, awaited[0], awaited[1], PID, job.address)
    base = made(runs, job, awaits={1: EVENT})
    base = replace(base, waits=(*base.waits, waits(runs.id, node)))
    found = told(base)

    assert len(found) == called
    for finding in found:
        assert finding.title.startswith("Inside a task, task ")
        assert " waits at j.py:12 (restock) for loaded" in finding.title
        assert "awaits its end" in finding.sentence


@pytest.mark.parametrize("kind", [NodeKind.EVENT, NodeKind.SOCKET])
@pytest.mark.parametrize(("received_s", "told_"), [(0.3, False), (4.0, True)])
def test_who_has_heard_from_its_client_just_now_is_in_another_wait(
    kind: NodeKind, received_s: float, told_: bool
) -> None:
    traffic = Traffic(received_s, received_s, None, accepted=True)
    one = Watched(thread("MainThread").id, HERE.name, traffic, (77,), ends=HERE)
    awaited = between(lock(HERE.name, 0xD, kind), HERE.local, HERE.remote)
    found = told(replace(made(request(1, 8), awaits={0: awaited}), watched=(one,)))

    assert len(found) == told_


def page_thread(*stack: PythonFrame) -> Thread:
    handles = python_frame("finish_request", 362, "/usr/lib/python3.12/socketserver.py")
    made = thread("Thread-8", PID + 2, still=False, python=[*stack, handles])
    return replace(made, runs=7, cpu_ns=7000, syscall=Syscall("clock_nanosleep"))


@pytest.mark.parametrize("moves", [True, False])
def test_a_thread_of_a_request_that_sleeps_on_the_same_lines_is_told(moves: bool) -> None:
    base = made(awaits={})
    (process,) = base.processes
    looks = []
    for n in range(4):
        page = page_thread(python_frame("ask", 8 + n * moves, "/app/shop.py"))
        page = replace(page, runs=7 + n)
        one = replace(process, threads=(*process.threads, page))
        at = f"2026-01-02T03:04:0{n}+00:00"
        looks.append(replace(base, processes=(one,), taken_at=at))
    seen = with_progress(looks)
    found = request_waits.check(seen, build(seen))

    assert len(found) == (not moves)
    for finding in found:
        assert finding.severity is Severity.NOTE
        assert finding.title == (
            "Inside a request, Thread-8 sleeps at shop.py:8 (ask), again and again for 3 s or more"
        )


@pytest.mark.parametrize("turn", [True, False])
def test_who_waits_for_somebody_who_waits_for_that_in_turn_is_a_warning(turn: bool) -> None:
    asked = request(1, 8)
    answer, question = lock("answers", 0xA, NodeKind.PIPE), lock("questions", 0xB, NodeKind.PIPE)
    base = made(asked, awaits={0: answer})
    helper = thread("helper", PID + 9, PID + 9, python=[python_frame("help", 3, "/app/h.py")])
    other = (factories.process(PID + 9, helper),)
    base = replace(
        base,
        processes=(*base.processes, *other),
        resources=(*base.resources, question),
        waits=(*base.waits, *([waits(helper, question)] if turn else [])),
        holds=(
            holds(answer, helper, Certainty.INFERRED),
            *([holds(question, asked.id, Certainty.INFERRED)] if turn else []),
        ),
        stays=(Stay(asked.id, 2.0),),
    )
    (found,) = request_waits.check(base, build(base))

    assert found.severity is (Severity.WARNING if turn else Severity.NOTE)
