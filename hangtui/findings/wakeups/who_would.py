"""Who would have ended the waits of an event loop's tasks, and is not there to do so, in words."""

from collections.abc import Iterable, Iterator

from hangtui.analysis.waitgraph import Edge
from hangtui.findings.ended import failures, told_failure
from hangtui.findings.english import joined
from hangtui.findings.resources import given_back_by_nobody, kept_by_generator, why_taken
from hangtui.findings.thresholds import NAMES_LISTED
from hangtui.findings.to_come import short_by_name
from hangtui.findings.waiting_inside import short_inside
from hangtui.findings.wakeups.nobody_left_advice import act
from hangtui.findings.words import Words
from hangtui.findings.written import lost_in_title, nobody_comes, own_code

_FEW = 2
"""Functions that a title has room for."""


def who_would(waits: Iterable[Edge], words: Words) -> str:
    """``; task drain, whose code would, has ended with OSError``, or ``; Shop.serve (shop.py:9)
    would end that, and nobody runs it``, as a title has it; empty: that is not known, or those who
    wait wait for several things."""
    found = {wait.target: wait for wait in waits}
    if len(found) != 1:
        return ""
    ((target, wait),) = found.items()
    actor, resource = words.actor(wait.source), words.resource(target)
    if gone := failures([resource]):
        return f"; {gone[0].name}, whose code would end that, has ended with {gone[0].error}"
    if resource and kept_by_generator(resource):
        return f"; {resource.note}"
    taken = given_back_by_nobody(resource)
    if resource is None or actor is None or not (taken or nobody_comes(wait, words)):
        return ""
    own = own_code(resource, actor)
    idle = [one for one in resource.enders if one not in own]
    if own or not 0 < len(idle) <= _FEW:
        by_name = "" if own or idle else lost_in_title(resource, actor.pid, words)
        return f"; {why_taken(resource)}" if taken else by_name
    if not taken and (beside := short_inside(idle, resource, actor, words)):
        return beside
    them = "it" if len(idle) == 1 else "any of them"
    runs = short_by_name(resource, words) or f"nobody runs {them}"
    return f"; {joined(idle)} would {'give it back' if taken else 'end that'}, and {runs}"


def told_failures(waits: Iterable[Edge], words: Words) -> Iterator[str]:
    """Tasks that would have ended these waits, and that have ended with an exception."""
    found = {wait.target: wait for wait in waits}
    for target, wait in list(found.items())[:NAMES_LISTED]:
        for one in failures([words.resource(target)]):
            yield told_failure(one, act(wait, words), words.name(target))
