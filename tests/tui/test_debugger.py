import asyncio
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from textual.pilot import Pilot

from hangtui.backends.capture.collector import collect
from hangtui.backends.debugger.factories import LiveDebuggers
from hangtui.debugger import FrameRef, LiveState, LockKind
from hangtui.model import Capture, TargetError
from hangtui.provider import CaptureRequest
from hangtui.tui.app import HangtuiApp
from tests.integration.targets import interpreters, running
from tests.tui import samples
from tests.tui.debugging import LOCK, RDI, FakeDebugger, FakeDebuggers
from tests.tui.driving import (
    NARROW,
    WIDE,
    FakeProvider,
    hangtui,
    recorded,
    screen,
    settled,
    text_of,
    until,
)


@asynccontextmanager
async def thread_screen(
    debugger: FakeDebugger | None,
    *keys: str,
    capture: Capture | None = None,
    size: tuple[int, int] = NARROW,
    live: bool = True,
) -> AsyncIterator[Pilot[int]]:
    """The Thread screen over a capture, with *keys* pressed."""
    factory = None if debugger is None else FakeDebuggers(debugger, live=live)
    provider = FakeProvider([capture or samples.deadlock()])
    app = HangtuiApp(provider, CaptureRequest((1,)), debuggers=factory)
    async with app.run_test(size=size, notifications=True) as pilot:
        await settled(pilot)
        await press(pilot, "2", *keys)
        yield pilot


async def press(pilot: Pilot[int], *keys: str) -> None:
    """Press keys one after the other, and let what they begin come to its end."""
    for key in keys:
        await pilot.press(key)
        await pilot.pause()
        await pilot.app.workers.wait_for_complete()
        await pilot.pause()


@pytest.mark.parametrize("size", [WIDE, NARROW])
async def test_source_shows_the_line_and_who_waits_there(size: tuple[int, int]) -> None:
    async with thread_screen(FakeDebugger(), "v", size=size) as pilot:
        lines = text_of(pilot, "#code").splitlines()

        current = next(line for line in lines if " 88 ▶" in line)
        assert "◀ waits here" in current
        assert "Source cache.py" in lines[0]
        if size == WIDE:
            assert "the file is NEWER" in lines[-1]


async def test_source_of_a_row_without_python_is_the_native_one() -> None:
    debugger = FakeDebugger()
    async with thread_screen(debugger, "v", "g") as pilot:
        assert ("native_source", FrameRef(samples.PID, 0, 0x7F1200001000)) in debugger.asked
        assert "22 ▶ c line 22" in text_of(pilot, "#code")


async def test_drawers_follow_the_frame_under_the_cursor() -> None:
    debugger = FakeDebugger()
    async with thread_screen(debugger, "v", "j") as pilot:
        assert debugger.asked[-1] == ("python_source", "Cache.close")
        await press(pilot, "x", "K")
        assert hangtui(pilot).focused is pilot.app.query_one("#data")
        assert debugger.asked[-1][0] in ("registers", "python_source")
        assert ("python_source", "Cache.flush") in debugger.asked[-2:]


async def test_the_lock_at_a_register_leads_to_the_thread_that_has_it() -> None:
    debugger = FakeDebugger()
    async with thread_screen(debugger, "x", size=WIDE) as pilot:
        registers = text_of(pilot, "#data")
        assert "▌rdi      0x7f1c33ac" in registers, "the register with a known lock is chosen"
        assert "of #0, not saved" in registers
        assert "stack of worker-a 41880" in registers

        await press(pilot, "p")
        assert debugger.asked[-1] == ("lock", samples.PID, hex(RDI), None)
        assert "held to write by worker-a (TID 41880)" in text_of(pilot, "#data")

        await press(pilot, "enter")
        assert "worker-a 41880" in text_of(pilot, "#subject")


async def test_p_without_a_register_asks_for_the_awaited_lock() -> None:
    debugger = FakeDebugger()
    async with thread_screen(debugger, "p"):
        assert debugger.asked == [("lock", samples.PID, "", None)]


async def test_a_lock_can_be_printed_as_a_kind_at_an_address() -> None:
    debugger = FakeDebugger()
    async with thread_screen(debugger) as pilot:
        hangtui(pilot).action_press_key("thread.lock-mutex")
        await until(pilot, lambda: hangtui(pilot).query_one("#ask").has_focus)
        await press(pilot, *["backspace"] * 4, *"0x10", "enter")

        assert debugger.asked == [("lock", samples.PID, "0x10", LockKind.MUTEX)]
        assert "mutex db_lock" in text_of(pilot, "#data")


async def test_memory_at_a_variable_and_at_an_address() -> None:
    debugger = FakeDebugger()
    async with thread_screen(debugger, "l", "tab", "j", "enter") as pilot:
        assert debugger.asked[-1] == ("memory", hex(LOCK), 256, samples.PID)
        dump = text_of(pilot, "#data")
        assert "0x7f1c33a0 00 01 02 03 04 05 06 07 ........ 0x706050403020100" in dump
        assert "20 21 22 23 24 25 26 27  !\"#$%&' 0x2726252423222120" in dump
        await press(pilot, "j", "enter")
        assert debugger.asked[-1] == ("memory", "0xf0e0d0c0b0a0908", 256, samples.PID)
        await press(pilot, "b", *"$rsp", "enter")
        assert debugger.asked[-1] == ("memory", "$rsp", 256, samples.PID)


