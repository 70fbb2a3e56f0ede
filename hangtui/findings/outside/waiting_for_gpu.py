"""A thread that waits for a graphics or compute device: CUDA, NCCL, ROCm."""

from collections.abc import Sequence

from hangtui.analysis.places import native_name
from hangtui.analysis.waitgraph import WaitGraph
from hangtui.findings.english import listed
from hangtui.findings.gpu_calls import callbacks, driver_call, in_nccl, polls, stays
from hangtui.findings.grounds import ONE_WAIT
from hangtui.findings.outside.rank_elsewhere import waiting_ranks
from hangtui.findings.rings.gpu_callback import held_up
from hangtui.findings.stack_queries import at, callers, depth_of, does, own_frame, still
from hangtui.findings.thresholds import NAMES_LISTED
from hangtui.findings.words import Words, ref, words_of
from hangtui.model import (
    Capture,
    Certainty,
    Finding,
    GpuUse,
    NativeFrame,
    NodeId,
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

A program that computes on a GPU waits for it all the time. It is a warning only if one wait lasts:
the thread slept all the while, or it polls and no value on the stack of that call and of its
callers changed between the looks, as one does for who comes back to wait again.

Busy is not yet progress: a collective operation of NCCL that waits for another rank keeps the
device busy too. Idle means that next to no code ran there, for anybody: then the wait is not for a
long computation.
"""


def check(capture: Capture, graph: WaitGraph) -> list[Finding]:
    """One finding for each thread inside of the driver that waits there, asleep or polling."""
    words = words_of(capture, graph)
    inside = [
        (process, thread, frame)
        for process in capture.processes
        for thread in process.threads
        if (frame := driver_call(thread)) and not graph.wait_of(thread.id)
    ]
    told: set[NodeId] = set(waiting_ranks(capture)) if inside else set()
    for process in {process.pid: process for process, *_ in inside}.values():
        told |= {one.waiting.id for one in held_up(process, words)}
    return [
        _finding(process, thread, frame, words)
        for process, thread, frame in inside
        if thread.id not in told and not graph.cycle_of(thread.id)
        if thread.is_python and (polls(thread) or thread.still)
    ]


def _stays(thread: Thread, inside: NativeFrame, words: Words) -> tuple[str, ...]:
    """What the looks tell of a thread that polls."""
    seen = words.progress.get(thread.id)
    if seen is None or not polls(thread):
        return ()
    name = native_name(inside)
    if stays(thread, words):
        stayed = f"all {seen.looks} looks in {seen.lasted_s:.1f} s found the same call of {name}"
        return (f"{stayed}: no value on the stack of it and of its callers changed",)
    return (f"{seen.looks} looks in {seen.lasted_s:.1f} s did not find one and the same call",)


def _finding(process: Process, thread: Thread, inside: NativeFrame, words: Words) -> Finding:
    name, frame = words.thread_name(thread), own_frame(thread)
    devices = (process.around.devices if process.around else None) or ()
    gpus = (process.around.gpus if process.around else None) or ()
    how = "polls (which looks busy)" if polls(thread) else "sleeps"
    index = depth_of(thread, frame)
    where = f" on {listed(list(devices))}" if devices else ""
    return Finding(
        id=ID,
        severity=Severity.WARNING if stays(thread, words) else Severity.NOTE,
        certainty=Certainty.PROVEN,
        title=f"{name} waits for the GPU in {native_name(inside)}{at(frame)}",
        sentence=(
            f"{name} is in {native_name(inside)}, called{at(frame)}{callers(thread, index)}, and "
            f"{how} until the work queued{where} is done. No thread here is seen to hold it up: "
            f"{_suspicion(gpus, process, words)}."
        ),
        threads=(ref(thread),),
        evidence=(
            f"native stack: {native_name(inside)} is the outermost call into the driver",
            *((f"the process has {listed(list(devices))} open",) if devices else ()),
            f"state {thread.state}"
            + (f", used {thread.busy:.0%} of a CPU" if thread.busy is not None else ""),
            *((still([thread]),) if thread.still else ()),
            *_stays(thread, inside, words),
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


def _suspicion(gpus: Sequence[GpuUse], process: Process, words: Words) -> str:
    """What the work may be that does not end, by what the devices do that it may run on."""
    which = gpus[0].title if len(gpus) == 1 else f"each of its {len(gpus)} GPUs"
    called = [does(thread, words) for thread in callbacks(process)]
    nccl = in_nccl(process)
    spins = "one of NCCL that spins until the other ranks have come to it, too"
    kernel = "a long computation (a kernel), or one that never ends"
    if gpus and all(gpu.busy == 0 for gpu in gpus):
        idle = f"{which} was idle in the last second, so this is not a long computation: "
        if called:
            return f"{idle}the work may be behind a callback, in which {listed(called)}"
        return (
            f"{idle}the work waits for something else (a copy, an event, code of the host), or the "
            "device hangs"
        )
    if len(gpus) == 1 and gpus[0].busy:
        busy = f"{which} was busy for {gpus[0].busy * 100:.0f} % of the last second"
        if gpus[0].own_busy:
            return f"{busy}, with code of this process: {kernel}{f', or {spins}' if nccl else ''}"
        return f"{busy}: with {kernel}, with {spins}, or for somebody else"
    return f"that work may be {kernel}, or {spins}, or the device hangs"


def _unknown(gpus: Sequence[GpuUse]) -> tuple[str, ...]:
    if all(gpu.busy is None for gpu in gpus):
        return ("what the device does: that is not recorded in the process",)
    which = ("which of them this thread waits for",) if len(gpus) > 1 else ()
    own = any(gpu.own_busy for gpu in gpus)
    whose = "" if own else ", and for which process: busy counts them all"
    return (*which, f"which code runs on the device{whose}")
