import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from hangtui.backends.capture.collector import collect
from hangtui.backends.gpu import nvml, nvml_query
from hangtui.backends.process import context
from hangtui.model import Capture, GpuUse, Process, Source, Surroundings
from hangtui.provider import CaptureRequest, NativeMode
from tests.unit.backends.nvml_standin import install, number_as_host

PID = 4711
GIB = 2**30


def ask() -> nvml.Answer:
    with nvml.Question() as question:
        return question.answer(30)


def user(*devices: str, pid: int = PID) -> Process:
    return Process(pid, 1, ("train",), "S", around=Surroundings(devices=devices))


def uses(process: Process, answer: nvml.Answer) -> tuple[GpuUse, ...] | None:
    around = nvml.with_use(process, answer).around
    return around.gpus if around else None


@pytest.mark.parametrize("version", ["_v2", "_v3"])
def test_who_uses_which_gpu(version: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path, monkeypatch, version=version)
    number_as_host(monkeypatch, same=True)

    answer = ask()

    first = GpuUse(0, "NVIDIA H200", "/dev/nvidia3", 12 * GIB, 0.97, 0.6)
    everything = ("/dev/nvidia3", "/dev/nvidia4")
    assert uses(user(*everything), answer) == (first,), "two parts of one divided GPU, added up"
    unknown = replace(first, memory_bytes=None, own_busy=None)
    assert uses(user(*everything, pid=77), answer) == (unknown,)
    assert uses(user(*everything, pid=5), answer) == (), "CUDA opens those too that it does not use"
    assert nvml.notices(answer) == []


def test_pids_of_another_namespace_are_not_compared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path, monkeypatch)
    number_as_host(monkeypatch, same=False)

    answer = ask()

    (second,) = uses(user("/dev/nvidia4"), answer) or ()
    assert second == GpuUse(1, "NVIDIA H200", "/dev/nvidia4", None, 0.0)
    (notice,) = nvml.notices(answer)
    assert "--pid=host" in (notice.fix or "")


def test_a_fact_that_the_driver_keeps_costs_itself_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path, monkeypatch, rates="3", version="_old")
    number_as_host(monkeypatch, same=True)

    answer = ask()

    assert answer.driver.startswith("570.1")
    assert "\x1b" not in answer.driver
    found = uses(user("/dev/nvidia3"), answer)
    assert found == (GpuUse(0, "NVIDIA H200", "/dev/nvidia3", None, None),)
    assert found[0].told == "GPU 0 (NVIDIA H200): what it does is not known"


def test_a_gpu_that_is_lost_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install(tmp_path, monkeypatch, second="15")
    number_as_host(monkeypatch, same=True)

    answer = ask()

    assert [gpu.use.index for gpu in answer.gpus] == [0]
    (notice,) = nvml.notices(answer)
    assert "GPU 1 (status 15)" in notice.message
    assert "Xid" in (notice.fix or "")


def test_a_process_without_such_a_gpu_is_left_alone() -> None:
    answer = nvml.Answer("570", ())
    for process in (user("/dev/kfd"), user(), replace(user(), around=None)):
        assert nvml.with_use(process, answer) is process
        assert not nvml.concerns([process])
    assert nvml.concerns([user(), user("/dev/nvidia0")])


@pytest.mark.parametrize("output", ["", "[]", '{"status": 0}', '{"status": "x"}', "nonsense"])
def test_an_answer_that_makes_no_sense(
    output: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(nvml_query, "STARTER", f"print({output!r})")
    monkeypatch.setattr(nvml, "_DRIVER", tmp_path)

    with pytest.raises(nvml.NoAnswerError, match="before it had answered"):
        ask()


def test_a_driver_that_holds_an_earlier_question_is_not_asked_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path, monkeypatch)
    monkeypatch.setattr(nvml, "PROC", tmp_path)
    for pid, state in ((16, "S"), (17, "D")):
        (tmp_path / str(pid)).mkdir()
        (tmp_path / str(pid) / "stat").write_text(f"{pid} ({nvml_query.NAME}) {state} 1 1 1")

    with pytest.raises(nvml.NoAnswerError, match="process 17 asked before and hangs"):
        ask()
    (tmp_path / "17" / "stat").unlink()
    assert ask().gpus


@pytest.fixture
def target(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """A process that seems to have a GPU open."""
    monkeypatch.setattr(context, "_devices", lambda _root: ("/dev/nvidia3",))
    command = [sys.executable, "-c", "print(flush=True); input()"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout
        process.stdout.readline()
        yield process.pid
        process.kill()


def captures(pid: int, native: NativeMode = NativeMode.AUTO) -> list[Capture]:
    return list(collect(CaptureRequest((pid,), native=native)))


def about_gpus(capture: Capture) -> list[str]:
    return [notice.message for notice in capture.notices if notice.source == Source.NVML]


def test_a_capture_says_what_a_process_uses(
    target: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path, monkeypatch, pid=target)
    number_as_host(monkeypatch, same=True)
    monkeypatch.setattr("hangtui.backends.capture.other_programs._GPU_LIMIT_S", 30.0)

    first, *_, last = captures(target)

    assert "GPU use" in first.pending
    assert last.complete
    around = last.processes[0].around
    assert around
    assert around.gpus
    told = around.gpus[0].told
    assert told == "GPU 0 (NVIDIA H200): 12.0 GiB of this process, busy 97 % (60 % by this process)"
    assert about_gpus(last) == []


def test_a_quick_capture_does_not_ask(target: int, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> nvml.Question:
        raise AssertionError("it was asked")

    monkeypatch.setattr(nvml, "Question", refuse)
    *_, last = captures(target, NativeMode.NONE)

    around = last.processes[0].around
    assert around
    assert around.gpus is None


def test_a_driver_that_hangs_costs_its_facts_alone(
    target: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path, monkeypatch, status="pause()")
    monkeypatch.setattr("hangtui.backends.capture.other_programs._GPU_LIMIT_S", 0.5)

    *_, last = captures(target)

    assert last.processes[0].threads[0].python_stack
    (message,) = about_gpus(last)
    assert "no answer within 0.5 s: it may hang" in message
