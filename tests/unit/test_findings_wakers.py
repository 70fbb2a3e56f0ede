"""Waits for what nobody holds, by who could end them: literal captures."""

from dataclasses import replace

import pytest

from hangtui import findings
from hangtui.analysis.waitgraph import build
from hangtui.findings.wakeups.mutual_wait_words import only_by_these
from hangtui.findings.wakeups.nobody_left_advice import told_later
from hangtui.findings.words import words_of
from hangtui.model import (
    Capture,
    Certainty,
    Complement,
    CouldWake,
    EventLoop,
    Finding,
    LoopState,
    Nearness,
    NodeKind,
    Resource,
    Severity,
    Stay,
    Surroundings,
    Syscall,
    Task,
    TaskState,
    Thread,
)
from tests.unit.factories import (
    PID,
    capture,
    evidence,
    holds,
    lock,
    python_frame,
    stood,
    thread,
    waits,
)

READY = replace(lock("ready (threading.Condition)", 0x1, NodeKind.CONDITION), wakers_known=True)
OUTER = lock("outer (threading.Lock)", 0x2)
JOBS = replace(lock("jobs (queue.Queue)", 0x3, NodeKind.QUEUE), wakers_known=True)
READER = thread("reader", 101, python=[python_frame("take", 10)])
WRITER = thread("writer", 102, python=[python_frame("deliver", 20)])
MAIN = thread("MainThread", python=[python_frame("main", 30)])


def could(
    candidate: Thread,
    resource: Resource,
    nearness: Nearness = Nearness.AHEAD,
    complement: Complement = Complement.NOTIFY,
) -> CouldWake:
    found = evidence("its code reaches it", Certainty.INFERRED, "main.py:20")
    call = (None, None) if nearness is Nearness.REFERS else ("ready.notify", "main.py:21")
    return CouldWake(resource.id, candidate.id, complement, nearness, found, *call)


def nested(*others: CouldWake, main: Thread = MAIN, joined: bool = True) -> Capture:
    """The writer wants the lock that the reader has while that waits for the writer."""
    made = capture(
        main,
        READER,
        WRITER,
        resources=[READY, OUTER],
        waits=[
            waits(READER, READY, Certainty.PROVEN, "main.py:10", text="Condition.wait: it waits"),
            waits(WRITER, OUTER, where="main.py:20", operation="acquire"),
            *([waits(main, READER, Certainty.PROVEN, "main.py:30")] if joined else []),
        ],
        holds=[holds(OUTER, READER, Certainty.PROVEN, "main.py:9")],
    )
    (process,) = made.processes
    process = replace(process, steady=True, around=Surroundings(handles_signals=()))
    return replace(made, processes=(process,), could_wake=(could(WRITER, READY), *others))


def ids(made: Capture) -> list[str]:
    return [one.id for one in findings.run(made)]


def ring(made: Capture) -> Finding:
    (found,) = (one for one in findings.run(made) if one.id == "mutual-wait")
    return found


FREE = replace(lock("free (threading.Semaphore)", 0x4, NodeKind.SEMAPHORE), wakers_known=True)


def one_more(*, gives_back: bool) -> Capture:
    """Two threads that wait for a unit, and are both on the way to release one."""
    made = nested()
    could_wake = tuple(
        replace(could(one, FREE, complement=Complement.RELEASE), gives_back=gives_back)
        for one in (READER, WRITER)
    )
    return replace(
        made,
        resources=(FREE,),
        waits=(
            *(
                waits(one, FREE, where="main.py:10", operation="acquire")
                for one in (READER, WRITER)
            ),
            waits(MAIN, READER, Certainty.PROVEN, "main.py:30"),
        ),
        holds=(),
        could_wake=could_wake,
    )


def test_who_has_one_already_and_wants_another() -> None:
    found = ring(one_more(gives_back=True))

    assert found.severity is Severity.ERROR
    assert "each has one already, which the end of a with gives back" in found.sentence
    assert "has one already" not in ring(one_more(gives_back=False)).sentence


