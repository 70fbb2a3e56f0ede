"""Threads that the last of several captures met awake between two sleeps of one call, or two timed
waits, or whose native stack it could not read there: they are told as an earlier one met them.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from hangtui.model import Capture, Inward, Listening, NodeId, Progress, Thread, Watched

_Fact = TypeVar("_Fact", Inward, Listening, Watched)
_LAZY_SHARE = 0.05
"""The share of a processor up to which who sleeps by the clock and is met awake only looks."""


def met_asleep(captures: Sequence[Capture], progress: Iterable[Progress]) -> Capture:
    """The last of *captures*, in which threads that C code has sleep and look again, as SQLite does
    while a database is locked, or that wake up by the clock in one call that waits, are as an
    earlier one saw them there, with the same Python stack in all and hardly any processor time
    used: one that waits for a processor is awake for long where there are few."""
    *earlier, last = captures
    awake = {
        one.id: one
        for one in last.threads()
        if one.is_python and (not one.asleep or one.native_stack is None)
    }
    lazy = [awake[one.thread] for one in progress if one.thread in awake and _only_looks(one)]
    looks = [(one, {t.id: t for t in one.threads()}) for one in earlier] if lazy else []
    found = dict[NodeId, Thread]()
    for one in lazy:
        seen = _asleep(one, looks)
        if seen is not None:
            found[one.id] = seen[1]
            last = last if one.asleep else _with_facts(last, seen[0], one.id)
    return _with_threads(last, found) if found else last


def _only_looks(one: Progress) -> bool:
    used = one.cpu_s
    lazy = used is not None and used <= _LAZY_SHARE * one.lasted_s
    return one.same_line and lazy and not one.returned


def _asleep(
    thread: Thread, looks: Sequence[tuple[Capture, Mapping[NodeId, Thread]]]
) -> tuple[Capture, Thread] | None:
    """It as the newest of *looks* met it asleep by the clock below the same lines; rather one
    that has its native stack. None: no such one tells more than *thread* itself."""
    found = list[tuple[Capture, Thread]]()
    for capture, threads in reversed(looks):
        then = threads.get(thread.id)
        if then is None or then.python_stack != thread.python_stack:
            break
        if then.asleep and then.syscall is not None and (then.syscall.sleeps or then.syscall.timed):
            found.append((capture, then))
    whole = (pair for pair in found if pair[1].native_stack is not None)
    return next(whole, None if thread.asleep or not found else found[0])


def _with_facts(last: Capture, then: Capture, node: NodeId) -> Capture:
    """*last* with what a thread waited for in *then*, where nothing is known of that any more."""
    if any(one.waiter == node for one in last.waits):
        return last
    waits = tuple(one for one in then.waits if one.waiter == node)
    known = {one.id for one in last.resources}
    lacking = {one.target for one in waits} - known
    return replace(
        last,
        waits=(*last.waits, *waits),
        resources=(*last.resources, *(one for one in then.resources if one.id in lacking)),
        inward=_also(last.inward, then.inward, node),
        listening=_also(last.listening, then.listening, node),
        watched=_also(last.watched, then.watched, node),
    )


def _also(last: tuple[_Fact, ...], then: Iterable[_Fact], node: NodeId) -> tuple[_Fact, ...]:
    found = list(last)
    if not any(one.thread == node for one in last):
        found += [one for one in then if one.thread == node]
    return tuple(found)


def _with_threads(capture: Capture, threads: Mapping[NodeId, Thread]) -> Capture:
    processes = (
        replace(one, threads=tuple(threads.get(thread.id, thread) for thread in one.threads))
        for one in capture.processes
    )
    return replace(capture, processes=tuple(processes))
