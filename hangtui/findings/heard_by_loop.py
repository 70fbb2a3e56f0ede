"""Which other processes an event loop hears, where what a task of it awaits may come from them."""

from hangtui.analysis.waitgraph import Edge
from hangtui.findings.english import joined
from hangtui.findings.on_the_way import doing
from hangtui.findings.stack_queries import main_thread
from hangtui.findings.words import Words
from hangtui.model import NodeKind, Task, thread_id

_MOST = 3
"""With more processes it hears, none of them is what a task waits for."""


def told_heard(wait: Edge, words: Words) -> str:
    """`` What comes from process 12 may end that: ... sleeps at engine.py:11 (main).``, of a task
    that awaits a result; empty: its loop hears no other process, or that is not known."""
    task = words.actor(wait.source)
    if not isinstance(task, Task) or wait.target.kind is not NodeKind.FUTURE:
        return ""
    loops = (one for one in words.capture.event_loops if one.address == task.loop)
    loop = next((one for one in loops if one.pid == task.pid and one.tid is not None), None)
    if loop is None or loop.tid is None:
        return ""
    runs = thread_id(loop.pid, loop.tid)
    ends = next((one.ends for one in words.capture.inward if one.thread == runs), ())
    others = [
        process for pid in ends if pid != loop.pid and (process := words.capture.process(pid))
    ]
    mains = [main for one in others if (main := main_thread(one))]
    heard = set(ends) - {loop.pid}
    if not 0 < len(heard) == len(mains) <= _MOST:
        return ""
    names = joined([f"process {one.pid}" for one in others])
    now = joined([doing(one, words) for one in mains])
    return f" What comes from {names}, which its event loop hears, may end that: {now}."
