"""Mini-cores: what gdb says of one equals what it says of the process itself."""

import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from hangtui.backends.minicore import GDB_SETTINGS, MiniCore, write_minicore
from hangtui.model import TargetError
from tests.integration.targets import Interpreter, interpreters, running

GDB = shutil.which("gdb")
needs_gdb = pytest.mark.skipif(GDB is None, reason="gdb is not installed")
_THREAD = re.compile(r"Thread \d+ \(.*?(?:LWP|process) (\d+)\)")
_FRAME = re.compile(r"#\d+\s+(?:0x\w+ in )?(\S+)")


def gdb_stacks(
    *arguments: str, folder: Path = Path("/"), files: Sequence[int] = ()
) -> dict[int, list[str]]:
    """The functions on each thread's stack, by TID, as gdb says them."""
    settings = (
        *("set debuginfod enabled off", "set demangle-style none"),
        "set backtrace past-main on",
    )
    words = [word for setting in settings for word in ("-iex", setting)]
    command = [str(GDB), "-nx", "-q", "-batch", *words, *arguments, "-ex", "thread apply all bt"]
    output = subprocess.run(
        command, capture_output=True, text=True, check=True, cwd=folder, pass_fds=files
    ).stdout
    stacks: dict[int, list[str]] = {}
    current: list[str] = []
    for line in output.splitlines():
        if thread := _THREAD.match(line):
            current = stacks.setdefault(int(thread[1]), [])
        elif frame := _FRAME.match(line):
            current.append(frame[1])
    return stacks


def offline(core: MiniCore) -> dict[int, list[str]]:
    words = [word for setting in GDB_SETTINGS for word in ("-iex", setting.line)]
    opening = ("-ex", "core-file core", "-ex", "sharedlibrary")
    with core.files as files:
        return gdb_stacks(*words, *opening, folder=files.folder, files=files.descriptors)


@needs_gdb
@pytest.mark.parametrize("interpreter", interpreters(("3.8", "3.11")), ids=lambda i: i.id)
def test_gdb_sees_the_same_stacks_in_a_minicore(interpreter: Interpreter) -> None:
    with running("mutex_abba", interpreter.path) as target:
        core = write_minicore(target.pid)
        assert target.states() == ["S"] * len(core.threads)
        assert not core.skipped
        assert offline(core) == gdb_stacks("-p", str(target.pid))
    assert core.stopped_ms > 0


@needs_gdb
def test_threads_that_a_stop_would_wake_are_left_alone() -> None:
    (interpreter, *_) = interpreters(("3.11",))
    with running("interruptible", interpreter.path) as target:
        core = write_minicore(target.pid)
        assert len(core.skipped) == 6
        assert set(core.skipped) < set(core.threads)
        assert offline(core) == gdb_stacks("-p", str(target.pid))


def test_nothing_of_a_process_has_a_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    (interpreter, *_) = interpreters(("3.11",))
    with running("mutex_abba", interpreter.path) as target:
        core = write_minicore(target.pid)
        named = [path for path in tmp_path.rglob("*") if path.is_symlink() or not path.is_dir()]
        content = [path for path in named if not path.is_symlink()]
        core.files.close()

    assert any(path.name == "core" for path in named)
    assert content == []
    assert not list(tmp_path.iterdir())


def test_a_process_that_is_gone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    with subprocess.Popen(["/bin/true"]) as process:
        process.wait()
    with pytest.raises(TargetError, match="is gone"):
        write_minicore(process.pid)
    assert not list(tmp_path.iterdir())
