"""Adds to findings who waits, in other processes, for what is wrong there: from the requests of a
server or the step of a job down to the cause, as far as frames tell it."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from hangtui.analysis.waitgraph import WaitGraph
from hangtui.findings.collectives import collective, says_itself
from hangtui.findings.english import counted
from hangtui.findings.jobs import caller, with_title
from hangtui.findings.message_rings import answerer, command_left, command_taken
from hangtui.findings.outside_in import Outer, outside_in
from hangtui.findings.protocols import asked, requested, servers_of
from hangtui.findings.stack_queries import at, at_own_line, own_frame
from hangtui.findings.words import Words, ref, words_of
from hangtui.model import (
    Capture,
    Finding,
    Severity,
    Task,
    Thread,
    thread_id,
)

_MOST = 8
"""Findings of which it is told."""


def with_outside(findings: Sequence[Finding], capture: Capture, graph: WaitGraph) -> list[Finding]:
    """*findings*, the first of which say who waits in other processes where no edge tells it."""
    if not capture.processes[1:]:
        return list(findings)
    words = words_of(capture, graph)
    head = [_told(one, words) for one in findings[:_MOST]]
    return [*head, *findings[_MOST:]]


def _told(finding: Finding, words: Words) -> Finding:
    if finding.severity is Severity.NOTE or not finding.threads:
        return finding
    nodes = tuple(thread_id(one.pid, one.tid) for one in finding.threads)
    outer = outside_in(words.capture, words.graph, nodes)
    if not any(_is_served(one, words) for one in outer if one.inferred):
        return finding  # the ranks of a job are told by `with_other_ranks`
    inwards = [*(one.actor.pid for one in outer[1:]), nodes[0].pid]
    pids = [one.toward or following for one, following in zip(outer, inwards, strict=True)]
    links = [_link(one, following, words) for one, following in zip(outer, pids, strict=True)]
    waiting = [ref(one) for one in words.threads([link.actor for link in outer])]
    known = {*finding.threads, *finding.victims}
    return replace(
        finding,
        sentence=(
            f"{finding.sentence} From the outside in: {'; '.join(links)}."
            f"{_left_lying(outer, pids[-1], words)}"
        ),
        victims=(*finding.victims, *(one for one in waiting if one not in known)),
        unknown=(*finding.unknown, *_unknown(outer, pids, words)),
    )


def _is_served(outer: Outer, words: Words) -> bool:
    """Whether it waits for what an engine's processes answer."""
    actor = words.actor(outer.actor)
    return outer.requests > 0 or (isinstance(actor, Thread) and asked(actor) is not None)


def _link(outer: Outer, pid: int, words: Words) -> str:
    """``rank 0 (process 7) waits in all_reduce at train.py:43 (train) for rank 1 (process 8)``."""
    actor = words.actor(outer.actor)
    who = with_title(outer.actor.pid, words)
    verb = "waits"
    if outer.requests:
        who = f"{counted(outer.requests, 'request')} of {who}"
        verb = "waits" if outer.requests == 1 else "wait"
    commands = isinstance(actor, Thread) and asked(actor) is not None
    owed = answerer(outer.actor.pid, words.capture) if outer.toward else None
    command = owed.asked or "" if owed else ""
    taken = command_taken(pid, words.capture, command) if commands else ""
    return f"{who} {verb}{_where(actor, outer, pid, words)} for {words.process_name(pid)}{taken}"


def _left_lying(outer: Sequence[Outer], pid: int, words: Words) -> str:
    """That the last one has not taken a command, if another link has said nothing of its ring."""
    last = words.actor(outer[-1].actor)
    if isinstance(last, Thread) and asked(last) is not None:
        return ""
    return command_left(pid, words.process_name(pid), words.capture)


def _where(actor: Task | Thread | None, outer: Outer, pid: int, words: Words) -> str:
    """Where it waits, and in what."""
    if actor is None:
        return ""
    if outer.requests:
        if own := at_own_line(actor):
            return own  # a program that has the engine in it
        engine = words.capture.process(pid)
        return at(requested(actor, servers_of(engine)) if engine else None)
    if not isinstance(actor, Thread):
        return ""
    answer = asked(actor)
    if answer is not None:
        return at(answer) + ("" if outer.toward else ", for answers of its workers, and so")
    operation = collective(actor) if outer.inferred else None
    if operation:
        what = operation if says_itself(operation) else f"the collective operation {operation}"
        return f" in {what}{at(caller(actor))}"
    return at(own_frame(actor))


def _unknown(outer: Sequence[Outer], pids: Sequence[int], words: Words) -> Iterator[str]:
    for one, following in zip(outer, pids, strict=True):
        if one.inferred and one.toward is None:
            name = words.process_name(one.actor.pid)
            yield (
                f"whether {name} waits for {words.process_name(following)} alone: that is inferred "
                "from where both stand"
            )
