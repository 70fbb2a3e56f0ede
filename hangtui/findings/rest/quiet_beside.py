"""Whom to tell of beside threads that wait in a library, of which it is told."""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from hangtui.findings.awaited_signals import awaits_agreed
from hangtui.findings.enders import enders
from hangtui.findings.inert import OF_THE_PROCESS
from hangtui.findings.joined_in_vain import joined_in_vain
from hangtui.findings.rest.rests import Rests
from hangtui.findings.stack_queries import below_application
from hangtui.findings.suspended import suspended
from hangtui.findings.words import Words
from hangtui.model import NodeId, Thread


def beside(
    threads: Sequence[Thread], told: AbstractSet[NodeId], rests: Rests, words: Words
) -> bool:
    """Whether beside those that wait in a library, and are *told* of, one of the application waits
    for what only another one of its process could bring, which is none of them, or for a signal
    that nobody sends who does not know the program."""
    for thread in threads:
        wait = words.graph.wait_of(thread.id)
        inside = wait is not None and not wait.expires and wait.target.kind in OF_THE_PROCESS
        inside = inside and rests.of(thread) is None
        if joined_in_vain(thread.id, words) or (
            awaits_agreed(thread) and below_application(thread)
        ):
            return True
        if thread.id in rests.idle_loops and _tasks_stand(thread, told, rests, words):
            return True
        if not inside or wait is None or thread.id in told:
            continue
        if below_application(thread) and told.isdisjoint(one.id for one in enders(wait, words)):
            return True
    return False


def _tasks_stand(thread: Thread, told: AbstractSet[NodeId], rests: Rests, words: Words) -> bool:
    """Whether a task of an event loop that has nothing to run waits, and does not rest, for what
    only another one of its process could bring, which is none of those that are *told* of."""
    process = words.capture.process(thread.pid)
    if process is None or thread.id in told or rests.of(thread) is not None:
        return False
    return any(
        told.isdisjoint(one.id for one in enders(wait, words))
        for task in suspended(process, words)
        if task.loop_tid == thread.tid
        and (wait := words.graph.wait_of(task.id)) is not None
        and not wait.expires
        and wait.target.kind in OF_THE_PROCESS
    )
