"""The places for temporary files are full, read-only, or not there."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.hostile.attacks import ROOT, needs_root
from tests.integration.targets import interpreters, running

PLACES = "/tmp /var/tmp /dev/shm"
pytestmark = [
    needs_root,
    pytest.mark.skipif(
        any(ROOT.is_relative_to(place) for place in PLACES.split()),
        reason="this very program is where nothing is to be left",
    ),
    pytest.mark.skipif(shutil.which("unshare") is None, reason="no unshare"),
    pytest.mark.skipif(shutil.which("gdb") is None, reason="no gdb"),
]
_SCRIPT = """
for place in {places}; do mount -t tmpfs -o {options} private $place || exit 99; done
"$@"
status=$?
ls -A {places} >&2
exit $status
"""
NONE_LEFT = "".join(f"{place}:\n\n" for place in sorted(PLACES.split())).rstrip()
ROOMS = {
    "full": ("nr_inodes=3", "No space left on device"),
    "no folder at all": ("nr_inodes=1", "No space left on device"),
    "read-only": ("ro", "Read-only file system"),
}


def dump(options: str, *words: str) -> "subprocess.CompletedProcess[str]":
    """One ``hangtui dump`` where the places for temporary files are mounted so."""
    script = _SCRIPT.format(places=PLACES, options=options)
    apart = ("unshare", "-m", "--propagation", "private", "sh", "-c", script, "sh")
    done = subprocess.run(
        [*apart, sys.executable, "-m", "hangtui", "dump", *words],
        capture_output=True,
        text=True,
        timeout=120,
        cwd="/",
    )
    if done.returncode == 99 or "unshare failed" in done.stderr:
        pytest.skip("no file system of its own can be mounted here")
    return done


@pytest.mark.one_in(3)
@pytest.mark.parametrize("room", ROOMS)
@pytest.mark.parametrize("mode", ["auto", "stop", "gdb"])
def test_nothing_but_gdb_needs_any(room: str, mode: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", "/nonexistent")
    options, reason = ROOMS[room]
    (interpreter, *_) = interpreters(("3.11",))
    with running("mutex_abba", interpreter.path) as target:
        done = dump(options, str(target.pid), "--native", mode)

    assert done.returncode == 0, done.stderr
    assert "deadlock" in done.stdout.lower()
    told = [line for line in done.stdout.splitlines() if reason in line]
    assert len(told) == (mode == "gdb")
    assert "Traceback" not in done.stderr
    assert done.stderr.rstrip().endswith(NONE_LEFT), done.stderr


def test_a_place_that_is_full_is_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another one has room."""
    monkeypatch.setenv("TMPDIR", str(tmp_path / "missing"))
    (interpreter, *_) = interpreters(("3.11",))
    with running("mutex_abba", interpreter.path) as target:
        done = dump("size=1m", str(target.pid), "--native", "gdb")

    assert done.returncode == 0
    assert "gdb cannot" not in done.stdout
    assert ".c:" in done.stdout  # lines, which gdb alone tells
    assert done.stderr.rstrip().endswith(NONE_LEFT), done.stderr
