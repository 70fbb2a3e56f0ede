"""A process in which nobody will go on, whoever has what is waited for there.

Each of its threads, those of C as well, waits without a timeout at a word of its own memory, which
nothing but another thread of the same process could change.
"""

from hangtui.findings.beyond_doubt import nobody_will
from hangtui.findings.resources import of_processes
from hangtui.findings.words import Words
from hangtui.model import NodeKind, Process, Thread


def nobody_moves(process: Process, words: Words) -> bool:
    """Whether that is so, several looks saw that none of them ran, and no signal wakes one."""
    return all(_stays(one, words) for one in process.threads) and nobody_will(
        process, process.threads, words
    )


def _stays(thread: Thread, words: Words) -> bool:
    lasting, call = words.lasting.get(thread.id), thread.syscall
    if lasting is None or call is None or call.name != "futex" or call.timed:
        return False
    target = lasting.wait.target
    if lasting.kind is NodeKind.THREAD:
        return target.pid == thread.pid
    resource = words.resource(target)
    within = resource is not None and resource.pid == thread.pid and not target.shared
    return within and not of_processes(resource)