async def test_locals_are_short_until_they_are_asked_for_in_full() -> None:
    debugger = FakeDebugger()
    async with thread_screen(debugger, "l") as pilot:
        short = text_of(pilot, "#data")
        await press(pilot, "L")
        full = text_of(pilot, "#data")

    assert "Python locals of Cache.flush" in short
    assert "arguments and locals of #3" in short
    assert "  .db_lock" in short
    assert "'long '" in short
    assert "'long long" in full


async def test_two_drawers_where_it_is_wide_and_the_newest_where_it_is_narrow() -> None:
    async with thread_screen(FakeDebugger(), "v", "x", size=WIDE) as pilot:
        assert "Source cache.py" in screen(pilot)
        assert "Registers" in screen(pilot)
        await pilot.resize_terminal(*NARROW)
        await pilot.pause()
        assert "Source cache.py" not in screen(pilot)
        await press(pilot, "escape")
        assert "Source cache.py" in screen(pilot)
        await press(pilot, "escape")
        assert "Wait and holds" in screen(pilot)


async def test_a_failure_costs_its_answer_alone() -> None:
    debugger = FakeDebugger(TargetError("gdb is not installed", "apt-get install gdb"))
    async with thread_screen(debugger, "x") as pilot:
        assert "gdb is not installed · apt-get install gdb" in text_of(pilot, "#data")
        debugger.failure = None
        await press(pilot, "escape", "x")
        assert "rdi" in text_of(pilot, "#data")


async def test_a_question_can_be_given_up() -> None:
    debugger = FakeDebugger()
    debugger.slow = asyncio.Event()
    async with thread_screen(debugger) as pilot:
        await pilot.press("x")
        await until(pilot, lambda: "asking …" in screen(pilot) and debugger.asked)
        await pilot.press("escape")
        await until(pilot, lambda: debugger.cancelled)

        assert "Registers" not in screen(pilot)


async def test_console_history_and_completion() -> None:
    debugger = FakeDebugger()
    async with thread_screen(debugger, "P", *"bt", "enter") as pilot:
        assert debugger.asked[-1] == ("console", samples.PID, "bt")
        assert "answer to bt" in text_of(pilot, "#console-output")
        assert "copy of 12:04:51, stopped 1.4 ms for it" in screen(pilot)

        await press(pilot, *"info", "tab")
        assert text_of(pilot, "#command").strip() == "info thr"
        await press(pilot, "tab")
        assert "info threads  info thrush" in text_of(pilot, "#console-output")

        await press(pilot, *["backspace"] * 8, "up", "enter", "enter")
        assert [q for q in debugger.asked if q[0] == "console"] == [
            ("console", samples.PID, "bt")
        ] * 3
        await press(pilot, "escape")
        assert hangtui(pilot).focused is pilot.app.query_one("#stack")


async def test_a_thread_that_ran_gets_its_stack_from_gdb() -> None:
    debugger = FakeDebugger()
    capture = samples.deadlock()
    main = replace(capture.processes[0].threads[0], native_stack=None)
    process = replace(capture.processes[0], threads=(main, *capture.processes[0].threads[1:]))
    async with thread_screen(debugger, capture=replace(capture, processes=(process,))) as pilot:
        assert "NATIVE · not read" in text_of(pilot, "#stack")
        await press(pilot, "x")
        assert "spin" in text_of(pilot, "#stack")


async def test_stopping_asks_and_shows_a_clock_until_the_process_runs() -> None:
    debugger = FakeDebugger()
    async with thread_screen(debugger, "A") as pilot:
        assert f"Stop process {samples.PID}?" in screen(pilot)
        assert "in this capture" in " ".join(screen(pilot).split())
        await press(pilot, "n")
        assert debugger.asked == []

        await press(pilot, "A", "y")
        assert "STOPPED 0 s, 30 s left" in text_of(pilot, "#header")
        debugger.become(LiveState(12.0, 18.0))
        await pilot.pause()
        assert "STOPPED 12 s, 18 s left" in text_of(pilot, "#header")
        await press(pilot, "T")
        assert debugger.asked[-1] == ("extend", 30.0)

        await press(pilot, "q")
        assert "Quit and let the target run?" in screen(pilot)
        await press(pilot, "n", "R")
        assert "stopped 4.0 s · RESUMED" in text_of(pilot, "#header")
        assert "it runs again" in screen(pilot)


