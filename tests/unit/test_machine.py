"""All processes of a machine over time: what is said of each, and who is looked into when."""

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from hangtui.capture_file import load
from hangtui.diagnosis import Diagnosis, diagnose
from hangtui.machine import GONE_S, Machine, Rank, verdicts_of
from hangtui.model import Capture, Notice, Sighting
from tests.unit.factories import abba, capture, thread

HUNG, IDLE, OTHER = 100, 200, 300
"""PIDs: the one of `abba`, and two more."""


def seen(pid: int, *, processor_s: float = 0.0, started: int = 7, age_s: float = 60.0) -> Sighting:
    """A process at a glance."""
    return Sighting(pid, started, f"p{pid}.py", "python", "me", None, age_s, "S", 1, processor_s)


def idle(pid: int) -> Capture:
    """A capture in which nothing is found."""
    return capture(thread("MainThread", pid, pid))


def verdict(made: Capture) -> Diagnosis:
    """A diagnosis."""
    return diagnose(made)


def pids(machine: Machine) -> list[int]:
    """In the order of the list."""
    return [one.sighting.pid for one in machine.entries()]


def rank(machine: Machine, pid: int) -> Rank:
    """Of one process."""
    return next(one.rank for one in machine.entries() if one.sighting.pid == pid)


def test_nothing_is_said_of_whom_nobody_looked_into() -> None:
    machine = Machine()
    machine.glance([seen(HUNG), seen(IDLE)], 0.0)

    assert [one.verdict for one in machine.entries()] == [None, None]
    assert {one.rank for one in machine.entries()} == {Rank.UNKNOWN}
    assert sorted(machine.due(0.0)) == [HUNG, IDLE]


def test_a_process_that_is_just_starting_is_left_alone() -> None:
    machine = Machine()
    machine.glance([seen(HUNG, age_s=0.2)], 0.0)
    assert machine.due(0.0) == ()

    machine.glance([seen(HUNG, age_s=2.2)], 2.0)
    assert machine.due(2.0) == (HUNG,)


def test_the_hung_one_comes_first_and_says_since_when() -> None:
    machine = Machine()
    machine.glance([seen(IDLE), seen(HUNG)], 0.0)
    machine.looked([HUNG], verdict(abba()), 0.0, 1.0)

    assert pids(machine)[0] == HUNG
    assert rank(machine, HUNG) is Rank.ERROR
    assert rank(machine, IDLE) is Rank.UNKNOWN
    first = machine.entries()[0].verdict
    assert first is not None
    assert first.text.startswith("Deadlock")
    machine.looked([HUNG], verdict(abba()), 30.0, 31.0)
    again = machine.entries()[0].verdict
    assert again is not None
    assert (again.since, again.looked_at) == (1.0, 31.0)


def test_looks_take_a_small_part_of_the_time_and_come_less_often() -> None:
    machine = Machine()
    machine.glance([seen(HUNG)], 0.0)
    now, times = 0.0, []
    for _ in range(6):
        while not machine.due(now):
            now += 1.0
            machine.glance([seen(HUNG)], now)
        times.append(now)
        machine.looked(machine.due(now), verdict(abba()), now, now + 1.0)
        now += 1.0

    pauses = [later - sooner for sooner, later in pairwise(times)]
    assert min(pauses) >= 60.0, "a look of one second, and sixty without"
    assert pauses == sorted(pauses)
    assert pauses[-1] > 100.0


def test_who_was_never_looked_into_need_not_wait_so_long() -> None:
    machine = Machine()
    machine.glance([seen(HUNG)], 0.0)
    machine.looked([HUNG], verdict(abba()), 0.0, 1.0)
    machine.glance([seen(HUNG), seen(OTHER)], 2.0)

    assert machine.due(2.0) == ()
    assert machine.due(6.5) == (OTHER,)


