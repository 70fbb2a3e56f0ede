"""Somebody else has laid links and files where hangtui is about to write."""

import contextlib
import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from hangtui import private_file
from hangtui.cli.catching import Keeper
from hangtui.diagnosis import diagnose
from hangtui.tui import user_files
from tests.hostile.attacks import (
    SYSTEM_PYTHON,
    as_nobody,
    hangtui,
    needs_root,
    needs_system_python,
    nobodys,
    open_folder,
    refused,
)
from tests.unit.factories import abba

pytestmark = needs_root

CRASH = (sys.executable, "-c", "import os, signal; os.kill(os.getpid(), signal.SIGSEGV)")
NOW = "-c", "import time; print(flush=True); time.sleep(60)"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where everybody may write."""
    return open_folder(tmp_path / "shared")


@pytest.fixture
def victim(tmp_path: Path) -> Path:
    """A file of root's that must stay as it is."""
    path = tmp_path / "victim"
    path.write_text("precious")
    return path


def ran(folder: Path, *options: str | Path) -> str:
    """What ``hangtui run`` says while a command of ours crashes."""
    words = ("run", "--no-open", *options, "-o", folder / "run.hang", "--", *CRASH)
    return hangtui(*words, cwd=folder).stderr


def test_a_core_is_not_written_through_a_link(folder: Path, victim: Path) -> None:
    as_nobody("ln", "-s", victim, folder / "core.1")
    said = ran(folder, "--core", folder / "core.1")

    assert "no core file: cannot write" in said
    assert victim.read_text() == "precious"
    assert (folder / "core.1").is_symlink()


def test_a_core_is_not_written_into_a_file_of_somebody_else(folder: Path) -> None:
    as_nobody("sh", "-c", f"umask 0; echo mine > {folder}/core.2")
    said = ran(folder, "--core", folder / "core.2")

    assert "somebody else's file is there" in said
    assert (folder / "core.2").read_text() == "mine\n"


def test_a_core_goes_where_nothing_is_and_for_its_owner_alone(folder: Path) -> None:
    said = ran(folder, "--core", folder / "core.3")

    assert "no core file" not in said
    assert stat.S_IMODE((folder / "core.3").stat().st_mode) == 0o600
    assert (folder / "core.3").read_bytes()[:4] == b"\x7fELF"
    assert sorted(os.listdir(folder)) == ["core.3", "run.hang"]


@pytest.mark.parametrize("command", ["record", "dump"])
@pytest.mark.parametrize("lay", ["ln -s {victim} {path}", "echo mine > {path}", "mkfifo {path}"])
def test_no_result_goes_into_what_somebody_else_laid(
    folder: Path, victim: Path, command: str, lay: str
) -> None:
    path = folder / "out"
    as_nobody("sh", "-c", lay.format(victim=victim, path=path))
    before = path.lstat()
    with subprocess.Popen([sys.executable, *NOW], stdout=subprocess.PIPE) as target:
        assert target.stdout is not None
        target.stdout.readline()
        try:
            message = refused(hangtui(command, str(target.pid), "-o", path))
        finally:
            target.kill()

    assert f"cannot write {path}: " in message
    assert victim.read_text() == "precious"
    assert (path.lstat().st_ino, path.lstat().st_size) == (before.st_ino, before.st_size)


def test_a_folder_is_not_reached_by_a_link_of_somebody_else(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "own").mkdir(mode=0o700)
    as_nobody("ln", "-s", tmp_path / "own", folder / "way")

    with pytest.raises(OSError, match="a link that somebody else made"):
        private_file.write(folder / "way" / "x", b"data")
    assert os.listdir(tmp_path / "own") == []


def test_an_export_goes_by_the_links_that_lie_at_its_names(folder: Path, victim: Path) -> None:
    capture = abba()
    ends = (".hang", ".txt", ".md", ".json")
    stem = user_files._stem(capture)
    for end in ends:
        as_nobody("ln", "-s", victim, folder / f"{stem}{end}")
        as_nobody("ln", "-s", folder / "nowhere", folder / f"{stem}-2{end}")
    made = user_files.export(diagnose(capture), [folder])

    assert [path.name for path in made] == [f"{stem}-3{end}" for end in ends]
    assert {stat.S_IMODE(path.stat().st_mode) for path in made} == {0o600}
    assert victim.read_text() == "precious"
    assert not (folder / "nowhere").exists()


