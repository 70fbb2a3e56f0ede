"""A thread that is busy: it computes, spins, or collects garbage, and is not blocked at all."""

from collections import Counter
from dataclasses import dataclass

from hangtui.analysis.machinery import foreign_frame, short_name
from hangtui.analysis.places import called_frame, native_name
from hangtui.analysis.states import COLLECTORS
from hangtui.analysis.waitgraph import WaitGraph
from hangtui.findings.deadlock_advice import RELEASE_GIL
from hangtui.findings.engine import NotEnough, Result
from hangtui.findings.looks import (
    at,
    callers,
    native_index,
    natives_until_python,
    own_frame,
    told,
)
from hangtui.findings.thresholds import BUSY_SHARE, KEPT_GIL_MS, NAMES_LISTED, READY_SHARE, SPIN_S
from hangtui.findings.words import Words, listed, ref, words_of
from hangtui.model import (
    Capture,
    Certainty,
    Finding,
    GilState,
    NativeFrame,
    NodeKind,
    Progress,
    Severity,
    Thread,
)

ID = "busy"
IDS = (ID, "busy-loop", "gc-storm", "gil-hog", "native-spin", "working")
HELP = """\
Not blocked: the thread uses a processor. Whether that is work or an endless loop cannot be told
from one look, so `hangtui check` looks several times.

| id | means |
|---|---|
| `working` | it runs Python code |
| `busy-loop` | all looks over a second or more found it in the same function |
| `busy` | it runs native code without the GIL |
| `native-spin` | all looks found the same native call, or its name says that it spins |
| `gil-hog` | it runs native code and keeps the GIL that others wait for |
| `gc-storm` | it collects garbage |

How it is known: the kernel counts processor time, and takes samples of native stacks while threads
run (`perf_event_open`), without stopping them. The interpreter keeps a record of whether it is
collecting garbage (3.7 and later).
"""

_SPINNING = ("spin", "cpu_relax", "busy_wait", "busywait", "trylock", "try_lock", "backoff")


@dataclass(frozen=True, slots=True)
class _Case:
    thread: Thread
    progress: Progress | None
    native: NativeFrame | None
    """The innermost frame of somebody's C code; None: it runs Python, or the interpreter."""
    words: Words

    @property
    def name(self) -> str:
        """Of the thread."""
        return self.words.thread_name(self.thread)

    @property
    def share(self) -> float:
        """Of a processor, as far back as it was watched."""
        long = self.progress.busy if self.progress else None
        return long if long is not None else self.thread.busy or 0.0


def check(capture: Capture, graph: WaitGraph) -> Result:
    """One finding for each busy thread."""
    threads = capture.threads()
    if threads and all(thread.busy is None for thread in threads) and not capture.progress:
        return NotEnough("the processor time of threads was not read")
    words = words_of(capture, graph)
    progress = {one.thread: one for one in capture.progress}
    found = []
    for thread in threads:
        course = progress.get(thread.id) if progress else None
        if course is None and not (thread.busy or thread.runnable):
            continue
        case = _Case(thread, course, _foreign(thread), words)
        if _busy(case):
            found.append(_judge(case))
    return found


def _busy(case: _Case) -> bool:
    """It used a processor, or would have if it had got one."""
    if case.progress is not None and case.progress.busy is not None:
        long = case.progress.busy >= BUSY_SHARE
        return long or (case.progress.lasted_s > 0 and (case.thread.runnable or 0) >= READY_SHARE)
    # A native stack that was not sampled is that of a thread which slept when it was looked at.
    slept = bool(case.thread.native_stack) and not case.thread.native_sampled
    if slept and (case.thread.busy or 0.0) < BUSY_SHARE:
        return False
    return (case.thread.runnable or case.thread.busy or 0.0) >= READY_SHARE


def _foreign(thread: Thread) -> NativeFrame | None:
    above = natives_until_python(thread)
    return next((f for f in above if foreign_frame(f) and f.module), None)


def _judge(case: _Case) -> Finding:
    if _collects(case):
        return _garbage(case)
    waiters = _gil_waiters(case)
    kept = case.thread.gil_kept_ms
    hogs = case.thread.gil is GilState.HOLDS and waiters and case.native is not None
    if hogs and (kept is None or kept >= KEPT_GIL_MS):
        return _hog(case, waiters)
    return _native(case) if case.native is not None else _python(case)


