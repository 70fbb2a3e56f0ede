"""Captures one after the other: who has not run for how long, who ran in place, who moved."""

from dataclasses import replace

import pytest

from hangtui.analysis.strips import LONGEST, Sight
from hangtui.analysis.thread_history import Course, follow
from hangtui.model import GilState, Thread
from tests.unit.factories import capture, python_frame, thread

MS = 1_000_000


def at(second: int, *threads: Thread, before: Course | None = None) -> Course:
    """The course up to a capture of that second."""
    taken_at = f"2030-01-02T03:{4 + second // 60:02}:{second % 60:02}+00:00"
    return follow(replace(capture(*threads), taken_at=taken_at), before)


def waiter(line: int = 1, runs: int | None = 3) -> Thread:
    cpu_ns = None if runs is None else runs * MS
    return replace(thread("a", python=[python_frame("f", line)]), cpu_ns=cpu_ns, runs=runs)


def test_one_capture_tells_nothing() -> None:
    course = at(0, waiter())
    assert not any((course.stays, course.moved, course.started, course.progress))


def test_a_thread_that_never_ran_rests_since_the_first_capture() -> None:
    course = at(12, waiter(), before=at(4, waiter(), before=at(0, waiter())))
    (stay,) = course.stays.values()

    assert (stay.rest_s, stay.rests, stay.seconds, stay.captures) == (12.0, 3, 12.0, 3)


def test_one_that_ran_and_came_back_does_not_rest() -> None:
    rested = at(4, waiter(), before=at(0, waiter()))
    (stay,) = at(6, waiter(runs=4), before=rested).stays.values()
    assert (stay.rest_s, stay.seconds, stay.captures) == (0.0, 6.0, 3)

    (later,) = at(9, waiter(runs=4), before=at(6, waiter(runs=4), before=rested)).stays.values()
    assert (later.rest_s, later.rests, later.seconds) == (3.0, 2, 9.0)


def test_without_counters_the_same_stack_is_no_rest() -> None:
    (stay,) = at(5, waiter(runs=None), before=at(0, waiter(runs=None))).stays.values()
    assert (stay.rest_s, stay.seconds) == (0.0, 5.0)


def test_who_moved_and_who_is_new() -> None:
    new = replace(thread("b"), tid=777)
    course = at(2, waiter(line=9, runs=8), new, before=at(0, waiter()))

    assert course.stays == {}
    assert course.moved == {waiter().id}
    assert course.started == {new.id}


def test_progress_is_that_of_the_last_seconds_only() -> None:
    course = None
    for second in (0, 60, 62, 64):
        course = at(second, waiter(line=second, runs=second), before=course)
    assert course is not None
    (found,) = course.progress
    assert (found.looks, found.lasted_s) == (3, 4.0)

    assert at(120, waiter(), before=course).progress == ()


@pytest.mark.parametrize("count", [3, 600])
def test_of_very_many_threads_those_that_ran_are_compared(count: int) -> None:
    many = [replace(thread(f"t{n}"), tid=1000 + n, runs=5, cpu_ns=MS) for n in range(count)]
    ran = [replace(many[0], runs=9, cpu_ns=9 * MS), *many[1:]]
    course = at(2, *ran, before=at(0, *many))

    assert many[0].id in {one.thread for one in course.progress}
    assert len(course.progress) == (count if count < 500 else 1)
    assert sum(stay.rest_s == 2.0 for stay in course.stays.values()) == count - 1


def test_a_time_that_cannot_be_read_and_one_that_goes_back_claim_no_rest() -> None:
    first = at(30, waiter())
    damaged = replace(capture(waiter()), taken_at="yesterday")
    assert follow(damaged, first).stays == {}
    assert at(40, waiter(), before=follow(damaged, first)).stays == {}

    (stay,) = at(10, waiter(), before=first).stays.values()
    assert (stay.rest_s, stay.seconds) == (0.0, 0.0)


def strip(course: Course) -> str:
    """That of the only thread, a letter for each capture."""
    (found,) = course.strips.values()
    return "".join(one.value[0] for one in found)


def test_the_strip_says_over_which_captures_it_ran_and_agrees_with_how_long_it_rests() -> None:
    course = None
    for second, runs in enumerate([1, 2, 2, 3, 3, 3]):
        course = at(second, waiter(runs=runs), before=course)
    assert course is not None
    (stay,) = course.stays.values()

    assert strip(course) == "rsrss"
    assert (stay.rest_s, stay.rests) == (2.0, 3)


def test_what_nobody_counted_is_neither_rest_nor_progress() -> None:
    new = at(2, waiter(), before=at(1, before=at(0, waiter())))

    assert strip(at(1, waiter(runs=None), before=at(0, waiter()))) == "u"
    assert strip(new) == "u"


def test_who_wakes_up_to_ask_for_the_gil_again_did_not_run() -> None:
    first, asks = (replace(waiter(runs=n), gil=GilState.WAITS) for n in (1, 9))
    elsewhere = replace(asks, python_stack=waiter(line=5).python_stack)

    assert strip(at(1, asks, before=at(0, first))) == "s"
    assert strip(at(1, elsewhere, before=at(0, first))) == "u"


def test_a_strip_is_of_the_last_captures_only() -> None:
    course = None
    for second in range(3 * LONGEST):
        course = at(second, waiter(runs=min(LONGEST, second)), before=course)
    assert course is not None

    assert course.strips[waiter().id] == (Sight.STOOD,) * LONGEST
