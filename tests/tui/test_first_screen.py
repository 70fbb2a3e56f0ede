"""What programs that hang or crashed say before a key is pressed: the cause and how sure it
is, the application's own line, and who could end it."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import pytest
from textual.pilot import Pilot

from hangtui.model import Capture
from hangtui.tui.rows.chain import chain_lines
from hangtui.tui.session import CaptureView
from tests.tui import samples
from tests.tui.driving import (
    NARROW,
    WIDE,
    app_over,
    hangtui,
    recorded,
    screen,
    settled,
    text_of,
)

PROGRAMS: dict[str, tuple[Callable[[], Capture], str, str, str]] = {
    "two locks": (
        partial(recorded, "abba"),
        "X proven Deadlock: ",
        "abba.py:",
        "",
    ),
    "a lock that is the thread's own": (
        partial(recorded, "self_deadlock"),
        "X proven Self-deadlock: ",
        "self_deadlock.py:",
        "MainThread",
    ),
    "the GIL and a lock of C code": (
        partial(recorded, "story_a_rwlock_gil"),
        "X certain Deadlock: MainThread and launcher wait for each other",
        "rwlock_gil.py:24",
        "rwlock context_lock → launcher rwlock_gil.py:18 → GIL → MainThread",
    ),
    "a call in C that keeps the GIL": (
        partial(recorded, "gil_blocked"),
        "! certain GIL held while blocked",
        "gil_blocked.py:20",
        "has the GIL",
    ),
    "three tasks": (
        partial(recorded, "asyncio_ring"),
        "X proven Deadlock: tasks fetch, brew and grind wait for each other",
        "asyncio_ring.py:20",
        "fetch asyncio_ring.py:20 → brew asyncio_ring.py:10 → grind asyncio_ring.py:15 → fetch",
    ),
    "an executor": (
        partial(recorded, "starved_pool"),
        "! inferred Thread pool starved: all 2 workers of ThreadPoolExecutor-0",
        "hangs.py:88",
        "→? ThreadPoolExecutor-0_1",
    ),
    "an event": (
        partial(recorded, "lost_event"),
        "! proven Nobody is left to set loaded",
        "hangs.py:52",
        "server hangs.py:52 → loaded to be set → nobody seen",
    ),
    "a fork": (
        partial(recorded, "lock_across_fork"),
        "X proven Lock inherited through fork: MainThread of process 676",
        "hangs.py:125",
        "process 676 MainThread hangs.py:125 → state → has ended",
    ),
    "a full pipe": (
        partial(recorded, "full_pipe"),
        "X proven Deadlock: MainThread of process 698 and MainThread of process 732",
        "between.py:80",
        "→ process 732 MainThread between.py:75 → stdout pipe of process 732 → MainThread",
    ),
    "500 threads": (
        partial(recorded, "many_threads"),
        "X proven Deadlock: left and right wait for each other",
        "many_threads.py:16",
        "left many_threads.py:16 → second → right many_threads.py:16 → first → left",
    ),
    "SQLAlchemy's pool": (
        partial(recorded, "sqlalchemy_pool"),
        "! proven Deadlock until a timeout: order-0 and order-1 wait for a connection",
        "main.py:17",
        "order-0 main.py:17 (+1) → connection of SQLAlchemy's QueuePool → order-0 +1",
    ),
    "gunicorn": (
        partial(recorded, "gunicorn_calls_itself"),
        "! inferred Possible self-deadlock: MainThread of process 24768 waits at webapp.py:9",
        "webapp.py:9",
        "→? MainThread",
    ),
    "vLLM": (
        partial(recorded, "vllm_worker_locks"),
        "X proven Deadlock: MainThread of VLLM::Worker_TP1 (process 26229) and ledger-flush",
        "hang.py:18",
        (
            "2 requests →? VLLM::EngineCore →? VLLM::Worker_TP0 hang.py:41 "
            "→? VLLM::Worker_TP1 hang.py:18 → Ledger.outbox"
        ),
    ),
    "a rank of DDP": (
        partial(recorded, "ddp_loader"),
        "MainThread of DataLoader worker of rank 1 (process 28692) waits at train.py:29",
        "train.py:29",
        (
            "rank 0 train.py:43 →? rank 1 train.py:41 → DataLoader worker train.py:29 "
            "→ file lock /tmp/index.lock → indexer.py:8 of rank 0"
        ),
    ),
    "three locks": (
        samples.deadlock,
        "X proven Deadlock: main, worker-a and logger wait for each other",
        "cache.py:88",
        "main cache.py:88 → db_lock → worker-a db.py:31 → log_lock → logger log.py:12",
    ),
    "a crash": (
        partial(recorded, "crash_member"),
        "SIGSEGV",
        "crashes.py:",
        "",
    ),
}
BOX = str.maketrans("", "", "┃│━─╭╮╰╯┏┓┗┛▌")


def squeezed(text: str) -> str:
    """Without frames and line ends, so that what was broken to fit is found."""
    return " ".join(text.translate(BOX).split())


def above_the_stacks(pilot: Pilot[int]) -> str:
    """What the first screen says, but for the stacks below."""
    if hangtui(pilot).session.views[0].capture.crash:
        return squeezed(screen(pilot))
    return squeezed(f"{text_of(pilot, '#verdict')}\n{text_of(pilot, '#threads')}")


@pytest.mark.one_in(2)
@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["120x40", "80x24"])
@pytest.mark.parametrize("program", PROGRAMS)
async def test_cause_line_and_who_are_there_before_a_key_is_pressed(
    program: str, size: tuple[int, int]
) -> None:
    capture, cause, line, who = PROGRAMS[program]
    async with app_over(capture()).run_test(size=size) as pilot:
        await settled(pilot)
        said = above_the_stacks(pilot)

    assert cause in said
    assert line in said
    assert who in said


@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["120x40", "80x24"])
async def test_tasks_of_a_ring_are_rows_that_can_be_chosen(size: tuple[int, int]) -> None:
    async with app_over(recorded("asyncio_ring")).run_test(size=size) as pilot:
        await settled(pilot)
        rows = text_of(pilot, "#threads")
        assert [f"└ {name}" in rows for name in ("brew", "fetch", "grind")] == [True] * 3
        assert "its 4 tasks" in rows
        assert "wake-up" not in rows
        assert "task brew" in text_of(pilot, "#preview")
        assert "asyncio_ring.py:10" in text_of(pilot, "#preview")

        await pilot.press("j", "enter")
        await pilot.pause()
        assert "task fetch" in text_of(pilot, "#subject")
        assert "asyncio_ring.py:20" in text_of(pilot, "#stack")
        await pilot.press("w")
        await pilot.pause()
        assert "WAITS FOR" in text_of(pilot, "#evidence")


@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["120x40", "80x24"])
async def test_hundreds_that_wait_alike_are_one_row(size: tuple[int, int]) -> None:
    async with app_over(recorded("many_threads")).run_test(size=size) as pilot:
        await settled(pilot)
        rows = [squeezed(row) for row in text_of(pilot, "#threads").splitlines()]

    assert any("500 in 4 rows" in row for row in rows)
    (folded,) = [row for row in rows if "497 ×" in row]
    assert "many_threads.py:23" in folded
    assert "first left" in folded


async def test_a_healthy_program_is_marked_nowhere() -> None:
    async with app_over(recorded("healthy_http")).run_test(size=NARROW) as pilot:
        await settled(pilot)
        rows = text_of(pilot, "#threads").splitlines()[2:]

    assert not any(row[1:2] in ("X", "!") for row in rows)
    assert "deadlock" not in "\n".join(rows)


def test_a_stopped_worker_is_led_to_by_its_main_thread() -> None:
    """Not by that of its threads which happens to wait for something."""
    made = recorded("vllm_worker_locks")
    worker = next(one for one in made.processes if one.role == "VLLM::Worker_TP1")
    threads = tuple(replace(one, state="T") for one in worker.threads)
    stopped = replace(worker, state="T", threads=threads)
    view = CaptureView.of(
        replace(
            made,
            processes=tuple(stopped if one is worker else one for one in made.processes),
            waits=tuple(one for one in made.waits if one.waiter != threads[0].id),
        )
    )
    finding = next(one for one in view.findings if one.id == "held-from-outside")
    (line,) = chain_lines(view, finding, 160, 1)
    assert "→? VLLM::Worker_TP1 hang.py:18 (+" in line.plain
    assert line.plain.endswith("→ stopped")
