"""Who of a process that makes no progress is told first, who then, and who is only counted."""

from collections.abc import Collection, Iterable, Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from hangtui.analysis.waitgraph import Edge
from hangtui.findings.english import counted
from hangtui.findings.given_work import given_work
from hangtui.findings.looked import polled_by
from hangtui.findings.on_the_way import Onward, onward
from hangtui.findings.rest.lines import Rest
from hangtui.findings.rest.quiet_threads import (
    asks_for,
    by_the_clock,
    each_doing,
    without_carriers_of,
)
from hangtui.findings.rest.rests import Rests
from hangtui.findings.stack_queries import below_application, index_of, polls
from hangtui.findings.suspended import closes_executor
from hangtui.findings.telling_tasks import telling_tasks
from hangtui.findings.thresholds import NAMES_LISTED
from hangtui.findings.words import Actor, Words
from hangtui.model import NodeId, Process, Task, Thread, thread_id

MOST = 12
"""Threads and tasks that are told one by one."""


_JOINS, _LOOPS = "_do_shutdown", "/asyncio/base_events.py"
"""What asyncio has a thread do that waits for those of an executor."""


class Order(NamedTuple):
    """Who stands where in one process."""

    tasks: list[Task]
    """The suspended tasks that tell something, what tells most first."""
    loops: AbstractSet[NodeId]
    """The threads of their event loops that have nothing to run."""
    every: list[Thread]
    """The threads that do not rest, but for these."""
    waiting: list[Thread]
    """Those of them that do not only wait for what such a loop runs."""
    resting: list[tuple[Thread, Rest]]
    counted: int
    """How many of those at rest are only counted."""
    says: dict[NodeId, str]
    """What each of the others does, in words; the first is what the finding begins with."""
    on: Onward
    """Who could end what the first waits for, and what these do."""

    @property
    def first(self) -> NodeId:
        """Who is told first."""
        return next(iter(self.says))

    @property
    def head(self) -> str:
        """What that one does."""
        return self.says[self.first]

    @property
    def rest(self) -> str:
        """``; 9 more at rest``; nothing for none."""
        if not self.counted:
            return ""
        none_told = self.counted == len(self.resting)
        return (
            f"; {counted(self.counted, 'thread') if none_told else f'{self.counted} more'} at rest"
        )

    @property
    def told(self) -> list[str]:
        """What those do who are told after it, and not beside it."""
        first = self.first
        return [says for node, says in self.says.items() if node not in (first, *self.on.told)]


def told_order(
    process: Process,
    threads: Sequence[Thread],
    elsewhere: AbstractSet[NodeId],
    rests: Rests,
    words: Words,
) -> Order:
    """The order of *threads* of a process, the main one first, and of its tasks; *elsewhere*: those
    of which another finding tells."""
    tasks = telling_tasks(process, words)
    # What an event loop waits for is what its tasks wait for.
    loops = {thread_id(task.pid, task.loop_tid or 0) for task in tasks} & rests.idle_loops
    every = _waiting(threads, loops | elsewhere, rests, words)
    waiting, behind = without_carriers_of(every, loops, words)
    # Of thousands of tasks, so many are told and the others counted.
    tellable: list[Actor] = [*waiting, *tasks]
    asks = asks_for(waiting, tasks[:MOST], words)
    resting = rests.among(threads, {*loops, *elsewhere, *(one.id for one in every)})
    leads = asks or (tellable[0] if tellable else _joining(resting, words))
    on = onward(leads.id, words) if leads else Onward("", frozenset(), known=False)
    followed = leads if on.text else None  # who ends its wait is told beside it
    says = {
        **each_doing(asks, waiting, tasks[:MOST], followed, words),
        **each_doing(None, behind, (), None, words),
    }
    # A worker whose work does not come is to be seen, however often it looks like that.
    shown = [one for one in resting if not says or below_application(one[0])]
    shown = shown[: NAMES_LISTED if says else 1]
    says |= {one.id: f"{words.thread_name(one)} {rest.says}" for one, rest in shown}
    return Order(tasks, loops, every, waiting, resting, len(resting) - len(shown), says, on)


