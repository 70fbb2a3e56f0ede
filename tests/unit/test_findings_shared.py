"""Semaphores of multiprocessing that no other process shares any more."""

from dataclasses import replace

import pytest

from hangtui import findings
from hangtui.model import (
    Capture,
    Certainty,
    Child,
    CommonMemory,
    Finding,
    LoneMemory,
    NodeId,
    NodeKind,
    NoHolder,
    Polled,
    Progress,
    Resource,
    Severity,
    Surroundings,
    Thread,
    Visit,
    process_id,
    shared_id,
)
from tests.unit.factories import PID, capture, holds, lock, python_frame, stood, thread, waits

NODE = shared_id(NodeKind.SEMAPHORE, "0x1")


MULTIPROCESSING = "/usr/lib/python3.12/multiprocessing"


def joining(
    *more: Thread, no_holder: NoHolder | None = NoHolder.ALONE, inside: str | None = None
) -> Capture:
    """Somebody joins a queue whose worker has ended, beside the queue's own thread."""
    method = [python_frame(inside, 1, f"{MULTIPROCESSING}/synchronize.py")] if inside else []
    main = thread("MainThread", python=[*method, python_frame("scale_all", 22)])
    feeder = thread("QueueFeederThread", 101, python=[python_frame("_feed")])
    name = "Condition._wait_semaphore"
    shared = Resource(NODE, NodeKind.SEMAPHORE, name, PID, 1, name=name, no_holder=no_holder)
    condition = lock("threading.Condition at 0x2", 0x2, NodeKind.CONDITION)
    made = capture(
        main,
        feeder,
        *more,
        resources=[shared, condition],
        waits=[waits(main, shared), waits(feeder, condition)],
    )
    around = Surroundings(children=(Child(200, "python3", "Z"),))
    return replace(made, processes=(replace(made.processes[0], around=around),))


def ids(made: Capture) -> set[str]:
    return {one.id for one in findings.run(made)}


def test_nobody_shares_it_and_all_others_rest() -> None:
    (finding,) = (one for one in findings.run(joining()) if one.id == "shared-by-nobody")

    assert finding.severity is Severity.WARNING
    assert finding.sentence == (
        "MainThread waits at main.py:22 (scale_all) for Condition._wait_semaphore: somebody has to "
        "release Condition._wait_semaphore. No other process shares it, and all threads of this "
        "one wait: QueueFeederThread waits at main.py:1 (_feed) for an unnamed "
        "threading.Condition. Of its children, process 200 (python3) has ended."
    )


def test_a_semaphore_with_a_name_is_told_as_the_lock_that_it_is() -> None:
    made = joining()
    shared, condition = made.resources
    named = replace(shared, name="named semaphore /printer", detail="/dev/shm/sem.printer")
    found = told(stood(replace(made, resources=(named, condition))), "shared-by-nobody")

    assert found.severity is Severity.ERROR
    assert "for the named semaphore /printer: somebody has to release it." in found.sentence
    assert "whoever took it last has ended, or closed it, without releasing it" in found.sentence
    assert "whether another program that opens it by its name is to release it" in found.unknown


def test_whatever_others_do_they_end_no_notify() -> None:
    sleeps = thread("till", 102, python=[python_frame("tick", 9)])
    found = told(stood(joining(sleeps, inside="Condition.notify")), "shared-by-nobody")

    assert found.severity is not Severity.NOTE
    says = "Nobody is left to say that it has woken up, which Condition.notify of multiprocessing"
    assert found.title.startswith(says)
    others = {one.id for one in findings.run(stood(joining(sleeps)))}
    assert "shared-by-nobody" not in others


def told(made: Capture, finding: str) -> Finding:
    return next(one for one in findings.run(made) if one.id == finding)


