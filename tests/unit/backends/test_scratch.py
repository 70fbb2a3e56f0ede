import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from hangtui.backends import scratch
from hangtui.model import TargetError


def test_a_folder_of_our_own() -> None:
    with scratch.folder() as folder:
        (folder / "file").write_text("x")
        assert folder.stat().st_mode & 0o777 == 0o700

    assert not folder.exists()


def test_a_folder_whose_owner_was_killed_is_cleared(nowhere: Path) -> None:
    owner = (
        "from hangtui.backends import scratch\nwith scratch.folder() as f:\n print(f, flush=True)"
    )
    outside = nowhere / "outside"
    outside.mkdir()
    with (
        scratch.folder() as kept,
        subprocess.Popen(
            [sys.executable, "-c", f"{owner}; input()"],
            env={**os.environ, "TMPDIR": str(nowhere)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        ) as process,
    ):
        assert process.stdout is not None
        left = Path(process.stdout.readline().strip())
        (left / "link").symlink_to(outside)
        for folder in (kept, left):
            os.utime(folder, (0, 0))
        with scratch.folder():
            assert left.is_dir()
        process.kill()
        process.wait()
        with scratch.folder():
            assert not left.exists()
        assert kept.is_dir()
        assert outside.is_dir()


@pytest.fixture
def nowhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The usual places are missing; returns a folder that may stand in for memory."""
    monkeypatch.setattr(tempfile, "tempdir", "/nonexistent")
    monkeypatch.setattr(scratch, "_IN_MEMORY", tmp_path)
    return tmp_path


def test_memory_where_nothing_else_is(nowhere: Path) -> None:
    with scratch.folder() as folder:
        assert folder.parent == nowhere


def test_a_file_without_a_name(nowhere: Path) -> None:
    with scratch.unnamed_file() as file:
        file.write(b"x")
        assert os.fstat(file.fileno()).st_nlink == 0

    assert list(nowhere.iterdir()) == []


def test_where_files_stay(nowhere: Path) -> None:
    assert scratch.place() == nowhere


def test_nothing_at_all(nowhere: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scratch, "_IN_MEMORY", nowhere / "missing")

    with (
        pytest.raises(TargetError, match="nothing can be written here: No such file") as found,
        scratch.folder(),
    ):
        pass
    assert "--tmpfs /tmp" in (found.value.fix or "")
    with pytest.raises(TargetError):
        scratch.unnamed_file()
    with pytest.raises(TargetError):
        scratch.place()
