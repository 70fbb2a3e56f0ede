import os
from pathlib import Path

import pytest

from hangtui.backends.doctor import checks, examination
from hangtui.backends.gpu import nvml
from hangtui.model.checkup import Ability, Check
from tests.unit.backends.nvml_standin import install


def test_a_driver_that_answers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path, monkeypatch)

    check = checks.nvml()

    assert check.works
    assert check.reason.startswith("2 GPUs, driver 570.1")
    assert "\x1b" not in check.reason


def test_a_gpu_that_is_lost(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path, monkeypatch, second="15")

    assert checks.nvml().reason.endswith("; it cannot reach GPU 1 (status 15)")


def test_a_driver_that_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path, monkeypatch, status="9")

    check = checks.nvml()

    assert not check.works
    assert check.reason == "libnvidia-ml.so.1 fails with status 9"


def test_a_driver_that_hangs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path, monkeypatch, status="pause()")
    monkeypatch.setattr(checks, "_NVML_LIMIT_S", 0.5)

    assert "no answer" in checks.nvml().reason


def test_a_driver_without_its_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nvml, "_LIBRARY", "libno-such.so.1")
    monkeypatch.setattr(nvml, "_DRIVER", tmp_path)

    check = checks.nvml()

    assert not check.works
    assert "--gpus all" in (check.fix or "")


def test_no_gpu(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nvml, "_LIBRARY", "libno-such.so.1")
    monkeypatch.setattr(nvml, "_DRIVER", tmp_path / "missing")

    assert checks.nvml().reason == "there is no NVIDIA GPU here"


def test_what_works_for_some_processes_works_and_one_of_the_others_is_named() -> None:
    own, other = os.getpid(), os.getppid()

    def check(pid: int) -> Check:
        return Check(Ability.STOP, pid == own, "it is held", "let it go")

    def refuse(_pid: int) -> Check:
        return Check(Ability.STOP, False, "no")

    some = examination._each(Ability.STOP, [own, other], check)
    none = examination._each(Ability.STOP, [own, other], refuse)

    reason = f"for 1 of 2 processes; not for {other}: it is held"
    assert some == Check(Ability.STOP, True, reason, "let it go")
    assert not none.works
    assert none.reason.startswith("for none of 2 processes; not for")
