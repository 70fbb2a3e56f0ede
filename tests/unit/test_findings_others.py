"""Self-deadlock, the GIL held while blocked, and how rules are run."""

from dataclasses import replace
from typing import Any

import pytest

from hangtui import findings
from hangtui.findings.thresholds import GIL_HELD_STILL_MS
from hangtui.model import (
    Capture,
    Certainty,
    Child,
    Complement,
    CouldWake,
    Finding,
    GilState,
    Nearness,
    NodeKind,
    Progress,
    PythonInfo,
    Resource,
    Severity,
    Surroundings,
    Syscall,
    Thread,
    Traffic,
    Watched,
    process_id,
    thread_id,
)
from tests.unit.factories import (
    LIBC,
    abba,
    capture,
    cuda,
    evidence,
    holds,
    lock,
    native_frame,
    only,
    python_frame,
    stood,
    thread,
    waits,
    with_thread,
)


def self_locked(
    certainty: Certainty = Certainty.PROVEN, *, still: bool = True, expires: bool = False
) -> Capture:
    main = thread(
        "MainThread",
        still=still,
        python=[python_frame("Settings.get", 17), python_frame("Settings.reload", 22)],
    )
    own = lock("Settings.lock (threading.Lock)", 0x1)
    return capture(
        main,
        resources=[own],
        waits=[waits(main, own, where="/app/main.py:17", expires=expires)],
        holds=[holds(own, main, certainty, "/app/main.py:22")],
    )


def serial(holder: Thread, *others: Thread) -> Capture:
    return capture(holder, *(others or (thread("sensor", 101, gil=GilState.WAITS),)))


def blocked_holder(**changes: object) -> Thread:
    base = thread(
        "MainThread",
        gil=GilState.HOLDS,
        still_ms=GIL_HELD_STILL_MS,
        python=[python_frame("acquire_samples", 25)],
        native=[
            native_frame("read", LIBC),
            native_frame("read_message", "/app/serial.so"),
            native_frame("_PyEval_EvalFrameDefault"),
        ],
        syscall=Syscall("read", "pipe"),
    )
    return replace(base, **changes)  # type: ignore[arg-type]


def test_a_thread_that_takes_its_own_lock_again() -> None:
    finding = only(self_locked())

    assert (finding.id, finding.severity) == ("self-deadlock", Severity.ERROR)
    assert finding.title == (
        "Self-deadlock: MainThread waits for Settings.lock, which it holds itself"
    )
    assert finding.sentence == (
        "MainThread waits at main.py:17 (Settings.get), called from main.py:22 (Settings.reload), "
        "for Settings.lock, a lock that it took itself at main.py:22 (Settings.reload) and still "
        "holds. It can never go on."
    )
    assert finding.resources == ("lock:100:0x1",)
    assert "RLock" in finding.advice[0]
    assert "split Settings.get " in finding.advice[0]
    assert "it never ran while watched for 250 ms" in finding.evidence


def test_an_inferred_owner_makes_it_possible_only() -> None:
    finding = only(self_locked(Certainty.INFERRED))

    assert finding.severity is Severity.WARNING
    assert finding.title.startswith("Possible self-deadlock: ")


def test_a_thread_that_runs_or_gives_up_is_not_locked_out() -> None:
    assert findings.run(self_locked(still=False)) == ()
    assert findings.run(self_locked(expires=True)) == ()


def test_who_waits_behind_a_self_deadlock_is_named() -> None:
    victim = thread("victim", 101)
    made = with_thread(self_locked(), victim, waits=[waits(victim, "lock:100:0x1")])

    assert only(made).sentence.endswith("1 more thread waits behind it: victim.")


@pytest.mark.parametrize(("below", "ends"), [("<module>", False), (None, True)])
def test_that_the_exit_of_a_program_waits_behind_it_is_told(below: str | None, ends: bool) -> None:
    own = [python_frame(below)] if below else []
    victim = thread("victim", 101, python=[python_frame(*EXIT), *own])
    made = with_thread(self_locked(), victim, waits=[waits(victim, "lock:100:0x1")])

    end = "victim, in the interpreter's exit." if ends else "victim."
    assert only(made).sentence.endswith(f"1 more thread waits behind it: {end}")


def test_a_native_mutex_is_advised_to_be_recursive() -> None:
    main = thread("MainThread", native=[native_frame("get", "/opt/x.so")])
    own = lock("mutex in x.so", 0x1, NodeKind.MUTEX, module="/opt/x.so")
    made = capture(main, resources=[own], waits=[waits(main, own)], holds=[holds(own, main)])

    assert only(made).advice == (
        "Make the mutex in x.so recursive, or do not take it again in get.",
    )
    assert only(made).unknown == ("the line at which it took the mutex in x.so",)


def test_a_thread_that_joins_itself() -> None:
    main = thread("MainThread")
    finding = only(capture(main, waits=[waits(main, main)]))

    assert finding.id == "self-deadlock"
    assert finding.title == "Self-deadlock: MainThread waits for its own end"


