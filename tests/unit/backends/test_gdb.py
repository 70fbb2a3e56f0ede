import contextlib
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from hangtui.backends.gdb import safety
from hangtui.backends.gdb.commands import GdbCommand, Quoted
from hangtui.backends.gdb.session import Answer, GdbSession, GdbTimeoutError, parse_answer
from hangtui.backends.minicore import stacks
from hangtui.model import Notice
from tests.procfs import state_of
from tests.shares import rounds
from tests.waiting import until

pytestmark = pytest.mark.processes

Spawn = Callable[..., "subprocess.Popen[str]"]
MakeProgram = Callable[[str, str], Path]

BLOCKED = """
import os, signal, threading
continued = []
signal.signal(signal.SIGCONT, lambda *_: continued.append(1))
reader, writer = os.pipe()
for _ in range(3):
    threading.Thread(target=os.read, args=(reader, 1), daemon=True).start()
os.write(1, b"ready\\n")
while os.read(0, 1):
    os.write(1, b"%d\\n" % len(continued))
"""

needs_gdb = pytest.mark.skipif(shutil.which("gdb") is None, reason="gdb is not installed")


def blocked(spawn: Spawn) -> subprocess.Popen[str]:
    """A process with four threads, each in a read."""
    process = spawn(BLOCKED)
    task = Path(f"/proc/{process.pid}/task")
    until(lambda: len(list(task.iterdir())) == 4 and all_in_a_read(task))
    return process


def all_in_a_read(task: Path) -> bool:
    return all((thread / "syscall").read_text().startswith("0 ") for thread in task.iterdir())


def continued(process: subprocess.Popen[str]) -> int:
    """How often the process was sent SIGCONT; it must be running to answer."""
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write("?")
    process.stdin.flush()
    return int(process.stdout.readline())


def message(result: stacks.GdbResult) -> str:
    assert result.notices[0].source == "gdb"
    return result.notices[0].message


@pytest.fixture
def stand_in(make_program: MakeProgram, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """A shell script in the place of gdb."""

    def use(body: str) -> None:
        folder = make_program("gdb", body).parent
        monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")

    return use


@contextlib.contextmanager
def traced(pid: int) -> Iterator[None]:
    """Another debugger holds the process."""
    program = shutil.which("gdb")
    assert program is not None
    with GdbSession(program, [GdbCommand("set auto-load off")], time.monotonic() + 60) as session:
        session.ask(GdbCommand("-target-attach", pid))
        yield
        session.ask(GdbCommand("-target-detach"))


# -- a real gdb on a real process -----------------------------------------------------------------


@needs_gdb
def test_stacks_of_all_threads(spawn: Spawn) -> None:
    process = blocked(spawn)

    result = stacks.native_stacks(process.pid)

    assert not result.notices
    assert result.stopped_ms == 0  # all of them sleep, and can be copied asleep
    assert sorted(result.stacks) == sorted(int(p) for p in os.listdir(f"/proc/{process.pid}/task"))
    for stack in result.stacks.values():
        functions = [frame.function for frame in stack]
        assert "read" in str(functions[0])
        assert "_PyEval_EvalFrameDefault" in functions
        assert "libc" in str(stack[0].module)
        assert stack[0].offset is not None
    assert continued(process) == 0


@needs_gdb
def test_a_deadline_ends_gdb_and_the_process_runs(spawn: Spawn) -> None:
    process = blocked(spawn)

    result = stacks.native_stacks(process.pid, deadline_s=0.05)

    assert "0.05 s" in message(result)
    assert continued(process) >= 0


@needs_gdb
def test_a_process_that_another_debugger_holds(spawn: Spawn) -> None:
    process = blocked(spawn)
    with traced(process.pid):
        result = stacks.native_stacks(process.pid)

    assert not result.notices
    assert len(result.stacks) == 4
    assert result.stopped_ms == 0


@pytest.mark.one_in(2)
@needs_gdb
@pytest.mark.parametrize(
    ("victims", "count"),
    [
        (["guard", "capture", "suspended"], 3),
        (["dump", "terminal", "gdb"], 3),
        (["live", "live-both"], 2),
        (["screen-copy", "screen-live"], 2),
    ],
    ids=["copying", "reading", "holding", "full screen"],
)
def test_it_runs_whoever_is_killed(victims: list[str], count: int) -> None:
    program = Path(__file__).parents[2] / "endurance" / "kill_loop.py"

    done = subprocess.run(
        [sys.executable, program, "--count", str(rounds(count)), "--victim", *victims],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[3])},
    )

    assert done.returncode == 0, done.stdout + done.stderr


