"""Threads inside of the driver of a GPU: one call that lasts, and callbacks of its work."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from hangtui.analysis.progress import with_progress
from hangtui.findings import run
from hangtui.model import (
    Capture,
    Finding,
    FrameMark,
    GilState,
    GpuUse,
    NativeFrame,
    NodeKind,
    Resource,
    Severity,
    Surroundings,
    Thread,
    resource_id,
)
from tests.unit.factories import (
    PID,
    capture,
    holds,
    native_frame,
    python_frame,
    thread,
    waits,
)

CUDA = "/usr/lib/libcuda.so.580.159.04"
LIBC = "/lib/x86_64-linux-gnu/libc.so.6"
CALLS = (0x30, 0x31, 0x32, 0x33, 0x34)
"""Addresses from Python's frame to a third function below the driver's."""
GPU = GpuUse(0, "NVIDIA H200", "/dev/nvidia0", 1 << 30, 1.0, 1.0)
IDLE = replace(GPU, busy=0.0, own_busy=None)


def at(address: int, function: str | None, module: str) -> NativeFrame:
    return replace(native_frame(function or "", module), function=function, address=address)


def waiting(values: Sequence[int], gil: GilState | None = None) -> Thread:
    """One that polls in the driver; *values*: what lies in its frames."""
    native = [
        at(0x40, None, CUDA),
        *(at(address, None, CUDA) for address in reversed(CALLS[2:])),
        at(CALLS[1], "cuStreamSynchronize", CUDA),
        at(CALLS[0], "_PyEval_EvalFrameDefault", "/usr/bin/python3.12"),
    ]
    found = thread(
        "MainThread", PID, state="R", still=False, gil=gil, native=native,
        python=[python_frame("train", 7)],
    )  # fmt: skip
    marks = tuple(map(FrameMark, CALLS, values))
    return replace(found, native_sampled=True, native_marks=marks, busy=1.0, is_python=True)


def callback(gil: GilState | None = None) -> Thread:
    native = [
        at(1, "PyGILState_Ensure", "/usr/bin/python3.12"),
        at(2, None, "/usr/lib/_ctypes.so"),
        at(3, None, CUDA),
        at(4, None, LIBC),
    ]
    return replace(thread("python3", PID + 1, gil=gil, native=native), is_python=True)


def looks(values: Sequence[Sequence[int]], *others: Thread, gpu: GpuUse = GPU) -> Capture:
    """As many, half a second apart."""
    found = []
    for number, those in enumerate(values):
        one = capture(waiting(those, GilState.HOLDS if others else None), *others)
        (process,) = one.processes
        around = replace(process.around or Surroundings(), gpus=(gpu,))
        moment = f"2026-01-01T00:00:0{number / 2:.2f}+00:00"
        found.append(replace(one, taken_at=moment, processes=(replace(process, around=around),)))
    return with_progress(found)


SAME = [(1, 2, 3, 4, 5)] * 5
GIL = Resource(resource_id(NodeKind.GIL, PID, 1), NodeKind.GIL, "GIL", PID, 1)
WAITS, HOLDS = waits(callback(), GIL), holds(GIL, waiting(()))


def test_one_call_in_which_nothing_changes_lasts() -> None:
    found = run(looks(SAME))[0]
    assert (found.id, found.severity) == ("waiting-for-gpu", Severity.WARNING)
    assert "with code of this process" in found.sentence


@pytest.mark.parametrize(
    "values",
    [
        pytest.param([*SAME[:4], (1, 2, 3, 4, 6)], id="another value in the driver"),
        pytest.param([*SAME[:4], (9, 2, 3, 4, 5)], id="another value in a caller"),
        pytest.param([*SAME[:3], (), ()], id="not sampled twice"),
        pytest.param(SAME[:3], id="too few looks"),
        pytest.param([(1, 2, 3)] * 5, id="not deep enough into the driver"),
    ],
)
def test_any_other_is_not_said_to_last(values: list[tuple[int, ...]]) -> None:
    found = [one for one in run(looks(values)) if one.id == "waiting-for-gpu"]
    assert [one.severity for one in found] == [Severity.NOTE]


def ring(gpu: GpuUse, values: Sequence[Sequence[int]] = SAME) -> Finding:
    """A callback that waits for the GIL of who waits for the GPU."""
    seen = looks(values, callback(GilState.WAITS), gpu=gpu)
    return run(replace(seen, waits=(WAITS,), holds=(HOLDS,), resources=(GIL,)))[0]


def test_a_callback_that_needs_what_the_waiting_thread_holds() -> None:
    found = ring(IDLE)
    assert (found.id, found.severity) == ("gpu-callback", Severity.ERROR)
    assert found.title.startswith("Deadlock: MainThread waits for the GPU at main.py:7 (train)")


@pytest.mark.parametrize(("gpu", "values"), [(GPU, SAME), (IDLE, [*SAME[:4], (9, 2, 3, 4, 5)])])
def test_it_is_no_error_while_the_gpu_works_or_the_wait_changes(
    gpu: GpuUse, values: list[tuple[int, ...]]
) -> None:
    found = ring(gpu, values)
    assert (found.id, found.severity) == ("gpu-callback", Severity.WARNING)
    assert found.title.startswith("Possible deadlock")