def test_the_start_of_the_lock_is_found_through_the_caller() -> None:
    frames = [python_frame("get", 17), python_frame("reload", 23)]
    made = self_locked()
    main = replace(made.processes[0].threads[0], python_stack=tuple(frames))
    made = replace(made, processes=(replace(made.processes[0], threads=(main,)),))

    assert only(made).sentence == (
        "MainThread waits at main.py:17 (get), called from main.py:23 (reload), for Settings.lock, "
        "a lock that it took itself at main.py:22 and still holds. It can never go on."
    )


def test_the_gil_kept_in_a_blocking_call() -> None:
    finding = only(serial(blocked_holder()))

    assert (finding.id, finding.severity) == ("gil-held-while-blocked", Severity.WARNING)
    assert finding.certainty is Certainty.CERTAIN
    assert finding.title == (
        "GIL held while blocked: MainThread is stuck in read_message (serial.so)"
    )
    assert finding.sentence == (
        "MainThread holds the GIL while it is blocked in read_message (serial.so), called from "
        "main.py:25 (acquire_samples). Until it lets go, no other thread of the process can run "
        "Python; sensor waits for the GIL behind it."
    )
    assert [ref.name for ref in finding.threads] == ["MainThread", "sensor"]
    assert "it sleeps in the system call read: pipe, state S" in finding.evidence
    assert finding.advice[0].startswith(
        "Release the GIL around read_message (serial.so), called from main.py:25"
    )


@pytest.mark.parametrize(
    "changes",
    [
        {"still_ms": None},
        {"still_ms": GIL_HELD_STILL_MS - 0.5},
        {"still": False},
        {"still": None},
        {"state": "R"},
        {"state": "t"},
        {"gil": None},
        {"syscall": None, "native_stack": None},
    ],
    ids=str,
)
def test_the_gil_is_not_reported_unless_every_condition_was_read(
    changes: dict[str, object],
) -> None:
    assert findings.run(serial(blocked_holder(**changes))) == ()


def test_the_gil_is_not_reported_while_nobody_waits_for_it() -> None:
    assert findings.run(serial(blocked_holder(), thread("idle", 101))) == ()


def test_a_waiter_of_another_process_does_not_count() -> None:
    stranger = thread("stranger", 201, pid=200, gil=GilState.WAITS)

    assert findings.run(serial(blocked_holder(), thread("idle", 101), stranger)) == ()


def test_a_waiter_of_another_interpreters_gil_does_not_count() -> None:
    holder, waiter = blocked_holder(), thread("sub", 101, gil=GilState.WAITS)
    own, other = lock("GIL", 0x1, NodeKind.GIL), lock("GIL of 1", 0x2, NodeKind.GIL)
    made = capture(
        holder, waiter, resources=[own, other],
        waits=[waits(waiter, other)],
        holds=[holds(own, holder)],
    )  # fmt: skip

    assert findings.run(made) == ()
    made = replace(made, waits=(waits(waiter, own),))
    assert only(made).resources == (own.id,)


def test_a_deadlock_with_the_gil_is_not_reported_twice() -> None:
    assert [finding.id for finding in findings.run(cuda())] == ["deadlock"]


def test_without_a_native_stack_the_system_call_is_named() -> None:
    finding = only(serial(blocked_holder(native_stack=None)))

    assert finding.title.endswith("MainThread is stuck in the system call read")


def test_a_rule_that_fails_costs_itself_alone_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> list[Finding]:
        raise KeyError("x\x1b[31m")

    monkeypatch.setattr(findings.self_deadlock, "check", fail)
    first, second = findings.run(abba())

    assert first.id == "deadlock"
    assert (second.id, second.severity) == ("rule-failed", Severity.NOTE)
    assert "self-deadlock" in second.title
    assert "\x1b" not in second.sentence


def uninterruptible(still_ms: float, unchanged_s: float) -> Capture:
    syscall = Syscall("fsync", "fd 3, /mnt/share/log")
    main = thread("MainThread", state="D", still_ms=still_ms, syscall=syscall)
    main = replace(main, wchan="percpu_rwsem_wait")
    seen = Progress(main.id, 5, 2.0, unchanged_s, 0.0)
    return replace(capture(main), progress=(seen,))


def test_uninterruptible_sleep_is_told_when_it_lasts() -> None:
    (finding,) = findings.run(uninterruptible(still_ms=60.0, unchanged_s=2.0))
    assert finding.id == "held-from-outside"
    assert "state D while it was watched for 2000 ms" in finding.evidence[0]
    assert "fsync (fd 3, /mnt/share/log)" in finding.sentence
    assert "may be frozen" in finding.advice[0]
    short = findings.run(uninterruptible(still_ms=60.0, unchanged_s=0.1))
    assert "held-from-outside" not in [one.id for one in short]


@pytest.mark.parametrize(
    ("call", "again", "severity"),
    [
        ("recvfrom", False, Severity.WARNING),
        ("clock_nanosleep", False, Severity.NOTE),
        ("clock_nanosleep", True, Severity.WARNING),
    ],
)
def test_an_exit_that_waits_for_a_thread_which_may_end_by_the_clock(
    call: str, again: bool, severity: Severity
) -> None:
    shutdown = python_frame("_shutdown", 1567, "/usr/lib/python3.11/threading.py")
    main = thread("MainThread", python=[shutdown])
    worker = thread("ticker", 101, python=[python_frame("tick", 7)], syscall=Syscall(call))
    worker = replace(worker, still=not again)
    seen = Progress(worker.id, 4, 2.0, 0.5 if again else 2.0, 0.0, same_stack=True)
    made = replace(capture(main, worker, waits=[waits(main, worker)]), progress=(seen,))
    (finding,) = (one for one in findings.run(made) if one.id == "exit-waits-for-thread")
    assert finding.severity is severity
    assert "runs the handlers of atexit only then" in finding.sentence
    assert ("whether ticker ends once its time is over" in finding.unknown) == (call != "recvfrom")