@pytest.mark.parametrize("no_holder", [NoHolder.ALONE, NoHolder.TAKER_ENDED])
def test_once_nobody_ran_for_a_while_it_is_proven(no_holder: NoHolder) -> None:
    name = {NoHolder.ALONE: "shared-by-nobody", NoHolder.TAKER_ENDED: "orphaned-lock"}[no_holder]
    found = told(stood(joining(no_holder=no_holder)), name)

    assert (found.severity, found.certainty) == (Severity.ERROR, Certainty.PROVEN)
    assert not any("instead" in line for line in found.unknown)


@pytest.mark.parametrize("no_holder", [NoHolder.ALONE, NoHolder.TAKER_ENDED])
def test_a_signal_or_a_thread_that_runs_may_release_it(no_holder: NoHolder) -> None:
    name = {NoHolder.ALONE: "shared-by-nobody", NoHolder.TAKER_ENDED: "orphaned-lock"}[no_holder]
    made = joining(no_holder=no_holder)
    sleeps = joining(thread("timer", 102), no_holder=no_holder)
    for one in (stood(made, "SIGTERM"), stood(made, seconds=0.2), stood(sleeps)):
        found = [f for f in findings.run(one) if f.id == name]
        assert [f.certainty for f in found if f.severity is Severity.ERROR] == []
    assert told(stood(made, "SIGWINCH"), name).severity is Severity.ERROR


def test_somebody_may_park_by_a_condition_until_a_signal_ends_it() -> None:
    parked = stood(joining(inside="Condition.wait"))

    assert told(parked, "shared-by-nobody").severity is Severity.WARNING


def test_a_signal_whose_handler_may_set_an_event_makes_it_a_note() -> None:
    parked = stood(joining(inside="Event.wait"), "SIGUSR1")
    around = Surroundings(handles_signals=("SIGUSR1",), children=())
    made = replace(parked, processes=(replace(parked.processes[0], around=around),))
    found = told(made, "shared-by-nobody")

    assert found.severity is Severity.NOTE
    assert "whether the handler of SIGUSR1 is to end it" in found.unknown


def waiting_for_its_own_thread(*, held: bool = True) -> Capture:
    """A thread waits for a writer of its own process, which needs the lock that the first has."""
    synchronize = f"{MULTIPROCESSING}/synchronize.py"
    waiting = [python_frame(name, 1, synchronize) for name in ("Condition.wait", "Event.wait")]
    main = thread("MainThread", python=[*waiting, python_frame("close_shop", 12)])
    writer = thread("writer", 101, python=[python_frame("ship", 7)])
    name = "Condition._wait_semaphore"
    alone = NoHolder.ALONE
    shared = Resource(NODE, NodeKind.SEMAPHORE, name, PID, 1, name=name, no_holder=alone)
    core_lock = lock("core_lock", 0x2)
    return capture(
        main,
        writer,
        resources=[shared, core_lock],
        waits=[waits(main, shared), waits(writer, core_lock)],
        holds=[holds(core_lock, main)] if held else [],
    )


def test_who_needs_what_the_waiting_thread_has_is_told_and_no_other_process_is_blamed() -> None:
    found = told(stood(waiting_for_its_own_thread()), "shared-by-nobody")

    assert (found.severity, found.certainty) == (Severity.ERROR, Certainty.PROVEN)
    assert found.title == (
        "Nobody is left to set an Event of multiprocessing: MainThread waits for it at main.py:12 "
        "(close_shop)"
    )
    assert "writer waits at main.py:7 (ship) for core_lock" in found.sentence
    assert "process should" not in found.sentence
    (advice,) = found.advice
    assert advice == (
        "Do not wait at main.py:12 (close_shop) with core_lock held: writer needs it, and may be "
        "who is to end the wait."
    )
    parked = told(stood(waiting_for_its_own_thread(held=False)), "shared-by-nobody")
    assert parked.severity is Severity.WARNING


def test_where_another_process_shares_it_or_a_thread_is_awake_it_is_not_told() -> None:
    assert "shared-by-nobody" not in ids(joining(no_holder=None))
    assert "shared-by-nobody" not in ids(joining(thread("busy", 102, state="R", still=False)))
    assert "shared-by-nobody" not in ids(joining(thread("reader", 102)))


