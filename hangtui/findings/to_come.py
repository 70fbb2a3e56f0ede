"""Calls that are to come and may end a wait, in words: by a timer, or by a name alone."""

from hangtui.analysis.waitgraph import Edge
from hangtui.findings.doing import doing
from hangtui.findings.english import either, joined
from hangtui.findings.words import Actor, Words
from hangtui.model import Resource

_MOST = 2
"""Who is told of by name."""
_MINUTE_S = 60


def by_timer(resource: Resource | None) -> str:
    """``a timer of its event loop calls what would end that, in 42 s``; empty: none is known to."""
    if resource is None or resource.timer_s is None:
        return ""
    minutes, seconds = divmod(int(resource.timer_s), _MINUTE_S)
    span = f"{minutes} min" if minutes else f"{seconds} s"
    return f"a timer of its event loop calls what would end that, in {span}"


def by_signal(resource: Resource | None) -> str:
    """``the handler of SIGUSR1 does so``; empty: none is known to."""
    if resource is None or not resource.signals:
        return ""
    return f"the handler of {either(resource.signals)} does so"


def short_by_signal(wait: Edge | None, words: Words) -> str:
    """``; the handler of SIGUSR1 would end that``; empty: none is known to."""
    resource = words.resource(wait.target) if wait else None
    signals = resource.signals if resource else ()
    return f"; the handler of {either(signals)} would end that" if signals else ""


def told_to_come(resource: Resource | None, pid: int | None) -> str:
    """`` The handler of SIGUSR1 would end that: somebody has to send it to process 9.``; or what
    `by_timer` says."""
    if resource is not None and resource.signals:
        handler = f"The handler of {either(resource.signals)}"
        return f" {handler} would end that: somebody has to send it to process {pid}."
    timer = by_timer(resource)
    return f" {timer[0].upper()}{timer[1:]}." if timer else ""


def short_by_name(resource: Resource, words: Words) -> str:
    """``engine is on the way to a call of that name``; empty: nobody is known to be."""
    names = [words.actor_name(one) for one in _comers(resource, words)]
    if not names:
        return ""
    are = "is" if len(names) == 1 else "are"
    return f"{joined(names[:_MOST])} {are} on the way to a call of that name"


def told_by_name(resource: Resource | None, words: Words) -> str:
    """`` On the way to a call of that name is engine, though, which may be of another object:
    engine sleeps at ...``; empty: nobody is known to be."""
    comers = _comers(resource, words) if resource else []
    if not comers:
        return ""
    now = joined([doing(one, words) for one in comers[:_MOST]])
    return (
        f" {joined([words.actor_name(one) for one in comers[:_MOST]])} may come to it, by a call "
        f"of that name on what is taken from somewhere by then: {now}."
    )


def _comers(resource: Resource, words: Words) -> list[Actor]:
    return [one for one in map(words.actor, resource.named_by) if one is not None]
