"""What the other threads of a process wait for whose event loop only they could wake."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from hangtui.analysis.places import application_index
from hangtui.analysis.waitgraph import Edge
from hangtui.findings.stack_queries import (
    at,
    at_own_line,
    below_application,
    kind_of,
    own_frame,
)
from hangtui.findings.wakeups.nobody_left_advice import act
from hangtui.findings.wakeups.who_has import who_has
from hangtui.findings.words import Words
from hangtui.model import NodeKind, Task, Thread


class Beside(NamedTuple):
    """A thread beside that of the loop, and what it waits for."""

    thread: Thread
    wait: Edge

    def told(self, words: Words) -> str:
        """``reader waits at app.py:9 (read) for jobs_lock, which writer has``."""
        has = who_has([self.thread], self.wait, words)
        return f"{words.thread_name(self.thread)} {self.waits(words)}{has}"

    def waits(self, words: Words) -> str:
        """``waits at app.py:9 (read) for jobs``."""
        return f"waits{at_own_line(self.thread)} {words.goal(self.wait)}"


def telling_first(beside: Iterable[Beside], words: Words) -> list[Beside]:
    """Those first that tell most: no wait for another thread, and below the application's lines."""

    def rank(one: Beside) -> tuple[bool, bool]:
        index = application_index(one.thread.python_stack or ())
        return kind_of(one.wait, words) is NodeKind.THREAD, index is None

    return sorted(beside, key=rank)


def leading(beside: Sequence[Beside], tasks: Iterable[Task], words: Words) -> Beside | None:
    """The first of them, if it tells more than the tasks do: a thread that a library has for itself
    and that waits for its next work does not, if a task waits below a line of the application, and
    none for what that thread is to do."""
    if not beside:
        return None
    thread, wait = beside[0]
    service = not below_application(thread) and thread.tid != thread.pid
    takes = kind_of(wait, words) is NodeKind.QUEUE and words.method(wait) == "get"
    own = [task for task in tasks if below_application(task)]
    owes = any(awaited_of(task, beside[:1], words) for task in own)
    return None if service and takes and own and not owes else beside[0]


def awaited_of(task: Task, beside: Sequence[Beside], words: Words) -> str | None:
    """``for the result of reader``: what a task waits for, if one of them does it or should."""
    wait = words.graph.wait_of(task.id)
    if wait is None or kind_of(wait, words) is not NodeKind.FUTURE:
        return None
    threads = {one.thread.id for one in beside}
    for hold in words.graph.holders_of(wait.target):
        if hold.target in threads:
            sure = hold.evidence.certainty.supports_claim
            name = words.name(hold.target)
            return f"for the result of {name}" if sure else f"for work that is left to {name}"
    return None


def advice_for(first: Beside, words: Words) -> str:
    """What to look for."""
    return (
        f"Find out who should {act(first.wait, words)} {words.name(first.wait.target)}, and why "
        "that never happened (an exception, an early return, an order that cannot be), or give "
        f"{words.thread_name(first.thread)} a timeout{at(own_frame(first.thread))}."
    )
