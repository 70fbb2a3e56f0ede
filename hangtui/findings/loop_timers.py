"""Whether a timer of an event loop may end what a task waits for."""

from hangtui.dataclass import dataclass
from hangtui.findings.english import lasting
from hangtui.findings.thresholds import SOON_S
from hangtui.findings.words import Words
from hangtui.model import Task, Thread


@dataclass(frozen=True, slots=True)
class Limit:
    """What a timer of an event loop may have to do with a wait."""

    soon: bool = False
    """It may end it within the minute."""
    short: str = ""
    """``, which a timer in 5 min may end``."""
    told: str = ""
    """The same as a sentence."""


def ends_by_timer(task: Task, words: Words) -> Limit:
    """Whether a timer of its loop may be a timeout of what it waits for: there are more of them
    than other tasks that a timer wakes, or they are not known; and when the first comes due. Timers
    that came due while the task was watched, and did not end its wait, are none."""
    loops = [one for one in words.capture.event_loops if one.address == task.loop]
    own = [one for one in loops if one.pid == task.pid]
    timed = [
        one
        for loop in own
        for one in words.tasks_of(loop)
        if one.id != task.id
        and (one.sleep or any(wait.expires for wait in words.graph.waits_of(one.id)))
    ]
    found = [one for one in own if one.ending_timers is None or one.ending_timers > len(timed)]
    if not found:
        return Limit()
    due = found[0].due_s
    if due is None:
        told = " Whether a timer of its loop may end that as well is not known."
        return Limit(soon=True, told=told)
    if due < max((_watched_s(one, words) for one in words.carriers([task])), default=0.0):
        return Limit()
    left = lasting(due)
    told = f" A timer of its loop comes due in {left}, and may be a timeout of that."
    return Limit(due < SOON_S, f", which a timer in {left} may end", told)


def _watched_s(thread: Thread, words: Words) -> float:
    """For how long it was seen to come back to the same line."""
    seen = words.progress.get(thread.id)
    return seen.lasted_s if seen is not None and seen.same_line and seen.ran else 0.0