def test_an_exit_that_waits_for_who_asks_for_a_databases_lock_is_told_with_who_has_it() -> None:
    shutdown = python_frame("_shutdown", 1567, "/usr/lib/python3.11/threading.py")
    main = thread("MainThread", python=[shutdown])
    asleep = [
        native_frame("clock_nanosleep", "/lib/libc.so.6"),
        native_frame("sqlite3InvokeBusyHandler", "/lib/libsqlite3.so.0"),
    ]
    call = Syscall("clock_nanosleep")
    writes = python_frame("write", 7)
    worker = thread("writer", 101, python=[writes], native=asleep, syscall=call)
    seen = Progress(worker.id, 4, 2.0, 0.5, 0.0, same_stack=True)
    made = replace(capture(main, worker, waits=[waits(main, worker)]), progress=(seen,))
    found = [one.id for one in findings.run(made)]
    assert "database-locked" in found
    assert "exit-waits-for-thread" not in found


@pytest.mark.parametrize(
    ("waited_s", "severity"), [(None, Severity.NOTE), (0.4, Severity.NOTE), (1.5, Severity.WARNING)]
)
def test_an_exit_that_waits_for_something_outside_may_be_over_in_a_moment(
    waited_s: float | None, severity: Severity
) -> None:
    main = thread("MainThread", python=[python_frame(*EXIT)])
    manager = thread("manager", 101, python=[python_frame("wait", 7)], syscall=Syscall("poll"))
    seen = () if waited_s is None else (Progress(manager.id, 3, 2.0, waited_s, 0.0),)
    made = replace(capture(main, manager, waits=[waits(main, manager)]), progress=seen)
    found = {one.id: one for one in findings.run(made)}
    assert found["exit-waits-for-thread"].severity is severity


@pytest.mark.parametrize("reader_waits", [True, False])
def test_an_exit_within_a_ring_of_processes_is_told_by_that(reader_waits: bool) -> None:
    main = thread("MainThread", python=[python_frame(*EXIT)])
    feeder = thread("QueueFeederThread", 101, python=[python_frame("_feed", 7)])
    parent = thread("parent", 200, 200, python=[python_frame("collect", 21)])
    full = lock("pipe", 1, NodeKind.PIPE)
    made = capture(
        main, feeder, parent, resources=[full],
        waits=[
            waits(main, feeder), waits(feeder, full),
            *([waits(parent, main)] if reader_waits else []),
        ],
        holds=[holds(full, parent)],
    )  # fmt: skip
    found = [one.id for one in findings.run(made)]
    assert ("exit-waits-for-thread" in found) is not reader_waits
    assert ("deadlock" in found) is reader_waits


@pytest.mark.parametrize("ring", [True, False])
def test_an_exit_that_waits_behind_a_ring_of_threads_is_told_with_that(ring: bool) -> None:
    main = thread("MainThread", python=[python_frame(*EXIT)])
    left = thread("left", 101, python=[python_frame("left", 7)])
    right = thread("right", 102, python=[python_frame("right", 11)])
    a, b = lock("a", 1), lock("b", 2)
    made = capture(
        main, left, right, resources=[a, b],
        waits=[waits(main, right), waits(right, a), *([waits(left, b)] if ring else [])],
        holds=[holds(a, left, Certainty.PROVEN), holds(b, right, Certainty.PROVEN)],
    )  # fmt: skip
    found = {one.id: one for one in findings.run(made)}

    assert ("exit-waits-for-thread" in found) is not ring
    if ring:
        assert findings.run(made)[0].id == "deadlock"
        assert "MainThread, in the interpreter's exit" in found["deadlock"].sentence


EXIT = ("_shutdown", 1567, "/usr/lib/python3.11/threading.py")


@pytest.mark.parametrize(
    ("signals", "steady", "other", "severity"),
    [
        ((), True, Syscall("futex"), Severity.ERROR),
        (("SIGTERM",), True, Syscall("futex"), Severity.WARNING),
        (None, True, Syscall("futex"), Severity.WARNING),
        ((), False, Syscall("futex"), Severity.WARNING),
        ((), True, Syscall("recvfrom"), Severity.WARNING),
    ],
    ids=["nobody", "a signal", "not known", "new threads", "a connection"],
)
def test_an_exit_that_nobody_can_let_go_on_is_an_error(
    signals: tuple[str, ...] | None, steady: bool, other: Syscall, severity: Severity
) -> None:
    main = thread("MainThread", python=[python_frame(*EXIT)])
    consumer = thread("consumer", 101, python=[python_frame("consume", 7)])
    helper = thread("helper", 102, python=[python_frame("help", 7)], syscall=other)
    jobs, more = lock("jobs", 1, NodeKind.QUEUE), lock("more", 2, NodeKind.QUEUE)
    wait = [waits(helper, more, text="Queue.get: it waits")] if other.name == "futex" else []
    made = capture(
        main, consumer, helper, resources=[jobs, more],
        waits=[waits(main, consumer), waits(consumer, jobs, text="Queue.get: it waits"), *wait],
    )  # fmt: skip
    (process,) = made.processes
    process = replace(process, steady=steady, around=Surroundings(handles_signals=signals))
    found = {one.id: one for one in findings.run(replace(made, processes=(process,)))}
    assert found["exit-waits-for-thread"].severity is severity
    nobody = "nobody is left to end these waits"
    said = found["exit-waits-for-thread"].evidence[-1].endswith(nobody)
    assert said is (severity is Severity.ERROR)


