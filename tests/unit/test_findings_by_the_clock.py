"""Whose sleep the clock ends soon, and who looks for something between short ones."""

from dataclasses import replace

import pytest

from hangtui.analysis.waitgraph import build
from hangtui.findings.by_the_clock import all_go_on, goes_on, the_only
from hangtui.findings.on_the_way import whose
from hangtui.findings.words import Words, words_of
from hangtui.model import (
    Capture,
    Certainty,
    Complement,
    CouldWake,
    Inward,
    Nearness,
    NodeKind,
    Progress,
    Sleep,
    Syscall,
    Task,
    TaskState,
    Thread,
)
from tests.unit import factories as make


def sleeper(sleep: Sleep | None, name: str = "worker", tid: int = 102) -> Thread:
    return make.thread(name, tid, syscall=Syscall("clock_nanosleep", sleep=sleep))


def task(sleep: Sleep | None) -> Task:
    return Task(100, 0x7000, "Task-2", "handle", TaskState.WAITING, 0x6000, sleep=sleep)


def words(*threads: Thread, wakes: int = 0) -> Words:
    made: Capture = make.capture(*threads)
    seen = tuple(
        Progress(
            *(t.id, 5, 2.0, 0.0 if wakes else 2.0, 0.0),
            wakes=wakes,
            same_line=True,
            same_stack=True,
        )
        for t in threads
    )
    made = replace(made, progress=seen)
    return words_of(made, build(made))


@pytest.mark.parametrize(
    ("sleep", "expected"),
    [
        (Sleep(None, 5.0), True),
        (Sleep(0.5, None), True),
        (Sleep(None, 90.0), False),
        (Sleep(90.0, None), False),
        (Sleep(None, None), False),
        (None, False),
    ],
)
def test_a_thread_that_sleeps(sleep: Sleep | None, expected: bool) -> None:
    thread = sleeper(sleep)
    assert goes_on(thread, words(thread)) is expected


def test_who_wakes_up_on_the_same_lines_again_and_again_looks_for_something() -> None:
    thread = sleeper(Sleep(None, 0.4))
    assert not goes_on(thread, words(thread, wakes=20))


@pytest.mark.parametrize(("left_s", "expected"), [(9.0, True), (90.0, False)])
def test_whoever_has_a_connection_in_hand_at_its_other_end_is_followed(
    left_s: float, *, expected: bool
) -> None:
    asker = make.thread("asker", 101)
    serves = replace(sleeper(Sleep(left_s, left_s), "Thread-2", 202), pid=200)
    accepts = make.thread("MainThread", 200, 200)
    link = make.lock("link", 5, NodeKind.SOCKET)
    wait = replace(make.waits(asker, link), answering=(serves.id,))
    ends = [make.holds(link, one) for one in (accepts, serves)]
    made = make.capture(asker, accepts, serves, resources=[link], waits=[wait], holds=ends)

    assert goes_on(asker, words_of(made, build(made))) is expected


def test_who_seldom_wakes_up_may_do_another_piece_of_its_work() -> None:
    thread = sleeper(Sleep(None, 4.0))
    assert goes_on(thread, words(thread, wakes=1))
    only = replace(thread, only_sleeps=True)
    assert not goes_on(only, words(only, wakes=1)), "its loop has no other work"
    assert goes_on(only, words(only)), "it sleeps once"


@pytest.mark.parametrize(
    ("sleep", "expected"),
    [
        (Sleep(5.0, 1.0), True),
        (Sleep(5.0, None), True),
        (Sleep(0.5, 0.3), False),
        (Sleep(None, 3.0), False),
        (Sleep(600.0, 300.0), False),
        (None, False),
    ],
)
def test_a_task_that_sleeps(sleep: Sleep | None, expected: bool) -> None:
    assert goes_on(task(sleep), words(sleeper(None))) is expected


def test_all_of_none_is_not_known_to_go_on() -> None:
    calm, stuck = sleeper(Sleep(None, 3.0)), make.thread("stuck", 103)
    told = words(calm, stuck)
    assert not all_go_on([], told)
    assert all_go_on([calm], told)
    assert not all_go_on([calm, stuck], told)


