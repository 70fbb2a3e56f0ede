"""That what is waited for over a connection comes piece by piece, and is not whole yet."""

from hangtui.analysis.waitgraph import Edge
from hangtui.findings.english import counted, lasting
from hangtui.findings.words import Actor, Words
from hangtui.model import Arrivals, Thread

_FLOWS = 1000
"""Bytes a second that are more than signs of life, such as the comments of a stream of events."""


def arriving(actor: Actor, wait: Edge | None, words: Words) -> Arrivals | None:
    """What came over the connection for which *actor* waits, between several looks that met it in
    this wait; None: nothing, or it had its answer and has asked again."""
    seen = words.progress.get(actor.id) if isinstance(actor, Thread) else None
    if wait is None or (seen is not None and seen.returned):
        return None
    return words.arrivals.get(wait.target)


def flows(actor: Actor, wait: Edge | None, words: Words) -> bool:
    """Whether so much came that it is a transfer under way."""
    one = arriving(actor, wait, words)
    return one is not None and one.times > 1 and one.data_bytes >= _FLOWS * one.lasted_s


def comes(actor: Actor, wait: Edge | None, words: Words) -> str:
    """``, over which data comes again and again``, for a title; empty: it does not."""
    one = arriving(actor, wait, words)
    return ", over which data comes again and again" if one and one.times > 1 else ""


def told_arriving(actor: Actor, wait: Edge | None, words: Words) -> str:
    """`` In 2 s 5 bytes came over it, at 4 moments or more: ...``; empty: nothing came."""
    one = arriving(actor, wait, words)
    if one is None:
        return ""
    moments = f", at {one.times} moments or more" if one.times > 1 else ""
    return (
        f" In {lasting(one.lasted_s)} {counted(one.data_bytes, 'byte')} came over it{moments}: its "
        "peer is not silent, but what is waited for is not whole yet."
    )


def arriving_advice(actor: Actor, wait: Edge | None, words: Words) -> tuple[str, ...]:
    """What to do about that."""
    if not comes(actor, wait, words):
        return ()
    return (
        (
            "A timeout of a socket or of a client counts anew from one piece to the next, so that "
            "it does not end this: give the whole call a deadline, or read the answer piece by "
            "piece (stream=True, iter_lines()) and stop at one of your own."
        ),
    )
