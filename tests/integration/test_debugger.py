"""The debugger against real processes: story A by hand, values, and the stopped process."""

import asyncio
import os
import shutil
import signal
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from hangtui.backends.arch import of_kernel
from hangtui.backends.capture.collector import collect
from hangtui.backends.debugger.client import RemoteDebugger
from hangtui.backends.debugger.factories import CoreDebuggers, LiveDebuggers
from hangtui.debugger import FrameRef, LockKind, LockReading, Region, Variable
from hangtui.model import Capture, TargetError, Thread
from hangtui.powers import USUAL, Console, Powers
from hangtui.provider import CaptureRequest
from tests.integration.targets import Interpreter, interpreters, running
from tests.procfs import state_of, tracer_of
from tests.waiting import until_async

pytestmark = pytest.mark.skipif(shutil.which("gdb") is None, reason="no gdb")
_SOME = [
    found for found in interpreters(("3.8", "3.11", "3.13", "3.14")) if found.origin != "built"
] or interpreters()[:1]
_DEADLINE_S = 60
_ANYTHING = Powers(Console.ANYTHING)
_NAMES = of_kernel().registers
COUNTER, STACK, FIRST = _NAMES.program_counter, _NAMES.stack_pointer, _NAMES.parameters[0]


def captured(pid: int) -> Capture:
    *_, capture = collect(CaptureRequest(pids=(pid,)))
    return capture


def thread_named(capture: Capture, name: str) -> Thread:
    return next(thread for thread in capture.threads() if thread.name == name)


@asynccontextmanager
async def debugging(capture: Capture, powers: Powers = USUAL) -> AsyncIterator[RemoteDebugger]:
    process = capture.processes[0]
    names = {thread.tid: thread.name for thread in process.threads}
    debugger = await LiveDebuggers(powers).open(process.pid, names)
    try:
        yield debugger
    finally:
        await debugger.close()


def field(lock: LockReading, name: str) -> str:
    return next(field.value for field in lock.fields if field.name == name)


@pytest.mark.usefixtures("compiler")
@pytest.mark.parametrize("python", _SOME, ids=lambda found: found.id)
async def test_story_a_by_hand(python: Interpreter) -> None:
    with running("rwlock_gil", python.path) as target:
        capture = captured(target.pid)
        main, launcher = thread_named(capture, "MainThread"), thread_named(capture, "launcher")
        assert main.native_stack
        assert main.python_stack
        at = FrameRef(main.tid, 0, main.native_stack[0].address)
        async with debugging(capture) as debugger:
            stack = await debugger.stack(main.tid)
            registers = {item.name: item for item in (await debugger.registers(at)).registers}
            lock = await debugger.lock(at, f"${FIRST}", LockKind.RWLOCK)
            awaited = await debugger.lock(at, "", None)
            other = await debugger.stack(launcher.tid)
            source = await debugger.python_source(main.python_stack[0])
            assert debugger.live.stopped_s is None

        names = [frame.function or "" for frame in stack.frames]
        assert any("pthread_rwlock_wrlock" in name for name in names)
        assert "copy_memory" in names
        assert stack.frames[-1].function == "_start"
        first = registers[FIRST]
        assert first.pointee
        assert first.pointee.region is Region.DATA
        assert first.pointee.text.startswith("context_lock + ")
        there = registers[STACK].pointee
        assert there
        assert there.tid == main.tid
        assert (lock.kind, lock.owner, lock.owner_name) == (
            LockKind.RWLOCK,
            launcher.tid,
            "launcher",
        )
        assert field(lock, "__cur_writer") == str(launcher.ns_tid or launcher.tid)
        assert lock.sentence.startswith(f"held to write by launcher (TID {launcher.tid})")
        assert lock.name == "context_lock in libfakedriver.so"
        assert awaited.address == lock.address
        assert "occupancy" in [frame.function for frame in other.frames]
        assert source.current == target.line("raw.copy_memory(")
        assert "raw.copy_memory" in source.lines[source.current - source.first]


