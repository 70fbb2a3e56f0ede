"""A thread that waits for a graphics or compute device: CUDA, NCCL, ROCm."""

import re
from collections.abc import Sequence
from functools import lru_cache

from hangtui.analysis.frame_classifier import short_name
from hangtui.analysis.places import native_name
from hangtui.analysis.waitgraph import WaitGraph
from hangtui.findings.english import listed
from hangtui.findings.grounds import ONE_WAIT
from hangtui.findings.stack_queries import at, callers, depth_of, own_frame, still, stood_s
from hangtui.findings.thresholds import BUSY_SHARE, NAMES_LISTED, STILL_S
from hangtui.findings.words import Words, ref, words_of
from hangtui.model import (
    Capture,
    Certainty,
    Finding,
    GpuUse,
    NativeFrame,
    Process,
    Severity,
    Thread,
)

ID = "waiting-for-gpu"
GROUND = ONE_WAIT
HELP = """\
A thread waits inside the driver of a GPU until the work that was queued there is done. It may
sleep, or poll, which looks busy.

How it is known: a synchronising function of CUDA, NCCL or ROCm is on the native stack. What the
device itself does is not visible from the process; NVIDIA's driver is asked (NVML) how busy each
GPU of the process was in the last second, and how much of its memory the process has.

Busy is not yet progress: a collective operation of NCCL that waits for another rank keeps the
device busy too. Idle means that next to no code ran there, for anybody: then the wait is not for a
long computation.
"""

_DRIVER = re.compile(r"lib(cuda|cudart|nccl|nvidia-\w++|amdhip64|hsa-runtime64|rccl)[-.\w]*")
_WAITS = re.compile(
    r"(?:cu|hip|nccl|hsa_)(?=\w*(?:Synchronize|Wait|Query|Memcpy))\w*+", re.IGNORECASE
)


def check(capture: Capture, graph: WaitGraph) -> list[Finding]:
    """One finding for each thread inside of the driver that waits there, asleep or polling."""
    words = words_of(capture, graph)
    found = []
    for process in capture.processes:
        for thread in process.threads:
            frame = _driver_frame(thread)
            if frame is None or graph.wait_of(thread.id) or graph.cycle_of(thread.id):
                continue
            if thread.is_python and (_polls(thread) or thread.still):
                found.append(_finding(process, thread, frame, words))
    return found


def _driver_frame(thread: Thread) -> NativeFrame | None:
    """The outermost call into the driver, which names what is waited for."""
    frames = [f for f in thread.native_stack or () if f.module and _is_driver(f.module)]
    waits = [f for f in frames if f.function and _WAITS.fullmatch(short_name(f))]
    return waits[-1] if waits else None


@lru_cache(1024)
def _is_driver(module: str) -> bool:
    return _DRIVER.fullmatch(module.rpartition("/")[2]) is not None


def _polls(thread: Thread) -> bool:
    return thread.state == "R" and (thread.busy or 0) >= BUSY_SHARE


def _lasts(thread: Thread, words: Words) -> bool:
    """Whether several looks found it in the same wait: a program that computes on a GPU waits for
    it all the time, for milliseconds."""
    if stood_s(thread, words) >= STILL_S:
        return True
    seen = words.progress.get(thread.id)
    if seen is None or seen.lasted_s < STILL_S or seen.looks <= 2:
        return False
    return _polls(thread) and len(seen.visits) == 1


def _finding(process: Process, thread: Thread, inside: NativeFrame, words: Words) -> Finding:
    name, frame = words.thread_name(thread), own_frame(thread)
    devices = (process.around.devices if process.around else None) or ()
    gpus = (process.around.gpus if process.around else None) or ()
    how = "polls (which looks busy)" if _polls(thread) else "sleeps"
    index = depth_of(thread, frame)
    where = f" on {listed(list(devices))}" if devices else ""
    return Finding(
        id=ID,
        severity=Severity.WARNING if _lasts(thread, words) else Severity.NOTE,
        certainty=Certainty.PROVEN,
        title=f"{name} waits for the GPU in {native_name(inside)}{at(frame)}",
        sentence=(
            f"{name} is in {native_name(inside)}, called{at(frame)}{callers(thread, index)}, and "
            f"{how} until the work queued{where} is done. Nothing in this process holds it up: "
            f"{_suspicion(gpus)}."
        ),
        threads=(ref(thread),),
        evidence=(
            f"native stack: {native_name(inside)} is the outermost call into the driver",
            *((f"the process has {listed(list(devices))} open",) if devices else ()),
            f"state {thread.state}"
            + (f", used {thread.busy:.0%} of a CPU" if thread.busy is not None else ""),
            *((still([thread]),) if thread.still else ()),
            *(f"by the driver (NVML), {gpu.told}" for gpu in gpus[:NAMES_LISTED]),
        ),
        unknown=_unknown(gpus),
        advice=(
            (
                "nvidia-smi shows whether the device computes (utilisation) or hangs (dmesg | grep "
                "Xid says so)."
            ),
            (
                "CUDA_LAUNCH_BLOCKING=1 makes the line that launched the kernel wait instead. In a "
                "job of several ranks: compare them, hangtui PID PID ... shows which one is "
                "elsewhere."
            ),
        ),
    )


def _suspicion(gpus: Sequence[GpuUse]) -> str:
    """What the work may be that does not end, by what the devices do that it may run on."""
    shares = [gpu.busy for gpu in gpus]
    which = gpus[0].title if len(gpus) == 1 else f"each of its {len(gpus)} GPUs"
    if shares and all(share == 0 for share in shares):
        return (
            f"{which} was idle in the last second, so this is not a long computation: the work "
            "waits "
            "for something else (a copy, an event, code of the host), or the device hangs"
        )
    if len(shares) == 1 and shares[0]:
        return (
            f"{which} was busy for {shares[0] * 100:.0f} % of the last second: a long computation "
            "(a kernel) runs there, one spins there until another rank arrives, or it works for "
            "somebody else"
        )
    return (
        "a computation there (a kernel) takes long or waits for another rank, or the device hangs"
    )


def _unknown(gpus: Sequence[GpuUse]) -> tuple[str, ...]:
    if all(gpu.busy is None for gpu in gpus):
        return ("what the device does: that is not recorded in the process",)
    which = ("which of them this thread waits for",) if len(gpus) > 1 else ()
    return (*which, "which code runs on the device, and for which process: busy counts them all")
