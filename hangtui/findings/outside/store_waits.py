"""Waits for keys of the store that the processes of a job of torch have in common: which keys, and
what those of the job do meanwhile that might set one."""

from collections.abc import Mapping

from hangtui.analysis.latest import of_latest
from hangtui.findings.by_the_clock import all_go_on
from hangtui.findings.collectives import asks_store, seeks_store
from hangtui.findings.english import clauses, listed
from hangtui.findings.jobs import jobs, rank_thread
from hangtui.findings.outside.rank_waits import lasts
from hangtui.findings.stack_queries import does
from hangtui.findings.thresholds import NAMES_LISTED
from hangtui.findings.words import Words
from hangtui.model import Capture, NodeId, Thread

_STORE = "of the store that the job's processes have in common (TCPStore)"


def awaits_key(thread: Thread) -> bool:
    """Whether it waits until somebody sets a key of its job's store."""
    return asks_store(thread) and not seeks_store(thread)


def keys_of(thread: Thread, capture: Capture) -> tuple[str, ...]:
    """The names of the keys that it waits for; empty: not read."""
    return _keys(capture).get(thread.id, ())


def key_goal(thread: Thread, capture: Capture) -> str:
    """``for the key "step-1" of the store that ..., until one sets it``."""
    keys = keys_of(thread, capture)
    quoted = listed([f'"{key}"' for key in keys[:NAMES_LISTED]])
    which = f"the key{'s' if len(keys) > 1 else ''} {quoted}" if keys else "a key"
    return f"for {which} {_STORE}, until one sets {'them' if len(keys) > 1 else 'it'}"


def told_setters(thread: Thread, words: Words) -> str:
    """``Any process of the job may set it. Meanwhile MainThread of rank 1 (process 8) waits at
    ...``"""
    now = [does(one, words) for one in _others(thread, words.capture)]
    who = "Whoever sets it ends that: any process of the job may."
    return f"{who} Meanwhile {clauses(now[:NAMES_LISTED], len(now))}." if now else who


def others_rest(thread: Thread, words: Words) -> bool:
    """Whether the other ranks stand still as well, where it is what its own rank is at: it will
    hardly be set."""
    mains = _others(thread, words.capture)
    process = words.capture.process(thread.pid)
    leads = process is not None and rank_thread(process, words.capture) == thread
    return leads and lasts([thread], mains, words) and not all_go_on(mains, words)


def _others(thread: Thread, capture: Capture) -> list[Thread]:
    """What the other ranks of its job are at."""
    ranks = next((those for those in jobs(capture) if any(p.pid == thread.pid for p in those)), ())
    mains = [rank_thread(rank, capture) for rank in ranks if rank.pid != thread.pid]
    return [one for one in mains if one is not None]


@of_latest
def _keys(capture: Capture) -> Mapping[NodeId, tuple[str, ...]]:
    return {one.thread: one.keys for one in capture.store_keys}
