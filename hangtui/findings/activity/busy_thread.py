"""What the findings of busy threads have in common: how busy, where seen, on which evidence."""

import re
from collections.abc import Iterator, Sequence

from hangtui.analysis.places import native_name, package_of
from hangtui.dataclass import dataclass
from hangtui.findings.english import clauses, counted, listed
from hangtui.findings.forks import loop_left_behind
from hangtui.findings.handled import retried_by
from hangtui.findings.loops import terms_of
from hangtui.findings.pool_workers import serves_pool
from hangtui.findings.services import of_library
from hangtui.findings.thresholds import (
    BUSY_SHARE,
    COMPUTES_SHARE,
    LEAST_SHARE,
    NAMES_LISTED,
    SPIN_S,
)
from hangtui.findings.words import Words, ref
from hangtui.model import (
    Certainty,
    EventLoop,
    Finding,
    LoopState,
    NativeFrame,
    NodeId,
    NodeKind,
    Progress,
    PythonFrame,
    Severity,
    Task,
    Thread,
)

_MANY_TIMES = 100
"""Who calls something so often that fails does not come to an end by itself, most likely."""
RETRIES = (
    "Give the retries an end and a pause between them, and have the error of each attempt logged: "
    "it fails every time."
)


@dataclass(frozen=True, slots=True)
class BusyThread:
    """A thread that used a processor."""

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


def cpu(case: BusyThread) -> str:
    """``used 99 % of a CPU for 2.0 s``."""
    if case.progress is not None and case.progress.cpu_s is not None:
        return f"used {case.share:.0%} of a CPU over {case.progress.lasted_s:.1f} s"
    return f"used {case.share:.0%} of a CPU while it was watched"


def stuck_in_place(case: BusyThread) -> bool:
    """Seen for long, by every look, in the same innermost function of the program; not in an event
    loop that waits for what comes next."""
    progress = case.progress
    if case.thread.id in case.words.looping:
        return False
    if progress is None or progress.lasted_s < SPIN_S or progress.looks < 3:
        return False
    # A stack that could not be read while it ran may have been any other.
    seen = sum(visit.looks for visit in progress.visits)
    return seen == progress.looks and len({visit.function for visit in progress.visits}) == 1


_SPINNING = re.compile(
    r"(?:^|_)(?:spin_?(?:lock|wait|mutex)|cpu_relax|busy_?wait|try_?lock|backoff)(?:_|$)"
)
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def spins(case: BusyThread) -> bool:
    """Whether all looks that met it running, and more than two, found it in the same native
    function, whose name says that it does nothing but ask again and again whether a lock is
    free."""
    progress = case.progress
    if progress is None or len(progress.natives) != 1:
        return False
    (seen,) = progress.natives
    words = re.sub(r"\W+", "_", _HUMP.sub("_", seen.function)).lower()
    # One that gets no processor meanwhile is not sampled.
    return seen.looks >= min(3, progress.looks) and bool(_SPINNING.search(words))


def within(inside: str, stack: Sequence[PythonFrame]) -> str:
    """`` inside Redis.transaction``, the library's function that no look found it outside of."""
    found = any(one.function == inside and package_of(one) for one in stack)
    return f" inside {inside}" if found else ""


def calls_again(case: BusyThread) -> str:
    """``tenacity calls stock (shop.py:4) again and again, and counts attempt 4711``, of one who was
    to do so but a few times; or nothing."""
    again = retried_by(case.thread.id, case.words)
    if again is not None and again.inside and again.lasted_s >= SPIN_S:
        return (
            f"{again.inside} calls {again.call} again each time that something fails, and did not "
            f"get through for {again.lasted_s:.0f} s or more"
        )
    if again is None or (again.times or 0) < _MANY_TIMES:
        return ""
    packages = (package_of(frame) for frame in case.thread.python_stack or ())
    package = next(filter(None, packages), "a package")
    return f"{package} calls {again.call} again and again, and counts attempt {again.times}"


def meanwhile(case: BusyThread) -> str:
    """What it does, as far as the processor time that it used tells."""
    if case.progress is None and case.share < BUSY_SHARE:
        return "it was ready to run, but got no processor for most of that time"
    if case.progress is None or case.share >= COMPUTES_SHARE:
        # A loop that asks again and again for what another thread should do looks the same.
        return "it is in no wait"
    return "for most of the time it waited, or got no processor"


