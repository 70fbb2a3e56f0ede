"""Who has the other end of a pipe, as far as the chain of waits goes on there."""

from collections.abc import Collection

from hangtui.analysis.waitgraph import Edge
from hangtui.findings.child_ends import ended_children, told_ended
from hangtui.findings.stack_queries import main_thread
from hangtui.findings.thresholds import STILL_S
from hangtui.findings.words import Actor, Words
from hangtui.model import Child, NodeKind, Pid


def elsewhere(wait: Edge, holders: list[Actor]) -> list[Actor]:
    """Those in other processes, if there are any: the threads of a process have the end as well
    that it has left open for its children."""
    away = [one for one in holders if one.pid != wait.source.pid]
    return away or holders


def told_gone(wait: Edge, words: Words) -> str:
    """`` Of process 3's children, process 7 (reader0) was ended by SIGKILL.``, of the process that
    waits at a pipe which others of its children have open; empty: none has ended."""
    process = words.capture.process(wait.source.pid)
    if wait.target.kind is not NodeKind.PIPE or process is None:
        return ""
    started = {one.pid for one in (process.around.children if process.around else None) or ()}
    if started.isdisjoint(hold.target.pid for hold in words.graph.holders_of(wait.target)):
        return ""
    return told_ended(ended_children(process), f"{words.process_name(process.pid)}'s")


def failed_before(wait: Edge, pids: Collection[Pid], words: Words) -> list[Child]:
    """The children of who reads a pipe that did not end well, and were started before others which
    it has forked, *pids*, that alone have its writing end: they may have it from that. Those stood
    below the same line in all looks."""
    process = words.capture.process(wait.source.pid) if wait.source.pid else None
    around = process.around if process else None
    if process is None or around is None or wait.target.kind is not NodeKind.PIPE or not pids:
        return []
    kin = {child.pid for child in around.children or ()}
    others = [words.capture.process(pid) for pid in pids]
    mains = [main_thread(one) if one else None for one in others]
    seen = [words.progress.get(main.id) if main else None for main in mains]
    forked = all(one is not None and one.cmdline == process.cmdline for one in others)
    stand = forked and all(
        one is not None and one.same_line and one.stayed_s >= STILL_S for one in seen
    )
    failed = [one for one in ended_children(process) if one.exit_status]
    return [one for one in failed if one.pid < min(pids)] if stand and kin.issuperset(pids) else []