def at_a_barrier(*, second_still: bool = True, sharers: tuple[int, ...] = (PID, 200)) -> Capture:
    """Two processes at a barrier of three parties, and a third one that has ended."""
    synchronize = f"{MULTIPROCESSING}/synchronize.py"
    stack = [
        python_frame("Condition.wait", 268, synchronize),
        python_frame("Condition.wait_for", 320, synchronize),
        python_frame("Barrier._wait", 758, "/usr/lib/python3.12/threading.py"),
        python_frame("Barrier.wait", 723, "/usr/lib/python3.12/threading.py"),
        python_frame("exchange", 9),
    ]
    main = thread("MainThread", python=stack)
    second = thread("MainThread", 200, 200, still=second_still, python=stack)
    name = "Condition._wait_semaphore"
    shared = Resource(NODE, NodeKind.SEMAPHORE, name, PID, 1, name=name, sharers=sharers)
    return capture(
        main, second, resources=[shared], waits=[waits(main, shared), waits(second, shared)]
    )


def awaited_child() -> Capture:
    """A process joins its child, whose main thread waits for an Event that both share."""
    synchronize = f"{MULTIPROCESSING}/synchronize.py"
    waiting = [python_frame(name, 1, synchronize) for name in ("Condition.wait", "Event.wait")]
    main = thread("MainThread", python=[python_frame("run_all", 30)])
    child = thread("MainThread", 200, 200, python=[*waiting, python_frame("work", 9)])
    name = "Condition._wait_semaphore"
    shared = Resource(NODE, NodeKind.SEMAPHORE, name, PID, 1, name=name, sharers=(PID, 200))
    return capture(
        main, child, resources=[shared], waits=[waits(main, process_id(200)), waits(child, shared)]
    )


def test_an_event_that_only_who_joins_the_waiting_child_could_set() -> None:
    found = told(stood(awaited_child()), "no-process-left-to-wake")

    assert (found.severity, found.certainty) == (Severity.ERROR, Certainty.INFERRED)
    assert found.title == (
        "No process is left to set an Event of multiprocessing: MainThread of process 200 waits "
        "at main.py:9 (work)"
    )
    # Who parks until a signal comes may look so, and one look sees no more than that.
    for made in (stood(awaited_child(), "SIGTERM"), stood(awaited_child(), seconds=0.2)):
        assert told(made, "no-process-left-to-wake").severity is Severity.NOTE


def test_all_processes_that_share_a_barrier_wait_at_it() -> None:
    (finding,) = (
        one for one in findings.run(at_a_barrier()) if one.id == "no-process-left-to-wake"
    )

    assert finding.severity is Severity.WARNING
    assert finding.title == (
        "No process is left to join at a multiprocessing Barrier: MainThread of process 100 waits "
        "at main.py:9 (exchange)"
    )
    assert "at a multiprocessing Barrier, where 2 parties wait," in finding.sentence


def test_once_none_of_them_ran_for_a_while_it_is_proven() -> None:
    name = "no-process-left-to-wake"
    sure, signals = told(stood(at_a_barrier()), name), told(stood(at_a_barrier(), "SIGTERM"), name)

    assert (sure.severity, sure.certainty) == (Severity.ERROR, Certainty.PROVEN)
    assert (signals.severity, signals.certainty) == (Severity.WARNING, Certainty.INFERRED)


def test_a_process_at_the_barrier_that_may_go_on_or_is_not_looked_at_is_one_that_is_left() -> None:
    assert "no-process-left-to-wake" not in ids(at_a_barrier(second_still=False))
    assert "no-process-left-to-wake" not in ids(at_a_barrier(sharers=(PID, 200, 300)))
    assert "no-process-left-to-wake" not in ids(at_a_barrier(sharers=()))


