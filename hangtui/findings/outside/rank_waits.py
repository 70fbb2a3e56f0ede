"""What several looks tell of the ranks of a job: who waits for the others, and who keeps them."""

from hangtui.findings.collectives import one_way, polls
from hangtui.findings.gpu_calls import stayed_s
from hangtui.findings.message_rings import unread_by
from hangtui.findings.onward import chain
from hangtui.findings.protocols import awaits_command
from hangtui.findings.stack_queries import stood_s
from hangtui.findings.thresholds import BUSY_SHARE, STILL_S
from hangtui.findings.words import Words
from hangtui.model import Progress, Thread


def waits(thread: Thread, seen: Progress | None) -> bool:
    """Whether who is in an operation of several ranks waits for the others there."""
    asks = seen is not None and seen.same_line and seen.looks > 1
    return thread.blocked or polls(thread) or (thread.asleep and asks)


def lasts(waiting: list[Thread], missing: list[Thread], words: Words) -> bool:
    """Whether several looks show that those who are elsewhere keep the others.

    While they are at work, or read data now and then, these may come to it yet. Of who waits by
    asking again and again nobody sees that its call has not returned meanwhile: then those
    elsewhere must have stood still, look for nothing, or all send, or all receive.
    """
    if any(stood_s(t, words) >= STILL_S for t in waiting):
        rest = [t for t in missing if not works(t, words) and not _works_behind(t, words)]
        return any(_stayed_s(t, words) >= STILL_S or _has_no_command(t, words) for t in rest)
    if not any(waited_s(t, words) >= STILL_S for t in waiting):
        return False
    if all(polls(t) and waited_s(t, words) >= STILL_S for t in missing):
        return one_way(missing)
    return any(
        stood_s(t, words) >= STILL_S or (t.only_sleeps and _stayed_s(t, words) >= STILL_S)
        for t in missing
    )


def waited_s(thread: Thread, words: Words) -> float:
    """For how many seconds several looks saw it wait: it did not run, asked on one line, or stayed
    in one call of a GPU's driver."""
    seen = words.progress.get(thread.id)
    if seen is None:
        return 0.0
    waited = seen.stayed_s if polls(thread) else seen.unchanged_s
    return max(waited, stayed_s(thread, words))


def _stayed_s(thread: Thread, words: Words) -> float:
    """For how many seconds several looks saw it on one line of the application."""
    seen = words.progress.get(thread.id)
    return seen.stayed_s if seen else 0.0


def _has_no_command(thread: Thread, words: Words) -> bool:
    """Whether it waits for its next command over several looks, and has taken all that were sent:
    it wakes up to ask for one, and is on no line of the application."""
    seen = words.progress.get(thread.id)
    if seen is None or seen.looks < 2 or awaits_command(thread) is None:
        return False
    return unread_by(thread.pid, words.capture) == 0


def _works_behind(thread: Thread, words: Words) -> bool:
    """Whether one whom it waits for computes, such as the worker that makes its next batch."""
    return any(
        works(one, words) for one in words.threads(e.target for e in chain(thread.id, words))
    )


def works(thread: Thread, words: Words) -> bool:
    """Whether it computes: it used a processor, over several looks if there were any."""
    seen = words.progress.get(thread.id)
    used = seen.busy if seen else thread.busy
    return used is not None and used >= BUSY_SHARE and not polls(thread)
