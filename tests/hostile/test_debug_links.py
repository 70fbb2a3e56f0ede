"""A stripped program says that its debug symbols lie in what is no file."""

import os
import shutil
import subprocess
import time
from pathlib import Path

import pytest

from tests.hostile.attacks import (
    NOBODY,
    SYSTEM_PYTHON,
    hangtui,
    needs_root,
    needs_system_python,
    nobodys,
    open_folder,
    opens,
)

pytestmark = [needs_root, needs_system_python]

DEADLOCK = (
    "import threading; lock = threading.Lock(); lock.acquire(); print('ready', flush=True);"
    "lock.acquire()"
)
SOON_S = 30
"""Far above what a dump takes, far below for ever."""


@pytest.fixture
def program(tmp_path: Path) -> Path:
    """nobody's interpreter without symbols, which says that they lie in x.debug beside it."""
    if not (shutil.which("objcopy") and shutil.which("strip")):
        pytest.skip("no binutils")
    folder = open_folder(tmp_path / "its")
    os.chown(folder, NOBODY, NOBODY)
    path = folder / "python3"
    shutil.copy(SYSTEM_PYTHON.resolve(), path)
    (folder / "x.debug").write_text("something to take the checksum of")
    subprocess.run(["strip", path], check=True)
    removed = ["--remove-section=.gnu_debuglink", "--remove-section=.gnu_debugdata"]
    subprocess.run(["objcopy", *removed, path], check=True)
    subprocess.run(["objcopy", "--add-gnu-debuglink=x.debug", "python3"], check=True, cwd=folder)
    (folder / "x.debug").unlink()
    return path


def _dumped(program: Path, watched: Path) -> str:
    home = {"PYTHONHOME": "/usr"}
    with nobodys(program, "-c", DEADLOCK, env=home) as process, opens([watched]) as seen:
        begun = time.monotonic()
        done = hangtui("dump", str(process.pid), timeout=SOON_S)
        took = time.monotonic() - begun
    assert done.returncode in (0, 1), done.stderr
    assert "lock" in done.stdout
    assert took < SOON_S
    assert not seen
    return " ".join(done.stdout.split())


def test_a_pipe_is_not_opened(program: Path) -> None:
    pipe = program.with_name("x.debug")
    os.mkfifo(pipe)

    assert "x.debug: it is a pipe" in _dumped(program, pipe)


def test_a_device_that_only_root_may_open_is_not_opened(program: Path, tmp_path: Path) -> None:
    device = tmp_path / "device"
    try:
        os.mknod(device, 0o600 | 0o020000, os.makedev(1, 8))
    except PermissionError:
        pytest.skip("no devices can be made here")
    program.with_name("x.debug").symlink_to(device)

    assert "it is a device" in _dumped(program, device)


def test_a_file_of_roots_is_not_opened(program: Path, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("not for everybody")
    secret.chmod(0o600)
    program.with_name("x.debug").symlink_to(secret)

    assert "the process's user may not" in _dumped(program, secret)