def _collects(case: _Case) -> bool:
    """Several looks at it, or the only one, were inside of the collector."""
    progress = case.progress
    if progress is not None and progress.looks > 2:
        return progress.collecting >= max(2, progress.looks / 3)
    return bool(case.thread.collecting) or _seen_collecting(case)


def _seen_collecting(case: _Case) -> bool:
    """Its native stack, the last one taken, was inside of the collector."""
    names = [short_name(frame) for frame in natives_until_python(case.thread)]
    return any(name.partition(".")[0] in COLLECTORS for name in names)


def _gil_waiters(case: _Case) -> list[Thread]:
    process = case.words.capture.process(case.thread.pid)
    threads = process.threads if process else ()
    others = (thread for thread in threads if thread.id != case.thread.id)
    return [t for t in others if t.gil is GilState.WAITS or native_index(t, {"take_gil"})]


# -- what they all say ----------------------------------------------------------------------------


def _cpu(case: _Case) -> str:
    """``used 99 % of a CPU for 2.0 s``."""
    if case.progress is not None and case.progress.cpu_s is not None:
        return f"used {case.share:.0%} of a CPU over {case.progress.lasted_s:.1f} s"
    return f"used {case.share:.0%} of a CPU while it was watched"


def _stuck_in_place(case: _Case) -> bool:
    """Seen for long, always in the same innermost function of the program."""
    progress = case.progress
    if progress is None or progress.lasted_s < SPIN_S or progress.looks < 3:
        return False
    return len({visit.function for visit in progress.visits}) == 1


def _visited(case: _Case) -> list[str]:
    progress = case.progress
    if progress is None or progress.looks < 2:
        return []
    places = [f"{v.place} {v.looks}x" for v in progress.visits[:NAMES_LISTED]]
    lines = [f"seen {progress.looks} times in {progress.lasted_s:.1f} s: {listed(places)}"]
    functions = [name for name in progress.common if name != "<module>"]
    if functions:
        lines.append(f"never left: {' > '.join(functions[-NAMES_LISTED:])}")
    return lines


def _evidence(case: _Case) -> tuple[str, ...]:
    lines = [f"{case.name} is in state {case.thread.state} (running) and {_cpu(case)}"]
    if case.native is not None:
        how = "sampled while it ran, without a stop" if case.thread.native_sampled else "read"
        lines.append(f"native stack ({how}): {native_name(case.native)} is innermost")
    holds = case.words.graph.held_by(case.thread.id)
    gils = [edge for edge in holds if _is_gil(edge.source, case.words)]
    lines += [case.words.reading(edge) for edge in gils]
    if case.thread.gil is None and case.thread.is_python:
        lines.append("it does not hold the GIL")
    if case.thread.collecting:
        lines.append("the interpreter's own record says that it is collecting garbage")
    return (*lines, *_visited(case))


def _is_gil(node_id: str, words: Words) -> bool:
    node = words.graph.node(node_id)
    return node is not None and node.kind is NodeKind.GIL


def _finding(case: _Case, identifier: str, severity: Severity, title: str, sentence: str,
             advice: tuple[str, ...], unknown: tuple[str, ...] = ()) -> Finding:  # fmt: skip
    return Finding(
        id=identifier,
        severity=severity,
        certainty=Certainty.CERTAIN,
        title=title,
        sentence=sentence,
        threads=(ref(case.thread),),
        evidence=_evidence(case),
        unknown=unknown,
        advice=advice,
    )


# -- one way to be busy each ----------------------------------------------------------------------


def _hog(case: _Case, waiters: list[Thread]) -> Finding:
    assert case.native is not None
    called = called_frame(case.thread) or case.native
    frame = own_frame(case.thread)
    names = listed([case.words.thread_name(waiter) for waiter in waiters])
    one = len(waiters) == 1
    kept = case.thread.gil_kept_ms
    for_ = f", for {kept:.0f} ms without a break" if kept else ""
    return _finding(
        case,
        "gil-hog",
        Severity.WARNING,
        f"{case.name} runs {native_name(called)} without releasing the GIL; "
        f"{len(waiters)} {'thread waits' if one else 'threads wait'}",
        f"{case.name} is busy in native code, {native_name(called)}, called{at(frame)}: it "
        f"runs and keeps the GIL{for_}. No other thread can run "
        f"Python meanwhile: {names} {'waits' if one else 'wait'} for the GIL.",
        (
            f"Release the GIL around the loop in {native_name(called)}: {RELEASE_GIL}.",
            (
                "If it does not end at all: look at its arguments"
                f"{at(frame)}; a loop that waits for convergence needs a limit, and a test for NaN."
            ),
        ),
        ("whether it will come to an end",),
    )