@pytest.mark.parametrize("python", _SOME, ids=lambda found: found.id)
async def test_python_locals(python: Interpreter) -> None:
    with running("debugged", python.path) as target:
        capture = captured(target.pid)
        main = thread_named(capture, "MainThread")
        assert main.python_stack
        frame = main.python_stack[0]
        assert frame.function == "work"
        async with debugging(capture) as debugger:
            short = await debugger.python_variables(main.tid, 0, frame, False)
            full = await debugger.python_variables(main.tid, 0, frame, True)

    def value(name: str, depth: int = 0, found: tuple[Variable, ...] = short.variables) -> str:
        return next(v.value for v in found if (v.name, v.depth) == (name, depth))

    assert value("amount") == "42"
    assert value("ratio") == "0.5"
    assert value("names") == "3 items"
    assert value("[0]", 1) == "'one'"
    assert value("table") == "2 entries"
    assert value("['second']", 1) == "2.5"
    assert value("recent") == "2 items"
    assert value("data") == repr(b"\x00\x01raw")
    assert value("password") == "***"
    assert "hunter2" not in value("address")
    assert value(".owner", 1) == "'Ada'"
    assert value(".lock", 1) == "locked"
    assert value("long_text").endswith("… 500 characters")
    assert value("long_text", found=full.variables) == repr("x" * 500)
    account = next(v for v in short.variables if v.name == "account")
    assert account.type == "__main__.Account"
    assert "correct horse" not in repr((short, full))


async def test_frames_code_memory_and_expressions(any_python: Path) -> None:
    with running("debugged", any_python) as target:
        capture = captured(target.pid)
        main = thread_named(capture, "MainThread")
        assert main.native_stack
        at = FrameRef(main.tid, 0, main.native_stack[0].address)
        async with debugging(capture) as debugger:
            code = await debugger.disassembly(at)
            memory = await debugger.memory(at, "$sp")
            value = await debugger.evaluate(at, "$pc")
            threads = await debugger.console(at, "info threads")
            unknown = await debugger.console(at, "print nonsense")
            called = await debugger.console(at, "print (int)getpid()")
            run = await debugger.console(at, "run")
            matches = await debugger.complete("info thr")
            with pytest.raises(TargetError, match="no memory can be read at 0x10"):
                await debugger.memory(at, "0x10")

        current = next(item for item in code.instructions if item.current)
        assert current.address == at.address
        assert memory.pointee
        assert memory.pointee.tid == main.tid
        assert len(memory.data) == 256
        assert int(value.text.split()[-2 if "<" in value.text else 0], 0) == at.address
        assert f"LWP {main.tid}" in threads.text
        assert (unknown.ok, unknown.text) == (False, 'No symbol "nonsense" in current context.')
        assert not called.ok
        assert "this is a copy" in run.text
        assert matches == ("info threads",)


async def test_a_question_given_up_does_not_hold_up_the_next_one(any_python: Path) -> None:
    with running("debugged", any_python) as target:
        capture = captured(target.pid)
        at = FrameRef(target.pid)
        async with debugging(capture, _ANYTHING) as debugger:
            await debugger.console(at, "print 1")
            busy = asyncio.create_task(debugger.console(at, "python while True: pass"))
            done, _ = await asyncio.wait({busy}, timeout=0.3)
            assert not done
            busy.cancel()
            async with asyncio.timeout(_DEADLINE_S):
                assert (await debugger.console(at, "print 2")).text.endswith("= 2")


async def test_a_stopped_process_is_let_go_when_its_time_is_up(any_python: Path) -> None:
    with running("debugged", any_python) as target:
        async with debugging(captured(target.pid)) as debugger:
            await debugger.stop()
            assert state_of(target.pid) == "t"
            stack = await debugger.stack(target.pid)
            assert stack.frames[-1].function == "_start"
            await debugger.extend(0.5)
            await until_async(lambda: debugger.live.stopped_s is None)
            assert debugger.live.note == "its time was up: it runs again"
            assert debugger.live.past_ms > 0
            assert (state_of(target.pid), tracer_of(target.pid)) == ("S", 0)


