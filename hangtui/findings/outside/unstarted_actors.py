"""Of several actors that are waited for at once, those that run nowhere, while nothing is free in
their cluster and Ray's scheduler keeps what asks for it."""

from collections.abc import Iterator, Sequence

from hangtui.analysis.waitgraph import Edge
from hangtui.findings.english import listed
from hangtui.findings.outside.cluster_waits import is_unborn
from hangtui.findings.outside.cluster_workers import Workers
from hangtui.findings.thresholds import NAMES_LISTED
from hangtui.findings.words import Words
from hangtui.model import RayNode


def told_unstarted(waits: Sequence[Edge], there: Workers, words: Words) -> tuple[str, str]:
    """That some of *waits* are for actors that run in no captured process, with who has what is
    used up: for a title, and as sentences; empty: it is not so, or not known."""
    node = there.scheduler
    if node is None or node.nodes != 1 or not node.waiting or not node.used_up or there.starting:
        return "", ""
    missing = [wait for wait in waits if is_unborn(wait, words)]
    users = list(_users(node, words))
    if not missing or not users:
        return "", ""
    names = listed([words.name(wait.target) for wait in missing[:NAMES_LISTED]])
    one, all_of_it = len(missing) == 1, listed(list(node.used_up))
    runs, which = ("runs", "it waits") if one else ("run", "they wait")
    asked = f" What is asked for, and not placed: {listed(list(node.demands))}." * bool(
        node.demands
    )
    return f"; {names} {runs} nowhere, and nothing is free ({all_of_it})", (
        f" {names[:1].upper()}{names[1:]} {runs} in no process that was captured, and all of "
        f"{all_of_it} of its cluster is in use, by {listed(users)}: an actor keeps that as long as "
        f"it lives, so that, as far as can be seen, {which} for one of these to end.{asked}"
    )


def _users(node: RayNode, words: Words) -> Iterator[str]:
    """``Trainer (process 12)``: who has something of the node."""
    for use in node.uses:
        process = next(
            (one for one in words.capture.processes if use.pid in (one.pid, one.ns_pid)), None
        )
        yield f"{use.name} (process {process.pid if process else use.pid})"
