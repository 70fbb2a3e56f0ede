"""A busy thread that only looks whether somebody has changed something, and never pauses."""

from hangtui.dataclass import dataclass
from hangtui.findings.activity.busy_thread import BusyThread
from hangtui.findings.english import joined
from hangtui.findings.looked import looked_at, spins_for
from hangtui.findings.stack_queries import own_frame
from hangtui.findings.thresholds import SPIN_S
from hangtui.model import NodeKind, Task, Thread

INSTEAD = (
    "Wait for it instead of looking again and again: an Event, a Condition or a Future wakes up "
    "who waits, and lets the others do their part meanwhile."
)

_LOOKS = 3


@dataclass(frozen=True, slots=True)
class Spinning:
    """What it looks at, and who would change it."""

    what: str
    """``self.degrees``."""
    whose: str
    """`` The program changes that in ..., to which task heat comes.``; empty: not known."""
    in_vain: str
    """``, which only task heat changes, and has no turn meanwhile``; empty: somebody may change it.
    """


def spinning(case: BusyThread) -> Spinning | None:
    """Of one that all looks met in that loop, over a second or more; else None."""
    polled = spins_for(case.thread.id, case.words) if _stays(case) else None
    if polled is None:
        return None
    found = [case.words.actor(one.actor) for one in polled.changers]
    actors = [one for one in found if one is not None]
    names = joined([case.words.actor_name(one) for one in actors])
    places = joined(list(dict.fromkeys(one.place for one in polled.changers)))
    whose, in_vain = "", ""
    if actors:
        come = "comes" if len(actors) == 1 else "come"
        whose = f" The program changes that in {places}, to which {names} {come}."
        behind = all(_behind(one, case) for one in actors)
        in_vain = f", which {names} would change, behind it" if behind else ""
    elif polled.written:
        whose = f" The program changes that in {joined(polled.written)}, which nobody runs."
        if _alone(case):
            in_vain = f", which only {joined(polled.written)} would change, and nobody runs"
    return Spinning(looked_at(polled), whose, in_vain)


def _stays(case: BusyThread) -> bool:
    """Whether the looks met it in the function of the program that it is in, and in no other but
    for one: of a stack that is read while it changes some frames may be missing."""
    progress, frame = case.progress, own_frame(case.thread)
    if progress is None or frame is None or progress.lasted_s < SPIN_S:
        return False
    met = [visit.looks for visit in progress.visits if visit.function == frame.function]
    whole = sum(met) >= progress.looks - 1 or len(met) == len(progress.visits)
    return whole and sum(met) >= _LOOKS


def _alone(case: BusyThread) -> bool:
    """Whether no other thread of the process runs Python."""
    process = case.words.capture.process(case.thread.pid)
    return process is not None and sum(bool(one.is_python) for one in process.threads) == 1


def _behind(actor: Task | Thread, case: BusyThread) -> bool:
    """Whether it gets no turn before the loop ends: a task of an event loop of this very thread, or
    a thread that waits for what this one has."""
    if isinstance(actor, Task):
        return actor.pid == case.thread.pid and actor.loop_tid == case.thread.tid
    waits = case.words.graph.waits_of(actor.id)
    held = {hold.source for hold in case.words.graph.held_by(case.thread.id)}
    held = {one for one in held if one.kind is not NodeKind.GIL}  # that is given every 5 ms
    return bool(waits) and all(wait.target in held and not wait.expires for wait in waits)
