"""Programs that wait for a GPU, beside a stand-in of the driver that waits as the real one does."""

import shutil
import subprocess
from io import BytesIO
from pathlib import Path

import pytest

from hangtui import findings
from hangtui.capture_file import packed, read
from hangtui.cli.series import Looks, take
from hangtui.model import Finding, Severity
from hangtui.provider import CaptureRequest
from tests.integration.targets import FOLDER, Interpreter, interpreters, running

_SERIES = 4
pytestmark = pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is not installed")


@pytest.fixture(scope="module")
def driver(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the stand-in."""
    folder = tmp_path_factory.mktemp("driver")
    source = FOLDER / "native" / "cuda_standin.c"
    command = ["gcc", "-O1", "-s", "-shared", "-fPIC", "-fno-optimize-sibling-calls", "-pthread"]
    target = folder / "libcuda.so.1"
    subprocess.run([*command, "-Wl,-soname,libcuda.so.1", "-o", target, source], check=True)
    return folder


@pytest.fixture
def interpreter(driver: Path, monkeypatch: pytest.MonkeyPatch) -> Interpreter:
    """One whose programs get the stand-in."""
    monkeypatch.setenv("LD_LIBRARY_PATH", str(driver))
    return interpreters(("3.12", "3.11"))[0]


def told(case: str, interpreter: Interpreter, rule: str = "") -> tuple[Finding, ...]:
    """What several looks at it say; *rule*: again if that has found nothing, since a thread that
    polls cannot be sampled while it gets no processor."""
    with running("gpu/hangs", interpreter.path, asleep=False, arguments=(case,)) as target:
        for _ in range(_SERIES):
            capture = take(CaptureRequest(pids=(target.pid,)), Looks(5, 2.0))
            found = findings.run(read(BytesIO(packed(capture))))
            if not rule or (rule, Severity.WARNING) in [(one.id, one.severity) for one in found]:
                break
    assert any(thread.native_marks for thread in capture.threads())
    return found


@pytest.mark.parametrize("case", ["endless_kernel", "unwritten_value"])
def test_one_call_that_lasts_is_a_warning(case: str, interpreter: Interpreter) -> None:
    first = told(case, interpreter, "waiting-for-gpu")[0]
    assert (first.id, first.severity) == ("waiting-for-gpu", Severity.WARNING)
    assert "cuStreamSynchronize" in first.title
    assert any("no value on the stack of it" in line for line in first.evidence)


def test_who_comes_back_to_the_call_is_no_warning(interpreter: Interpreter) -> None:
    found = told("callback_released", interpreter)
    assert not [one for one in found if one.severity is not Severity.NOTE]


def test_a_callback_that_needs_the_gil(interpreter: Interpreter) -> None:
    first = told("callback_needs_gil", interpreter, "gpu-callback")[0]
    assert first.id == "gpu-callback"
    assert "holds the GIL, which a callback of the GPU's work waits for" in first.title
    assert "(callback_needs_gil)" in first.sentence


def test_a_callback_that_needs_a_lock(interpreter: Interpreter) -> None:
    first = told("callback_needs_lock", interpreter, "gpu-callback")[0]
    assert first.id == "gpu-callback"
    assert "holds lock, which a callback of the GPU's work waits for at hangs.py" in first.title
    assert "(loss_logged)" in first.title or "loss_logged)" in first.title