LIBRARY = "/srv/venv/lib/python3.12/site-packages/broker/client.py"
THREADING = "/usr/lib/python3.12/threading.py"


def alone(
    kind: NodeKind,
    *,
    inside: tuple[str, ...] = (THREADING,),
    call: str | None = None,
    stood_s: float = 2.0,
    signals: tuple[str, ...] | None = (),
    steady: bool | None = True,
    enders: tuple[str, ...] = (),
    noted_ended: tuple[str, ...] = (),
    children: tuple[Child, ...] | None = None,
    beside: Thread | None = None,
    module: str | None = None,
) -> Finding:
    """The only thread waits; *inside*: the files of the frames above the application's; *beside*:
    another one that waits for the same."""
    main = thread(
        "MainThread",
        python=[*(python_frame("wait", 5, name) for name in inside), python_frame("save", 9)],
    )
    awaited = lock("what is awaited", 0x1, kind, module=module)
    known = bool(enders)
    awaited = replace(awaited, enders=enders, wakers_known=known, noted_ended=noted_ended)
    threads = [main, *([beside] if beside else [])]
    made = capture(
        *threads,
        resources=[awaited],
        waits=[replace(waits(one, awaited, Certainty.PROVEN), call=call) for one in threads],
    )
    (process,) = made.processes
    around = Surroundings(handles_signals=signals, children=children)
    process = replace(process, steady=steady, around=around)
    seen = tuple(Progress(one.id, 5, 2.0, stood_s, 0.0) for one in threads)
    return findings.run(replace(made, processes=(process,), progress=seen))[0]


@pytest.mark.parametrize(
    ("kind", "call"),
    [
        (NodeKind.LOCK, None),
        (NodeKind.SEMAPHORE, None),
        (NodeKind.BARRIER, None),
        (NodeKind.FUTURE, None),
        (NodeKind.QUEUE, "Queue.put"),
        (NodeKind.QUEUE, "Queue.join"),
    ],
)
def test_nobody_rests_by_waiting_for_what_somebody_is_to_give(
    kind: NodeKind, call: str | None
) -> None:
    finding = alone(kind, call=call)

    assert (finding.id, finding.severity) == ("nobody-left-to-wake", Severity.ERROR)
    assert finding.certainty is Certainty.PROVEN


def with_server(*holders: str, sure: bool = True, timeout: bool = False) -> tuple[Finding, ...]:
    """The main thread waits for a result, another one for data over a connection, the other end of
    which *holders* have."""
    main = thread("MainThread", 100, python=[python_frame("ask", 9)])
    server = thread("server", 101, python=[python_frame("serve", 3)])
    result = lock("answer", 0x1, NodeKind.FUTURE)
    line = lock("TCP connection to 127.0.0.1:5000", 0x2, NodeKind.SOCKET)
    reads = replace(waits(server, line), operation="receive", expires=timeout)
    certainty = Certainty.CERTAIN if sure else Certainty.INFERRED
    made = capture(
        main,
        server,
        resources=[result, line],
        waits=[waits(main, result, Certainty.PROVEN), reads],
        holds=[holds(line, holder, certainty) for holder in holders],
    )
    return findings.run(stood(made))


def test_who_reads_what_the_same_process_would_send_ends_no_wait_of_it() -> None:
    own = thread_id(100, 100)
    first = with_server(own)[0]

    assert (first.id, first.severity) == ("nobody-left-to-wake", Severity.ERROR)
    assert "server at main.py:3 (serve) for data from the TCP connection" in first.sentence
    assert "whose other end nobody has but this process" in first.sentence


@pytest.mark.parametrize(
    ("holders", "sure", "timeout"),
    [
        ((), True, False),
        ((thread_id(7, 7),), True, False),
        ((thread_id(100, 100), thread_id(7, 7)), True, False),
        ((thread_id(100, 100),), False, False),
        ((thread_id(100, 100),), True, True),
    ],
)
def test_who_may_hear_of_others_may_end_a_wait(
    holders: tuple[str, ...], sure: bool, timeout: bool
) -> None:
    found = with_server(*holders, sure=sure, timeout=timeout)

    assert "nobody-left-to-wake" not in [one.id for one in found]


@pytest.mark.parametrize("kind", [NodeKind.EVENT, NodeKind.CONDITION])
def test_an_event_of_a_librarys_own_is_no_rest_and_one_of_the_program_may_be(
    kind: NodeKind,
) -> None:
    assert alone(kind, inside=(THREADING, LIBRARY)).severity is Severity.ERROR
    assert alone(kind).severity is Severity.WARNING