def got_no_processor(case: BusyThread) -> bool:
    """Whether all that one look saw is that it got no processor: others have them all."""
    return case.progress is None and case.share < LEAST_SHARE


def code(case: BusyThread) -> str:
    """What runs: without the GIL and a sample of the native stack, that may be C as well."""
    unknown = case.thread.native_stack is None and case.thread.gil is None
    return "code, perhaps C code that was called" if unknown else "Python code"


def starves(case: BusyThread) -> str:
    """``, and its asyncio event loop serves no other task``, where there are others; or nothing."""
    for loop, others in _loops_inside(case):
        if others:
            terms = terms_of(loop)
            return f", and its {terms.whole} serves no other {terms.unit} meanwhile"
    return ""


def of_a_loop(case: BusyThread) -> str:
    """`` Until that returns, the asyncio event loop ...``, for the thread of one; or nothing."""
    for loop, others in _loops_inside(case):
        task = case.words.actor(loop.task) if loop.task else None
        inside = case.words.actor_name(task) if task else "a callback"
        terms = terms_of(loop)
        more = f" ({counted(len(others), f'other {terms.unit}')})" if others else ""
        return (
            f" It is inside {inside}: until that yields, its {terms.whole} serves no other "
            f"{terms.unit}, timer or connection{more}."
        )
    return ""


def _loops_inside(case: BusyThread) -> Iterator[tuple[EventLoop, list[Task]]]:
    """The loop of its thread that is inside a task or a callback, with its other tasks."""
    thread = case.thread
    for loop in case.words.capture.event_loops:
        if (loop.pid, loop.tid, loop.state) != (thread.pid, thread.tid, LoopState.BUSY):
            continue
        if not loop_left_behind(thread, loop, case.words):
            task = case.words.actor(loop.task) if loop.task else None
            yield loop, [one for one in case.words.tasks_of(loop) if one is not task]


def of_its_locks(case: BusyThread) -> str:
    """`` Meanwhile prepare waits at app.py:6 (prepare) for lock, which main has.``, or nothing."""
    words = case.words
    held = (hold.source for hold in words.graph.held_by(case.thread.id))
    locks = [one for one in dict.fromkeys(held) if not _is_gil(one, words)]
    waits = [
        wait
        for one in locks
        for wait in words.graph.waiters_of(one)
        if (thread := words.thread(wait.source)) is not None
        and not serves_pool(thread)
        and not of_library(thread, words)
    ]
    if not waits:
        return ""
    waits.sort(key=lambda wait: wait.source)
    told = [f"{words.name(wait.source)} {words.waiting(wait)}" for wait in waits[:NAMES_LISTED]]
    return f" Meanwhile {clauses(told, len(waits))}{_its_part(case, locks)}."


def _its_part(case: BusyThread, held: list[NodeId]) -> str:
    """``, which main holds``: what it has of all that others wait for; empty where that is said."""
    words = case.words
    name = words.name(case.thread.id)
    if all(one.kind is NodeKind.PROCESS for one in held):
        return ""
    if all(map(words.is_future, held)):
        return f", which {name} has to finish"
    if all(map(words.is_channel, held)):
        return f", whose other end {name} has"
    return f", which {name} holds"


def _visited(case: BusyThread) -> list[str]:
    progress = case.progress
    if progress is None or progress.looks < 2:
        return []
    places = [f"{v.place} {v.looks}x" for v in progress.visits[:NAMES_LISTED]]
    lines = [f"seen {progress.looks} times in {progress.lasted_s:.1f} s: {listed(places)}"]
    natives = [f"{v.place} {v.looks}x" for v in progress.natives[:NAMES_LISTED]]
    if natives:
        lines.append(f"in native code: {listed(natives)}")
    functions = [name for name in progress.common if name != "<module>"]
    if functions:
        lines.append(f"in every look inside of: {' > '.join(functions[-NAMES_LISTED:])}")
    return lines


def _evidence(case: BusyThread) -> tuple[str, ...]:
    lines = [f"{case.name} is in state {case.thread.state} (running) and {cpu(case)}"]
    if case.native is not None:
        how = "sampled while it ran, without stopping it" if case.thread.native_sampled else "read"
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


def busy_finding(
    case: BusyThread,
    identifier: str,
    severity: Severity,
    title: str,
    sentence: str,
    advice: tuple[str, ...],
    unknown: tuple[str, ...] = (),
) -> Finding:
    """What is said of *case*, with the evidence that all findings of busy threads have."""
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
