"""How a child process has ended, or that it is stopped, in words."""

import signal
from collections.abc import Container, Sequence

from hangtui.findings.english import joined, listed
from hangtui.model import Child, NodeKind, Process

INHERITED = (NodeKind.PIPE, NodeKind.SOCKET)
"""Whose ends a process and its children have alike."""
_ENDED, _STOPPED = "ZX", "T"
"""The kernel's letters."""


def how_ended(*children: Child) -> str:
    """``ended with status 1``, ``was ended by SIGKILL``; of one whose status is not known, or of
    several that did not end alike, ``has ended``, ``have ended``."""
    several = len(children) > 1
    statuses = {child.exit_status for child in children}
    status = statuses.pop() if len(statuses) == 1 else None
    if status is None:
        return "have ended" if several else "has ended"
    if status >= 0:
        return f"ended with status {status}"
    try:
        name = signal.Signals(-status).name
    except ValueError:
        name = f"signal {-status}"
    return f"{'were' if several else 'was'} ended by {name}"


def told_ended(children: Sequence[Child], whose: str) -> str:
    """`` Of its children, process 7 (python3) was ended by SIGKILL.``; empty without any; *whose*:
    ``its``."""
    if not children:
        return ""
    alike: dict[str, list[Child]] = {}
    for child in children:
        alike.setdefault(how_ended(child), []).append(child)
    told = [f"{_named(those)} {how_ended(*those)}" for those in alike.values()]
    return f" Of {whose} children, {joined(told)}."


def short_ended(children: Sequence[Child]) -> str:
    """``, and process 7 (python3), its child, was ended by SIGKILL``, of those that did not end
    well; empty: there are none."""
    failed = [child for child in children if child.exit_status]
    if not failed:
        return ""
    who = "its child" if len(failed) == 1 else "its children"
    return f", and {_named(failed)}, {who}, {how_ended(*failed)}"


def told_reaped(child: Child) -> str:
    """``process 7 was ended by SIGKILL, and was not reaped``, of evidence."""
    reaped = ", and was not reaped" if child.state == "Z" else ""
    return f"process {child.pid} {how_ended(child)}{reaped}"


def _named(children: Sequence[Child]) -> str:
    return listed([f"process {child.pid} ({child.called or child.name})" for child in children])


def ended_children(process: Process) -> list[Child]:
    """Its children that have ended and were not reaped."""
    children = (process.around.children if process.around else None) or ()
    return [child for child in children if child.state in _ENDED]


def failed_children(process: Process) -> list[Child]:
    """Those of its children that have ended and were not reaped, and those that were, and did not
    end well."""
    return [*ended_children(process), *(process.around.failed if process.around else ())]


def stopped_children(process: Process, captured: Container[int]) -> list[Child]:
    """Its children that a signal has stopped, and of which nothing else is known: they run no
    Python, or were not looked at."""
    children = (process.around.children if process.around else None) or ()
    return [one for one in children if one.state == _STOPPED and one.pid not in captured]


def told_stopped(children: Sequence[Child]) -> tuple[str, str]:
    """``; its child wandb-core (process 7) is stopped by a signal``, and a sentence about it."""
    if not children:
        return "", ""
    names = listed([f"{child.name} (process {child.pid})" for child in children])
    one = len(children) == 1
    child, verb = ("child", "is") if one else ("children", "are")
    goes, it = ("goes", "it") if one else ("go", "they")
    return f"; its {child} {names} {verb} stopped by a signal", (
        f" Its {child} {names} {verb} stopped by a signal (SIGSTOP, state T), and {goes} on when "
        f"{it} get{'s' if one else ''} SIGCONT: what {it} had to do is not done before."
    )
