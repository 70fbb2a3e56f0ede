"""The files in examples/ that need no container to be tried."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

SYSTEMD = Path(__file__).parents[2] / "examples" / "systemd"


def told(folder: Path, certainty: str, finding: str) -> str:
    """What is done to the service when this was found."""
    fake = folder / "systemctl"
    fake.write_text('#!/bin/sh\necho "systemctl $*"\n')
    fake.chmod(0o755)
    done = subprocess.run(
        [SYSTEMD / "restart-if-proven"],
        capture_output=True,
        text=True,
        check=True,
        env={
            "PATH": f"{folder}:{os.environ['PATH']}",
            "HANGTUI_SERVICE": "shop.service",
            "HANGTUI_CERTAINTY": certainty,
            "HANGTUI_FINDING": finding,
            "HANGTUI_CAPTURE": "/x.hang",
        },
    )
    assert "/x.hang" in done.stderr
    return done.stdout.strip()


@pytest.mark.parametrize(
    ("certainty", "finding", "restarted"),
    [
        ("proven", "deadlock", True),
        ("certain", "self-deadlock", True),
        ("inferred", "deadlock", False),
        ("certain", "waiting-for-peer", False),
        ("", "", False),
    ],
)
def test_only_what_is_proven_to_be_deadlocked_is_restarted(
    tmp_path: Path, certainty: str, finding: str, restarted: bool
) -> None:
    wanted = "systemctl --no-block restart shop.service" if restarted else ""
    assert told(tmp_path, certainty, finding) == wanted


def test_systemd_takes_the_unit(tmp_path: Path) -> None:
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd-analyze is missing")
    unit = tmp_path / "hangtui-watch@shop.service"
    text = (SYSTEMD / "hangtui-watch@.service").read_text()
    unit.write_text(text.replace("/usr/local/lib/hangtui/watch-service", "/bin/true"))
    (tmp_path / "shop.service").write_text("[Service]\nExecStart=/bin/true\n")
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", unit],
        capture_output=True,
        text=True,
        env={**os.environ, "SYSTEMD_UNIT_PATH": f"{tmp_path}:"},
    )
    assert str(unit.name) not in done.stderr, done.stderr