def test_who_would_notify_at_the_end_of_a_with_and_wants_to_enter_another() -> None:
    made = one_more(gives_back=True)
    readers = [
        waits(one, READY, Certainty.PROVEN, "main.py:10", text="Condition.wait: it waits")
        for one in (READER, WRITER)
    ]
    server = thread("server", 103, python=[python_frame("serve", 40)])
    process = replace(made.processes[0], threads=(*made.processes[0].threads, server))
    upgrade = replace(
        made,
        processes=(process,),
        resources=(READY,),
        waits=(*readers, made.waits[-1]),
        could_wake=tuple(replace(one, resource=READY.id) for one in made.could_wake),
    )

    found = ring(stood(upgrade))

    assert found.severity is Severity.WARNING
    assert "each is inside of a with whose end would notify" in found.sentence
    idle = replace(
        upgrade,
        could_wake=tuple(replace(one, gives_back=False) for one in upgrade.could_wake),
    )
    assert all(one.severity is Severity.NOTE for one in findings.run(stood(idle)))


def test_all_who_could_end_it_wait_and_nobody_else_is_there() -> None:
    found = ring(nested())

    assert (found.severity, found.certainty) == (Severity.ERROR, Certainty.PROVEN)
    assert found.title == "Deadlock: reader and writer wait for each other (ready, outer)"
    assert "which only writer could notify (ready.notify(), main.py:21)" in found.sentence
    assert "which reader holds (taken at main.py:9)" in found.sentence
    assert [one.name for one in found.victims] == ["MainThread"]
    assert ids(nested()) == ["mutual-wait"]


def test_of_a_coroutine_sent_to_a_loop_it_is_told_that_its_waiter_blocks_that_loop() -> None:
    sent = lock("price (concurrent.futures.Future)", 0x2, NodeKind.FUTURE)
    queued = "its coroutine season() is queued, and only this thread runs the event loop"
    made = nested()
    made = replace(
        made,
        resources=(READY, sent),
        waits=(made.waits[0], waits(WRITER, sent, where="main.py:20"), made.waits[2]),
        holds=(holds(sent, READER, Certainty.PROVEN, text=queued),),
    )
    found = ring(made)
    assert f"for price, which reader has to set: {queued}" in found.sentence
    assert found.advice[0].startswith("Do not block the event loop of reader at main.py:10 (take)")


@pytest.mark.parametrize("doubt", ["signals", "native thread", "not watched", "another thread"])
def test_where_somebody_else_might_act_it_is_possible_only(doubt: str) -> None:
    made = nested(joined=doubt != "another thread")
    (process,) = made.processes
    changed = {
        "signals": replace(process, around=Surroundings(handles_signals=("SIGTERM",))),
        "not watched": replace(process, steady=None),
        "native thread": replace(
            process, threads=(*process.threads, replace(thread("native", 103), is_python=False))
        ),
    }.get(doubt, process)

    found = ring(replace(made, processes=(changed,)))

    assert (found.severity, found.certainty) == (Severity.WARNING, Certainty.INFERRED)
    assert found.title.startswith("Possible deadlock: reader and writer")
    assert any("whether only writer can end" in line for line in found.unknown)


@pytest.mark.parametrize(("seconds", "told"), [(None, False), (0.5, False), (2.0, True)])
def test_where_threads_come_and_go_it_must_have_stood_for_a_while(
    seconds: float | None, told: bool
) -> None:
    made = nested() if seconds is None else stood(nested(), seconds=seconds)
    made = replace(made, processes=(replace(made.processes[0], steady=False),))

    found = [one for one in findings.run(made) if one.id == "mutual-wait"]

    assert [one.severity for one in found] == ([Severity.WARNING] if told else [])


def test_another_candidate_that_is_free_may_end_it() -> None:
    assert "mutual-wait" not in ids(nested(could(MAIN, READY), joined=False))


def test_who_refers_to_it_below_code_that_calls_back_may_end_it() -> None:
    serves = python_frame("serve_forever", 9, "/usr/lib/python3.11/socketserver.py")
    server = thread("MainThread", python=[serves, python_frame("main", 30)])
    refers = could(server, READY, Nearness.REFERS)

    assert "mutual-wait" not in ids(nested(refers, main=server, joined=False))


