"""Several captures of the same processes: who stood still, who moved, and where the busy ones were.

Stuck, slow and spinning look alike in one capture. A thread that did not run between two of them
did not move at all; one that ran is told by the lines it was seen on and the time it used.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import pairwise, starmap

from hangtui.analysis.arrivals import arrivals
from hangtui.analysis.frame_classifier import asks_peers, base_name, eval_frame
from hangtui.analysis.lent_on import had_by_nobody, had_meanwhile, lent_on
from hangtui.analysis.met_asleep import met_asleep
from hangtui.analysis.places import application_index
from hangtui.analysis.polled_before import polled_before, spun_before
from hangtui.analysis.retried_on import retried_on
from hangtui.analysis.states import COLLECTORS
from hangtui.analysis.task_moves import (
    given_to_tasks,
    tasks_that_stayed,
    threads_that_only_keep,
    threads_whose_tasks_moved,
)
from hangtui.analysis.turns import looks_in_one_turn, threads_that_took_turns
from hangtui.analysis.visits import common, natives, visits
from hangtui.analysis.wakers_before import wakers_before
from hangtui.model import (
    Capture,
    FrameMark,
    GilState,
    Handover,
    NodeId,
    Progress,
    PythonFrame,
    Thread,
    Transfers,
)

_LAZY_SHARE = 0.05
"""The share of a processor up to which who was met both awake and asleep only asked again."""
_POLLING_SHARE = 0.5
"""The same of one that was also seen to sleep by the clock, or always inside of a function that is
there to wait."""
_ASKS = frozenset({"acquire", "acquire_lock", "lock", "join", "wait", "wait_for", "__enter__"})
"""Names of functions that do not come back before somebody has let them."""
_UNTIMED = frozenset({"read", "recvfrom", "recvmsg", "wait4", "accept", "accept4"})
"""Calls that wait without a timeout, as long as their descriptor has none."""
_RUNS_AT_MOST = 10
"""How often a thread may be given a processor for one wait that the clock ends: it also waits for
the GIL then."""
_SAMPLES = 4
"""How often a thread that runs has to be sampled in one call before it surely stays there."""
_CLOCKS_S = 10.0
"""By how much the start of one process seems to differ at most: both clocks are read at different
moments of a capture. PIDs come around again much later."""

Stack = tuple[PythonFrame, ...]
Look = tuple[float, Mapping[str, Thread]]
"""When a capture was taken, in seconds since the epoch, and its threads by their node ids."""


def with_progress(captures: Sequence[Capture]) -> Capture:
    """The last one of *captures*, oldest first, with what its threads did meanwhile, and which of
    its locks changed hands."""
    *_, last = captures
    if len(captures) < 2:
        return last
    same = of_the_same(captures)
    moments, given = [moment(one) for one in same], given_to_tasks(same)
    progress = tuple(_over(same))
    return replace(
        met_asleep(same, progress),
        progress=progress,
        stays=tuple(tasks_that_stayed(same, moments, given)),
        given=tuple(sorted(set().union(*given, lent_on(same), had_meanwhile(same)))),
        unheld=tuple(had_by_nobody(same, moments)),
        arrivals=tuple(arrivals(same, moments)),
        handovers=tuple(handovers(same)),
        polled=(*last.polled, *polled_before(same)),
        spinning=(*last.spinning, *spun_before(same)),
        retried=tuple(retried_on(same)),
        could_wake=(*last.could_wake, *wakers_before(same)),
    )


def handovers(captures: Sequence[Capture]) -> Iterator[Handover]:
    """The resources of the last of *captures* that were seen with different holders. Only looks
    that saw exactly one holder count, by a record or a proof."""
    resources = {wait.target for wait in captures[-1].waits}
    seen: dict[NodeId, list[NodeId]] = {}
    for capture in captures:
        holders: dict[NodeId, list[NodeId]] = {}
        for hold in capture.holds:
            if hold.resource in resources and hold.evidence.certainty.supports_claim:
                holders.setdefault(hold.resource, []).append(hold.holder)
        for resource, those in holders.items():
            if len(those) == 1:
                seen.setdefault(resource, []).extend(those)
    for resource, those in seen.items():
        if len(set(those)) > 1:
            yield Handover(resource, len(those), len(set(those)))


def of_the_same(captures: Sequence[Capture]) -> list[Capture]:
    """*captures*, oldest first, without processes that are not those of the last one: a number is
    given to another process once its owner has ended."""
    *earlier, last = captures
    began = dict(_began(last))
    return [
        *(
            replace(one, processes=tuple(p for p in one.processes if _same(one, p.pid, began)))
            for one in earlier
        ),
        last,
    ]


def _same(capture: Capture, pid: int, began: Mapping[int, float]) -> bool:
    mine = dict(_began(capture)).get(pid)
    return mine is None or abs(mine - began.get(pid, mine)) < _CLOCKS_S


def _began(capture: Capture) -> Iterator[tuple[int, float]]:
    """When processes were started, in seconds since the epoch, as far as it is known."""
    for process in capture.processes:
        if process.around is not None and process.around.age_s is not None:
            yield process.pid, moment(capture) - process.around.age_s


def compare(captures: Sequence[Capture]) -> Iterator[Progress]:
    """What each thread of the last capture did over all of them that saw it."""
    yield from _over(of_the_same(captures))


def _over(captures: Sequence[Capture]) -> Iterator[Progress]:
    """As `compare`, of captures without processes that are not those of the last one."""
    looks: list[Look] = [
        (moment(one), {thread.id: thread for thread in one.threads()}) for one in captures
    ]
    moved = threads_whose_tasks_moved(captures) | threads_that_took_turns(captures)
    keep, in_one_turn = threads_that_only_keep(captures), looks_in_one_turn(captures)
    looked = {one.waiter for capture in captures for one in capture.polled}
    for found in progress_of(looks[-1][1], looks):
        one = replace(found, looked=True) if found.thread in looked else found
        if one.thread in moved:
            yield replace(one, same_stack=False, same_line=False, returned=True)
        elif one.thread in keep or one.looks == in_one_turn.get(one.thread):
            yield replace(one, same_wait=True)
        else:
            yield one


def progress_of(nodes: Iterable[str], looks: Sequence[Look]) -> Iterator[Progress]:
    """What these threads did over *looks*, oldest first, if several of them saw it."""
    for node_id in nodes:
        seen = [(time, threads[node_id]) for time, threads in looks if node_id in threads]
        if len(seen) > 1:
            yield _progress(seen)


def moment(capture: Capture) -> float:
    """When it was taken, in seconds since the epoch.

    Raises:
        ValueError: it does not say so.
    """
    return datetime.fromisoformat(capture.taken_at).timestamp()


def _progress(looks: list[tuple[float, Thread]]) -> Progress:
    threads = [thread for _, thread in looks]
    first, last = threads[0], threads[-1]
    used = None if first.cpu_ns is None or last.cpu_ns is None else last.cpu_ns - first.cpu_ns
    lasted_s, stacks = looks[-1][0] - looks[0][0], Counter(one.python_stack for one in threads)
    asleep = all(thread.asleep for thread in threads)
    # Who sleeps by the clock in between asks again and again, which may cost something each time.
    sleeps = any(one.syscall is not None and one.syscall.sleeps for one in threads)
    asks = all(_asks(thread.python_stack or ()) for thread in threads)
    share = _POLLING_SHARE if sleeps or asks else _LAZY_SHARE
    # Of what a library of C is known to wait in it is known that it waits, whatever that costs.
    waits = len({one.calling for one in threads}) == 1 and last.calling is not None
    waits = waits or all(map(asks_peers, threads))
    little = used is not None and used <= share * lasted_s * 1e9
    lazy = asleep or waits or (little and (asks or any(one.asleep for one in threads)))
    return Progress(
        thread=last.id,
        looks=len(looks),
        lasted_s=lasted_s,
        unchanged_s=looks[-1][0] - _rests_since(looks),
        cpu_s=None if used is None else max(0, used) / 1e9,
        visits=tuple(visits(stacks)),
        common=tuple(common([stack or () for stack in stacks])),
        collecting=sum(map(_collects, threads)),
        wakes=None if first.runs is None or last.runs is None else last.runs - first.runs,
        same_stack=asleep and len(stacks) == 1 and any(stacks),
        same_line=lazy and _same_line(stacks),
        gil_kept_ms=_kept(threads),
        asks=asks,
        returned=_rebound(threads) or any(starmap(_returned, pairwise(looks))),
        natives=tuple(natives(threads)),
        transfers=_transfers(threads),
        same_frames=_same_frames([one.native_marks for one in threads]),
    )


def _transfers(threads: Sequence[Thread]) -> Transfers | None:
    found = [one.transfers for one in threads if one.transfers is not None]
    return found[-1].since(found[0]) if found[1:] else None


def _same_frames(marks: Sequence[tuple[FrameMark, ...]]) -> tuple[FrameMark, ...]:
    """The outermost frames that all of several samples share, if these have the same values in all
    of them. Who got no processor while it was to be sampled did not leave them."""
    taken = [one for one in marks if one]
    if len(taken) < _SAMPLES:
        return ()
    shared = []
    for frames in zip(*taken, strict=False):
        if len({one.address for one in frames}) > 1:
            break
        if len(set(frames)) > 1:
            return ()
        shared.append(frames[0])
    return tuple(shared)


def _kept(threads: Sequence[Thread]) -> float | None:
    known = [one.gil_kept_ms for one in threads if one.gil_kept_ms is not None]
    return sum(known) if len(known) == len(threads) else None


def _rebound(threads: Sequence[Thread]) -> bool:
    """Whether variables of the application were bound anew between two looks that met it at the
    same place; looks that could not read them, as it moved meanwhile, do not count."""
    known = [one for one in threads if one.bindings is not None]
    return any(
        earlier.bindings != later.bindings
        and _of_application(earlier.python_stack or ()) == _of_application(later.python_stack or ())
        for earlier, later in pairwise(known)
    )


def _returned(before: tuple[float, Thread], after: tuple[float, Thread]) -> bool:
    """Whether it surely left the place where it was seen between two looks."""
    (then, earlier), (now, later) = before, after
    call = earlier.syscall
    if call is None or None in (earlier.runs, later.runs) or earlier.gil or later.gil:
        return False
    if call.sleeps and later.syscall is not None and later.syscall.timed is False:
        return not later.syscall.sleeps  # what it does there took more than one wait
    runs = (later.runs or 0) - (earlier.runs or 0)
    if call.timeout_ms is None:
        return runs > 0 and (call.timed is False or call.name in _UNTIMED)
    ended_by_clock = 1 + 1000 * (now - then) / max(call.timeout_ms, 1)
    return runs > _RUNS_AT_MOST * ended_by_clock


def _same_line(stacks: Collection[Stack | None]) -> bool:
    """Whether these are the same lines of the application, whatever a library did below them."""
    if len(stacks) == 1:
        return any(stacks)
    return len({_of_application(stack or ()) for stack in stacks}) == 1


def _asks(stack: Stack) -> bool:
    """Whether the application called a function of a library that is there to wait."""
    own = application_index(stack) or 0
    return bool(_ASKS & {frame.function.rpartition(".")[2] for frame in stack[:own]})


def _of_application(stack: Stack) -> Stack:
    """The stack from the application's innermost frame on; all of one that has none."""
    return stack[application_index(stack) or 0 :]


def _rests_since(looks: list[tuple[float, Thread]]) -> float:
    """When it was first seen as it still is."""
    since, after = looks[-1]
    for time, before in reversed(looks[:-1]):
        if not unmoved(before, after):
            break
        since, after = time, before
    return since


def unmoved(before: Thread, after: Thread) -> bool:
    """It did not run; a waiter of the GIL wakes all the time, but stays where it is."""
    if before.gil is GilState.WAITS and after.gil is GilState.WAITS:
        return before.python_stack == after.python_stack
    known = before.runs is not None and before.cpu_ns is not None
    return known and (before.runs, before.cpu_ns) == (after.runs, after.cpu_ns)


def _collects(thread: Thread) -> bool:
    """Whether the garbage collector was at work above its innermost Python frame."""
    if thread.collecting:
        return True
    for frame in thread.native_stack or ():
        if eval_frame(frame):
            return False
        if base_name(frame) in COLLECTORS:
            return True
    return False
