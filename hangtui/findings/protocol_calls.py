"""Functions of protocols that would end a wait, and that an event loop calls for open connections
alone, where it has none for them."""

from collections.abc import Sequence

from hangtui.findings.english import either
from hangtui.findings.words import Words
from hangtui.model import Pid

_FOR_WHAT_COMES = frozenset(
    {"data_received", "buffer_updated", "eof_received", "datagram_received", "pipe_data_received"}
)
"""Of asyncio's protocols."""


_DATAGRAMS = "datagram_received"


def without_connection(enders: Sequence[str], pid: Pid, words: Words) -> list[str]:
    """``Line``: the classes of the functions that would end a wait, if all of them are called by
    an event loop alone, for what comes over open connections of such objects, and none of the
    process has one; empty: not so, or not known."""
    functions = [one.partition(" (")[0].rpartition("'s ")[2].split(".") for one in enders]
    if not functions or any(len(one) < 2 or one[-1] not in _FOR_WHAT_COMES for one in functions):
        return []
    loops = [one.protocols for one in words.capture.event_loops if one.pid == pid]
    if not loops or None in loops:
        return []
    there = {name for names in loops for name in names or ()}
    classes = list(dict.fromkeys(one[-2] for one in functions))
    return [] if there.intersection(classes) else classes


def told_without(enders: Sequence[str], pid: Pid, words: Words) -> str:
    """`` The event loop calls that when ..., and it has none ...`` of these, or, where only
    datagrams would end the wait, what may have become of one; else nothing."""
    classes = without_connection(enders, pid, words)
    if not classes and enders and all(_function(one) == _DATAGRAMS for one in enders):
        return " A datagram may be lost on its way, and is not sent again by itself."
    if not classes:
        return ""
    return (
        f" The event loop calls that when something comes over an open connection of "
        f"{either(classes)}, and it has none: that was closed, or never opened."
    )


def _function(ender: str) -> str:
    return ender.partition(" (")[0].rpartition(".")[2]