def test_work_that_is_waited_for_may_be_a_rest_but_for_the_only_thread() -> None:
    assert alone(NodeKind.QUEUE, call="Queue.get").severity is Severity.ERROR
    assert alone(NodeKind.QUEUE, call="Queue.get", stood_s=0.2).severity is Severity.WARNING
    assert alone(NodeKind.QUEUE, call="Queue.get", signals=("SIGTERM",)).severity is Severity.NOTE
    beside = thread("worker", 101, python=[python_frame("work", 3)])
    assert alone(NodeKind.QUEUE, call="Queue.get", beside=beside).severity is Severity.WARNING


def test_a_thread_that_has_ended_and_is_still_noted_as_a_user_is_told() -> None:
    noted = ("Shelf.readers has thread export",)
    told = alone(NodeKind.CONDITION, noted_ended=noted).sentence

    assert told.endswith(" Shelf.readers has thread export, which has ended.")


def test_nobody_rests_at_a_condition_of_c_code_without_another_thread() -> None:
    kind = NodeKind.CONDITION
    assert alone(kind, inside=(), module="tank.so").severity is Severity.ERROR
    assert alone(kind, inside=()).severity is Severity.WARNING


def test_what_only_code_would_bring_that_nobody_runs_is_no_rest_without_children() -> None:
    kind, enders = NodeKind.CONDITION, ("convert (main.py:11)",)

    assert alone(kind, enders=enders, children=()).severity is Severity.ERROR
    assert alone(kind, children=()).severity is Severity.WARNING
    for children in (None, (Child(7, "server", "S"),)):
        assert alone(kind, enders=enders, children=children).severity is Severity.WARNING
    gone = (Child(7, "server", "Z", age_s=0.1),)
    assert alone(kind, enders=enders, children=gone).severity is Severity.ERROR


@pytest.mark.parametrize("comes", [True, False])
def test_an_item_for_which_its_giver_reads_from_its_own_process_first(*, comes: bool) -> None:
    main = thread("MainThread", 100, python=[python_frame("deliver", 9)])
    office = thread("office", 101, python=[python_frame("receive", 3)])
    notes = lock("notes (queue.Queue)", 0x1, NodeKind.QUEUE)
    line = lock("TCP connection to 127.0.0.1:5000", 0x2, NodeKind.SOCKET)
    made = capture(
        *(main, office),
        resources=[notes, line],
        waits=[
            replace(waits(main, notes, operation="get"), call="Queue.get"),
            waits(office, line, operation="receive"),
        ],
        holds=[holds(line, thread_id(100, 100))],
    )
    could = CouldWake(notes.id, office.id, Complement.PUT, Nearness.AHEAD, evidence())
    finding = only(stood(replace(made, could_wake=(could,) if comes else ())), "nobody-left")

    assert finding.severity is (Severity.ERROR if comes else Severity.WARNING)


def test_an_item_that_a_library_waits_for_is_no_rest() -> None:
    finding = alone(NodeKind.QUEUE, inside=(THREADING, LIBRARY), call="Queue.get")

    assert finding.severity is Severity.ERROR


def test_a_worker_that_waits_for_work_is_not_the_first_thing_told() -> None:
    """Although the result could come from it."""
    main = thread("MainThread", python=[python_frame("print_book", 31)])
    worker = thread("printer", 101, python=[python_frame("print_jobs", 17)])
    result = lock("waiter (concurrent.futures.wait)", 0x1, NodeKind.FUTURE)
    jobs = lock("Printer.jobs (queue.Queue)", 0x2, NodeKind.QUEUE)
    made = capture(
        *(main, worker),
        resources=[result, jobs],
        waits=[waits(main, result), replace(waits(worker, jobs), call="Queue.get")],
    )
    could = CouldWake(result.id, worker.id, Complement.SET_RESULT, Nearness.AHEAD, evidence())
    finding = only(replace(made, could_wake=(could,)), "nobody-left")

    assert finding.title.startswith("Nobody is left to finish waiter: MainThread waits for it")
    assert "printer at main.py:17 (print_jobs) for an item in Printer.jobs (get)" in (
        finding.sentence
    )
    assert "set_running_or_notify_cancel()" in finding.advice[0]


@pytest.mark.parametrize(
    "changed",
    [
        {"stood_s": 0.5},
        {"signals": None},
        {"signals": ("SIGTERM",)},
        {"steady": None},
    ],
)
def test_without_all_of_it_that_nobody_is_left_is_no_error(changed: dict[str, Any]) -> None:
    assert alone(NodeKind.LOCK, **changed).severity is not Severity.ERROR


@pytest.mark.parametrize(("threads", "itself"), [(1, True), (2, False), (None, False)])
def test_who_took_a_lock_where_there_never_was_another_thread(
    threads: int | None, *, itself: bool
) -> None:
    taken = lock("Storage._commit_lock (threading.Lock)", 0x1)
    main = thread("MainThread", python=[python_frame("place_order", 19)])
    made = capture(main, resources=[taken], waits=[waits(main, taken)])
    (process,) = made.processes
    python = PythonInfo("3.12.1", threads_ever=threads)
    made = replace(made, processes=(replace(process, python=python),))
    finding = next(one for one in findings.run(made) if one.id == "nobody-left-to-wake")

    said = "It took that itself, earlier on: no other thread has ever run this program's code."
    assert (said in finding.sentence) is itself
    assert ("Who took it is not known" in finding.sentence) is not itself


