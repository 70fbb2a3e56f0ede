from dataclasses import replace

import pytest

from hangtui.model import (
    Certainty,
    Hold,
    NodeKind,
    Resource,
    Task,
    TaskState,
    Wait,
    resource_id,
)
from hangtui.older_capture import named
from hangtui.tui.keys import ViewName
from tests.tui import samples
from tests.tui.driving import NARROW, WIDE, app_over, hangtui, recorded, settled, text_of


def graph_rows(text: str) -> list[str]:
    return [row.strip("┃│").rstrip() for row in text.splitlines()[1:]]


@pytest.mark.parametrize("size", [WIDE, NARROW])
async def test_cycle_is_a_lane_with_what_waits_behind_it(size: tuple[int, int]) -> None:
    async with app_over(samples.deadlock()).run_test(size=size) as pilot:
        await settled(pilot)
        await pilot.press("3")
        await pilot.pause()
        text = text_of(pilot, "#graph")

    assert "RING 1 ━ X proven  Deadlock: 3 threads wait for each other" in text
    first = next(row for row in text.splitlines() if "┏▶" in row)
    assert "X main" in first
    assert "41873 waits ▼" in first
    assert "cache.py:88" in first
    assert "■ db_lock" in text
    assert "held by ▼" in text
    assert "└◀╴L pool-0" in text or "└◀╴■ mutex" in text


async def test_last_resource_leads_back_to_the_first_thread() -> None:
    async with app_over(samples.deadlock()).run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("3")
        await pilot.pause()

        row = next(r for r in text_of(pilot, "#graph").splitlines() if "■ Cache.lock" in r)
        assert "held by ▲ main" in row


async def test_inferred_edge_is_dashed_and_the_deadlock_only_possible() -> None:
    capture = samples.deadlock()
    guess = replace(capture.holds[0].evidence, certainty=Certainty.INFERRED)
    holds = (replace(capture.holds[0], evidence=guess), *capture.holds[1:])
    async with app_over(replace(capture, holds=holds)).run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("3")
        await pilot.pause()
        text = text_of(pilot, "#graph")

    assert "! inferred  Possible deadlock" in text
    row = next(row for row in text.splitlines() if "■ db_lock" in row)
    assert "┇" in row
    assert "held by ▼ (inferred)" in row


async def test_evidence_of_the_node_under_the_cursor() -> None:
    async with app_over(samples.deadlock()).run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("3")
        await pilot.pause()
        evidence = text_of(pilot, "#evidence")
        assert "WAITS FOR" in evidence
        assert "certain · cpython: the lock is the argument" in evidence
        assert "proven · cpython: the frame is inside a with" in evidence

        await pilot.press("j")
        await pilot.pause()
        assert "lock at 0x7f1c33a0 in process 41873" in text_of(pilot, "#evidence")

        await pilot.press("v")
        await pilot.pause()
        assert not pilot.app.query_one("#evidence").display


async def test_enter_opens_the_thread_and_escape_comes_back() -> None:
    async with app_over(samples.deadlock()).run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("3", "j", "j", "enter")
        await pilot.pause()

        assert hangtui(pilot).view.NAME is ViewName.THREAD
        assert "worker-a" in text_of(pilot, "#subject")
        await pilot.press("escape")
        await pilot.pause()
        assert hangtui(pilot).view.NAME is ViewName.WAITS


async def test_w_shows_the_selected_thread_among_the_waits() -> None:
    async with app_over(samples.deadlock()).run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("j", "j", "w")
        await pilot.pause()

        assert any("▌" in row and "logger" in row for row in text_of(pilot, "#graph").splitlines())


async def test_equal_waiters_are_one_row() -> None:
    async with app_over(samples.many_threads(2000)).run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("3")
        await pilot.pause()
        text = text_of(pilot, "#graph")

    assert "286 × pool-1 …" in text
    assert "held by pool-0" in text
    assert "CYCLE" not in text


@pytest.mark.parametrize("name", ["story_a_rwlock_gil", "abba", "self_deadlock"])
async def test_recorded_cycles(name: str) -> None:
    async with app_over(recorded(name)).run_test(size=NARROW) as pilot:
        await settled(pilot)
        await pilot.press("3")
        await pilot.pause()
        rows = graph_rows(text_of(pilot, "#graph"))

    assert "Deadlock" in rows[0]
    assert "┏▶ X" in rows[1]
    assert any("┗━━┛" in row for row in rows)


async def test_no_cycle_in_a_healthy_process() -> None:
    async with app_over(recorded("healthy_pool")).run_test(size=NARROW) as pilot:
        await settled(pilot)
        await pilot.press("3", "c")
        await pilot.pause()

        assert "CYCLE" not in text_of(pilot, "#graph")
        assert "no ring" in text_of(pilot, "#tabs")


async def test_tasks_of_asyncio_are_listed_like_threads() -> None:
    lock = resource_id(NodeKind.LOCK, samples.PID, 0x5000)
    tasks = tuple(
        Task(samples.PID, n, f"Task-{n}", "serve", TaskState.WAITING, loop=1) for n in (1, 2)
    )
    reading = samples.evidence(Certainty.CERTAIN, "it is in the lock's _waiters", "/srv/app/a.py:3")
    capture = replace(
        samples.two_processes(),
        tasks=tasks,
        resources=(
            named(Resource(lock, NodeKind.LOCK, "gate (asyncio.Lock)", samples.PID, 0x5000)),
        ),
        waits=(Wait(tasks[0].id, lock, reading),),
        holds=(Hold(lock, tasks[1].id, reading),),
    )
    async with app_over(capture).run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("3", "g", "j", "j")
        await pilot.pause()

        text = text_of(pilot, "#graph")
        assert "└◀╴■ gate" in text
        assert "a.py:3" in text
        assert "task serve (Task-1)" in text_of(pilot, "#evidence")
        assert "it is in the lock's" in text_of(pilot, "#evidence")


async def test_many_alike_tasks_and_idle_threads_are_one_line_each() -> None:
    capture = samples.many_threads(40)
    lock = capture.resources[0].id
    holder = capture.waits[0].waiter
    tasks = tuple(
        Task(
            samples.PID,
            0x9000 + number,
            f"Task-{number}",
            "handle",
            TaskState.WAITING,
            1,
            samples.PID,
            (samples.python("handle", "serve.py:7", entry=False),),
        )
        for number in range(30)
    )
    waits = tuple(Wait(task.id, lock, capture.waits[0].evidence) for task in tasks)
    process = capture.processes[0]
    frames = (samples.python("work", "pool.py:1", entry=True),)
    threads = tuple(replace(thread, python_stack=frames) for thread in process.threads)
    capture = replace(
        capture,
        processes=(replace(process, threads=threads),),
        tasks=tasks,
        waits=waits,
        holds=(replace(capture.holds[0], holder=holder),),
    )
    async with app_over(capture).run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("3")
        await pilot.pause()
        text = text_of(pilot, "#graph")

    assert "30 × handle …" in text
    assert "tasks" in text
    assert "NOT KNOWN TO WAIT FOR ANYBODY: 39" in text
    assert "39 × pool-" in text
