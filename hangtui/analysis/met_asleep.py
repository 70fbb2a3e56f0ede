"""Threads that the last of several captures met awake between two sleeps of one call, or whose
native stack it could not read there: they are told as an earlier one met them there."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from hangtui.model import Capture, NodeId, Progress, Thread

_LAZY_SHARE = 0.05
"""The share of a processor up to which who sleeps by the clock and is met awake only looks."""


def met_asleep(captures: Sequence[Capture], progress: Iterable[Progress]) -> Capture:
    """The last of *captures*, in which threads that C code has sleep and look again, as SQLite does
    while a database is locked, are in the sleep that an earlier one saw, with the same Python stack
    in all and hardly any processor time used."""
    *earlier, last = captures
    awake = {
        one.id: one
        for one in last.threads()
        if one.is_python and (not one.asleep or one.native_stack is None)
    }
    lazy = [awake[one.thread] for one in progress if one.thread in awake and _only_looks(one)]
    looks = [{one.id: one for one in capture.threads()} for capture in earlier] if lazy else []
    found = {one.id: met for one in lazy if (met := _asleep(one, looks)) is not None}
    return _with_threads(last, found) if found else last


def _only_looks(one: Progress) -> bool:
    used = one.cpu_s
    lazy = used is not None and used <= _LAZY_SHARE * one.lasted_s
    return one.same_line and lazy and not one.returned


def _asleep(thread: Thread, looks: Sequence[Mapping[NodeId, Thread]]) -> Thread | None:
    """It as the newest of *looks* met it asleep by the clock below the same lines; rather one
    that has its native stack. None: no such one tells more than *thread* itself."""
    found = list[Thread]()
    for threads in reversed(looks):
        then = threads.get(thread.id)
        if then is None or then.python_stack != thread.python_stack:
            break
        if then.asleep and then.syscall is not None and then.syscall.sleeps:
            found.append(then)
    whole = (one for one in found if one.native_stack is not None)
    return next(whole, None if thread.asleep or not found else found[0])


def _with_threads(capture: Capture, threads: Mapping[NodeId, Thread]) -> Capture:
    processes = (
        replace(one, threads=tuple(threads.get(thread.id, thread) for thread in one.threads))
        for one in capture.processes
    )
    return replace(capture, processes=tuple(processes))