def test_the_clipboard_s_file_is_not_written_in_somebody_else_s_cache(folder: Path) -> None:
    as_nobody("mkdir", "-p", folder / "cache" / "hangtui")

    with pytest.raises(OSError, match="belongs to somebody else"):
        user_files.write_clip("text", folder / "cache" / "hangtui")
    with pytest.raises(OSError, match="belongs to somebody else"):
        user_files.write_clip("text", folder / "cache" / "other")


def test_captures_of_others_do_not_push_ours_out(folder: Path) -> None:
    names = [f"hangtui-9999010{n}T000000.000-1-hang.hang" for n in range(3)]
    as_nobody("touch", *(folder / name for name in names))
    own = folder / "hangtui-20260101T000000.000-1-hang.hang"
    own.touch()
    Keeper(folder, 1)._discard_oldest()

    assert own.exists()
    assert sorted(os.listdir(folder)) == sorted([own.name, *names])


def test_a_full_disk_costs_one_line_and_leaves_nothing(tmp_path: Path) -> None:
    if shutil.which("unshare") is None:
        pytest.skip("needs unshare for a file system of its own")
    small = tmp_path / "small"
    small.mkdir()
    command = [sys.executable, "-m", "hangtui", "run", "--no-open", "--core", f"{small}/core"]
    words = [*command, "-o", f"{tmp_path}/run.hang", "--", *CRASH]
    script = f'mount -t tmpfs -o size=64k tmpfs {small} || exit 99; "$@"; ls -A {small}'
    done = subprocess.run(
        ["unshare", "-m", "sh", "-c", script, "sh", *words],
        capture_output=True,
        text=True,
        timeout=60,
    )
    if "unshare failed" in done.stderr or done.returncode == 99:
        pytest.skip("no file system of its own can be mounted here")

    assert "no core file: cannot write" in done.stderr
    assert "No space left on device" in done.stderr
    assert done.stdout == ""


_SWAPPING = """
import ctypes, os, sys
os.chdir(sys.argv[1])
os.mkdir("d")
os.symlink(sys.argv[2], "l")
swap = ctypes.CDLL(None).renameat2
swap(-100, b"d", -100, b"l", 2)
print("ready", flush=True)
while True:
    swap(-100, b"d", -100, b"l", 2)
"""
"""RENAME_EXCHANGE, linux/fs.h: a folder and a link change places."""


@needs_system_python
def test_a_folder_that_becomes_a_link_meanwhile(shared: Path, tmp_path: Path) -> None:
    ours = tmp_path / "ours"
    ours.mkdir()
    written = 0
    with nobodys(SYSTEM_PYTHON, "-c", _SWAPPING, shared, ours):
        for number in range(100_000):
            with contextlib.suppress(OSError):
                private_file.write(shared / "d" / f"{number}", b"x")
                written += 1
            if written == 1000:
                break

    assert written
    assert list(ours.iterdir()) == []


def test_folders_are_reached_as_the_kernel_reaches_them(tmp_path: Path) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "round").symlink_to("round")
    (tmp_path / "link").symlink_to("a/../a/./b/")
    (tmp_path / "far").symlink_to(tmp_path / "link")
    below = f"/proc/{os.getpid()}/root{tmp_path}/a"
    for number, folder in enumerate((tmp_path / "far", tmp_path / "link" / ".." / "b", below)):
        private_file.write(f"{folder}/{number}", b"x")

    assert sorted(path.name for path in (tmp_path / "a" / "b").iterdir()) == ["0", "1"]
    assert (tmp_path / "a" / "2").exists()
    with pytest.raises(OSError, match="symbolic links"):
        private_file.write(tmp_path / "round" / "x", b"x")