def test_who_refers_to_it_and_merely_sleeps_does_not() -> None:
    refers = could(MAIN, READY, Nearness.REFERS)

    found = ring(nested(refers, joined=False))

    assert found.severity is Severity.WARNING
    assert any("MainThread refers to it" in line for line in found.unknown)


@pytest.mark.parametrize("change", ["timeout", "ran", "not looked at"])
def test_a_wait_that_may_end_is_no_ring(change: str) -> None:
    made = nested()
    if change == "timeout":
        first, *rest = made.waits
        made = replace(made, waits=(replace(first, expires=True), *rest))
    elif change == "ran":
        (process,) = made.processes
        ran = tuple(replace(one, still=one.name != "writer") for one in process.threads)
        made = replace(made, processes=(replace(process, threads=ran),))
    else:
        made = replace(made, resources=(replace(READY, wakers_known=False), OUTER))

    assert "mutual-wait" not in ids(made)


def resting(worker_could: bool, sleeper: bool) -> Capture:
    """The main thread waits for the end of a worker that waits for work."""
    sleeping = [thread("clock", 103, python=[python_frame("tick", 40)])] if sleeper else []
    made = capture(
        MAIN,
        READER,
        *sleeping,
        resources=[JOBS],
        waits=[
            waits(READER, JOBS, Certainty.PROVEN, text="Queue.get: it waits for an item"),
            waits(MAIN, READER, Certainty.PROVEN),
        ],
    )
    wakers = (could(MAIN, JOBS, complement=Complement.PUT),) if worker_could else ()
    return replace(made, could_wake=wakers)


def test_a_worker_at_rest_and_who_waits_for_its_end_are_no_ring_beside_others() -> None:
    assert "mutual-wait" in ids(resting(worker_could=True, sleeper=False))
    assert "mutual-wait" not in ids(resting(worker_could=True, sleeper=True))


def busy(*wakers: CouldWake, operation: str = "receive") -> Capture:
    """The main thread waits for an item, and the writer for a peer."""
    socket = lock("TCP connection to 10.0.0.7:80", 0x9, NodeKind.SOCKET)
    made = capture(
        MAIN,
        WRITER,
        resources=[JOBS, socket],
        waits=[
            waits(MAIN, JOBS, Certainty.PROVEN, "main.py:30", text="Queue.get: it waits"),
            waits(WRITER, socket, where="main.py:20", operation=operation),
        ],
    )
    return replace(made, could_wake=wakers)


def test_the_only_one_who_could_end_it_is_busy_elsewhere() -> None:
    made = busy(could(WRITER, JOBS, complement=Complement.PUT))

    first = findings.run(made)[0]

    assert (first.id, first.severity) == ("waker-busy", Severity.NOTE)
    assert first.title == (
        "MainThread waits at main.py:30 (main) for jobs, which only writer could put into; writer "
        "waits at main.py:20 (deliver) for data from the TCP connection to 10.0.0.7:80"
    )
    assert "writer waits at main.py:20 (deliver) for data from" in first.sentence


def test_who_closes_what_is_waited_for_takes_nothing_out_of_it() -> None:
    made = busy(could(WRITER, JOBS, complement=Complement.PUT))
    words = words_of(made, build(made))
    (wait,) = words.graph.waits_of(MAIN.id)
    one = could(WRITER, JOBS, complement=Complement.PUT)

    puts = only_by_these("writer", wait, replace(one, call="jobs.put"), words)
    closes = only_by_these("writer", wait, replace(one, call="jobs.close"), words)

    assert puts == ", which only writer could put into (jobs.put(), main.py:21)"
    assert closes == ", a wait that only writer could end (jobs.close(), main.py:21)"


def test_of_threads_of_a_package_not_all_that_they_call_is_seen() -> None:
    file = "/usr/lib/python3/site-packages/billiard/pool.py"
    asks = (python_frame("Pool.apply_async", 1619, file), *(MAIN.python_stack or ()))
    body = (python_frame("Supervisor.body", 625, file),)
    made = busy(could(WRITER, JOBS, complement=Complement.PUT))
    (one,) = made.processes
    threads = tuple(
        replace(thread, python_stack=body if thread.id == WRITER.id else asks)
        for thread in one.threads
    )
    first = findings.run(replace(made, processes=(replace(one, threads=threads),)))[0]

    assert first.id == "waker-busy"
    assert "for jobs, which only writer is seen on the way to put into" in first.title


