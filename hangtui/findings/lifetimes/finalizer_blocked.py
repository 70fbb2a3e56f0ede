"""A finalizer that blocks: ``__del__`` or a weak reference's callback, run at a random moment by
the garbage collector inside of a function that has nothing to do with it."""

from hangtui.analysis.frame_classifier import module_name, short_name
from hangtui.analysis.places import (
    blocking_frame,
    function_of,
    native_name,
    natives_until_python,
)
from hangtui.analysis.states import COLLECTORS
from hangtui.analysis.waitgraph import Edge, Relation, WaitGraph
from hangtui.findings.by_the_clock import at_own_work, goes_on, moves
from hangtui.findings.certainty import as_sure_as
from hangtui.findings.doing import doing
from hangtui.findings.english import joined, listed
from hangtui.findings.exits import STOPPED
from hangtui.findings.grounds import RING
from hangtui.findings.left_in_parent import left_in_parent
from hangtui.findings.lifetimes.finalizer_advice import BROUGHT, advice, left_behind
from hangtui.findings.lifetimes.finalizers import (
    CLOSING,
    FinalizerCase,
    case_of,
    closes_for_ever,
    closing_call,
    for_long,
    lost_in_fork,
    never_released,
    only_afterwards,
    own_line,
)
from hangtui.findings.on_the_way import onward
from hangtui.findings.stack_queries import (
    at,
    callers_of,
    kind_of,
    still,
    stood_s,
    told,
)
from hangtui.findings.words import Words, ref, words_of
from hangtui.model import Capture, Certainty, Finding, NodeKind, Severity, Thread

ID = "finalizer-blocked"
GROUND = RING
HELP = """\
A finalizer is code that runs when an object is destroyed: a `__del__` method, or the callback of a
`weakref.finalize`. If the object is part of a reference cycle, the garbage collector runs it, at a
moment that nobody chose: inside whatever function created one object too many.

How it is known: the Python stack shows the finalizer right above a line that does not call it, and
the native stack shows a function of the collector below the wait; or no function is below it, where
a thread that ends drops its thread-local values. If what it waits for is a lock
that the interrupted function holds, it waits for itself: an error. The same holds for a call that
returns only after something else was closed (zmq_ctx_term), if no other Python thread exists and it
stood still over several captures; for what only code in Python gives, at the interpreter's end
(Py_FinalizeEx), when no other thread may run that any more; and for the only thread of a fork, if
what it waits for in a package is for a thread of that package to end, which the parent alone has.
It is a note if it waits for the end of a thread that is at work, or goes on by the clock.
"""


def check(capture: Capture, graph: WaitGraph) -> list[Finding]:
    """One finding for each thread that is blocked inside of a finalizer."""
    words = words_of(capture, graph)
    return [
        _finding(case)
        for thread in capture.threads()
        if thread.blocked and (case := case_of(thread, words)) and for_long(case)
    ]


def _finding(case: FinalizerCase) -> Finding:
    words, thread = case.words, case.thread
    cycle, waits = words.graph.cycle_of(thread.id), words.graph.waits_of(thread.id)
    sure = cycle is not None and cycle.certainty.supports_claim
    runner = "The garbage collector" if case.by_collector else "The interpreter"
    goal, owner = _goal(case)
    known = case.by_collector
    lost = lost_in_fork(case)
    exit_waits = never_released(case)
    sure = sure or lost or exit_waits or closes_for_ever(case)
    return Finding(
        id=ID,
        severity=Severity.ERROR if sure else _severity(case),
        # Who ran it matters only where no ring says by itself that it is stuck.
        certainty=as_sure_as(*cycle.edges)
        if cycle and cycle.certainty.supports_claim
        else as_sure_as(Certainty.PROVEN if sure or known else Certainty.INFERRED, *waits),
        title=f"{function_of(case.finalizer)} blocks {case.name}: "
        f"{'the garbage collector' if known else 'the interpreter'} ran it {case.inside}"
        f"{_without(case)}",
        sentence=(
            f"{runner} ran the finalizer {function_of(case.finalizer)}{at(case.finalizer)} "
            f"{_interrupted(case)}{';' if case.at_exit else ':'} {goal}. {owner} "
            f"{case.name} {'can never go on' if sure else 'does not go on'} by itself"
            f"{_others(case)}."
        ),
        threads=(ref(thread),),
        resources=tuple(n for n in cycle.nodes if words.resource(n)) if cycle else (),
        evidence=tuple(_evidence(case)),
        unknown=tuple(_unknown(case)),
        advice=tuple(advice(case)),
    )  # fmt: skip


def _severity(case: FinalizerCase) -> Severity:
    """Who waits for the end of a thread that is at work goes on once that has done it."""
    wait = case.words.graph.wait_of(case.thread.id)
    awaited = case.words.thread(wait.target) if wait else None
    works = awaited is not None and (
        at_own_work(awaited, case.words)
        or moves(awaited, case.words)
        or goes_on(awaited, case.words)
    )
    return Severity.NOTE if works else Severity.WARNING


def _interrupted(case: FinalizerCase) -> str:
    """Where it ran, in full."""
    if case.at_exit:
        return "at its own end: the program has ended, and Py_FinalizeEx destroys what is left"
    if case.at_end:
        return f"at the end of {case.name}, whose functions have all returned"
    inside = f"{told(case.below) or 'another function'}{callers_of(case.thread, case.below)}"
    # What drops the last reference to an object has its finalizer run as well.
    return f"inside {inside}{', which has nothing to do with it' if case.by_collector else ''}"