def test_a_plain_lock_that_no_thread_is_left_to_release() -> None:
    main = thread("MainThread", python=[python_frame("save", 9)])
    waiter = thread("worker", 101, python=[python_frame("load", 5)])
    taken = lock("table_lock (threading.Lock)", 0x1)
    both = capture(main, waiter, resources=[taken], waits=[waits(t, taken) for t in (main, waiter)])
    (finding,) = findings.run(both)
    assert (finding.id, finding.severity) == ("nobody-left-to-wake", Severity.WARNING)
    assert "no thread is left to release it. Who took it is not known" in finding.sentence
    assert "with table_lock:" in finding.advice[0]

    (process,) = both.processes
    unsteady = replace(both, processes=(replace(process, steady=False),))
    assert "nobody-left-to-wake" not in [one.id for one in findings.run(unsteady)]

    new = replace(thread("python", 102, still=False), is_python=False)
    for starting in (new, replace(new, still=True, state="R")):
        threads = (*process.threads, starting)
        begins = replace(both, processes=(replace(process, threads=threads),))
        assert "nobody-left-to-wake" not in [one.id for one in findings.run(begins)]

    busy = thread("worker", 101, still=False, python=[python_frame("load", 5)])
    made = capture(main, busy, resources=[taken], waits=[waits(main, taken)])
    (other,) = findings.run(made)
    assert (other.id, other.severity) == ("waiting-for-others", Severity.NOTE)
    assert "no stack of a living thread shows that it took this one" in other.sentence
    watched = replace(made, progress=(Progress(main.id, 5, 2.0, 2.0, 0.0),))
    assert findings.run(watched)[0].severity is Severity.NOTE  # the lock may be a signal
    third = thread("third", 102, python=[python_frame("load", 5)])
    crowd = capture(
        main, busy, third, resources=[taken], waits=[waits(t, taken) for t in (main, third)]
    )
    watched = replace(crowd, progress=(Progress(main.id, 5, 2.0, 2.0, 0.0),))
    lost = next(one for one in findings.run(watched) if one.id == "waiting-for-others")
    assert lost.severity is Severity.WARNING


@pytest.mark.parametrize(
    ("call", "told"), [("epoll_wait", False), ("clock_nanosleep", False), ("futex", True)]
)
def test_a_native_thread_may_be_who_has_a_library_go_on(call: str, told: bool) -> None:
    main = thread("MainThread", python=[python_frame("send_jobs", 14)])
    native = replace(thread("nng:poll", 101, syscall=Syscall(call)), is_python=False)
    word = lock("condition in nng.so", 0x1, NodeKind.CONDITION, module="/lib/nng.so")
    made = capture(main, native, resources=[word], waits=[waits(main, word)])
    found = {one.id: one for one in findings.run(made)}
    assert ("nobody-left-to-wake" in found) is told
    if told:
        said = found["nobody-left-to-wake"]
        assert "`while not ready: ....wait()`" in said.advice[0]


def test_a_finalizer_that_sleeps_goes_on_by_itself() -> None:
    stack = [python_frame("__del__", 382), python_frame("run", 5)]
    asleep = thread("MainThread", python=stack, syscall=Syscall("clock_nanosleep"))
    reads = replace(asleep, syscall=Syscall("read", "fd 7"))

    assert "finalizer-blocked" not in [one.id for one in findings.run(capture(asleep))]
    assert "finalizer-blocked" in [one.id for one in findings.run(capture(reads))]


def test_a_finalizer_at_the_end_of_a_thread_interrupts_nothing() -> None:
    main = thread("MainThread", python=[python_frame("drop_hosts", 31)])
    ending = thread("sync", 101, python=[python_frame("Link.__del__", 18)])
    registry = lock("registry (threading.Lock)", 0x1)
    made = capture(
        main,
        ending,
        resources=[registry],
        waits=[waits(ending, registry), waits(main, ending)],
        holds=[holds(registry, main, Certainty.PROVEN)],
    )
    found = next(one for one in findings.run(made) if one.id == "finalizer-blocked")
    assert (
        found.title == "Link.__del__ blocks sync: the interpreter ran it at the end of the thread"
    )
    assert "Now MainThread waits at main.py:31 (drop_hosts) for sync to end." in found.sentence
    assert "inside" not in found.sentence


def test_a_finalizer_may_wait_for_what_only_the_interrupted_function_would_bring() -> None:
    stack = [python_frame("Folder.__del__", 19), python_frame("receive", 34)]
    receiver = thread("receiver", 101, python=stack)
    main = thread("MainThread", python=[python_frame("main", 5)])
    answer = lock("Connection.waiting[7] (threading.Event)", 0x1, NodeKind.EVENT)
    found = evidence("its code reaches it", Certainty.INFERRED, "main.py:36")
    after = CouldWake(
        answer.id, receiver.id, Complement.SET, Nearness.AFTER, found, "(...).set", "main.py:36"
    )
    made = capture(main, receiver, resources=[answer], waits=[waits(receiver, answer)])

    def said(*could: CouldWake) -> str:
        all_found = findings.run(replace(made, could_wake=could))
        return next(one.sentence for one in all_found if one.id == "finalizer-blocked")

    own = "Only receiver itself is seen to come to (...).set() (main.py:36), which would end that"
    assert own in said(after)
    assert own not in said(after, replace(after, candidate=main.id, nearness=Nearness.AHEAD))
    assert own not in said()