async def test_a_long_question_does_not_keep_a_process_stopped(any_python: Path) -> None:
    with running("debugged", any_python) as target:
        async with debugging(captured(target.pid), _ANYTHING) as debugger:
            await debugger.stop()
            at = FrameRef(target.pid)
            # What gdb learns for its first question may take longer than the time given below.
            assert (await debugger.console(at, "print 1")).ok
            endless = asyncio.create_task(debugger.console(at, "python while True: pass"))
            await debugger.extend(0.5)
            await until_async(lambda: state_of(target.pid) == "S")
            assert not (await endless).ok
            assert tracer_of(target.pid) == 0


async def test_a_signal_is_waited_for_and_then_delivered(any_python: Path, tmp_path: Path) -> None:
    told = tmp_path / "signals"
    with running("debugged", any_python, arguments=(str(told),)) as target:
        async with debugging(captured(target.pid)) as debugger:
            await debugger.stop()
            state = await debugger.catch("usr1")
            assert (state.stopped_s, state.waiting_for) == (None, "SIGUSR1")
            os.kill(target.pid, signal.SIGUSR1)
            await until_async(lambda: debugger.live.stopped_s is not None)
            assert debugger.live.note == "SIGUSR1 has come"
            assert not told.exists()
            await debugger.go()
            await until_async(lambda: told.exists() and told.read_text() == "1")


async def test_a_core_file_of_the_stopped_process_can_be_debugged(
    any_python: Path, tmp_path: Path
) -> None:
    path = tmp_path / "core.file"
    with running("debugged", any_python) as target:
        async with debugging(captured(target.pid)) as debugger:
            with pytest.raises(TargetError, match="not stopped"):
                await debugger.write_core(str(path))
            await debugger.stop()
            await debugger.write_core(str(path))
            with pytest.raises(TargetError, match="exists already"):
                await debugger.write_core(str(path))
    assert path.stat().st_mode & 0o777 == 0o600
    debugger = await CoreDebuggers({target.pid: str(path)}).open(target.pid, {})
    try:
        at = FrameRef(target.pid)
        stack = await debugger.stack(target.pid)
        registers = await debugger.registers(at)
        with pytest.raises(TargetError, match="core file"):
            await debugger.stop()
    finally:
        await debugger.close()
    assert stack.frames[-1].function == "_start"
    assert {COUNTER, STACK, FIRST} <= {item.name for item in registers.registers}


Ending = Callable[[RemoteDebugger], Awaitable[None]]


async def _by_closing(debugger: RemoteDebugger) -> None:
    await debugger.close()


async def _by_sigkill(debugger: RemoteDebugger) -> None:
    debugger._worker.kill()


async def _by_sigterm(debugger: RemoteDebugger) -> None:
    debugger._worker.terminate()


@pytest.mark.parametrize("end", [_by_closing, _by_sigkill, _by_sigterm])
async def test_the_process_runs_on_however_the_debugger_ends(any_python: Path, end: Ending) -> None:
    with running("debugged", any_python) as target:
        async with debugging(captured(target.pid)) as debugger:
            await debugger.stop()
            assert state_of(target.pid) == "t"
            await end(debugger)
            await until_async(lambda: state_of(target.pid) == "S" and tracer_of(target.pid) == 0)


async def test_a_process_that_is_gone(any_python: Path) -> None:
    with running("debugged", any_python) as target:
        capture = captured(target.pid)
    with pytest.raises(TargetError, match="is gone"):
        async with debugging(capture):
            pass


async def test_without_gdb_locks_and_variables_are_still_read(
    any_python: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")
    with running("debugged", any_python) as target:
        capture = captured(target.pid)
        main = thread_named(capture, "MainThread")
        assert main.python_stack
        async with debugging(capture) as debugger:
            with pytest.raises(TargetError, match="gdb is not installed"):
                await debugger.disassembly(FrameRef(main.tid))
            innermost = await debugger.registers(FrameRef(main.tid))
            with pytest.raises(TargetError, match="of the innermost frame only"):
                await debugger.registers(FrameRef(main.tid, 1))
            found = await debugger.python_variables(main.tid, 0, main.python_stack[0], False)

            assert debugger.live.past_ms

        assert "amount" in [variable.name for variable in found.variables]
        registers = {register.name: register for register in innermost.registers}
        assert main.native_stack
        assert registers[COUNTER].value == main.native_stack[0].address
        there = registers[STACK].pointee
        assert there
        assert there.tid == main.tid