def test_who_could_end_the_wait_of_the_only_one_is_told() -> None:
    ready = replace(lock("ready (threading.Event)", 0x8, NodeKind.EVENT), wakers_known=True)
    made = capture(
        *(MAIN, READER, WRITER),
        resources=[JOBS, ready],
        waits=[waits(MAIN, JOBS, Certainty.PROVEN), waits(READER, ready, Certainty.PROVEN)],
    )
    wakers = (could(READER, JOBS, complement=Complement.PUT), could(WRITER, ready))
    first = next(
        one for one in findings.run(replace(made, could_wake=wakers)) if one.id == "waker-busy"
    )

    assert first.title.endswith(
        "reader waits at main.py:10 (take) for ready; only writer could end that, and waits at "
        "main.py:20 (deliver)"
    )


def test_nothing_is_said_of_candidates_that_rest_or_merely_refer() -> None:
    serves = busy(could(WRITER, JOBS), operation="accept")
    refers = busy(could(WRITER, JOBS, Nearness.REFERS))

    assert "waker-busy" not in ids(serves) + ids(refers)


def test_who_could_be_woken_by_one_alone_waits_behind_it() -> None:
    made = busy(could(WRITER, JOBS))

    assert build(made).behind_all((WRITER.id,)) == (MAIN.id,)
    assert build(busy(could(WRITER, JOBS), could(READER, JOBS))).behind_all((WRITER.id,)) == ()


def chained(*wakers: CouldWake) -> Capture:
    """Everybody waits for an item; the writer is the one who could put it for the main thread."""
    answers = replace(lock("answers (queue.Queue)", 0x4, NodeKind.QUEUE), wakers_known=True)
    made = capture(
        MAIN,
        WRITER,
        resources=[JOBS, answers],
        waits=[
            waits(MAIN, JOBS, Certainty.PROVEN, text="Queue.get: it waits for an item"),
            waits(WRITER, answers, Certainty.PROVEN, text="Queue.get: it waits for an item"),
        ],
    )
    return replace(made, could_wake=wakers)


def test_the_wait_that_nobody_could_end_is_told_first() -> None:
    (first, *_) = findings.run(chained(could(WRITER, JOBS, complement=Complement.PUT)))

    assert first.id == "nobody-left-to-wake"
    assert first.title.startswith("Nobody is left to put into answers: writer waits for it")
    assert "MainThread at main.py:30 (main) for jobs, which writer could put into" in first.sentence
    assert any("a thread that has ended" in line for line in first.unknown)


def test_who_lives_and_refers_to_it_is_not_said_to_have_ended() -> None:
    (first, *_) = findings.run(chained(could(WRITER, JOBS, Nearness.REFERS)))

    assert first.title.startswith("Nobody is left to put into jobs: MainThread waits for it")
    assert "who should have done it is not recorded. These refer to it: writer" in first.unknown
    assert not any("ended" in line for line in first.unknown)


def soft(*, sleeper: bool) -> Capture:
    """Two that wait for events which only the other one is on the way to set."""
    first = replace(lock("first (threading.Event)", 0x5, NodeKind.EVENT), wakers_known=True)
    first = replace(first, ending_code=("begin (main.py:90)",))
    second = replace(lock("second (threading.Event)", 0x6, NodeKind.EVENT), wakers_known=True)
    made = capture(
        *([MAIN] if sleeper else []),
        READER,
        WRITER,
        resources=[first, second],
        waits=[waits(READER, first, Certainty.PROVEN), waits(WRITER, second, Certainty.PROVEN)],
    )
    wakers = (could(WRITER, first), could(READER, second))
    return replace(made, could_wake=wakers)


