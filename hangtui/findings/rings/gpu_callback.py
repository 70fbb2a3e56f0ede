"""A thread that waits for a GPU's work and holds what a callback of that work needs."""

from collections.abc import Iterator

from hangtui.analysis.places import native_name
from hangtui.analysis.waitgraph import Edge, WaitGraph
from hangtui.dataclass import dataclass
from hangtui.findings.claims import claim
from hangtui.findings.gpu_calls import callbacks, driver_call, stays
from hangtui.findings.grounds import NOBODY
from hangtui.findings.onward import chain
from hangtui.findings.rings.deadlock_advice import RELEASE_GIL, native_call
from hangtui.findings.stack_queries import at, callers, depth_of, own_frame
from hangtui.findings.words import Words, ref, words_of
from hangtui.model import (
    Capture,
    Certainty,
    Finding,
    NativeFrame,
    NodeKind,
    Process,
    Severity,
    Thread,
)

ID = "gpu-callback"
GROUND = NOBODY
HELP = """\
Work that is queued on a GPU may call back into the program (`cuLaunchHostFunc`,
`cudaStreamAddCallback`, a host callback of JAX or CuPy): the driver runs the function in a thread
of its own, and what is queued behind it waits until it returns. If that function waits for the GIL,
or for a lock, and whoever has it waits for the work behind, neither can go on.

How it is known: a thread that the driver has started is in code of the program, and waits for
something which a thread holds that is inside a synchronising function of the driver. Which stream a
callback belongs to, the driver does not record. It is an error if several looks found that thread
in one and the same call for a second or more, while the GPUs of the process ran nothing; else a
warning.
"""


@dataclass(frozen=True, slots=True)
class HeldUp:
    """A callback that waits for who waits for the GPU."""

    callback: Thread
    path: list[Edge]
    """From its wait to the hold of the other one."""
    waiting: Thread
    call: NativeFrame
    """That one's into the driver."""


def check(capture: Capture, graph: WaitGraph) -> list[Finding]:
    """One finding for each thread in a callback that waits for one that waits for the GPU."""
    words = words_of(capture, graph)
    return [
        _finding(process, one, words)
        for process in capture.processes
        for one in held_up(process, words)
    ]


def held_up(process: Process, words: Words) -> Iterator[HeldUp]:
    """All of one process."""
    for thread in callbacks(process):
        path = chain(thread.id, words)
        waiting = words.thread(path[-1].target) if path else None
        call = driver_call(waiting) if waiting and waiting.pid == process.pid else None
        if waiting and call and not words.graph.cycle_of(thread.id):
            yield HeldUp(thread, path, waiting, call)


def _finding(process: Process, one: HeldUp, words: Words) -> Finding:
    name, callback = words.thread_name(one.waiting), words.thread_name(one.callback)
    frame, inside = own_frame(one.waiting), own_frame(one.callback)
    held = one.path[-1].source
    thing = words.name(held)
    gpus = (process.around.gpus if process.around else None) or ()
    lasts = stays(one.waiting, words)
    sure = lasts and bool(gpus) and all(gpu.busy == 0 for gpu in gpus)
    stayed = f"{name} was in one and the same call in all looks: no value on its stack changed"
    whose = f"whether {name} waits for the very stream that the callback belongs to"
    return Finding(
        id=ID,
        severity=Severity.ERROR if sure else Severity.WARNING,
        certainty=Certainty.INFERRED,
        never_ends=sure,
        title=(
            f"{claim(sure=sure)}: {name} waits for the GPU{at(frame)} "
            f"and holds {thing}, which a callback of the GPU's work waits for{at(inside)}"
        ),
        sentence=(
            f"{name} waits{at(frame)}{callers(one.waiting, depth_of(one.waiting, frame))} in "
            f"{native_name(one.call)} for work of the GPU, and holds {thing} meanwhile. A thread "
            f"of the driver, {callback}, has called back into the program, as that work asks for, "
            f"and waits{at(inside)} {words.goal(one.path[0])}. What is queued behind the callback "
            f"does not begin before it returns. {'N' if lasts else 'Then n'}either can go on."
        ),
        threads=(ref(one.waiting), ref(one.callback)),
        resources=(held,),
        evidence=(
            f"{name}: {native_name(one.call)} is the outermost call into the driver",
            f"{callback}: its stack begins in the driver, and leads into the program",
            *map(words.reading, one.path),
            *((stayed,) if lasts else ()),
            *(f"by the driver (NVML), {gpu.told}" for gpu in gpus),
        ),
        unknown=(f"{whose}; nothing else runs on the GPU" if sure else whose,),
        advice=(
            f"Release the GIL around {native_call(one.waiting)}: {RELEASE_GIL}."
            if held.kind is NodeKind.GIL
            else f"Do not hold {thing} while waiting for the GPU, or do not take it in a callback.",
            "Let a callback of a stream wait for nothing: all that is queued behind it stands.",
        ),
    )
