"""Which other processes an event loop hears, where what a task of it awaits may come from them."""

from hangtui.analysis.waitgraph import Edge
from hangtui.findings.doing import doing
from hangtui.findings.english import joined
from hangtui.findings.stack_queries import main_thread
from hangtui.findings.words import Words
from hangtui.model import NodeKind, Task, thread_id

_AWAITED = NodeKind.FUTURE
_MOST = 3
"""With more processes it hears, none of them is what a task waits for."""


def told_heard(wait: Edge, words: Words) -> str:
    """`` What comes from process 12 may end that: ... sleeps at engine.py:11 (main).``, of a task
    that awaits a result; empty: its loop hears no other process, or that is not known."""
    task = words.actor(wait.source)
    if not isinstance(task, Task) or task.loop_tid is None or wait.target.kind is not _AWAITED:
        return ""
    runs = thread_id(task.pid, task.loop_tid)
    known = next((one for one in words.capture.inward if one.thread == runs), None)
    heard = [pid for pid in (known.ends if known else ()) if pid != task.pid]
    others = filter(None, map(words.capture.process, heard))
    mains = list(filter(None, map(main_thread, others)))
    if not 0 < len(heard) == len(mains) <= _MOST:
        return ""
    names = joined([f"process {pid}" for pid in heard])
    now = joined([doing(one, words) for one in mains])
    return f" What comes from {names}, which its event loop hears, may end that: {now}."
