"""Lock files: who waits for one, who has it, and for how long that is sure."""

from dataclasses import replace

import pytest

from hangtui import findings
from hangtui.analysis.waitgraph import build
from hangtui.findings.outside.file_lock_holders import calmly
from hangtui.findings.words import words_of
from hangtui.model import (
    Capture,
    Certainty,
    Complement,
    CouldWake,
    EventLoop,
    Finding,
    Handover,
    LoopState,
    Nearness,
    NodeKind,
    Progress,
    Severity,
    Sleep,
    Syscall,
    Task,
    TaskState,
)
from tests.unit.factories import capture, evidence, holds, lock, python_frame, thread, waits

FILE = lock("file lock /srv/index.lock", 0x9, NodeKind.FILE_LOCK)
WAITER, OWNER, OTHER = 101, 102, 103


def polled(*, ring: bool = False, owner: bool = True, expires: bool = True) -> Capture:
    """One asks for the lock again and again; *owner*: another thread has it."""
    waiter = thread("indexer", WAITER, still=False, python=[python_frame("refresh_index", 13)])
    has = thread("publisher", OWNER, python=[python_frame("publish", 20)])
    future = lock("concurrent.futures.Future at 0x1", 0x1, NodeKind.FUTURE)
    wait = replace(waits(waiter, FILE, Certainty.INFERRED), expires=expires)
    return capture(
        *(waiter, has, thread("MainThread", 200, 200)),
        resources=[FILE, future],
        waits=[wait, *([waits(has, future)] if ring else [])],
        holds=[
            *([holds(FILE, has, Certainty.INFERRED)] if owner else []),
            holds(future, waiter, Certainty.PROVEN),
        ],
    )


def watched(made: Capture, owner_stood_s: float) -> Capture:
    seen = (
        Progress(made.threads()[0].id, 5, 2.0, 0.0, 0.0, same_stack=True),
        Progress(made.threads()[1].id, 5, 2.0, owner_stood_s, 0.0),
    )
    return replace(made, progress=seen)


def told(made: Capture) -> Finding | None:
    return next((one for one in findings.run(made) if one.id == "file-locked"), None)


def test_who_has_it_waits_for_the_one_that_asks_for_it() -> None:
    finding = told(polled(ring=True))

    assert finding is not None
    assert (finding.severity, finding.certainty) == (Severity.WARNING, Certainty.INFERRED)
    assert finding.title == (
        "Possible deadlock: indexer waits at main.py:13 (refresh_index) for the file lock "
        "index.lock, and publisher has it and waits at main.py:20 (publish) for indexer"
    )
    assert {one.name for one in finding.threads} == {"indexer", "publisher"}


def test_several_threads_of_a_process_that_has_it_are_told_as_one() -> None:
    waiter = thread("worker", WAITER, WAITER, python=[python_frame("read_image", 13)])
    has = [thread("MainThread", 200, 200, python=[python_frame("train", 7)]),
           replace(thread("cuda-EvtHandlr", 201, 200), is_python=False)]  # fmt: skip
    made = capture(
        waiter, *has, resources=[FILE], waits=[waits(waiter, FILE)],
        holds=[holds(FILE, waiter), *(holds(FILE, one) for one in has)],
    )  # fmt: skip
    finding = told(made)

    assert finding is not None
    assert finding.title.endswith("which worker of process 101 and process 200 have")
    assert "Process 200 has it. Now MainThread" in finding.sentence
    assert "cuda-EvtHandlr" not in finding.sentence
    assert "nobody else can give it back" not in finding.sentence


def turns(*, unlimited: bool) -> Capture:
    """Two processes, in each of which a package has a thread of its own, ask for each other's."""
    other = lock("file lock /srv/prices.lock", 0xA, NodeKind.FILE_LOCK)
    one = thread("MainThread", 200, 200, python=[python_frame("keep", 7)])
    two = thread("MainThread", 300, 300, python=[python_frame("keep", 9)])
    listen = python_frame("read", 5, "/usr/lib/python3/site-packages/execnet/gateway.py")
    extra = [thread("io", pid + 1, pid, python=[listen]) for pid in (200, 300)]
    asking = [waits(one, FILE, Certainty.INFERRED), waits(two, other, Certainty.INFERRED)]
    return capture(
        *(one, two, *extra),
        resources=[FILE, other],
        waits=[replace(wait, expires=True, unlimited=unlimited) for wait in asking],
        holds=[*(holds(FILE, has) for has in (two, extra[1])),
               *(holds(other, has) for has in (one, extra[0]))],
    )  # fmt: skip