@pytest.mark.parametrize(
    ("name", "queue"),
    [("Queue._sem", "a Queue of multiprocessing"), ("the Queue pages", "the Queue pages")],
)
def test_two_processes_whose_queues_are_full_wait_for_room(name: str, queue: str) -> None:
    put = python_frame("Queue.put", 93, f"{MULTIPROCESSING}/queues.py")
    main = thread("MainThread", python=[put, python_frame("count_all", 17)])
    worker = thread("MainThread", 200, 200, python=[put, python_frame("count_words", 12)])
    pages, results = (
        replace(
            lock("Queue._sem", number, NodeKind.SEMAPHORE),
            id=shared_id(NodeKind.SEMAPHORE, f"0x{number}"),
            sharers=(PID, 200),
            name=name,
        )
        for number in (7, 8)
    )
    held = [waits(main, pages), waits(worker, results)]
    found = told(
        stood(capture(main, worker, resources=[pages, results], waits=held)),
        "no-process-left-to-wake",
    )

    assert found.title.startswith(f"No process is left to make room in {queue}")
    assert f"waits at main.py:17 (count_all) for room in {queue}, which is full" in found.sentence
    assert "waits at main.py:12 (count_words), in Queue.put (queues.py:93), for room in" in (
        found.sentence
    )
    assert found.advice[0].startswith("Take out of the queues while you put into them")


@pytest.mark.parametrize(
    ("stayed_s", "polls", "is_told"), [(2.0, True, True), (0.5, True, False), (2.0, False, False)]
)
@pytest.mark.parametrize("is_busy", [False, True])
def test_a_thread_that_only_looks_for_something_else_is_told_as_such(
    stayed_s: float, polls: bool, is_told: bool, is_busy: bool
) -> None:
    looks = thread("keeper", 102, python=[python_frame("close", 49)], still=False)
    made = joining(looks)
    shared, condition = made.resources
    seen = Progress(looks.id, 5, stayed_s, 0.0, 0.0, wakes=9, same_stack=True, same_line=True)
    made = replace(
        made,
        resources=(replace(shared, wakers_known=True), condition),
        progress=(seen,),
        polled=(Polled(looks.id, ("any",), "main.py:49"),) if polls else (),
    )
    busy = replace(seen, same_stack=False, same_line=False, looked=polls, cpu_s=1.9,
                   visits=(Visit("main.py:49 (close)", "close", 5),))  # fmt: skip
    made = replace(made, progress=(busy if is_busy else seen,))
    found = [one for one in findings.run(made) if one.id == "shared-by-nobody"]

    assert bool(found) is is_told
    assert all(
        one.title.endswith("at main.py:49 (close) only looks again and again") for one in found
    )
    assert all(one.severity is Severity.WARNING for one in found)


SPAWNED = ("python", "-c", "from multiprocessing.spawn import spawn_main; spawn_main()")


def of_a_child(cmdline: tuple[str, ...]) -> Finding:
    made = joining(inside="wait")
    child = replace(made.processes[0], ppid=77, cmdline=cmdline)
    (parent,) = capture(replace(thread("MainThread", 77), pid=77)).processes
    made = replace(made, processes=(child, replace(parent, pid=77)))
    (finding,) = (one for one in findings.run(made) if one.id == "shared-by-nobody")
    return finding


def test_what_a_module_made_again_in_a_process_started_anew_is_told() -> None:
    finding = of_a_child(SPAWNED)

    assert "was started anew (spawn), what a module makes when it is imported was made again" in (
        finding.sentence
    )
    assert finding.sentence.count("may be another one than that of process 77.") == 1
    assert "args=(...) of Process" in finding.advice[0]


def test_a_fork_has_what_its_parent_has() -> None:
    finding = of_a_child(("python", "main.py"))

    assert "spawn" not in finding.sentence
    assert "args=" not in finding.advice[0]


def test_the_end_of_a_pipe_is_in_nobodys_way() -> None:
    other = thread("reader", 102, python=[python_frame("read", 30)])
    made = joining(other, inside="wait")
    pipe = Resource(NodeId.of(NodeKind.PIPE, 0, "5"), NodeKind.PIPE, "pipe", PID, 5)
    made = replace(
        made,
        resources=(*made.resources, pipe),
        waits=(*made.waits, waits(other, pipe)),
        holds=(holds(pipe, made.processes[0].threads[0]),),
    )
    told = [one for one in findings.run(made) if one.id == "shared-by-nobody"]

    assert not any("held" in advice for one in told for advice in one.advice)