def test_a_lock_that_was_taken_before_the_fork_is_a_copy() -> None:
    fork = python_frame("Popen._launch", 71, "/usr/lib/python3.12/multiprocessing/popen_fork.py")
    taken = python_frame("start_all", 30, "/srv/main.py")
    start = python_frame(
        "BaseProcess._bootstrap", 314, fork.filename.replace("popen_fork", "process")
    )
    work = python_frame("work", 12, "/srv/main.py")
    child = thread("MainThread", python=[work, start, fork, taken])
    ledger = lock("ledger (threading.Lock)", 0x1)
    has = holds(ledger, child, Certainty.PROVEN)
    text = "it is inside `with` on the lock in start_all"
    has = replace(has, evidence=replace(has.evidence, text=text, where="/srv/main.py:28"))
    made = capture(child, resources=[ledger], waits=[waits(child, ledger)], holds=[has])
    found = next(one for one in findings.run(made) if one.id == "self-deadlock")
    assert found.title.endswith("waits for ledger, which its parent had when it forked the process")
    assert "spawn or forkserver" in found.advice[0]


def test_a_lock_that_is_taken_once_more_before_a_fork_is_its_own() -> None:
    fork = python_frame("Popen._launch", 66, "/usr/lib/python3.12/multiprocessing/popen_fork.py")
    taken = python_frame("rotate", 30, "/srv/main.py")
    main = thread("MainThread", python=[fork, taken])
    ledger = lock("ledger (threading.Lock)", 0x1)
    has = holds(ledger, main, Certainty.PROVEN)
    text = "it is inside `with` on the lock in rotate"
    has = replace(has, evidence=replace(has.evidence, text=text, where="/srv/main.py:28"))
    made = capture(main, resources=[ledger], waits=[waits(main, ledger)], holds=[has])
    found = next(one for one in findings.run(made) if one.id == "self-deadlock")
    assert found.title.endswith("waits for ledger, which it holds itself")
    assert "inside of os.fork(), where a function that os.register_at_fork" in found.sentence
    assert found.advice[0].startswith("Start the process after ledger was released")


def _beside_a_stopped_child(
    title: str, parent: Thread, *more: Thread, pipe: Resource | None = None
) -> Finding:
    child = thread("MainThread", 200, 200, state="T", python=[python_frame("encode", 2)])
    made = capture(
        parent,
        child,
        *more,
        resources=[pipe] if pipe else [],
        waits=[waits(parent, pipe or process_id(200))],
        holds=[holds(pipe, child)] if pipe else [],
    )
    processes = tuple(
        replace(one, state="T", cmdline=(title,)) if one.pid == 200 else replace(one, state="S")
        for one in made.processes
    )
    told = findings.run(replace(made, processes=processes))
    return next(one for one in told if one.id == "held-from-outside")


def test_who_waits_for_the_end_of_a_stopped_process() -> None:
    parent = thread("MainThread", 100, 100, python=[python_frame("end_encoding", 20)])
    found = _beside_a_stopped_child("encode.py", parent)
    assert found.title.startswith("Process 200 is stopped")
    assert "MainThread of process 100 waits at main.py:20 (end_encoding) for" in found.sentence
    assert [one.pid for one in found.victims] == [100]


@pytest.mark.parametrize(("rested_s", "severity"), [(2.0, Severity.WARNING), (0.5, Severity.NOTE)])
def test_one_that_ran_between_the_looks_may_be_paused_for_a_moment(
    rested_s: float, severity: Severity
) -> None:
    child = thread("MainThread", 200, 200, state="T")
    made = capture(child)
    (process,) = made.processes
    seen = Progress(child.id, 5, 2.0, rested_s, 0.0)
    made = replace(made, processes=(replace(process, state="T"),), progress=(seen,))
    (found,) = (one for one in findings.run(made) if one.id == "held-from-outside")
    assert found.severity is severity


def test_who_waits_for_the_output_of_a_stopped_process() -> None:
    parent = thread("MainThread", 100, 100, python=[python_frame("ask_vault", 12)])
    pipe = lock("the stdout pipe of process 200", 0x1, NodeKind.PIPE)
    found = _beside_a_stopped_child("sh", parent, pipe=pipe)
    assert "MainThread of process 100 waits at main.py:12 (ask_vault) for" in found.sentence


def test_a_stopped_worker_is_called_by_its_role_and_its_monitor_is_no_news() -> None:
    file = "/venv/lib/python3.12/site-packages/vllm/v1/executor/multiproc_executor.py"
    main = thread("MainThread", 100, 100, python=[python_frame("serve", 1)])
    stack = [python_frame("monitor_workers", 308, file), python_frame("run", 1, THREADING)]
    monitor = thread("MultiprocWorkerMonitor", 101, 100, python=stack)
    found = _beside_a_stopped_child("VLLM::Worker_TP1", monitor, main)
    assert found.title == "VLLM::Worker_TP1 (process 200) is stopped by a signal (state T)"
    assert "MultiprocWorkerMonitor" not in found.sentence