def test_two_processes_that_ask_for_each_others_files_are_a_possible_deadlock() -> None:
    finding = told(turns(unlimited=True))

    assert finding is not None
    assert finding.severity is Severity.WARNING
    assert finding.title == (
        "Possible deadlock: MainThread of process 200 waits at main.py:7 (keep) for the file lock "
        "index.lock, and process 300 has it and waits at main.py:9 (keep) for the file lock "
        "prices.lock, which MainThread of process 200 has"
    )


def test_who_gives_up_after_a_while_is_in_no_ring() -> None:
    finding = told(turns(unlimited=False))

    assert finding is not None
    assert "deadlock" not in finding.title


def test_it_lasts_as_long_as_the_one_who_has_it_stands_still() -> None:
    made = polled()
    long, short = told(watched(made, 2.0)), told(watched(made, 0.0))

    assert long is not None
    assert short is not None
    assert (long.severity, short.severity) == (Severity.WARNING, Severity.NOTE)
    assert "index.lock for 2 s or more, which publisher has" in long.title
    assert " or more" not in short.title


def test_a_lock_that_changed_hands_is_no_warning() -> None:
    made = replace(watched(polled(), 2.0), handovers=(Handover(FILE.id, 5, 2),))
    finding = told(made)

    assert finding is not None
    assert finding.severity is Severity.NOTE


def test_a_file_that_is_there_lasts_no_longer_than_since_it_was_written() -> None:
    made = watched(polled(owner=False), 0.0)
    old, new = (
        told(replace(made, resources=(replace(FILE, age_s=age_s, note="the file is there"),)))
        for age_s in (3600.0, 0.1)
    )

    assert old is not None
    assert new is not None
    assert (old.severity, new.severity) == (Severity.WARNING, Severity.NOTE)
    assert "Who should give it back is not known. The file is there." in old.sentence


def test_a_wait_in_the_kernel_lasts_as_long_as_it_did_not_run() -> None:
    made = polled(expires=False)
    seen = (Progress(made.threads()[0].id, 5, 2.0, 2.0, 0.0, same_stack=True),)
    finding = told(replace(made, progress=seen))

    assert finding is not None
    assert finding.severity is Severity.WARNING


@pytest.mark.parametrize(("state", "warns"), [("R", False), ("S", True)])
def test_while_who_has_it_computes_it_is_a_note(state: str, warns: bool) -> None:
    made = polled(expires=False)
    waiter, has, *others = made.threads()
    threads = (waiter, replace(has, state=state), *others)
    made = replace(made, processes=(replace(made.processes[0], threads=threads),))
    seen = (
        Progress(waiter.id, 5, 2.0, 2.0, 0.0, same_stack=True),
        Progress(has.id, 5, 2.0, 0.0, 1),
    )
    finding = told(replace(made, progress=seen))

    assert finding is not None
    assert (finding.severity is Severity.WARNING) is warns


def test_who_ran_since_has_got_what_it_waited_for_in_the_kernel() -> None:
    made = polled(expires=False, owner=False)
    waiter = made.threads()[0]
    made = replace(made, holds=(*made.holds, holds(FILE, waiter, Certainty.PROVEN)))
    seen = (Progress(waiter.id, 5, 2.0, 0.0, 0.0, same_stack=True),)
    finding = told(replace(made, progress=seen))

    assert finding is not None
    assert finding.severity is Severity.NOTE
    assert "has that itself" not in finding.sentence
    assert " or more" not in finding.title


def test_the_loop_that_has_it_runs_a_task_which_waits_for_the_one_that_asks_for_it() -> None:
    child = thread("MainThread", 200, 200, python=[python_frame("build_index", 11)])
    main = thread("MainThread", OWNER, OWNER, python=[python_frame("<module>", 28)])
    loop = EventLoop(OWNER, 9, "loop", LoopState.IDLE, OWNER)
    adds = replace(
        Task(OWNER, 1, "Task-1", "add_word", TaskState.WAITING, 9, OWNER),
        python_stack=(python_frame("add_word", 17),),
    )
    pipe = lock("pipe", 0x2, NodeKind.PIPE)
    made = capture(
        *(main, child),
        resources=[FILE, pipe],
        waits=[waits(child, FILE), replace(waits(main, pipe), waiter=adds.id)],
        holds=[holds(FILE, main), holds(pipe, child)],
    )
    made = replace(made, tasks=(adds,), event_loops=(loop,))
    finding = told(made)
    assert finding is not None
    assert "has it and waits at main.py:17 (add_word) for MainThread of process" in finding.title
    assert "Now task add_word" in finding.sentence or "Now task Task-1" in finding.sentence
    finding = told(replace(made, event_loops=(replace(loop, state=LoopState.BUSY),)))
    assert finding is not None
    assert "Possible deadlock" not in finding.title


