import contextlib
import errno
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from hangtui.backends.supervision import supervisor
from hangtui.backends.tools import scratch, sweep
from hangtui.model import TargetError
from tests.procfs import has_ended
from tests.waiting import until

_OWNER = """
import sys
from hangtui.backends.tools import scratch
with scratch.folder() as made:
    (made.path / "below").mkdir()
    (made.path / "below" / "file").write_text("x")
    (made.path / "link").symlink_to(sys.argv[1])
    print(made.path, flush=True)
    input()
"""


@contextlib.contextmanager
def owner(parent: Path) -> Iterator[tuple["subprocess.Popen[str]", Path]]:
    """A process that has a folder below *parent*, with a link to that in it."""
    with subprocess.Popen(
        [sys.executable, "-c", _OWNER, parent],
        env={**os.environ, "TMPDIR": str(parent)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        yield process, Path(process.stdout.readline().strip())
        process.kill()


def brooms(pid: int) -> list[int]:
    """The children of a process that are brooms."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [int(child) for child in children if sweep.is_broom(int(child))]


def test_a_folder_of_our_own() -> None:
    with scratch.folder() as made:
        (made.path / "file").write_text("x")
        assert made.path.stat().st_mode & 0o777 == 0o700

    assert not made.path.exists()
    assert brooms(os.getpid()) == []


def test_a_folder_goes_that_a_signal_kept_us_from_removing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(_: str) -> None:
        raise KeyboardInterrupt

    monkeypatch.setenv("TMPDIR", str(tmp_path))
    folder = scratch.folder()
    made = folder.__enter__()
    (made.path / "core").write_text("x")
    with monkeypatch.context() as patch:
        patch.setattr(sweep, "remove", interrupted)
        with pytest.raises(KeyboardInterrupt):
            folder.__exit__(None, None, None)

    assert until(lambda: not made.path.exists())


def test_a_folder_goes_with_its_owner_whatever_ends_that(tmp_path: Path) -> None:
    (tmp_path / "outside").write_text("stays")
    with owner(tmp_path) as (process, folder):
        (sweeper,) = until(lambda: brooms(process.pid))  # Linux shows no words for a moment
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
            os.kill(sweeper, number)
        assert folder.is_dir()
        assert supervisor._descendants(process.pid) == []  # whoever ends all of these spares it
        process.kill()
        process.wait()
        until(lambda: not folder.exists())
        until(lambda: has_ended(sweeper))

    assert os.listdir(tmp_path) == ["outside"]


def test_a_process_that_works_in_it_goes_too(tmp_path: Path) -> None:
    program = (
        "import subprocess\nfrom hangtui.backends.tools import scratch\n"
        "with scratch.folder() as made:\n"
        " child = subprocess.Popen(['sleep', '60'])\n made.ends(child.pid)\n"
        " print(child.pid, flush=True)\n input()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program],
        env={**os.environ, "TMPDIR": str(tmp_path)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        child = int(process.stdout.readline())
        assert not has_ended(child)
        process.kill()
        until(lambda: has_ended(child))


def test_the_next_one_clears_what_its_broom_could_not(usual: Path) -> None:
    (usual / "outside").mkdir()
    with scratch.folder() as kept, owner(usual) as (process, left):
        scratch.clear()
        assert left.is_dir()
        (sweeper,) = until(lambda: brooms(process.pid))
        os.kill(sweeper, signal.SIGKILL)
        process.kill()
        process.wait()
        assert left.is_dir()
        scratch.clear()
        assert not left.exists()
        assert kept.path.is_dir()
    assert os.listdir(usual) == ["outside"]


def test_a_folder_that_is_cleared_before_it_is_locked(
    usual: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, cleared = os.open, list[str]()

    def slow(path: str, *arguments: int, **more: int) -> int:
        found = real(path, *arguments, **more)
        if str(path).startswith(str(usual / "hangtui-")) and not cleared:
            cleared.append(str(path))
            Path(path).rmdir()
        return found

    monkeypatch.setattr(os, "open", slow)
    with scratch.folder() as made:
        assert made.path.is_dir()
        scratch.clear()
        assert made.path.is_dir()
    assert cleared


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can be somebody else")
def test_what_is_somebody_elses_is_not_cleared(usual: Path, tmp_path: Path) -> None:
    theirs = usual / "hangtui-scratch-theirs"
    theirs.mkdir()
    os.chown(theirs, 65534, 65534)
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "file").touch()
    (usual / "hangtui-scratch-link").symlink_to(tmp_path / "elsewhere")
    scratch.clear()

    assert theirs.is_dir()
    assert (tmp_path / "elsewhere" / "file").exists()


@pytest.fixture
def usual(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The usual place for temporary files, and the only one."""
    folder = tmp_path / "usual"
    folder.mkdir()
    monkeypatch.setenv("TMPDIR", str(folder))
    return folder


@pytest.fixture
def nowhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The usual places are missing; returns a folder that may stand in for memory."""
    monkeypatch.setenv("TMPDIR", "/nonexistent")
    monkeypatch.setattr(scratch, "_USUAL", ())
    monkeypatch.setattr(scratch, "_IN_MEMORY", tmp_path)
    return tmp_path


def test_memory_where_nothing_else_is(nowhere: Path) -> None:
    with scratch.folder() as made:
        assert made.path.parent == nowhere


def test_a_file_without_a_name(nowhere: Path) -> None:
    with scratch.unnamed_file() as file:
        file.write(b"x")
        assert os.fstat(file.fileno()).st_nlink == 0

    assert list(nowhere.iterdir()) == []


def test_a_file_without_a_name_where_every_file_has_one(
    usual: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = os.open

    def refusing(path: str, flags: int, *arguments: int, **more: int) -> int:
        if flags & os.O_TMPFILE == os.O_TMPFILE:
            raise OSError(errno.EOPNOTSUPP, "no such files here")
        return real(path, flags, *arguments, **more)

    monkeypatch.setattr(os, "open", refusing)
    with scratch.unnamed_file() as file:
        file.write(b"x")
        assert os.fstat(file.fileno()).st_nlink == 0
        assert os.fstat(file.fileno()).st_dev == usual.stat().st_dev
        assert list(usual.iterdir()) == []


def test_where_files_stay(nowhere: Path) -> None:
    assert scratch.place() == nowhere


def test_nothing_at_all(nowhere: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scratch, "_IN_MEMORY", nowhere / "missing")

    with (
        pytest.raises(TargetError, match=r"can be written here \(.*/missing: No such") as found,
        scratch.folder(),
    ):
        pass
    assert "--tmpfs /tmp" in (found.value.fix or "")
    with pytest.raises(TargetError):
        scratch.unnamed_file()
    with pytest.raises(TargetError):
        scratch.place()
    assert brooms(os.getpid()) == []
