"""Who waits without an end in a process of which other threads get on."""

from hangtui.analysis.waitgraph import WaitGraph
from hangtui.analysis.whereabouts import where_of
from hangtui.findings.grounds import ONE_WAIT
from hangtui.findings.rest.alive import awake, share_of
from hangtui.findings.rest.newcomers import newcomers
from hangtui.findings.rest.quiet_threads import told_callers
from hangtui.findings.rest.waits_meanwhile import Behind
from hangtui.findings.words import Words, ref, words_of
from hangtui.model import (
    Capture,
    Certainty,
    Finding,
    NodeId,
    Process,
    Severity,
    Task,
    Thread,
    thread_id,
)

ID = "waits-beside-others"
GROUND = ONE_WAIT
HELP = """\
Some threads of the process get on, and beside them somebody waits who would not be told of by what
those do: a thread for a lock whose holder stays where it is, at the same line and in a wait of its
own, or a task for a future that the program alone sets, while nothing but event loops goes on.

How it is known: the records of locks and futures, as for [deadlock](deadlock.md); for a lock,
several looks (`hangtui check`) saw at the same line each time who has it. Whether one of those that
go on is about to end that is not known: they may notify the holder again and again without that it
finds what it waits for.
"""


def check(capture: Capture, graph: WaitGraph) -> list[Finding]:
    """One finding for each Python process of which some threads ran while one waits so."""
    words, new = words_of(capture, graph), newcomers(capture)
    return [
        _finding(one.process, one.ran, one.first, words, new)
        for one in awake(words)
        if one.first is not None
    ]


def _finding(
    process: Process, ran: list[Thread], first: Behind, words: Words, new: frozenset[NodeId]
) -> Finding:
    share, actor = share_of(process, ran, words, new), first.actor
    of, told = f"process {process.pid}", first.text
    beside = f"while others of {of} go on"
    if isinstance(actor, Task):
        beside = f"while the event loop of {of} goes on with others"
        told = f"{told[0].upper()}{told[1:]}"
    loop = thread_id(actor.pid, actor.loop_tid or 0) if isinstance(actor, Task) else actor.id
    thread = words.thread(loop)
    names = words.listed(ran)
    called_by = "".join(told_callers(one, words) for one in (actor.id, *_owners(first, words)))
    return Finding(
        id=ID,
        severity=Severity.NOTE,
        certainty=Certainty.CERTAIN if first.kept else Certainty.INFERRED,
        title=f"{told}, {beside}",
        sentence=(
            f"{told}, {'in every look and ' if first.kept else ''}without a timeout. In {of} "
            f"({process.title}) {share}: {names}. Whether one of them is to end that wait is not "
            f"known.{called_by}"
        ),
        threads=(ref(thread),) if thread else (),
        tasks=(actor.id,) if isinstance(actor, Task) else (),
        subject=actor.id,
        processes=(process.pid,),
        where=where_of(actor.python_stack or ()),
        evidence=(f"{share}: {names}",),
        unknown=("whether one of those that ran ends that wait",),
    )


def _owners(first: Behind, words: Words) -> list[NodeId]:
    """Who has the lock that is waited for."""
    wait = words.graph.wait_of(first.actor.id) if first.kept else None
    return [hold.target for hold in words.graph.holders_of(wait.target)] if wait else []