def test_without_a_lock_it_is_a_note_while_others_are_left() -> None:
    (possible, note) = (ring(soft(sleeper=sleeper)) for sleeper in (False, True))

    assert possible.severity is Severity.WARNING
    assert note.severity is Severity.NOTE
    assert (
        note.title
        == "reader and writer wait for each other (first, second): a deadlock, unless somebody "
        "else begins"
    )
    assert "if somebody not seen here begins" in note.sentence


@pytest.mark.parametrize(
    ("signals", "severity"), [((), Severity.ERROR), (("SIGTERM",), Severity.WARNING)]
)
def test_conditions_of_two_threads_that_nothing_can_reach_are_never_notified(
    signals: tuple[str, ...], severity: Severity
) -> None:
    assert ring(stood(soft(sleeper=False), *signals)).severity is severity


@pytest.mark.parametrize(
    ("file", "severity"),
    [("/waitress/task.py", Severity.WARNING), ("/waiting/task.py", Severity.NOTE)],
)
def test_who_was_called_for_a_request_does_not_rest_in_a_ring(
    file: str, severity: Severity
) -> None:
    made = soft(sleeper=True)
    (process,) = made.processes
    serves = python_frame("service", 84, f"/venv/lib/python3.12/site-packages{file}")
    threads = [
        replace(one, python_stack=(*(one.python_stack or ()), serves)) if one.tid == 102 else one
        for one in process.threads
    ]
    made = replace(made, processes=(replace(process, threads=tuple(threads)),))

    assert ring(stood(made)).severity is severity


def test_a_wait_for_a_socket_is_never_part_of_a_ring() -> None:
    socket = lock("socket pair", 0x7, NodeKind.SOCKET)
    made = soft(sleeper=False)
    waiting = [waits(WRITER, socket, operation="receive") if one.waiter == WRITER.id else one
               for one in made.waits]  # fmt: skip
    held = replace(made, waits=tuple(waiting), resources=(*made.resources, socket))
    held = replace(held, holds=(holds(socket, READER), holds(socket, WRITER)))

    assert "mutual-wait" not in ids(held)


def test_items_that_were_not_counted_are_told_as_that() -> None:
    made = capture(
        MAIN,
        WRITER,
        resources=[JOBS],
        waits=[
            waits(MAIN, JOBS, Certainty.PROVEN, text="Queue.join: it waits"),
            waits(WRITER, JOBS, Certainty.PROVEN, text="Queue.get: it waits for an item"),
        ],
    )
    wakers = (
        could(WRITER, JOBS, complement=Complement.TASK_DONE),
        could(MAIN, JOBS, complement=Complement.PUT),
    )

    (first, *_) = findings.run(replace(made, could_wake=wakers))

    assert first.id == "nobody-left-to-wake"
    assert "task_done() was not called" in first.sentence


def full(*wakers: CouldWake) -> Capture:
    """The main thread waits for room in a queue, while another one runs."""
    made = capture(
        MAIN,
        thread("clock", 103, python=[python_frame("tick", 40)]),
        WRITER,
        resources=[JOBS],
        waits=[waits(MAIN, JOBS, Certainty.PROVEN, text="Queue.put: it waits for room")],
    )
    return replace(made, could_wake=wakers)


def test_who_alone_reads_the_full_queue_waits_for_itself() -> None:
    own = could(MAIN, JOBS, complement=Complement.GET)

    found = ring(full(own))

    assert (found.severity, found.title) == (
        Severity.WARNING,
        "Possible deadlock: MainThread waits for itself (jobs)",
    )
    assert "waker-busy" not in ids(full(own))
    assert "mutual-wait" not in ids(full(own, could(WRITER, JOBS, complement=Complement.GET)))


def test_a_task_of_a_library_that_waits_for_itself_is_told_with_the_applications_line() -> None:
    pending = replace(JOBS, wakers_known=True)
    reads = python_frame("wait_for_msgs", 318, "/srv/site-packages/nats/aio/subscription.py")
    frames = (python_frame("take_value", 28), reads)
    task = Task(
        100, 0x900, "Task-7", "wait_for_msgs", TaskState.WAITING, 0x1000, 100, frames, "jobs"
    )
    made = capture(MAIN, resources=[pending], waits=[waits(task.id, pending, operation="join")])
    done = replace(could(MAIN, pending, complement=Complement.TASK_DONE), candidate=task.id)

    found = ring(replace(made, tasks=(task,), could_wake=(done,)))

    assert found.title == (
        "Possible deadlock: task wait_for_msgs waits for itself at main.py:28 (take_value) (jobs)"
    )


