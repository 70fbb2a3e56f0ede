import os
import shutil
import subprocess
from pathlib import Path

import pytest

from hangtui.backends import doctor, doctor_parts
from hangtui.model.checkup import Ability, Check

ANSWERS = """
int nvmlInit_v2(void) { return %(status)s; }
int nvmlDeviceGetCount_v2(unsigned *count) { *count = 2; return 0; }
int nvmlSystemGetDriverVersion(char *text, unsigned size) {
    __builtin_strcpy(text, "570.1\\x1b[2J"); return 0;
}
"""


def library(folder: Path, monkeypatch: pytest.MonkeyPatch, status: str) -> None:
    """A stand-in for the driver's library, found first."""
    if shutil.which("gcc") is None:
        pytest.skip("no C compiler to build a stand-in for the driver's library")
    source = folder / "nvml.c"
    source.write_text("int pause(void);\n" + ANSWERS % {"status": status})
    target = folder / "libnvidia-ml.so.1"
    subprocess.run(["gcc", "-shared", "-fPIC", "-o", target, source], check=True)
    monkeypatch.setenv("LD_LIBRARY_PATH", str(folder))


def test_a_driver_that_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    library(tmp_path, monkeypatch, "0")

    check = doctor_parts.nvml()

    assert check.works
    assert check.reason.startswith("2 GPUs, driver 570.1")
    assert "\x1b" not in check.reason


def test_a_driver_that_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    library(tmp_path, monkeypatch, "9")
    monkeypatch.setattr(doctor_parts, "_NVIDIA", tmp_path)

    check = doctor_parts.nvml()

    assert not check.works
    assert check.reason == "libnvidia-ml.so.1 fails with status 9"


def test_a_driver_that_hangs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    library(tmp_path, monkeypatch, "pause()")
    monkeypatch.setattr(doctor_parts, "_NVML_LIMIT_S", 0.5)

    assert "no answer" in doctor_parts.nvml().reason


def test_a_driver_without_its_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor_parts, "_NVML", "raise OSError")
    monkeypatch.setattr(doctor_parts, "_NVIDIA", tmp_path)

    check = doctor_parts.nvml()

    assert not check.works
    assert "--gpus all" in (check.fix or "")


def test_no_gpu(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor_parts, "_NVML", "raise OSError")
    monkeypatch.setattr(doctor_parts, "_NVIDIA", tmp_path / "missing")

    assert doctor_parts.nvml().reason == "there is no NVIDIA GPU here"


def test_what_works_for_some_processes_works_and_one_of_the_others_is_named() -> None:
    own, other = os.getpid(), os.getppid()

    def check(pid: int) -> Check:
        return Check(Ability.STOP, pid == own, "it is held", "let it go")

    def refuse(_pid: int) -> Check:
        return Check(Ability.STOP, False, "no")

    some = doctor._each(Ability.STOP, [own, other], check)
    none = doctor._each(Ability.STOP, [own, other], refuse)

    reason = f"for 1 of 2 processes; not for {other}: it is held"
    assert some == Check(Ability.STOP, True, reason, "let it go")
    assert not none.works
    assert none.reason.startswith("for none of 2 processes; not for")
