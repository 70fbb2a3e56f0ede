"""``hangtui gather local``: this machine, and what of it must not be in a capture."""

import gzip
import subprocess
import sys
from pathlib import Path

import pytest

from hangtui.capture_file import load
from hangtui.diagnosis import diagnose
from hangtui.model import JobPlace
from tests.integration.targets import running

ROOT = Path(__file__).parents[2]
_SECRETS = {
    "AWS_SECRET_ACCESS_KEY": "planted-9d1f-aws",
    "WANDB_API_KEY": "planted-77c2-wandb",
    "RANK_PASSWORD": "planted-53ab-rank",
    "MASTER_ADDR": "planted-11e0-master",
}


def test_of_the_environment_only_ranks_are_gathered(
    tmp_path: Path, some_python: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in (*_SECRETS.items(), ("RANK", "3"), ("WORLD_SIZE", "8")):
        monkeypatch.setenv(name, value)
    path = tmp_path / "job.hang"

    words = ("--password", "planted-2c44-typed")
    with running("abba", some_python, arguments=words) as target:
        for name in (*_SECRETS, "RANK", "WORLD_SIZE"):
            monkeypatch.delenv(name)
        command = [sys.executable, "-m", "hangtui", "gather", "local", str(target.pid)]
        done = subprocess.run(
            [*command, "--looks", "2", "-o", str(path)],
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=100,
            check=False,
        )

    assert done.returncode == 0, done.stderr
    capture = load(path)
    (process,) = capture.processes
    assert process.job == JobPlace(3, None, 8)
    assert diagnose(capture).findings[0].id == "deadlock"
    assert max(one.looks for one in capture.progress) == 2
    assert b"planted" not in gzip.decompress(path.read_bytes())