def test_at_first_few_are_looked_into_and_then_all_others_at_once() -> None:
    machine = Machine()
    machine.glance([seen(pid) for pid in range(1, 51)], 0.0)
    first = machine.due(0.0)
    second = machine.due(0.0, first)
    assert (len(first), len(second)) == (8, 24)
    assert not set(first) & set(second)
    machine.looked(first, None, 0.0, 1.0, "not there")
    third = machine.due(1.0, second)
    assert len(third) == 18
    machine.looked(second, None, 0.0, 1.0, "not there")
    machine.looked(third, None, 0.0, 1.0, "not there")

    assert machine.due(2.0) == ()
    machine.glance([seen(pid) for pid in range(1, 51)], 400.0)
    later = machine.due(400.0)
    assert len(later) == 50
    assert machine.due(400.0, later[:10]) == (), "one look at a time"


def test_a_hung_one_that_runs_again_is_looked_into_again() -> None:
    machine = Machine()
    machine.glance([seen(HUNG)], 0.0)
    machine.looked([HUNG], verdict(abba()), 0.0, 0.05)
    machine.glance([seen(HUNG, processor_s=0.01)], 4.0)
    assert machine.due(4.0) == (), "a timer came round"

    machine.glance([seen(HUNG, processor_s=0.5)], 6.0)

    assert machine.due(6.0) == (HUNG,)
    assert machine.entries()[0].stirred


def test_one_that_ran_and_stands_is_looked_into_again() -> None:
    machine = Machine()
    machine.glance([seen(IDLE)], 0.0)
    machine.looked([IDLE], verdict(idle(IDLE)), 0.0, 0.1)
    machine.glance([seen(IDLE, processor_s=1.0)], 4.0)
    assert machine.due(4.0) == ()

    machine.glance([seen(IDLE, processor_s=1.0)], 12.0)

    assert machine.due(12.0) == (IDLE,)


def test_one_that_ended_is_told_for_a_while_and_its_pid_may_be_anothers() -> None:
    machine = Machine()
    machine.glance([seen(HUNG)], 0.0)
    machine.looked([HUNG], verdict(abba()), 0.0, 0.1)
    machine.glance([seen(HUNG, started=9)], 2.0)

    new, old = machine.entries()
    assert (new.sighting.started, new.verdict) == (9, None)
    assert (old.rank, old.gone_at) == (Rank.GONE, 2.0)
    machine.glance([seen(HUNG, started=9)], 3.0 + GONE_S)
    assert len(machine.entries()) == 1


def test_a_look_that_fails_says_why_and_is_not_repeated_at_once() -> None:
    machine = Machine()
    machine.glance([seen(HUNG)], 0.0)

    machine.looked([HUNG], None, 0.0, 0.1, "permission denied   sudo hangtui")

    (one,) = machine.entries()
    assert (one.rank, one.problem) == (Rank.UNKNOWN, "permission denied   sudo hangtui")
    assert machine.due(10.0) == ()
    assert machine.due(60.0) == (HUNG,)


def test_a_process_that_could_not_be_read_has_the_words_of_its_notice() -> None:
    made = replace(
        idle(IDLE), notices=(Notice("procfs", "permission denied", "sudo hangtui", OTHER),)
    )
    machine = Machine()
    machine.glance([seen(IDLE), seen(OTHER)], 0.0)

    machine.looked([IDLE, OTHER], verdict(made), 0.0, 0.1)

    problems = {one.sighting.pid: one.problem for one in machine.entries()}
    assert problems == {IDLE: "", OTHER: "permission denied   sudo hangtui"}
    assert rank(machine, OTHER) is Rank.UNKNOWN


@pytest.mark.parametrize("python", [True, False])
def test_unknown_never_becomes_well(python: bool) -> None:
    made = idle(IDLE)
    if not python:
        made = replace(made, processes=(replace(made.processes[0], python=None),))

    found = verdicts_of(verdict(made), 0.0).get(IDLE)

    assert found is None or found.rank is Rank.UNKNOWN


def test_one_that_was_looked_into_well_enough_may_be_well() -> None:
    made = load(Path(__file__).parents[2] / "snapshots" / "healthy_http.hang")

    found = verdicts_of(verdict(made), 0.0)

    assert {one.rank for one in found.values()} == {Rank.WELL}
    assert not any(one.text.startswith("Process") for one in found.values())