def _waiting(
    threads: Sequence[Thread], loops: Collection[NodeId], rests: Rests, words: Words
) -> list[Thread]:
    """Those of *threads* that do not rest, what tells most first; *loops*: who runs an event loop
    that has nothing to run."""
    # A native thread that one of them waits for tells how the wait may end.
    awaited = [words.thread(edge.target) for t in threads for edge in words.graph.waits_of(t.id)]
    own = {t.id for t in threads}
    native = [t for t in awaited if t is not None and t.id not in own]
    waiting = [*(t for t in threads if rests.of(t) is None), *native]
    waiting = [t for t in dict.fromkeys(waiting) if t.id not in loops]
    followed = {one for t in waiting for one in onward(t.id, words).told - {t.id}}
    own = {t.id for t in waiting}
    ends, joined = _ends_with(threads, words)
    answer = _who_answer(words)

    def rank(t: Thread) -> tuple[bool, ...]:
        last = t.id in ends and bool(joined), t.id not in joined
        return *last, *_rank(t, words, followed, own), t.id not in answer

    return sorted(waiting, key=rank)


def _who_answer(words: Words) -> set[NodeId]:
    """Threads that have a connection in hand at whose other end another captured process waits:
    of many requests, those of who was asked about."""
    hands = ((wait.waiter, wait.answering) for wait in words.capture.waits)
    ends = ((one.task, one.users) for one in words.capture.far_ends)
    return {node for who, nodes in (*hands, *ends) for node in nodes if node.pid != who.pid}


def _joining(resting: Sequence[tuple[Thread, Rest]], words: Words) -> Thread | None:
    """The first of those that rest, if it waits for the end of another one."""
    first = resting[0][0] if resting else None
    wait = words.graph.wait_of(first.id) if first else None
    return first if wait is not None and words.thread(wait.target) else None


def _rank(
    thread: Thread, words: Words, followed: Collection[NodeId], waiting: Collection[NodeId]
) -> tuple[bool, ...]:
    """What hangs the application first, of that who does not merely wait for another thread, which
    is one of those *waiting*, and of these who is inside of a request or a task of a queue;
    behind these, who merely ticks.
    *followed*: who is told with the wait of another one, and sleeps meanwhile."""
    wait = words.graph.wait_of(thread.id)
    behind = _last_joined(thread, words) in waiting
    asked = given_work(thread) is not None
    followed_asleep = wait is None and thread.id in followed
    ticks = not asked and _ticks(thread, wait, words)
    return not below_application(thread), ticks, behind, not asked, followed_asleep


def _ticks(thread: Thread, wait: Edge | None, words: Words) -> bool:
    """Whether it only sleeps between two rounds of its own, and looks at nothing that another one
    would have to change; or does so with a timeout at a lock of Python's that was made after its
    stack was read, as `Event.wait()` makes one for each round."""
    timed = by_the_clock(thread) if wait is None else wait.expires and _is_new(wait, words)
    return (
        timed
        and polls(thread, words)
        and thread.id not in words.looking
        and polled_by(thread.id, words) is None
    )


def _is_new(wait: Edge, words: Words) -> bool:
    """Whether nothing is known of a lock but that the interpreter has lent it."""
    resource = words.resource(wait.target)
    module = (resource.module or "") if resource is not None else ""
    lent = resource is not None and resource.name == "lock"
    return lent and "python" in module.rpartition("/")[2]


def _ends_with(threads: Iterable[Thread], words: Words) -> tuple[set[NodeId], set[NodeId]]:
    """Those of *threads* whose event loop waits at its end for the threads of its executor; and
    those whose end is waited for by who does that for it."""
    tasks = [one for one in words.capture.tasks if closes_executor(one)]
    loops = {thread_id(task.pid, task.loop_tid or 0) for task in tasks}
    ends = {one.id for one in threads if one.id in loops}
    joining = [one for one in threads if loops and index_of(one, {_JOINS}, _LOOPS) is not None]
    waits = filter(None, (words.graph.wait_of(one.id) for one in joining))
    return ends, {wait.target for wait in waits}


def _last_joined(thread: Thread, words: Words) -> NodeId | None:
    """The thread whose end *thread* waits for, or that one in turn, that waits for none itself."""
    seen, last = {thread.id}, None
    wait = words.graph.wait_of(thread.id)
    while wait is not None and wait.target not in seen and words.thread(wait.target):
        last = wait.target
        seen.add(last)
        wait = words.graph.wait_of(last)
    return last