def test_a_lock_that_a_fork_has_for_good_is_told_with_where_it_comes_from() -> None:
    parent = thread("MainThread", 90, 90, python=[python_frame("convert", 22)])
    main = thread("MainThread", python=[python_frame("lower_limits", 18)])
    taken = lock("limits_lock (threading.Lock)", 0x1)
    made = capture(parent, main, resources=[taken], waits=[waits(main, taken), waits(parent, main)])
    others = [one for one in made.processes if one.pid != main.pid]
    child = next(one for one in made.processes if one.pid == main.pid)
    forked = replace(child, around=Surroundings(forked_from=90))
    found = findings.run(replace(made, processes=(*others, forked)))
    first = next(one for one in found if one.id == "nobody-left-to-wake")

    assert "Who took it is not known" not in first.sentence
    assert "was forked from process 90, probably while a thread of that parent" in first.sentence
    assert first.advice[0].startswith("Do not fork a process that has threads")
    assert "MainThread of process 90 at main.py:22 (convert)." in first.sentence


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        (NodeKind.EVENT, "another thread, or the handler of SIGHUP and SIGTERM, has to set it"),
        (NodeKind.LOCK, "thread has to release it"),
    ],
)
def test_who_waits_to_be_told_to_end_waits_for_a_signal(kind: NodeKind, said: str) -> None:
    main = thread("MainThread", python=[python_frame("run", 5)])
    other = thread("collector", 101, python=[python_frame("collect", 9)], still=False)
    made = capture(main, other, resources=[lock("stop", 0x1, kind)])
    made = replace(made, waits=(waits(main, made.resources[0]),))
    (process,) = made.processes
    around = Surroundings(handles_signals=("SIGHUP", "SIGTERM"))
    made = replace(made, processes=(replace(process, around=around),))

    assert said in only(made, "waiting-for-others").sentence


@pytest.mark.parametrize("parent", [90, None])
def test_a_job_in_a_fork_may_be_of_an_executor_whose_threads_stayed_behind(
    parent: int | None,
) -> None:
    main = thread("MainThread", python=[python_frame("handle", 13)])
    result = lock("a Future", 0x1, NodeKind.FUTURE)
    made = capture(main, resources=[result], waits=[waits(main, result)])
    around = Surroundings(forked_from=parent)
    (process,) = (replace(one, around=around) for one in made.processes)
    first = findings.run(replace(made, processes=(process,)))[0]

    assert first.id == "nobody-left-to-wake"
    assert ("of an executor that was made before the fork" in first.sentence) is bool(parent)
    assert ("in the child, after the fork" in first.advice[0]) is bool(parent)


@pytest.mark.parametrize("known", [True, False])
def test_an_event_has_no_owner_and_maybe_nobody_who_refers_to_it(known: bool) -> None:
    waiter = thread("notifier", 101, python=[python_frame("read_details", 20)])
    main = thread("MainThread", still=False, python=[python_frame("run", 5)])
    event = replace(lock("answered", 0x1, NodeKind.EVENT), wakers_known=known)
    made = capture(main, waiter, resources=[event], waits=[waits(waiter, event)])
    finding = only(made, "waiting-for-others")
    led = "and no other thread's frames are seen to lead to it: another thread has to set it"
    assert (led in finding.sentence) is known
    assert "It has no owner" in finding.sentence


@pytest.mark.parametrize(
    ("signals", "received_s", "warned"),
    [((), None, True), ((), 20.0, False), (("SIGTERM",), None, False), (None, None, False)],
)
def test_who_waits_for_what_a_library_would_do_once_it_has_an_answer(
    signals: tuple[str, ...] | None, received_s: float | None, warned: bool
) -> None:
    """Only a callback of the program sets it, which the library calls when it has one."""
    loop = python_frame("Client._loop", 1667, "/venv/lib/python3.12/site-packages/paho/client.py")
    connected = lock("connected", 1, NodeKind.EVENT)
    connected = replace(connected, enders=("on_connect (station.py:7)",), wakers_known=True)
    main = thread("MainThread", python=[python_frame("start", 9, "/app/station.py")])
    client = thread("paho-client", 101, python=[loop], still=False)
    made = capture(main, client, resources=[connected], waits=[waits(main, connected)])
    around = Surroundings(handles_signals=signals)
    asked = Watched(client.id, "TCP connection to 10.0.0.1:1883", Traffic(9.0, received_s, True))
    made = replace(
        made,
        processes=(replace(made.processes[0], around=around),),
        watched=(asked,),
        progress=(Progress(main.id, 5, 2.0, 2.0, 0.0, same_stack=True, same_line=True),),
    )
    (finding,) = (one for one in findings.run(made) if one.id == "waiting-for-others")

    told = "paho-client watches the TCP connection to 10.0.0.1:1883, silent for 9 s: nothing has"
    assert (told in finding.title) is warned
    assert (finding.severity is Severity.WARNING) is warned
