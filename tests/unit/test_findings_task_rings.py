"""Two tasks of asyncio that wait for events which only the other one sets."""

from dataclasses import replace

import pytest

from hangtui import findings
from hangtui.analysis.progress import with_progress
from hangtui.model import (
    Capture,
    Certainty,
    Complement,
    CouldWake,
    EventLoop,
    Finding,
    LoopState,
    Nearness,
    NodeId,
    NodeKind,
    PythonFrame,
    Resource,
    Severity,
    Surroundings,
    Task,
    TaskState,
    Thread,
)
from tests.unit.factories import PID, between, capture, evidence, lock, python_frame, thread, waits

SITE = "/usr/lib/python3.12/site-packages"
SLEEP = python_frame("sleep", 665, "/usr/lib/python3.12/asyncio/tasks.py")
SELECT = python_frame("EpollSelector.select", 468, "/usr/lib/python3.12/selectors.py")
FIRST = replace(lock("ready (asyncio.Event)", 0x5, NodeKind.EVENT), wakers_known=True)
SECOND = replace(lock("signed (asyncio.Event)", 0x6, NodeKind.EVENT), wakers_known=True)


def task(number: int, *stack: PythonFrame, sleeps: bool = False) -> Task:
    name, function = f"Task-{number}", stack[-1].function
    awaits = "sleep (0.4 s left)" if sleeps else None
    return Task(PID, number, name, function, TaskState.WAITING, 9, PID, stack, awaits)


def could(who: NodeId, resource: Resource, nearness: Nearness = Nearness.AHEAD) -> CouldWake:
    found = evidence("its code reaches it", Certainty.INFERRED, "main.py:20")
    call = ("ready.set", "main.py:21") if nearness is Nearness.AHEAD else (None, None)
    return CouldWake(resource.id, who, Complement.SET, nearness, found, *call)


def ring(*called: PythonFrame, timers: int = 0, watched: int = 0) -> Capture:
    """*called*: what has called the first of them."""
    load, sign = task(1, python_frame("load", 13), *called), task(2, python_frame("sign", 17))
    beat = task(3, SLEEP, python_frame("beat", 23), sleeps=True)
    all_of = task(4, python_frame("day", 31))
    main = replace(thread("MainThread", python=(SELECT, python_frame("<module>"))), cpu_ns=7000)
    made = capture(
        main,
        resources=[FIRST, SECOND],
        waits=[
            waits(load.id, FIRST),
            waits(sign.id, SECOND),
            waits(all_of.id, load.id),
            waits(all_of.id, beat.id),
        ],
    )
    (process,) = made.processes
    process = replace(process, steady=True, around=Surroundings(handles_signals=()))
    loop = EventLoop(PID, 9, "Loop", LoopState.IDLE, PID, None, timers, watched, 0)
    refers = (could(main.id, FIRST, Nearness.REFERS), could(all_of.id, SECOND, Nearness.REFERS))
    return replace(
        made,
        processes=(process,),
        tasks=(load, sign, beat, all_of),
        event_loops=(loop,),
        could_wake=(could(sign.id, FIRST), could(load.id, SECOND), *refers),
    )


def seen(made: Capture, *, ticks: bool = True) -> list[Finding]:
    """*ticks*: its loop runs from look to look."""

    def at(look: int) -> Capture:
        (process,) = made.processes
        ran = (replace(one, runs=7 + look * ticks) for one in process.threads)
        threads: tuple[Thread, ...] = tuple(ran)
        return replace(
            made,
            taken_at=f"2026-01-02T03:04:0{look}+00:00",
            processes=(replace(process, threads=threads),),
        )

    return [*findings.run(with_progress([at(look) for look in range(3)]))]


def severity(made: Capture) -> Severity:
    return next(one.severity for one in seen(made) if one.id == "mutual-wait")


def test_beside_tasks_that_only_sleep_it_is_a_warning() -> None:
    assert severity(ring(timers=1)) is Severity.WARNING
    assert severity(ring(timers=2)) is Severity.NOTE  # one may call something
    assert severity(ring(timers=1, watched=1)) is Severity.NOTE


@pytest.mark.parametrize(
    ("function", "file"),
    [
        ("RequestHandler._execute", f"{SITE}/tornado/web.py"),
        ("Application.shutdown", f"{SITE}/aiohttp/web_app.py"),
        ("serve.<locals>.protocol_handler", f"{SITE}/websockets/asyncio/server.py"),
    ],
)
def test_who_is_called_by_a_server_is_not_there_to_rest(function: str, file: str) -> None:
    called = python_frame(function, 5, file)
    assert severity(ring(called, timers=1, watched=1)) is Severity.WARNING


