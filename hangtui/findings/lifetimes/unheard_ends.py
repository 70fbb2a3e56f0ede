"""The end of a child of which its event loop has not told who waits for it."""

from collections.abc import Sequence
from dataclasses import replace

from hangtui.findings.certainty import as_sure_as
from hangtui.findings.child_ends import how_ended
from hangtui.findings.english import listed
from hangtui.findings.loops import terms_for
from hangtui.findings.thresholds import NAMES_LISTED, UNHEARD_S
from hangtui.findings.words import Words
from hangtui.model import (
    Certainty,
    Child,
    EventLoop,
    Finding,
    LoopState,
    NodeKind,
    Process,
    Severity,
    Task,
)

_SIGNAL = "SIGCHLD"


def told_unheard(
    plain: Finding, process: Process, dead: Sequence[Child], words: Words
) -> Finding | None:
    """*plain*, told from the side of the tasks or greenlets that wait for children which ended a
    while ago, though the loop that was to tell them is idle; None: there are none."""
    found = [
        (task, wait, child)
        for task in words.capture.tasks
        if task.pid == process.pid
        for wait in words.graph.waits_of(task.id)
        for child in dead
        if wait.target.kind is NodeKind.PROCESS and wait.target.pid == child.pid
        if (child.ended_s or 0.0) >= UNHEARD_S and _idles(task, words.capture.event_loops)
    ]
    if not found:
        return None
    task, wait, child = found[0]
    more = len(found) - 1
    name = words.actor_name(task)
    terms = terms_for([task], words.capture)
    ended = f"{how_ended(child)} {child.ended_s or 0.0:.0f} s ago"
    others = f" So it is with {listed([words.name(one.id) for one, *_ in found[1:]])}."
    behind = [one.source for one in words.graph.waiters_of(task.id)]
    verb = "wait" if behind[1:] else "waits"
    last = f" {listed([words.name(one) for one in behind])} {verb} for that." if behind else ""
    return replace(
        plain,
        severity=Severity.ERROR,
        certainty=as_sure_as(Certainty.INFERRED, wait),
        never_ends=True,
        title=(
            f"{name} waits {words.position(task, wait.evidence.where)} for process {child.pid} "
            f"({child.name}) to end, which {how_ended(child)}: the {terms.loop} was not told"
        ),
        sentence=(
            f"{name} waits {words.position(task, wait.evidence.where)} for process {child.pid} "
            f"({child.name}), a child of process {process.pid}, to end. That {ended}, and nobody "
            f"has reaped it. The {terms.loop}, which was to learn of it and to wake that "
            f"{terms.unit}, is idle, so the news did not reach it.{_how(process)}"
            f"{others if more else ''}{last}"
        ),
        evidence=(*(words.reading(one) for _, one, _ in found[:NAMES_LISTED]), *plain.evidence),
        resources=tuple(dict.fromkeys(one.target for _, one, _ in found)),
        advice=(
            (
                f"Leave {_SIGNAL} to the {terms.loop}: no signal.signal({_SIGNAL}, ...) of the "
                "program's own once it watches children, and no mask that blocks it."
            ),
        ),
    )


def _how(process: Process) -> str:
    """What became of the signal, as far as the kernel says."""
    around = process.around
    blocked = (around.blocked_signals if around else None) or ()
    handled = around.handles_signals if around else None
    if _SIGNAL in blocked:
        return f" {_SIGNAL}, which tells of a child's end, is blocked in the process."
    if handled is not None and _SIGNAL not in handled:
        return f" The process has no handler for {_SIGNAL}, which tells of a child's end."
    return (
        f" A handler for {_SIGNAL}, which tells of a child's end, is set; if the program set it, "
        "it has taken the place of the loop's."
    )


def _idles(task: Task, loops: Sequence[EventLoop]) -> bool:
    """Whether the loop that runs it waits for events."""
    return any(
        (one.pid, one.address) == (task.pid, task.loop) and one.state is LoopState.IDLE
        for one in loops
    )
