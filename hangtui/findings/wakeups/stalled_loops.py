"""Which event loops nothing in their process can wake."""

from hangtui.findings.inert import has_no_source
from hangtui.findings.loop_wakers import cannot_wake
from hangtui.findings.outside.traffic import own_ends
from hangtui.findings.stack_queries import stood_s
from hangtui.findings.thresholds import STILL_S
from hangtui.findings.wakeups.loop_sources import only_buffers
from hangtui.findings.words import Words
from hangtui.model import EventLoop, Process, TaskState, Thread


def stalled(loop: EventLoop, thread: Thread, process: Process, words: Words) -> bool:
    """No timer, no connection to others, no signal handler, and no other thread that could go on
    first."""
    others = [one for one in process.threads if one is not thread]
    return (
        (has_no_source(loop, own_ends(thread.id, words.capture)) or only_buffers(loop, words))
        and all(cannot_wake(one, loop, process, words) for one in others)
        and process.steady is not False
        and (thread.still is True or _only_filled(loop, thread, words))
        and all(task.state is TaskState.WAITING for task in words.tasks_of(loop))
    )


def _only_filled(loop: EventLoop, thread: Thread, words: Words) -> bool:
    """Whether its thread runs only to keep what comes over connections from which nobody reads: all
    looks, over a second, saw its tasks in the same waits, and no other thread ran."""
    seen = words.progress.get(thread.id)
    process = words.capture.process(thread.pid)
    others = [one for one in (process.threads if process else ()) if one is not thread]
    kept = seen is not None and seen.same_wait and seen.waited_s >= STILL_S
    return (
        kept
        and only_buffers(loop, words)
        and all(task.still is True for task in words.tasks_of(loop))
        and all(stood_s(one, words) >= STILL_S for one in others)
    )
