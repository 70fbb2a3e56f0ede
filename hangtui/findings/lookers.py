"""Threads and tasks that do nothing but look, again and again, whether others have done something:
as long as none of these does, they do not go on either."""

from collections.abc import Collection

from hangtui.findings.beyond_doubt import waking_signals
from hangtui.findings.housekeepers import keeps_house
from hangtui.findings.pools import waited_s
from hangtui.findings.thresholds import STILL_S
from hangtui.findings.words import Actor, Words
from hangtui.model import (
    EventLoop,
    LoopState,
    NodeId,
    Progress,
    Task,
    TaskState,
    Thread,
    thread_id,
)

_OFTEN_S = STILL_S / 2
"""How long one turn of a loop lasts at most that has looked once since all others stand still."""
_DEAD = ("Z", "X")
_SURELY_S = 0.9 * STILL_S
"""The same, if it is not an average but the most that it can be."""


class Lookers:
    """Those of one capture."""

    def __init__(self, words: Words) -> None:
        self._words = words
        self._known = {one.waiter: one for one in words.capture.looking}
        self._loops: dict[NodeId, list[EventLoop]] = {}
        for loop in words.capture.event_loops:
            if loop.tid is not None:
                self._loops.setdefault(thread_id(loop.pid, loop.tid), []).append(loop)

    def only_looks(self, thread: Thread) -> bool:
        """Whether a thread, which did not leave its line, goes round such a loop."""
        looking, seen = self._known.get(thread.id), self._words.progress.get(thread.id)
        if looking is None or seen is None:
            return False
        return looking.endless or _turns_often(seen)

    def children_asked(self, thread: Thread) -> Collection[int] | None:
        """The children of which a thread in such a loop asks whether they have ended; None: that is
        not known."""
        looking = self._known.get(thread.id)
        if looking is None or not looking.asks_children:
            return ()
        process = self._words.capture.process(thread.pid)
        children = process.around.children if process and process.around else None
        if children is None:
            return None
        return [one.pid for one in children if one.state not in _DEAD]

    def only_ticks(self, thread: Thread) -> bool:
        """Whether the event loops of a thread, which did not leave its line, have no timers but
        those of tasks in such loops, and of libraries that look after connections at rest, and
        nothing else to run. One that waits for nothing else wakes up once in a day."""
        loops = self._loops.get(thread.id, ())
        return bool(loops) and all(map(self._ticks, loops))

    def change_nothing(self, pids: Collection[int]) -> bool:
        """Whether none of those in these processes sets anything that another one may look at, or
        prints what one of several processes may read."""
        near = [one for one in self._known.values() if one.waiter.pid in pids]
        if len(pids) > 1 and any(one.tells for one in near):
            return False
        found = [one for one in near if not self._stands(one.waiter)]
        return len(found) == 1 or not any(one.alters for one in found)

    def _stands(self, waiter: NodeId) -> bool:
        """Whether a thread waits inside of its loop without a timeout: it does not come round."""
        thread = self._words.thread(waiter)
        call = thread.syscall if thread is not None else None
        return waiter in self._words.lasting and call is not None and call.timed is False

    def _goes_round(self, task: Task) -> bool:
        """Whether a task is in such a loop, which is not left, or lasted longer than one turn."""
        looking = self._known.get(task.id)
        if task.sleep is not None and keeps_house(task):
            return True
        if looking is None or looking.asks_children:
            return False
        if task.sleep is None:  # it waits, for so long at most
            wait = self._words.graph.wait_of(task.id)
            return looking.endless and wait is not None and wait.expires
        total = task.sleep.total_s
        return looking.endless or (total is not None and total <= _OFTEN_S)

    def _ticks(self, loop: EventLoop) -> bool:
        timers = loop.ending_timers
        if loop.state is not LoopState.IDLE or timers is None or self._hears_signals(loop):
            return False
        tasks = self._words.tasks_of(loop)
        ticking = [task for task in tasks if self._goes_round(task)]
        waiting = all(task in ticking or self._waits(task) for task in tasks)
        return waiting and timers <= len(ticking)

    def _hears_signals(self, loop: EventLoop) -> bool:
        """Whether a signal may have it do more than draw anew in a window of another size."""
        process = self._words.capture.process(loop.pid)
        return loop.signal_handlers != 0 and (process is None or waking_signals(process) != ())

    def _waits(self, task: Task) -> bool:
        return task.state is TaskState.WAITING and (task.sleep is None or task.sleep.for_ever)


def _turns_often(seen: Progress) -> bool:
    """Whether it woke up so often that one of its turns at least lies in the time in which all
    others stood still. Between the first and the last of regular wakes lie one turn less."""
    wakes = seen.wakes or 0
    return wakes * _OFTEN_S >= seen.lasted_s > 0 or (wakes - 1) * _SURELY_S >= seen.lasted_s > 0


def lasted_s(actor: Actor, words: Words) -> float:
    """For how long it was seen to wait: of a task, also while its loop did nothing but tick, or
    several looks met it in the same wait."""
    lasted, seen = waited_s(actor, words), words.stays.get(actor.id, 0.0)
    for thread in words.carriers([actor]) if isinstance(actor, Task) else ():
        progress = words.progress.get(thread.id)
        if progress is not None and Lookers(words).only_ticks(thread):
            seen = max(seen, progress.stayed_s)
    return max(lasted, seen)
