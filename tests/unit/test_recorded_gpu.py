"""What is said of programs that waited for a real GPU: an H200 with driver 580.159.04, CUDA 13.0,
torch 2.11 and NCCL 2.28.9, on CPython 3.12. ``script/gpu-captures`` made ``snapshots/gpu``."""

from pathlib import Path

import pytest

from hangtui.capture_file import load
from hangtui.diagnosis import diagnose
from hangtui.model import Finding, Severity

FOLDER = Path(__file__).parents[2] / "snapshots" / "gpu"
ERROR, WARNING = Severity.ERROR, Severity.WARNING


def told(name: str) -> tuple[Finding, ...]:
    return diagnose(load(FOLDER / f"{name}.hang")).findings


@pytest.mark.parametrize(
    ("name", "rule", "severity", "words"),
    [
        ("endless_kernel", "waiting-for-gpu", WARNING,
         ("(endless_kernel)", "busy for 100 %", "with code of this process")),
        ("unwritten_value", "waiting-for-gpu", WARNING,
         ("(unwritten_value)", "was idle in the last second", "not a long computation")),
        ("callback_needs_gil", "gpu-callback", ERROR,
         ("(callback_needs_gil)", "holds the GIL", "cuStreamSynchronize (libcuda.so.580.159.04)")),
        ("callback_needs_lock", "gpu-callback", ERROR,
         ("(callback_needs_lock)", "holds lock", "hangs.py:53 (loss_logged)")),
        ("log_callback", "deadlock", ERROR,
         ("MainThread holds the GIL", "the mutex in libcuda.so.580.159.04, which worker holds",
          "cuLogsUnregisterCallback")),
        ("occupancy_callback", "deadlock", ERROR,
         ("MainThread holds the GIL", "to write-lock the rwlock in libcuda.so.580.159.04",
          "which worker holds", "cuOccupancyMaxPotentialBlockSize", "(size_for), for the GIL")),
        ("missing_rank", "rank-elsewhere", WARNING,
         ("Rank 0", "ranks.py:63 (missing_rank)", "Rank 1", "ranks.py:59 (missing_rank)",
          "which saver of rank 1 (process 973) holds")),
        ("both_receive", "collective-mismatch", WARNING, ("rank 0", "rank 1", "irecv")),
        ("no_communicator", "rank-elsewhere", WARNING,
         ("all_reduce", "Rank 1", "ranks.py:78 (no_communicator)")),
    ],
)  # fmt: skip
def test_a_hang_is_told_first(
    name: str, rule: str, severity: Severity, words: tuple[str, ...]
) -> None:
    first = told(name)[0]
    assert (first.id, first.severity) == (rule, severity)
    for word in words:
        assert word in first.sentence


def test_a_kernel_that_never_ends_below_autograd() -> None:
    first = told("torch_sleeps")[0]
    assert (first.id, first.severity) == ("waiting-in-library", WARNING)
    assert "hangs.py:156 (step), called from hangs.py:163 (torch_sleeps)" in first.sentence
    assert "There, pt_autograd_0 runs in libcuda.so.580.159.04." in first.sentence


@pytest.mark.parametrize("name", ["trains", "trains_model", "well", "callback_released", "serves"])
def test_a_program_at_work_is_no_warning(name: str) -> None:
    assert {one.severity for one in told(name)} == {Severity.NOTE}
