"""A process has mounted something at a place whose name looks like an end of a line."""

import shutil
from pathlib import Path

import pytest

from tests.hostile.attacks import (
    SYSTEM_PYTHON,
    hangtui,
    need_namespaces,
    needs_root,
    needs_system_python,
    nobodys,
)

pytestmark = [needs_root, needs_system_python]
MOUNT = """
import ctypes, os, sys, threading
os.mkdir(sys.argv[1])
mount = ctypes.CDLL(None, use_errno=True).mount
assert mount(b"x", sys.argv[1].encode(), b"tmpfs", 0, None) == 0
print("ready", flush=True)
threading.Event().wait()
"""


@pytest.mark.one_in(2)
@pytest.mark.parametrize("end", ["\f", "\v", "\r", "\x1c", "\x85", "\u2028"])
def test_a_mount_whose_name_breaks_lines(shared: Path, end: str) -> None:
    need_namespaces()
    unshare = shutil.which("unshare")
    assert unshare is not None
    words = (unshare, "-Urm", SYSTEM_PYTHON, "-c", MOUNT, f"{shared}/a{end}b")
    with nobodys(*words, env={"PYTHONUTF8": "1"}) as process:
        done = hangtui("dump", str(process.pid))

    assert done.returncode in (0, 1), done.stderr[-2000:]
    assert "Traceback" not in done.stderr
    assert "MainThread" in done.stdout