@pytest.mark.parametrize(("inside", "severity"), [(True, "warning"), (False, "note")])
def test_a_package_whose_own_threads_sleep_need_not_get_on_with_it(
    *, inside: bool, severity: str
) -> None:
    """*inside*: who has the file waits in that package, and not at a line of the program."""
    pool = "/usr/lib/python3/site-packages/billiard/pool.py"
    waiter = thread("worker", WAITER, python=[python_frame("weigh", 13)])
    entry = [python_frame("Pool.apply_async", 1619, pool)] if inside else []
    has = thread("owner", OWNER, 300, python=[*entry, python_frame("morning", 20)])
    naps = Syscall("clock_nanosleep", sleep=Sleep(30.0, 20.0))
    helper = thread("helper", OTHER, 300, python=[python_frame("body", 625, pool)], syscall=naps)
    permit = replace(lock("permit", 0x2, NodeKind.EVENT), wakers_known=True)
    made = capture(
        *(waiter, has, helper),
        resources=[FILE, permit],
        waits=[waits(waiter, FILE), waits(has, permit)],
        holds=[holds(FILE, has)],
    )
    seen = (
        Progress(waiter.id, 5, 2.0, 2.0, 2.0),
        Progress(has.id, 5, 2.0, 2.0, 2.0),
        Progress(helper.id, 5, 2.0, 2.0, 2.0),
    )
    reach = evidence("its code reaches it", Certainty.INFERRED, "pool.py:640")
    ends = CouldWake(permit.id, helper.id, Complement.SET, Nearness.AHEAD, reach)
    made = replace(made, progress=seen, could_wake=(ends,))
    finding = told(made)
    assert finding is not None
    assert finding.severity.value == severity


def test_of_a_process_that_has_it_its_own_line_is_told_before_a_packages_thread() -> None:
    waiter = thread("shard-1", WAITER, WAITER, python=[python_frame("load_weights", 41)])
    grpc = "/venv/lib/python3.11/site-packages/grpc/_server.py"
    main = thread("MainThread", 200, 200, python=[python_frame("serve_shard", 52)])
    serve = thread("Thread-1", 201, 200, python=[python_frame("_serve", 1314, grpc)])
    finding = told(
        capture(
            *(waiter, main, serve),
            resources=[FILE],
            waits=[waits(waiter, FILE)],
            holds=[holds(FILE, serve)],
        )
    )
    assert finding is not None
    assert "main.py:52 (serve_shard)" in finding.sentence
    assert "_server.py:1314" not in finding.sentence


@pytest.mark.parametrize(("age_s", "ring"), [(3600.0, True), (0.1, False), (None, True)])
def test_a_file_that_is_there_only_since_now_may_have_come_after_the_stacks_were_read(
    age_s: float | None, *, ring: bool
) -> None:
    made = polled()
    asker = made.threads()[0]
    own = replace(made.holds[0], holder=asker.id)
    made = replace(made, resources=(replace(FILE, age_s=age_s),), holds=(own,))
    finding = told(made)

    assert finding is not None
    assert ("and has it itself" in finding.title) is ring


@pytest.mark.parametrize("ran", [True, False])
def test_who_has_got_it_since_it_was_met_waiting_for_it_goes_on(*, ran: bool) -> None:
    asks, has = (
        thread("MainThread", pid, pid, still=True, python=[python_frame("job", 8)])
        for pid in (100, 200)
    )
    file = lock("lock", 7, NodeKind.FILE_LOCK)
    made = capture(
        asks,
        has,
        resources=[file],
        waits=[waits(asks, file), waits(has, file)],
        holds=[holds(file, has)],
    )
    seen = [Progress(one, 5, 3.0, 0.0 if ran else 3.0, 0.0) for one in (asks.id, has.id)]
    words = words_of(replace(made, progress=tuple(seen)), build(made))
    hold = words.graph.holders_of(waits(asks, file).target)
    assert calmly(hold, words) is ran
