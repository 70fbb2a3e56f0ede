"""Children that have ended, beside a ring of processes that wait at pipes: what one of them was to
write, or to take, is what the ring waits for."""

from collections.abc import Iterable

from hangtui.analysis.waitgraph import Cycle
from hangtui.findings.child_ends import INHERITED, ended_children, how_ended, told_ended
from hangtui.findings.english import listed
from hangtui.findings.words import Actor, Words
from hangtui.model import Child, Process


def in_title(cycle: Cycle, members: Iterable[Actor], words: Words) -> str:
    """``; process 7 was ended by SIGKILL``; empty: none has ended that is known."""
    children = [child for _, those in _ended(cycle, members, words) for child in those]
    if not children:
        return ""
    who = listed([f"process {child.pid}" for child in children])
    return f"; {who} {how_ended(*children)}"


def told(cycle: Cycle, members: Iterable[Actor], words: Words) -> str:
    """`` Of the children of process 5, process 7 (python3) was ended by SIGKILL.``"""
    return "".join(
        told_ended(children, f"process {process.pid}'s")
        for process, children in _ended(cycle, members, words)
    )


def _ended(
    cycle: Cycle, members: Iterable[Actor], words: Words
) -> list[tuple[Process, list[Child]]]:
    if not any(node.kind in INHERITED for node in cycle.nodes):
        return []
    pids = dict.fromkeys(member.id.pid for member in members)
    known = [process for pid in pids if (process := words.capture.process(pid))]
    if len(known) < 2:
        return []  # threads of one process need no child
    found = [(process, ended_children(process)) for process in known]
    return [(process, children) for process, children in found if children]