def test_the_only_thread_of_its_process() -> None:
    first, second = sleeper(None, tid=102), sleeper(None, tid=103)
    other = make.thread("MainThread", 200, 200)
    told = words(first, second, other)
    assert the_only([first, other], told) == [other]


def behind(last: Thread) -> Words:
    """MainThread waits for what worker could notify, which waits for what *last* could."""
    main, worker = make.thread("MainThread", 100), make.thread("worker", 101)
    conditions = [make.lock(f"answer {n}", n, NodeKind.CONDITION) for n in (1, 2)]
    made = make.capture(
        *(main, worker, last),
        resources=conditions,
        waits=[make.waits(main, conditions[0]), make.waits(worker, conditions[1])],
    )
    could = tuple(
        CouldWake(one.id, who.id, Complement.NOTIFY, Nearness.AHEAD, make.evidence())
        for one, who in zip(conditions, (worker, last), strict=True)
    )
    seen = tuple(Progress(t.id, 5, 2.0, 2.0, 0.0, same_line=True) for t in (main, worker, last))
    made = replace(made, could_wake=could, progress=seen)
    return words_of(made, build(made))


@pytest.mark.parametrize(("left_s", "expected"), [(5.0, True), (600.0, False)])
def test_who_waits_for_one_that_goes_on_goes_on(left_s: float, *, expected: bool) -> None:
    told = behind(sleeper(Sleep(None, left_s)))
    assert [goes_on(one, told) for one in told.capture.threads()] == [expected] * 3


def test_who_waits_for_one_that_waits_for_it_does_not_go_on() -> None:
    told = behind(make.thread("MainThread", 100))
    assert not goes_on(make.thread("MainThread", 100), told)


def test_only_one_is_told_to_be_able_to_end_a_wait_where_no_table_has_all() -> None:
    told = behind(sleeper(Sleep(None, 5.0)))
    main, *_ = told.capture.threads()
    assert whose(main.id, told) == (
        "; only worker (TID 101) could end that, and waits for the answer 2"
    )
    pool = make.python_frame(
        "IMapIterator.next", 861, "/usr/lib/python3.12/multiprocessing/pool.py"
    )
    made = told.capture
    (process,) = made.processes
    stacks = tuple(
        replace(one, python_stack=(pool,)) if one.id == main.id else one for one in process.threads
    )
    made = replace(made, processes=(replace(process, threads=stacks),))
    assert whose(main.id, words_of(made, build(made))) == ""


@pytest.mark.parametrize("holders", [1, 2])
def test_who_waits_for_one_who_goes_on_does_so_too(holders: int) -> None:
    sleeps = [sleeper(Sleep(30.0, None), f"holder-{n}", 110 + n) for n in range(holders)]
    late = sleeper(Sleep(90.0, None), "late", 120)
    waiter, permits = make.thread("waiter", 103), make.lock("permits", 1, NodeKind.SEMAPHORE)

    def judged(*having: Thread) -> bool:
        made = make.capture(
            waiter,
            *having,
            resources=[permits],
            waits=[make.waits(waiter, permits)],
            holds=[make.holds(permits, one, Certainty.INFERRED) for one in having],
        )
        return goes_on(waiter, words_of(made, build(made)))

    assert judged(*sleeps)
    assert not judged(*sleeps, late)
    assert not judged()


@pytest.mark.parametrize(("sleep", "expected"), [(Sleep(None, 5.0), True), (None, False)])
def test_a_task_that_waits_for_data_of_one_that_sleeps(sleep: Sleep | None, expected: bool) -> None:
    reads = replace(task(None), awaits="data (StreamReader.readline)", loop_tid=100)
    main = make.thread("MainThread")
    made = make.capture(main)
    there = replace(sleeper(sleep, "MainThread", 200), pid=200)
    (process,) = made.processes
    peer = replace(process, pid=200, threads=(there,))
    heard = Inward(main.id, (100, 200), ())
    made = replace(made, processes=(process, peer), tasks=(reads,), inward=(heard,))
    assert goes_on(reads, words_of(made, build(made))) is expected
