"""Who makes the blocks of a dataset of Ray Data that somebody waits for, and what those do now."""

from collections.abc import Iterable

from hangtui.findings.chains import leads_back
from hangtui.findings.message_rings import RingWait
from hangtui.findings.onward import chain, with_links
from hangtui.findings.outside.cluster_waits import in_dataset
from hangtui.findings.pools import waited_s
from hangtui.findings.stack_queries import at_own_line, does, index_of
from hangtui.findings.thresholds import NAMES_LISTED
from hangtui.findings.words import Words
from hangtui.model import Thread

GOAL = "for blocks of a dataset (Ray Data)"
_MAKES = ({"_map_task"}, "/ray/data/_internal/execution/operators/map_operator.py")
"""What a worker runs, task or actor, that makes blocks."""


def told_makers(thread: Thread, words: Words) -> str:
    """``Of the workers that make such blocks MainThread of ray::Map(score) waits at score.py:9
    (score) for ...``; empty: none was seen, or *thread* waits for no dataset."""
    if not in_dataset(thread):
        return ""
    makers = [one for one in words.capture.threads() if _makes(one)]
    if not makers:
        return ""
    told = "; ".join(_doing(one, words) for one in makers[:NAMES_LISTED])
    more = f"; {len(makers) - NAMES_LISTED} more" if makers[NAMES_LISTED:] else ""
    return f"Of the workers that make such blocks {told}{more}."


def made_behind(thread: Thread, words: Words) -> RingWait | None:
    """What a thread waits for that wants blocks of a dataset, all whose makers wait for this very
    thread, as for the next method of its actor; None: another one may bring a block."""
    if not in_dataset(thread):
        return None
    makers = [one for one in words.capture.threads() if _makes(one)]
    if not makers or not all(leads_back(one.id, thread.id, words) for one in makers):
        return None
    first, several = makers[0], len(makers) > 1
    short = (
        f"; {words.thread_name(first)}, which makes such, waits{at_own_line(first)} for it in turn"
        f"{f', and {len(makers) - 1} more' if several else ''}"
    )
    stood = min(waited_s(one, words) for one in makers)
    return RingWait(GOAL, told_makers(thread, words), short, stood, in_turn=True)


def takers(threads: Iterable[Thread], words: Words) -> list[Thread]:
    """Who waits for blocks of a dataset, if one of *threads* makes such."""
    made = any(map(_makes, threads))
    return [one for one in words.capture.threads() if in_dataset(one)] if made else []


def _makes(thread: Thread) -> bool:
    return index_of(thread, *_MAKES) is not None


def _doing(thread: Thread, words: Words) -> str:
    return with_links(does(thread, words), chain(thread.id, words), words)