@needs_gdb
@pytest.mark.timeout(300)  # the mode is measured before
@pytest.mark.parametrize(("mode", "count"), [("default", 3), ("stop", 1), ("gdb", 1)])
def test_nothing_is_left_whoever_is_killed(mode: str, count: int) -> None:
    program = Path(__file__).parents[2] / "endurance" / "left_behind.py"

    done = subprocess.run(
        [sys.executable, program, mode, "--count", str(rounds(count))],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[3])},
    )

    assert done.returncode == 0, done.stdout + done.stderr


@needs_gdb
def test_a_process_with_one_thread(spawn: Spawn) -> None:
    process = spawn("import os; os.write(1, b'ready\\n'); os.read(0, 1)")

    result = stacks.native_stacks(process.pid)

    assert list(result.stacks) == [process.pid]
    assert result.stacks[process.pid][-1].function == "_start"


@needs_gdb
@pytest.mark.skipif(os.geteuid() != 0, reason="only root may chroot")
def test_a_process_that_went_into_a_chroot(spawn: Spawn, tmp_path: Path) -> None:
    process = spawn(
        "import os, sys\nos.chroot(sys.argv[1])\nos.write(1, b'ready\\n')\nos.read(0, 1)\n",
        str(tmp_path),
    )

    result = stacks.native_stacks(process.pid)

    assert "_PyEval_EvalFrameDefault" in [f.function for f in result.stacks[process.pid]]


# -- refusals -------------------------------------------------------------------------------------


def test_gdb_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")

    expected = Notice("gdb", "gdb is not installed", "apt-get install gdb", os.getpid())
    assert stacks.native_stacks(os.getpid()).notices == (expected,)


@needs_gdb
def test_a_stopped_process_stays_stopped(spawn: Spawn) -> None:
    process = spawn(BLOCKED)
    os.kill(process.pid, signal.SIGSTOP)
    until(lambda: state_of(process.pid) == "T")

    result = stacks.native_stacks(process.pid)

    assert not result.notices
    assert sorted(result.stacks) == sorted(int(p) for p in os.listdir(f"/proc/{process.pid}/task"))
    assert state_of(process.pid) == "T"


def test_a_zombie(spawn: Spawn, stand_in: Callable[[str], None]) -> None:
    stand_in("exit 3")
    process = spawn(BLOCKED)
    os.kill(process.pid, signal.SIGKILL)
    until(lambda: state_of(process.pid) == "Z")

    assert "is gone" in message(stacks.native_stacks(process.pid))


def test_a_process_that_is_gone(stand_in: Callable[[str], None]) -> None:
    stand_in("exit 3")

    assert "is gone" in message(stacks.native_stacks(99_999_999))