def _native(case: _Case) -> Finding:
    assert case.native is not None
    called = called_frame(case.thread) or case.native
    frame = own_frame(case.thread)
    spins = any(word in short_name(case.native).lower() for word in _SPINNING)
    stuck = _stuck_in_place(case) or spins
    inner = f", in {native_name(case.native)}" if case.native is not called else ""
    gil = " without the GIL" if case.thread.gil is None else ""
    if stuck:
        title = f"{case.name} is spinning in {native_name(called)}, called{at(frame)}"
    else:
        title = f"{case.name} is busy in {native_name(called)}, called{at(frame)}"
    return _finding(
        case,
        "native-spin" if stuck else ID,
        Severity.WARNING if stuck else Severity.NOTE,
        title,
        f"{case.name} is running native code{gil}: {native_name(called)}{inner}, called"
        f"{at(frame)}, and {_cpu(case)}. It waits for nothing that the kernel or Python knows of"
        f"{': a spin lock or a loop there does not come to its end' if stuck else ''}.",
        (
            (
                f"Look at {native_name(called)} with a debugger: hangtui dump {case.thread.pid} "
                "--native gdb shows its source lines."
            ),
            (
                "If it is a spin lock: find who took it and did not give it back, a thread that "
                "has ended or an error path that returns with it."
            ),
        ),
        ("whether it makes progress: registers and memory of native code are not compared",),
    )


def _python(case: _Case) -> Finding:
    frame = own_frame(case.thread)
    stack = case.thread.python_stack or ()
    index = stack.index(frame) if frame else 0
    where = told(frame) or (told(stack[0]) if stack else "code that was not read")
    stuck = _stuck_in_place(case)
    visits = Counter(visit.function for visit in case.progress.visits) if case.progress else {}
    moved = f" Meanwhile it was seen in {len(visits)} functions." if len(visits) > 1 else ""
    if case.progress and case.progress.looks > 2 and case.progress.common[1:] and not stuck:
        inside = case.progress.common[-1]
        moved += f" In all {case.progress.looks} looks it was inside of {inside}."
    return _finding(
        case,
        "busy-loop" if stuck else "working",
        Severity.NOTE,
        f"{case.name} is busy: it is running {where}",
        f"{case.name} is running Python code at {where}{callers(case.thread, index)}, and "
        f"{_cpu(case)}: it computes and waits for nothing.{moved}"
        + (
            " It never left that function while it was watched: either its loop does not come to "
            "an end, or there is much to do in it."
            if stuck
            else ""
        ),
        (
            (
                "If it should be done by now: compare what the loop's variables are with what "
                "would end it (hangtui, Thread screen), and run hangtui check again in a minute: "
                "the same lines speak for a loop that does not end."
            ),
        ),
        ("whether the loop comes to an end",),
    )


def _garbage(case: _Case) -> Finding:
    frame = own_frame(case.thread)
    progress = case.progress
    often = (
        f" It did so in {progress.collecting} of {progress.looks} looks."
        if progress and progress.looks > 1
        else ""
    )
    return _finding(
        case,
        "gc-storm",
        Severity.WARNING if progress and progress.collecting > 1 else Severity.NOTE,
        f"{case.name} is busy collecting garbage{at(frame)}",
        f"{case.name} is running: the cyclic garbage collector (gc) works inside of "
        f"{told(frame) or 'a function'}; it {_cpu(case)}.{often} The collector walks over all "
        "objects that can refer to others, so with millions of them every full collection takes "
        "seconds.",
        (
            (
                f"Do not call gc.collect() for each request or item{at(frame)}, if that is what "
                "starts it; the collector runs by itself."
            ),
            (
                "After start-up: gc.collect(); gc.freeze() takes the objects that stay out of "
                "every later collection. Or raise gc.set_threshold(100_000, 50, 1000)."
            ),
        ),
        ("how many objects there are",),
    )