def test_a_task_whose_only_waker_stands_at_a_lock() -> None:
    """The writer is to set an event for a task, and stands at a lock that the reader has."""
    event = replace(lock("ready (asyncio.Event)", 0x8, NodeKind.EVENT), wakers_known=True)
    task = Task(
        100, 0x900, "Task-2", "fetch", TaskState.WAITING, 0x1000, 100, (python_frame("fetch", 50),)
    )
    made = capture(
        MAIN,
        READER,
        WRITER,
        resources=[event, OUTER],
        waits=[waits(task.id, event, operation="wait"), waits(WRITER, OUTER, operation="acquire")],
        holds=[holds(OUTER, READER, Certainty.PROVEN)],
    )
    stuck = replace(made, tasks=(task,), could_wake=(could(WRITER, event),))
    free = replace(stuck, waits=stuck.waits[:1])

    (found,) = (one for one in findings.run(stuck) if one.id == "waker-busy")

    assert found.title == (
        "task fetch waits at main.py:50 (fetch) for ready, which only writer could set; writer "
        "waits at main.py:20 (deliver) for outer, which reader holds, now at main.py:10 (take)"
    )
    assert "for outer. reader holds outer, and waits at main.py:10 (take)." in found.sentence
    assert "waker-busy" not in ids(free)


@pytest.mark.parametrize(("package", "told"), [("nest_asyncio.py", True), ("calls.py", False)])
def test_a_nested_run_of_a_loop_calls_nobody_back(package: str, told: bool) -> None:
    """A task refers to an event without coming to set it, and is inside of a package."""
    event = replace(lock("ready (asyncio.Event)", 0x8, NodeKind.EVENT), wakers_known=True)
    run = python_frame("run_until_complete", 92, f"/usr/lib/python3/site-packages/{package}")
    quick, slow, wait = (
        Task(
            100,
            line,
            name,
            name,
            TaskState.WAITING,
            0x1000,
            100,
            (*above, python_frame(name, line)),
        )
        for name, line, above in (("quick", 20, ()), ("slow", 16, (run,)), ("wait", 40, ()))
    )
    ends = replace(waits(quick.id, event), target=wait.id)
    made = capture(MAIN, resources=[event], waits=[ends, waits(wait.id, event, operation="wait")])
    refers = replace(could(MAIN, event, Nearness.REFERS), candidate=slow.id)
    sets = replace(could(MAIN, event), candidate=quick.id)
    made = replace(made, tasks=(quick, slow, wait), could_wake=(sets, refers))

    assert ("mutual-wait" in ids(made)) is told


def joining(*others: Thread) -> Capture:
    """The main thread joins a reader, which waits for what the main thread sets after that."""
    stop = replace(lock("stop (threading.Event)", 0x5, NodeKind.EVENT), wakers_known=True)
    made = capture(
        MAIN,
        READER,
        *others,
        resources=[stop],
        waits=[waits(READER, stop, Certainty.PROVEN), waits(MAIN, READER, Certainty.PROVEN)],
    )
    return replace(made, could_wake=(could(MAIN, stop, complement=Complement.SET),))


def test_who_joins_first_what_waits_for_what_it_does_next() -> None:
    made = joining(thread("clock", 103, python=[python_frame("tick", 40)]))
    (process,) = made.processes
    handled = replace(process, around=Surroundings(handles_signals=("SIGTERM",)))

    assert ring(made).severity is Severity.WARNING
    assert ring(replace(made, processes=(handled,))).severity is Severity.NOTE


def test_who_joins_first_with_nobody_else_there_can_never_go_on() -> None:
    made = joining()
    (process,) = made.processes
    quiet = replace(process, steady=True, around=Surroundings(handles_signals=()))
    handled = replace(quiet, around=Surroundings(handles_signals=("SIGTERM",)))
    sure, perhaps = (ring(replace(made, processes=(one,))) for one in (quiet, handled))

    assert (sure.severity, sure.certainty) == (Severity.ERROR, Certainty.PROVEN)
    assert sure.title == "Deadlock: reader and MainThread wait for each other (stop)"
    assert perhaps.severity is Severity.WARNING


