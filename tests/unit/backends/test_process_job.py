"""The place of a process in a job, as its launcher tells it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from hangtui.backends.process.job import place_of
from hangtui.backends.procfs.files import first_environment
from hangtui.model import JobPlace

_WAIT = "import sys; print(flush=True); sys.stdin.read()"


def _told(**environment: str) -> JobPlace | None:
    with subprocess.Popen(
        [sys.executable, "-c", _WAIT],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=environment,
    ) as process:
        assert process.stdout is not None
        process.stdout.readline()  # the kernel shows the environment only once exec is done
        return place_of(Path(f"/proc/{process.pid}"))


@pytest.mark.parametrize(
    ("environment", "place"),
    [
        ({"RANK": "3", "LOCAL_RANK": "1", "WORLD_SIZE": "8"}, JobPlace(3, 1, 8)),
        ({"OMPI_COMM_WORLD_RANK": "0", "OMPI_COMM_WORLD_SIZE": "2"}, JobPlace(0, None, 2)),
        ({"PMI_RANK": "5"}, JobPlace(5)),
        ({"SLURM_PROCID": "6", "SLURM_LOCALID": "2", "SLURM_NTASKS": "8"}, JobPlace(6, 2, 8)),
        ({"SLURM_PROCID": "0", "RANK": "3", "WORLD_SIZE": "4"}, JobPlace(3, None, 4)),
        ({"NODE_RANK": "0", "LOCAL_RANK": "1", "WORLD_SIZE": "2"}, JobPlace(1, 1, 2)),
        ({"NODE_RANK": "1", "LOCAL_RANK": "1", "WORLD_SIZE": "4"}, None),
        ({"LOCAL_RANK": "1", "WORLD_SIZE": "4"}, None),
        ({"LOCAL_RANK": "1", "SECRET": "x"}, None),
        ({"RANK": "first"}, None),
        ({"RANK": "-1"}, None),
        ({"RANK": "1" * 8}, None),
        ({"RANK": "\N{SUPERSCRIPT TWO}"}, None),
        ({}, None),
    ],
)
def test_ranks_are_numbers_of_known_variables(
    environment: dict[str, str], place: JobPlace | None
) -> None:
    assert _told(**environment) == place


def test_an_environment_that_is_large_is_left_alone() -> None:
    values = {f"V{number}": "x" * 100_000 for number in range(4)}
    assert _told(RANK="1", **values) is None


def test_a_process_that_is_gone_is_an_error() -> None:
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    with pytest.raises((FileNotFoundError, ProcessLookupError)):
        first_environment(Path(f"/proc/{process.pid}"))


def test_our_own_is_read() -> None:
    assert any(word.startswith("PATH=") for word in first_environment(Path(f"/proc/{os.getpid()}")))
