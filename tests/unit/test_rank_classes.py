"""Ranks that are in the same places are one class; whoever is elsewhere is one of its own."""

from dataclasses import replace

from hangtui.diagnosis import diagnose
from hangtui.model import Capture, JobPlace, Process, Surroundings, Thread
from hangtui.rank_classes import rank_classes
from hangtui.report.markdown import to_markdown
from tests.unit.factories import capture, python_frame, thread

SIZE = 6


def rank(number: int, line: int, *, more: int = 0, state: str = "S") -> Process:
    """A rank at a line of the program, with *more* threads of a pool that are all at one line."""
    pid = 100 + number
    threads = [thread("MainThread", pid, pid, python=[python_frame("train", line)])]
    pool = [python_frame("work", 9, "/app/pool.py")]
    threads += [thread(f"pool-{n}", pid + 1000 * (n + 1), pid, python=pool) for n in range(more)]
    (process,) = capture(*threads).processes
    around = Surroundings(job=JobPlace(number, number, SIZE))
    return replace(process, around=around, ppid=90, state=state)


def whole(*processes: Process) -> Capture:
    return Capture("2030-01-02T03:04:05+00:00", "node", processes=processes)


def names(*processes: Process) -> list[str]:
    return [one.name for one in rank_classes(diagnose(whole(*processes)))]


def test_the_rank_that_is_elsewhere_comes_first() -> None:
    ranks = [rank(n, 41 if n == 3 else 43) for n in range(SIZE)]
    assert names(*ranks) == ["rank 3", "ranks 0-2, 4-5"]


def test_how_many_threads_of_a_pool_there_are_tells_nobody_apart() -> None:
    ranks = [rank(n, 43, more=1 + n % 3) for n in range(SIZE)]
    assert names(*ranks) == ["ranks 0-5"]


def test_a_thread_that_only_some_have_tells_them_apart() -> None:
    ranks = [rank(n, 43, more=n // 4) for n in range(SIZE)]
    assert names(*ranks) == ["ranks 4-5", "ranks 0-3"]


def test_ranks_of_which_no_stack_was_read_are_no_equals_of_others() -> None:
    dark: list[Thread] = [thread("?", 101, 101)]
    (process,) = capture(*dark).processes
    lost = replace(process, around=Surroundings(job=JobPlace(1, 1, 3)), ppid=90)
    assert names(rank(0, 43), lost, rank(2, 43)) == ["rank 1", "ranks 0, 2"]


def test_ranks_of_two_jobs_are_not_counted_together() -> None:
    first = [rank(n, 43) for n in range(SIZE)]
    second = [replace(one, pid=one.pid + 500, ppid=91) for one in first]
    assert names(*first, *second) == ["ranks 0-5", "ranks 0-5"]


def test_processes_without_a_rank_are_in_no_class() -> None:
    (launcher,) = capture(thread("MainThread", python=[python_frame("run")])).processes
    assert names(launcher) == []


def test_markdown_tells_those_that_do_the_same_once() -> None:
    ranks = [rank(n, 41 if n == 3 else 43) for n in range(SIZE)]
    text = to_markdown(diagnose(replace(whole(*ranks), host="node")))

    assert text.count("\n- ") == len(["rank 3", "ranks 0-2, 4-5", "when it was taken"]), (
        "no line for each rank"
    )
    assert "\n- ranks 0-2, 4-5: all in the same places as process 100, main.py: " in text
    assert text.count("main.py:43 train") == 1
    assert text.count("main.py:41 train") == 1
    assert "MainThread of ranks 0-2, 4-5, TID 100" in text