@needs_gdb
@pytest.mark.skipif(os.geteuid() != 0, reason="only root may become somebody else")
def test_no_permission(spawn: Spawn, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hangtui.backends.tools.programs.find", shutil.which)
    process = spawn(BLOCKED)
    os.seteuid(65534)
    try:
        result = stacks.native_stacks(process.pid)
    finally:
        os.seteuid(0)

    assert "may not be read" in message(result)
    assert str(result.notices[0].fix).startswith(f"sudo hangtui {process.pid}")


@needs_gdb
def test_an_uninterruptible_wait(spawn: Spawn) -> None:
    # With CLONE_VFORK the parent waits uninterruptibly until its child ends.
    process = spawn(
        "import ctypes, os, signal\n"
        "libc = ctypes.PyDLL(None)\n"
        "os.write(1, b'ready\\n')\n"
        "if libc.syscall(56, 0x4000 | signal.SIGCHLD, 0, 0, 0, 0) == 0:\n"
        "    os.read(0, 1)\n"
        "    os._exit(0)\n"
    )
    until(lambda: state_of(process.pid) == "D")

    result = stacks.native_stacks(process.pid)

    assert "_PyEval_EvalFrameDefault" in [f.function for f in result.stacks[process.pid]]
    process.communicate("x")


# -- a gdb that misbehaves ------------------------------------------------------------------------


def test_a_gdb_that_ends_at_once(spawn: Spawn, stand_in: Callable[[str], None]) -> None:
    stand_in("printf 'cannot load \\033[1m lib\\n'; exit 3")
    process = blocked(spawn)

    result = stacks.native_stacks(process.pid)

    assert message(result) == "gdb ended early: cannot load \ufffd[1m lib"
    assert not result.stacks
    assert continued(process) == 0


def test_a_gdb_that_refuses(spawn: Spawn, stand_in: Callable[[str], None]) -> None:
    stand_in("""echo '1^done'; echo '2^error,msg="it \\"hides\\"."'; cat >/dev/null""")
    process = blocked(spawn)

    assert message(stacks.native_stacks(process.pid)) == 'gdb failed: it "hides".'


def test_a_gdb_that_is_too_old(spawn: Spawn, stand_in: Callable[[str], None]) -> None:
    stand_in("""echo '~"GNU gdb (GDB) 11.2\\n"'; echo '1^done'; cat >/dev/null""")
    process = blocked(spawn)

    (notice,) = stacks.native_stacks(process.pid).notices
    assert notice.message == "gdb 11 is too old: it cannot read a copy of stacks alone"
    assert notice.fix == "install gdb 13 or newer; hangtui's image has one"


def test_a_gdb_that_is_silent_and_deaf(
    stand_in: Callable[[str], None],
    spawn: Spawn,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("hangtui.backends.gdb.session._QUIT_S", 0.1)
    fifo = tmp_path / "held-open"
    os.mkfifo(fifo)
    stand_in(f"trap '' HUP; exec 3>{fifo}; while :; do read -r line <{fifo}; done")
    # The script holds the other end of this pipe: end-of-file here means that it is gone.
    reader = os.open(fifo, os.O_RDONLY | os.O_NONBLOCK)
    process = blocked(spawn)

    result = stacks.native_stacks(process.pid, deadline_s=0.3)

    assert "0.3 s" in message(result)
    assert os.read(reader, 1) == b""
    os.close(reader)


def test_a_stop_signal_that_is_still_pending(spawn: Spawn) -> None:
    process = spawn(
        "import ctypes, os, signal\n"
        "libc = ctypes.PyDLL(None)\n"
        "os.write(1, b'ready\\n')\n"
        "if libc.syscall(56, 0x4000 | signal.SIGCHLD, 0, 0, 0, 0) == 0:\n"
        "    os.read(0, 1)\n"
        "    os._exit(0)\n"
        "os.write(1, b'ran on\\n')\n"
    )
    until(lambda: state_of(process.pid) == "D")
    os.kill(process.pid, signal.SIGSTOP)

    safety.let_run(process.pid, 0)

    output, _ = process.communicate("x", timeout=10)
    assert output == "ran on\n"


def test_a_running_process_gets_no_signal(spawn: Spawn) -> None:
    process = spawn(BLOCKED)

    safety.let_run(process.pid, 0.05)

    assert continued(process) == 0


# -- the session and its answers ------------------------------------------------------------------


def test_more_commands_than_a_pipe_holds(make_program: MakeProgram) -> None:
    program = make_program("gdb", 'while read -r line; do echo "${line%%-*}^done"; done')
    with GdbSession(str(program), [], time.monotonic() + 60) as session:
        tokens = session.send(GdbCommand("-complete", Quoted("x" * 10_000)) for _ in range(300))
        assert session.require(tokens[-1]).ok


def test_the_deadline_holds_while_commands_wait(make_program: MakeProgram) -> None:
    program = make_program("gdb", "kill -STOP $$")
    with GdbSession(str(program), [], time.monotonic() + 0.2) as session:
        (token,) = session.send([GdbCommand("-complete", Quoted("x" * 4_000_000))])
        with pytest.raises(GdbTimeoutError):
            session.require(token)


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        (b"1^done", Answer(True, "", {})),
        (b"1^exit", Answer(True, "", {})),
        (b'1^done,a="1"', Answer(True, "", {"a": "1"})),
        (
            b'1^done,s=[frame={f="a,}]\\"",n="0"},frame={}],e=[],x=["1"]',
            Answer(True, "", {"s": [{"f": 'a,}]"', "n": "0"}, {}], "e": [], "x": ["1"]}),
        ),
        (b'1^error,msg="No \\"x\\"."', Answer(False, 'No "x".', {"msg": 'No "x".'})),
        (b"1^error", Answer(False, "no reason given", {})),
    ],
)
def test_answers(line: bytes, answer: Answer) -> None:
    assert parse_answer(line) == answer


@pytest.mark.parametrize(
    "line",
    [
        b'1^done,a={b="',
        b"1^done,a=[",
        b"1^done,=",
        b"1^done,\xff",
        b'1^done,a=["1"}',
        b'1^done,a="\\"',
        b'1^done,a={"1"}',
        b"1^",
    ],
)
def test_a_damaged_answer_is_an_error(line: bytes) -> None:
    assert parse_answer(line) == Answer(False, "an answer that cannot be parsed", {})