@pytest.mark.parametrize("function", ["shutdown", "wait_for_all"])
def test_who_waits_for_an_executors_threads_to_end_does_not_rest(function: str) -> None:
    executor = python_frame(function, 238, "/usr/lib/python3.12/concurrent/futures/thread.py")
    main = thread("MainThread", python=[executor, python_frame("main", 30)])
    jobs = replace(JOBS, wakers_known=True)
    made = capture(
        main,
        READER,
        resources=[jobs],
        waits=[waits(READER, jobs, Certainty.PROVEN), waits(main, READER, Certainty.PROVEN)],
    )
    puts = could(main, jobs, complement=Complement.PUT)
    found = stood(replace(made, could_wake=(puts,)))
    rest = [one for one in findings.run(found) if one.severity is Severity.ERROR]

    assert rest


def test_a_task_that_refers_to_what_a_thread_waits_for_is_named() -> None:
    event = replace(lock("ready (threading.Event)", 0x5, NodeKind.EVENT), wakers_known=True)
    frames = (python_frame("finish_import", 50),)
    task = Task(100, 0x900, "Task-2", "finish_import", TaskState.WAITING, 0x1000, 100, frames)
    runs = replace(MAIN, still=False)
    made = capture(runs, READER, resources=[event], waits=[waits(READER, event)])
    refers = replace(could(READER, event), candidate=task.id, nearness=Nearness.REFERS)
    found = findings.run(replace(made, tasks=(task,), could_wake=(refers,)))
    (finding,) = (one for one in found if one.id == "waiting-for-others")

    assert "A task refers to it: task finish_import at main.py:50 (finish_import)." in (
        finding.sentence
    )


def test_who_is_kept_waiting_by_the_one_that_nobody_is_left_to_wake_is_told() -> None:
    made = replace(nested(), could_wake=())
    (process,) = made.processes
    process = replace(process, threads=(READER, WRITER))
    (first, *_) = findings.run(replace(made, processes=(process,), waits=made.waits[:2]))

    assert first.title == (
        "Nobody is left to notify ready: reader waits for it at main.py:10 (take), and has outer, "
        "for which writer waits at main.py:20 (deliver)"
    )
    assert "writer at main.py:20 (deliver) for outer, which reader holds" in first.sentence
    (advice,) = first.advice
    assert advice == (
        "Release outer before the wait at main.py:10 (take): writer needs it, and may be who is to "
        "notify ready."
    )


def setting_afterwards(
    *,
    timers: int = 1,
    watched: int = 0,
    signals: int = 0,
    nearness: Nearness = Nearness.AHEAD,
    operation: str = "await",
) -> Capture:
    """A task awaits another one, which waits for what the first one sets after that; a third one
    sleeps."""
    stop = replace(lock("stop (asyncio.Event)", 0x5, NodeKind.EVENT), wakers_known=True)
    outer, inner, clock = (
        Task(
            *(100, 0x900 + n, f"Task-{n}", name, TaskState.WAITING, 0x1000, 100),
            (python_frame(name, 50 + n),),
            still=True,
        )
        for n, name in enumerate(("run", "serve", "tick"))
    )
    made = capture(
        thread("MainThread", 100, still=False),
        resources=[stop],
        waits=[
            waits(inner.id, stop, Certainty.PROVEN, operation="wait"),
            waits(outer.id, inner.id, Certainty.PROVEN, operation=operation),
        ],
    )
    loop = EventLoop(100, 0x1000, "Loop", LoopState.IDLE, 100, None, timers, watched, signals)
    waker = replace(could(READER, stop, nearness, Complement.SET), candidate=outer.id)
    return replace(made, tasks=(outer, inner, clock), event_loops=(loop,), could_wake=(waker,))


def test_what_is_set_only_behind_the_own_wait_does_not_come_whatever_ticks() -> None:
    found = ring(setting_afterwards())

    assert found.severity is Severity.WARNING
    assert found.title == "Possible deadlock: task serve and task run wait for each other (stop)"