@pytest.mark.parametrize("requested", [True, False])
def test_a_librarys_task_that_refers_to_it_leaves_a_warning_where_a_server_waits(
    requested: bool,
) -> None:
    called = python_frame("RequestHandler._execute", 5, f"{SITE}/tornado/web.py")
    made = ring(*([called] if requested else []), timers=1, watched=1)
    hears = task(7, python_frame("receive", 137, f"{SITE}/uvicorn/lifespan/on.py"))
    refers = could(hears.id, FIRST, Nearness.REFERS)
    made = replace(made, tasks=(*made.tasks, hears), could_wake=(*made.could_wake, refers))
    found = next(one for one in seen(made) if one.id == "quiet")
    assert "So it comes back to task " in found.sentence
    assert found.severity is (Severity.WARNING if requested else Severity.NOTE)


def test_what_comes_over_one_connection_is_not_the_other_tasks_to_bring() -> None:
    """Its transport sets both, which no stack shows."""
    server = "127.0.0.1:46286"
    name = f"next event of the connection to {server}"
    both = {
        FIRST.id: between(replace(FIRST, name=f"{name} (Socket.send)"), None, server),
        SECOND.id: between(replace(SECOND, name=f"{name} (Socket.receive)"), None, server),
    }
    called = python_frame("Application.shutdown", 5, f"{SITE}/aiohttp/web_app.py")
    made = ring(called, timers=1, watched=1)
    made = replace(made, resources=tuple(both.get(one.id, one) for one in made.resources))

    assert "mutual-wait" not in {one.id for one in seen(made)}
    assert not any("only task sign could" in one.title for one in seen(made))


@pytest.mark.parametrize(("is_part", "told"), [(True, Severity.WARNING), (False, Severity.NOTE)])
def test_who_waits_for_itself_within_a_round_of_several_steps_does_not_rest(
    *, is_part: bool, told: Severity
) -> None:
    reply = replace(lock("reply (asyncio.Future)", 0x5, NodeKind.FUTURE), wakers_known=True)
    made = ring(timers=1)
    load, _sign, beat, all_of = made.tasks
    made = replace(
        made,
        resources=(reply,),
        tasks=(replace(load, is_part=is_part), beat, all_of),
        waits=(waits(load.id, reply), *made.waits[2:]),
        could_wake=(replace(could(load.id, reply), complement=Complement.SET_RESULT),),
    )

    assert severity(made) is told


@pytest.mark.parametrize(("unshared", "told"), [(True, Severity.WARNING), (False, Severity.NOTE)])
def test_one_that_is_surely_the_same_tells_that_the_others_are_that_wait_for_it(
    *, unshared: bool, told: Severity
) -> None:
    """A task with a name of its own may have come in the place of one that has ended."""
    first = replace(FIRST, unshared=unshared)
    made = ring(timers=1)
    load, sign, beat, all_of = made.tasks
    named = (replace(load, name="loader"), replace(sign, name="signer"))
    made = replace(
        made,
        resources=(first, SECOND),
        tasks=(*named, beat, all_of),
        waits=(*made.waits[:2], made.waits[3]),
        could_wake=made.could_wake[:3],
    )

    assert severity(made) is told


@pytest.mark.parametrize("manager", [True, False])
def test_threads_of_a_manager_that_wait_for_room_wait_for_its_clients(*, manager: bool) -> None:
    full = replace(lock("told (queue.Queue)", 0x5, NodeKind.QUEUE), wakers_known=True)
    put = python_frame("Queue.put", 140, "/usr/lib/python3.12/queue.py")
    serve = "/usr/lib/python3.12/multiprocessing/managers.py"
    calls = python_frame("Server.serve_client" if manager else "serve", 273, serve)
    serving = [thread(f"ForkProcess-{n}", tid=PID + n, python=(put, calls)) for n in (1, 2)]
    taken = [
        replace(could(one.id, full), complement=Complement.GET, call="gettypeid.get")
        for one in serving
    ]
    made = capture(
        thread("MainThread", python=(python_frame("Server.serve_forever", 176, serve),)),
        *serving,
        resources=[full],
        waits=[waits(one.id, full, operation="put") for one in serving],
    )
    made = replace(made, could_wake=tuple(taken))

    assert ("mutual-wait" in {one.id for one in findings.run(made)}) is not manager
