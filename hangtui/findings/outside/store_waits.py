"""Waits for keys of a store of torch: which keys, and what those do meanwhile that might set one:
the other ranks of the job or, where the store lies in one process, its other threads."""

from collections.abc import Mapping, Sequence

from hangtui.analysis.latest import of_latest
from hangtui.findings.by_the_clock import all_go_on
from hangtui.findings.collectives import asks_own_store, asks_store, seeks_store
from hangtui.findings.english import clauses, listed
from hangtui.findings.jobs import jobs, rank_thread
from hangtui.findings.outside.rank_waits import lasts
from hangtui.findings.stack_queries import at, does, own_frame
from hangtui.findings.thresholds import NAMES_LISTED
from hangtui.findings.words import Words
from hangtui.model import Capture, NodeId, Thread

_STORE = "of the store that the job's processes have in common (TCPStore)"
_OWN_STORE = "of the store in its process (HashStore)"


def awaits_key(thread: Thread) -> bool:
    """Whether it waits until somebody sets a key of its job's store, or of its process's."""
    return asks_own_store(thread) or (asks_store(thread) and not seeks_store(thread))


def keys_of(thread: Thread, capture: Capture) -> tuple[str, ...]:
    """The names of the keys that it waits for; empty: not read."""
    return _keys(capture).get(thread.id, ())


def key_goal(thread: Thread, capture: Capture) -> str:
    """``for the key "step-1" of the store that ..., until one sets it``."""
    keys = keys_of(thread, capture)
    store = _OWN_STORE if asks_own_store(thread) else _STORE
    return f"{_for_keys(keys)} {store}, until one sets {'them' if len(keys) > 1 else 'it'}"


def told_setters(thread: Thread, words: Words) -> str:
    """``Any process of the job may set it. Meanwhile MainThread of rank 1 (process 8) waits at
    ...``"""
    now = [_doing(one, words) for one in _others(thread, words.capture)]
    whose = "thread of its process" if asks_own_store(thread) else "process of the job"
    who = f"Whoever sets it ends that: any {whose} may."
    return f"{who} Meanwhile {clauses(now[:NAMES_LISTED], len(now))}." if now else who


def others_rest(thread: Thread, words: Words) -> bool:
    """Whether the others stand still as well, where it is what its own rank is at: it will hardly
    be set."""
    others = _others(thread, words.capture)
    process = words.capture.process(thread.pid)
    leads = process is not None and rank_thread(process, words.capture) == thread
    leads = leads or asks_own_store(thread)
    return leads and lasts([thread], others, words) and not all_go_on(others, words)


def _for_keys(keys: Sequence[str]) -> str:
    quoted = listed([f'"{key}"' for key in keys[:NAMES_LISTED]])
    return f"for the key{'s' if len(keys) > 1 else ''} {quoted}" if keys else "for a key"


def _doing(thread: Thread, words: Words) -> str:
    """What one of them does, with the keys that it waits for in turn."""
    if not awaits_key(thread):
        return does(thread, words)
    keys = _for_keys(keys_of(thread, words.capture))
    return f"{words.thread_name(thread)} waits{at(own_frame(thread))} {keys}"


def _others(thread: Thread, capture: Capture) -> list[Thread]:
    """What the other ranks of its job are at; of a store in one process, its other threads."""
    if asks_own_store(thread):
        process = capture.process(thread.pid)
        threads = process.threads if process else ()
        return [one for one in threads if one.id != thread.id and one.python_stack]
    ranks = next((those for those in jobs(capture) if any(p.pid == thread.pid for p in those)), ())
    mains = [rank_thread(rank, capture) for rank in ranks if rank.pid != thread.pid]
    return [one for one in mains if one is not None]


@of_latest
def _keys(capture: Capture) -> Mapping[NodeId, tuple[str, ...]]:
    return {one.thread: one.keys for one in capture.store_keys}