def _without(case: FinalizerCase) -> str:
    """``, after a fork that left wandb-AsyncioManager-main of wandb behind``, or nothing."""
    left = left_behind(case)
    return f", after a fork that left {left.names} of {left.package} behind" if left else ""


def _goal(case: FinalizerCase) -> tuple[str, str]:
    """What it waits for, and who would have to end that."""
    words = case.words
    wait = words.graph.wait_of(case.thread.id)
    holds = words.graph.holders_of(wait.target) if wait else ()
    native = closing_call(case.thread)
    if native is not None:
        what, objects = CLOSING[native]
        return (
            f"it called {native} there, and {what}",
            _closer(case, objects),
        )
    if wait is not None and any(hold.target == case.thread.id for hold in holds):
        return _own_lock(case, wait, holds)
    if wait is not None:
        further = "" if holds else onward(case.thread.id, words).text.strip()
        return f"there it waits{own_line(case)} {words.goal(wait)}", further or _holders(
            case, holds
        )
    frame = blocking_frame(case.thread)
    called = case.thread.syscall
    unseen = f"the system call {called.name}" if called else "a system call"
    inside = native_name(frame) if frame else unseen
    return f"there it waits in {inside}", f"Who should end that is not known{_no_other(case)}."


def _closer(case: FinalizerCase, objects: str) -> str:
    if len(case.python_threads) > 1:
        return (
            f"{objects} can only be closed by Python code: by another thread, or by this same "
            "thread, which cannot before the finalizer returns."
        )
    return (
        f"{objects} are for Python code to close, and there is no other Python thread: this same "
        "thread is the one that would have to do it, and it cannot before the finalizer returns."
    )


def _own_lock(case: FinalizerCase, wait: Edge, holds: tuple[Edge, ...]) -> tuple[str, str]:
    lock, later = case.words.name(wait.target), "only after the finalizer returns."
    if kind_of(wait, case.words) in BROUGHT:
        return (
            f"there it waits for {lock}, which only the same thread could bring",
            f"It goes on to that {later}",
        )
    if case.words.is_channel(wait.target):
        return (
            f"there it waits {case.words.goal(wait)}, whose other end only this thread could serve",
            f"It could do so {later}",
        )
    where = next((hold.evidence.where for hold in holds if hold.evidence.where), None)
    taken = f" (taken at {where.rpartition('/')[2]})" if where else ""
    return (
        f"there it waits{own_line(case)} for {lock}, which the same thread already holds{taken}",
        f"The function that was interrupted would release it, but it goes on {later}",
    )


def _holders(case: FinalizerCase, holds: tuple[Edge, ...]) -> str:
    names = [case.words.name(hold.target) for hold in holds]
    holders = [one for hold in holds if (one := case.words.actor(hold.target))]
    if names:
        now = f" Now {joined([doing(one, case.words) for one in holders])}." if holders else ""
        return f"That is held by {listed(names)}.{now}"
    if case.at_exit:
        stopped = [f"TID {one.tid}{_called(one)}" for one in case.stopped]
        return f"Who has it: {STOPPED}{f' ({listed(stopped)})' if stopped else ''}."
    left = left_in_parent(case.thread, case.words)
    known = f"Nobody here can end that. {left.told}." if left else only_afterwards(case)
    return known or "Who should end that is not known."


def _called(thread: Thread) -> str:
    return f" in {thread.syscall.name}" if thread.syscall else ""


def _no_other(case: FinalizerCase) -> str:
    return "; there is no other Python thread that could" if len(case.python_threads) <= 1 else ""


def _others(case: FinalizerCase) -> str:
    waiting = [e for e in case.words.graph.held_by(case.thread.id) if _gil(e, case.words)]
    return ", and it keeps the GIL" if waiting else ""


def _gil(edge: Edge, words: Words) -> bool:
    node = words.graph.node(edge.source)
    return node is not None and node.kind is NodeKind.GIL and edge.relation is Relation.HELD_BY


def _unknown(case: FinalizerCase) -> list[str]:
    lines = []
    if not case.by_collector and not case.at_exit:
        lines.append(
            "whether the garbage collector ran it, or the end of the last reference: the native "
            "stack does not show it"
        )
    if closing_call(case.thread):
        lines.append(
            "whether what has to be closed belongs to the same garbage (as after an exception that "
            "was kept, whose traceback refers to it), or something still refers to it"
        )
    return lines


def _evidence(case: FinalizerCase) -> list[str]:
    words, thread = case.words, case.thread
    above = f"right above {told(case.below) or 'the line below'}, which does not call it"
    lies = "on no other function" if case.at_end or case.at_exit else above
    lines = [f"Python stack: {told(case.finalizer)} lies {lies}: C code entered there"]
    if case.by_collector:
        names = [short_name(frame) for frame in thread.native_stack or ()]
        lines.append(f"native stack: {_collector(names)} (the collector) lies below the wait")
    top = [f for f in natives_until_python(thread) if f.function][:40]
    if closing := closing_call(thread):
        modules = {short_name(frame): module_name(frame) for frame in top}
        lines.append(f"native stack: {closing} ({modules.get(closing, '?')}) is what blocks")
    lines += [words.reading(edge) for edge in words.graph.waits_of(thread.id)]
    cycle = words.graph.cycle_of(thread.id)
    lines += [words.reading(e) for e in (cycle.edges if cycle else ()) if e.source != thread.id]
    if rests := stood_s(thread, words):
        lines.append(f"it has not run for {rests:.1f} s, over several captures")
    return [*lines, still([thread])]


def _collector(names: list[str]) -> str:
    found = [name for name in names if name.partition(".")[0] in COLLECTORS]
    return found[0] if found else "collect"
