"""Locks that those wait for who could end another wait, and that nobody is seen to have."""

from collections.abc import Sequence

from hangtui.analysis.waitgraph import Edge
from hangtui.findings.resources import given_back_by_nobody
from hangtui.findings.thresholds import STILL_S
from hangtui.findings.wakeups.who_would import who_would
from hangtui.findings.words import Words
from hangtui.model import NodeKind, NoHolder

_BOTH = 2
_UNSEEN = (NoHolder.UNTOLD, NoHolder.GONE, NoHolder.AGAIN)


def short_unheld(waits: Sequence[Edge], words: Words) -> str:
    """``; both wait for Store.lock; Store.sell (store.py:11) would give it back, and nobody runs
    it``, or ``; all 3 wait for locks that nobody is seen to have``, as a title has it; empty: it is
    not so."""
    kinds = {wait.target.kind for wait in waits}
    if kinds != {NodeKind.LOCK} or any(wait.expires for wait in waits):
        return ""
    resources = [words.resource(wait.target) for wait in waits]
    if not all(one is not None and one.no_holder in _UNSEEN for one in resources):
        return ""
    locks = dict.fromkeys(words.name(wait.target) for wait in waits)
    one = len(locks) == 1
    would = who_would(waits, words) if one else ""
    if len(waits) == 1:
        return would or ", which nobody is seen to have"
    who = "both" if len(waits) == _BOTH else f"all {len(waits)}"
    what = next(iter(locks)) if one else "locks"
    link = ", which" if one else " that"
    unseen = "" if would else f"{link} nobody is seen to have"
    return f"; {who} wait for {what}{unseen}{would}"


def kept_by_none(waits: Sequence[Edge], words: Words) -> bool:
    """Whether all of them wait, for over a second, for locks that are taken, and that neither a
    thread nor what is kept to be called comes to give back."""
    stood = (words.progress.get(wait.source) for wait in waits)
    return (
        bool(waits)
        and all(given_back_by_nobody(words.resource(wait.target)) for wait in waits)
        and not any(wait.expires for wait in waits)
        and all(seen is not None and seen.unchanged_s >= STILL_S for seen in stood)
    )
