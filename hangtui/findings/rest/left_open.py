"""Who waits until a pipe is at its end, which a process has that was not meant to keep it."""

from hangtui.analysis.waitgraph import Edge
from hangtui.findings.by_the_clock import goes_on
from hangtui.findings.stack_queries import other_side_works
from hangtui.findings.thresholds import STILL_S
from hangtui.findings.words import Words
from hangtui.model import NodeId, NodeKind, Task

END = "end"
"""The operation of such a wait."""


def told_left_open(node: NodeId, words: Words) -> str:
    """`` What task run awaits is the end of the stdout pipe of process 12, which has ended itself:
    ...``, of a task that waits so; empty: it does not."""
    task, wait = words.actor(node), _wait(node, words)
    if not isinstance(task, Task) or wait is None:
        return ""
    holds = words.graph.holders_of(wait.target)
    pids = sorted({hold.target.pid for hold in holds if hold.target.pid != node.pid})
    who = " and ".join(f"process {pid}" for pid in pids) or "somebody else"
    return (
        f" What {words.actor_name(task)} awaits is {task.awaits}: {who} has got the pipe from "
        "there and keeps it open, so that this is not told before that one closes it or ends."
    )


def left_open(node: NodeId, words: Words) -> bool:
    """Whether several looks met a task in such a wait, and nobody who has the pipe is at work, or
    goes on by the clock within the minute."""
    task, wait = words.actor(node), _wait(node, words)
    if not isinstance(task, Task) or wait is None or wait.expires:
        return False
    lasts = words.stays.get(task.id, 0.0) >= STILL_S
    return lasts and not (other_side_works(wait, words) or goes_on(task, words))


def _wait(node: NodeId, words: Words) -> Edge | None:
    """Its wait for the end of a pipe; None: another one, as for a child that is there still."""
    wait = words.graph.wait_of(node)
    ends = wait is not None and words.operation(wait) == END
    return wait if ends and wait is not None and wait.target.kind is NodeKind.PIPE else None