async def test_a_signal_and_a_core_file_stop_the_process_after_a_question() -> None:
    debugger = FakeDebugger()
    async with thread_screen(debugger) as pilot:
        hangtui(pilot).action_press_key("thread.catch")
        await until(pilot, lambda: hangtui(pilot).query_one("#ask").has_focus)
        await press(pilot, *"USR1", "enter")
        assert "until it gets USR1" in screen(pilot)
        await press(pilot, "y")
        assert debugger.asked == [("stop",), ("catch", "USR1")]
        assert "waits for USR1" in text_of(pilot, "#header")

        await press(pilot, "R")
        debugger.asked.clear()
        hangtui(pilot).action_press_key("thread.core")
        await until(pilot, lambda: hangtui(pilot).query_one("#ask").has_focus)
        await press(pilot, "enter", "y")
        assert debugger.asked == [
            ("stop",),
            ("write_core", str(Path.cwd() / f"core.{samples.PID}")),
            ("go",),
        ]


async def test_what_cannot_be_asked_says_why() -> None:
    async with thread_screen(None, "x") as pilot:
        assert "There is no process and no core" in screen(pilot)
    async with thread_screen(FakeDebugger(), "A", live=False) as pilot:
        assert "There is no process to stop." in screen(pilot)
    async with thread_screen(FakeDebugger(), "R") as pilot:
        assert "The process is not stopped" in screen(pilot)


async def test_search_in_the_stacks_of_all_threads() -> None:
    async with thread_screen(FakeDebugger(), "F", *"commit", "enter") as pilot:
        assert "worker-a 41880" in text_of(pilot, "#subject")
        rows = text_of(pilot, "#stack").splitlines()
        assert any("▌" in row and "Session.commit" in row for row in rows)
        await press(pilot, "F", *["backspace"] * 6, *"nowhere", "enter")
        assert "No stack has nowhere." in screen(pilot)


async def test_debuggers_are_closed_by_a_new_capture_and_at_the_end() -> None:
    debugger = FakeDebugger()
    async with thread_screen(debugger, "x") as pilot:
        await press(pilot, "r")
        await until(pilot, lambda: debugger.closed)
        assert "has ended" not in screen(pilot)
        debugger.closed = False
        await press(pilot, "escape", "x")
        assert not debugger.closed
    assert debugger.closed


@pytest.mark.one_in(3)
@pytest.mark.parametrize("hostile", samples.HOSTILE)
async def test_hostile_text_in_answers(hostile: str) -> None:
    keys = ("v", "x", "d", "l", "p", "b", *"1", "enter", "escape", "P", *"bt", "enter")
    async with thread_screen(FakeDebugger(text=hostile), *keys, size=WIDE) as pilot:
        shown = screen(pilot)

        assert "answer to bt" in shown
        assert "\x1b" not in shown
        assert "\u202e" not in shown


@pytest.mark.skipif(not (shutil.which("gdb") and shutil.which("gcc")), reason="no gdb or no gcc")
async def test_story_a_by_keys_alone() -> None:
    python = interpreters(("3.11",)) or interpreters()
    with running("rwlock_gil", python[0].path) as target:
        *_, capture = collect(CaptureRequest(pids=(target.pid,)))
        provider = FakeProvider([capture])
        app = HangtuiApp(provider, CaptureRequest((target.pid,)), debuggers=LiveDebuggers())
        async with app.run_test(size=WIDE) as pilot:
            await settled(pilot)
            await press(pilot, "2", "v", "g", "x")
            assert "MainThread" in text_of(pilot, "#subject")
            assert "context_lock + 12" in text_of(pilot, "#data")
            await press(pilot, "p")
            lock = text_of(pilot, "#data")
            assert "held to write by launcher" in lock
            assert "__cur_writer" in lock
            await press(pilot, "enter", "P", *"info", "space", *"threads", "enter")
            assert "launcher" in text_of(pilot, "#subject")
            assert "LWP" in text_of(pilot, "#console-output")
            await press(pilot, "escape", "escape")
            source = text_of(pilot, "#code")

        line = target.line("driver.occupancy(CALLBACK")
        assert f"{line} ▶" in source
        assert "waits here" in source


def test_recorded_captures_have_no_debugger() -> None:
    assert HangtuiApp(FakeProvider([recorded("abba")]), CaptureRequest()).desk.refusal(1)


@pytest.mark.parametrize("size", [WIDE, NARROW])
async def test_keys_that_stop_the_process_say_so_and_for_how_long(size: tuple[int, int]) -> None:
    async with thread_screen(FakeDebugger(), size=size) as pilot:
        footer = text_of(pilot, "#footer")
        assert "x* regs" in footer
        assert "v source" in footer
        assert "* stops it for ms" in footer
        await pilot.press("question_mark")
        await pilot.pause()
        keys = text_of(pilot, "#dialog").splitlines()
        firsts = [next(iter(line.strip("┃│ ").split()), "") for line in keys]
        assert "* stops the process for some ms, once" in keys[firsts.index("d") + 1]
        assert "stops" not in keys[firsts.index("v") + 1]


async def test_no_key_stops_a_file() -> None:
    provider = FakeProvider([samples.deadlock()], live=False)
    async with HangtuiApp(provider, CaptureRequest((1,))).run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("2")
        await pilot.pause()
        assert "stops" not in text_of(pilot, "#footer")
