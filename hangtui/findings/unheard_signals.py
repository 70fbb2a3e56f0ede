"""Signals that ask a process to end, and whose handlers its event loop does not come to."""

from hangtui.findings.beyond_doubt import ASK_TO_END
from hangtui.findings.stack_queries import at_own_line
from hangtui.findings.words import Words
from hangtui.model import LoopState, NodeId, NodeKind, Process, Thread, thread_id


def told_unheard(node: NodeId, words: Words) -> str:
    """`` Process 9 handles SIGTERM in its event loop, which does not turn while MainThread of
    process 9 waits at worker.py:16 (next_job): the signal alone does not end that wait.``, of a
    process whose end is waited for; empty: that is not so, or not known."""
    thread = blocked_loop(node, words)
    if thread is None:
        return ""
    name = words.process_name(node.pid)
    return (
        f" {name[:1].upper()}{name[1:]} handles {' and '.join(_asking(node, words))} in its event "
        f"loop, which does not turn while {words.thread_name(thread)} waits"
        f"{at_own_line(thread)}: the signal alone does not end that wait."
    )


def blocked_loop(node: NodeId, words: Words) -> Thread | None:
    """The thread that would come to these handlers, and waits within a task or a callback."""
    if not _asking(node, words):
        return None
    for loop in words.capture.event_loops:
        if loop.pid != node.pid or loop.state is not LoopState.BUSY or loop.tid is None:
            continue
        thread = words.thread(thread_id(loop.pid, loop.tid))
        # All that it handles, it handles there.
        if thread and thread.blocked and loop.signal_handlers == len(_handled(node, words)):
            return thread
    return None


def _asking(node: NodeId, words: Words) -> list[str]:
    return [one for one in _handled(node, words) if one in ASK_TO_END]


def _handled(node: NodeId, words: Words) -> tuple[str, ...]:
    process: Process | None = None
    if node.kind is NodeKind.PROCESS:
        process = words.capture.process(node.pid)
    return (process.around.handles_signals or ()) if process and process.around else ()
