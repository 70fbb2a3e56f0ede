"""A task that waits inside of an installed package while an answer is due over one connection of
its event loop: as far as can be seen, that is what it waits for."""

from collections.abc import Collection

from hangtui.analysis.places import application_index, package_of, program_frame
from hangtui.dataclass import dataclass
from hangtui.findings.by_the_clock import all_go_on, the_only
from hangtui.findings.outside.traffic import is_own, watched_one
from hangtui.findings.stack_queries import at, hands_over, main_thread, package_entry
from hangtui.findings.thresholds import STILL_S
from hangtui.findings.words import Words
from hangtui.model import NodeId, NodeKind, Task, Watched

_MAY_BE_ANSWERS = (NodeKind.FUTURE, NodeKind.EVENT, NodeKind.SOCKET)
"""What packages have their tasks wait for until data comes, beside the clock."""


@dataclass(frozen=True, slots=True)
class AwaitedAnswer:
    """Such a wait."""

    says: str
    """``task load waits at app.py:9 (load), in asyncpg, for an answer over ...``."""
    calm: bool
    """Whoever has the other end is seen at work, or sleeps by the clock."""


def awaited_answer(node: NodeId, loops: Collection[NodeId], words: Words) -> AwaitedAnswer | None:
    """That of a task; *loops*: the threads whose loops run those that wait. None: not so."""
    task = words.actor(node)
    entry = package_entry(task) if isinstance(task, Task) else None
    if not isinstance(task, Task) or entry is None or not _may_await_one(task, words):
        return None
    due = {one.name: one for one in words.capture.watched if one.thread in loops and _is_due(one)}
    if len(due) != 1:
        return None
    ((_, one),) = due.items()
    where = at(program_frame(task.python_stack or ()))
    return AwaitedAnswer(
        f"{words.actor_name(task)} waits{where}, in {package_of(entry)}, for an answer over "
        f"{watched_one(one)}",
        _goes_on(one, words),
    )


def _may_await_one(task: Task, words: Words) -> bool:
    stack = task.python_stack or ()
    if hands_over(stack, application_index(stack) or 0):
        return False
    waits = words.graph.waits_of(task.id)
    if not waits:
        return task.sleep is None and bool(task.awaits)
    return all(wait.target.kind in _MAY_BE_ANSWERS for wait in waits)


def _is_due(one: Watched) -> bool:
    """Whether data was sent over a connection to others, for a while, and none has come since."""
    traffic = one.traffic
    if traffic is None or not traffic.sent_last or is_own(one):
        return False
    return (traffic.sent_s or 0.0) >= STILL_S


def _goes_on(one: Watched, words: Words) -> bool:
    """Whether one of those at the other end runs, or is known to go on by the clock."""
    processes = [found for pid in one.peers if (found := words.capture.process(pid))]
    awake = (t for process in processes for t in process.threads if not t.blocked)
    if any((seen := words.progress.get(t.id)) is None or not seen.same_line for t in awake):
        return True
    mains = (main for process in processes if (main := main_thread(process)))
    return all_go_on(the_only(mains, words), words)