@pytest.mark.parametrize("removed", [True, False])
def test_a_loop_that_looks_into_memory_that_was_made_anew_by_another(*, removed: bool) -> None:
    router = thread("router", state="R", still=False, python=[python_frame("hand_out", 63)])
    engine = thread("MainThread", 300, 300, python=[python_frame("run_engine", 35)])
    memory = LoneMemory("board", removed=True, again=True, others=(300,)) if removed else None
    polled = Polled(router.id, ("self.look()",), "main.py:63", memory=memory)
    seen = Progress(router.id, 5, 2.0, 0.0, 0.0, common=("run", "hand_out"))
    made = replace(capture(router, engine), polled=(polled,), progress=(seen,))
    found = [one for one in findings.run(made) if one.id == "shared-by-nobody"]
    assert bool(found) is removed
    for one in found:
        assert one.severity is Severity.WARNING
        assert "by polling self.look(), and looks into shared memory that nobody" in one.title
        assert one.title.endswith("board, of which process 300 has another one by now")
        assert "only process 100 itself could change it." in one.sentence
        assert "Meanwhile MainThread waits at main.py:35 (run_engine)." in one.sentence


@pytest.mark.parametrize(("status", "told"), [(-9, True), (0, False)])
def test_a_loop_that_looks_into_memory_that_a_killed_child_had(*, status: int, told: bool) -> None:
    main = thread("MainThread", state="R", still=False, python=[python_frame("prepare", 28)])
    memory = LoneMemory("psm_1", removed=False)
    polled = Polled(main.id, ("self.states.buf",), "main.py:28", memory=memory)
    seen = Progress(main.id, 5, 2.0, 0.0, 0.0, common=("score", "prepare"))
    made = replace(capture(main), polled=(polled,), progress=(seen,))
    around = Surroundings(failed=(Child(200, "warm-up", "X", exit_status=status),))
    made = replace(made, processes=(replace(made.processes[0], around=around),))
    found = [one for one in findings.run(made) if one.id == "shared-by-nobody"]
    assert bool(found) is told
    for one in found:
        assert one.title.endswith(
            "psm_1, and process 200 (warm-up), its child, was ended by SIGKILL"
        )
        assert "Now no other process that can be looked into has it mapped. Of its" in one.sentence


@pytest.mark.parametrize("case", ["ring", "expires", "works", "unseen"])
def test_a_loop_that_looks_into_memory_of_those_who_wait_for_its_process(case: str) -> None:
    reader = thread("part-0", 101, python=[python_frame("await_page", 31)])
    main = thread("MainThread", 200, 200, python=[python_frame("ask_all", 86)])
    main = replace(main, state="R", still=False) if case == "works" else main
    pipe = lock("the pipe", 0x9, NodeKind.PIPE)
    others = (200, 300) if case == "unseen" else (200,)
    polled = Polled(reader.id, ("slot",), "main.py:31", common=CommonMemory("psm_1", others))
    seen = [Progress(one.id, 5, 2.0, 0.0, 0.0, common=("await_page", "ask_all"))
            for one in (reader, main)]  # fmt: skip
    made = capture(
        reader,
        main,
        resources=[pipe],
        waits=[waits(main, pipe, expires=case == "expires")],
        holds=[holds(pipe, reader)],
    )
    made = replace(made, polled=(polled,), progress=tuple(seen))
    found = [one for one in findings.run(made) if one.id == "shared-by-nobody"]
    assert bool(found) is (case == "ring")
    for one in found:
        assert one.severity is Severity.WARNING
        assert "that only those have as well who wait themselves: MainThread" in one.title
        assert "which leads to the shared memory psm_1. Who else has that mapped" in one.sentence
