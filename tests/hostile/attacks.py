"""What attacks have in common: another user, and what only root may do."""

import contextlib
import ctypes
import os
import shutil
import struct
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NOBODY = 65534

needs_root = pytest.mark.skipif(
    os.geteuid() != 0, reason="only root can act as another user, who attacks"
)


def as_nobody(*words: str | Path) -> None:
    """Run a program as a user who owns nothing."""
    command = [str(word) for word in words]
    subprocess.run(command, check=True, user=NOBODY, group=NOBODY, extra_groups=(), timeout=20)


def hangtui(
    *words: str | Path, timeout: float = 60, **options: object
) -> subprocess.CompletedProcess[str]:
    """Run the command line of this very source."""
    command = [sys.executable, "-P", "-m", "hangtui", *map(str, words)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(  # type: ignore[call-overload,no-any-return]
        command, capture_output=True, text=True, timeout=timeout, env=environment, **options
    )


def refused(done: subprocess.CompletedProcess[str]) -> str:
    """The one line that a command ended with, which failed as it must."""
    assert done.returncode == 2, (done.returncode, done.stderr[-2000:])
    lines = done.stderr.splitlines()
    assert "Traceback" not in done.stderr
    assert lines, "refused without a word"
    assert lines[0].startswith("hangtui: "), done.stderr
    assert all(line.startswith("  fix: ") for line in lines[1:]), done.stderr
    return lines[0]


def open_folder(path: Path) -> Path:
    """A folder as /tmp is: everybody may write, nobody may remove what others made."""
    path.mkdir()
    path.chmod(0o1777)
    for above in path.parents:
        if above.stat().st_uid == os.geteuid() and above.name:
            above.chmod(above.stat().st_mode | 0o011)
    return path


_IN_OPEN = 0x20
"""linux/inotify.h; opening for nothing but the place (O_PATH) is not told."""
SYSTEM_PYTHON = Path("/usr/bin/python3")

needs_system_python = pytest.mark.skipif(
    not SYSTEM_PYTHON.exists(), reason="no interpreter here that another user may run"
)


@contextlib.contextmanager
def opens(paths: Iterable[Path]) -> Iterator[list[Path]]:
    """A list of those *paths* that were opened meanwhile, by whomever; filled at the end."""
    library = ctypes.CDLL(None, use_errno=True)
    descriptor = library.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
    assert descriptor >= 0
    seen: list[Path] = []
    try:
        watched = {
            library.inotify_add_watch(descriptor, os.fsencode(path), _IN_OPEN): path
            for path in paths
        }
        assert -1 not in watched, "a file cannot be watched"
        yield seen
        with contextlib.suppress(BlockingIOError):
            while raw := os.read(descriptor, 1 << 16):
                at = 0
                while at < len(raw):
                    number, _, _, length = struct.unpack_from("iIII", raw, at)
                    seen.append(watched[number])
                    at += 16 + length
    finally:
        os.close(descriptor)


@contextlib.contextmanager
def nobodys(
    *words: str | Path, env: dict[str, str] | None = None, cwd: Path = Path("/")
) -> Iterator["subprocess.Popen[str]"]:
    """A program of a user who owns nothing, once it has printed a line; ended afterwards."""
    process = subprocess.Popen(
        [str(word) for word in words],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
        user=NOBODY,
        group=NOBODY,
        extra_groups=(),
        env=env,
        cwd=cwd,
    )
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        yield process
    finally:
        process.kill()
        process.communicate()


def need_namespaces() -> None:
    """Skip where a user who owns nothing cannot make namespaces of his own."""
    if shutil.which("unshare") is None:
        pytest.skip("no unshare")
    probe = subprocess.run(
        ["unshare", "-Urm", "true"], capture_output=True, user=NOBODY, group=NOBODY, extra_groups=()
    )
    if probe.returncode != 0:
        pytest.skip("this machine does not let other users make namespaces")