def test_who_waits_for_a_task_to_begin_does_not_wait_for_its_end() -> None:
    found = ring(setting_afterwards(operation="started"))

    assert "task run waits at main.py:50 (run) for task serve to call task_status.started()" in (
        found.sentence
    )
    assert found.advice[0].endswith("or have the task call task_status.started() before it waits.")


@pytest.mark.parametrize(
    "made",
    [setting_afterwards(timers=2), setting_afterwards(watched=1), setting_afterwards(signals=1)],
    ids=["timer", "connection", "signal"],
)
def test_a_timer_a_connection_or_a_signal_may_bring_who_sets_it(made: Capture) -> None:
    assert ring(made).severity is Severity.NOTE


def test_who_may_be_handed_it_yet_is_a_way_out_of_a_ring() -> None:
    """A third thread, which waits for what to end out of a queue, would be given it there."""
    clerk = thread("clerk", 103, python=[python_frame("clerk", 40)])
    made = nested()
    (process,) = made.processes
    process = replace(process, threads=(*process.threads, clerk))
    item = waits(clerk, JOBS, Certainty.PROVEN, "main.py:40", text="Queue.get", operation="get")
    one = could(clerk, READY, Nearness.REFERS)
    made = replace(
        made,
        processes=(process,),
        resources=(*made.resources, JOBS),
        waits=(*made.waits, replace(item, expires=True)),
    )

    assert "mutual-wait" in ids(replace(made, could_wake=(*made.could_wake, one)))
    handed = replace(one, call="item.notify", call_line="main.py:41")
    assert "mutual-wait" not in ids(replace(made, could_wake=(*made.could_wake, handed)))


def test_who_would_do_it_after_its_own_wait_is_told_with_the_call() -> None:
    answers = lock("answers", 7, NodeKind.QUEUE)
    made = capture(
        MAIN,
        WRITER,
        resources=[JOBS, answers],
        waits=[
            waits(MAIN, JOBS, Certainty.PROVEN, text="Queue.get: it waits for an item"),
            waits(WRITER, answers, Certainty.PROVEN, text="Queue.get: it waits for an item"),
        ],
    )
    call = could(WRITER, JOBS, complement=Complement.PUT)
    wait = next(one for one in build(made).waits_of(MAIN.id))
    words = words_of(replace(made, could_wake=(call,)), build(replace(made, could_wake=(call,))))

    told = told_later(MAIN, wait, words)
    assert told == " writer comes to ready.notify() (main.py:21), only after its own wait."
    assert not told_later(WRITER, wait, words)


@pytest.mark.parametrize("stood_s", [0.2, 3.0])
def test_tasks_that_would_notify_at_the_end_of_a_with_stand_there_beside_a_clock(
    stood_s: float,
) -> None:
    frames = (python_frame("dig", 27, entry=None), python_frame("weed", 58, entry=None))
    first, second = (
        Task(PID, 0x100 + n, f"Task-{n}", f"day{n}", TaskState.WAITING, 0x10, PID, frames)
        for n in (1, 2)
    )
    main = thread("MainThread", python=[python_frame("select", 468, "/usr/lib/python3/sel.py")])
    clock = thread("clock", 101, python=[python_frame("tick", 9)], syscall=Syscall("nanosleep"))
    turns = [waits(one.id, READY, Certainty.PROVEN, operation="wait") for one in (first, second)]
    made = replace(
        capture(main, clock, resources=[READY], waits=turns),
        tasks=(first, second),
        event_loops=(
            EventLoop(PID, 0x10, "asyncio.Loop", LoopState.IDLE, PID, timers=1, watched=1),
        ),
        could_wake=tuple(
            replace(could(main, READY), candidate=one.id, gives_back=True)
            for one in (first, second)
        ),
        stays=tuple(Stay(one.id, stood_s) for one in (first, second)),
    )

    (found,) = (one for one in findings.run(made) if one.id == "mutual-wait")

    assert found.severity is (Severity.WARNING if stood_s > 1 else Severity.NOTE)
