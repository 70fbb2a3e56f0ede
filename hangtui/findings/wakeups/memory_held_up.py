"""Loops that look into shared memory which others have as well, where all of these wait for each
other, or for the process that looks: nobody changes what is in it."""

from collections.abc import Iterator

from hangtui.findings.english import clauses, listed
from hangtui.findings.looked import looked_at
from hangtui.findings.stack_queries import at, below_application, callers_of, does, own_frame
from hangtui.findings.thresholds import NAMES_LISTED, STILL_S
from hangtui.findings.words import Words, ref
from hangtui.model import Certainty, CommonMemory, Finding, Polled, Severity, Thread


def found(rule: str, words: Words) -> Iterator[Finding]:
    """One finding for each such loop that nobody outside of these processes would end."""
    for one in words.capture.polled:
        thread = words.thread(one.waiter)
        if one.common is None or thread is None or not _stays(thread, words):
            continue
        beside = _beside(thread, one.common, words)
        known = {thread.id, *(other.id for other in beside)}
        if beside and known.issuperset(changer.actor for changer in one.changers):
            yield _finding(rule, thread, one, one.common, beside, words)


def _beside(thread: Thread, memory: CommonMemory, words: Words) -> list[Thread]:
    """All others in code of the application, in its process and in those that have the memory as
    well, if none of these goes on before another one of them does; else nobody."""
    pids = {thread.pid, *memory.others}
    processes = [words.capture.process(pid) for pid in pids]
    beside = [
        other
        for process in processes
        for other in (process.threads if process else ())
        if other is not thread and other.is_python and below_application(other)
    ]
    closed = None not in processes and pids - {thread.pid} <= {other.pid for other in beside}
    return beside if closed and all(_waits_within(one, pids, words) for one in beside) else []


def _waits_within(thread: Thread, pids: set[int], words: Words) -> bool:
    """Whether it waits, as long as that takes, for somebody of these processes."""
    wait = words.graph.wait_of(thread.id)
    if wait is None or wait.expires or not thread.asleep or not _stays(thread, words):
        return False
    if words.actor(wait.target) is not None:
        return wait.target.pid in pids
    holders = {hold.target.pid for hold in words.graph.holders_of(wait.target)}
    if not holders:  # a condition, a barrier: within its process, if it is not shared
        return wait.target.pid == thread.pid and not wait.target.shared
    return holders <= pids


def _stays(thread: Thread, words: Words) -> bool:
    """Whether several looks, over a second, met it in the same function, to which it has not come
    back in between."""
    frame, seen = own_frame(thread), words.progress.get(thread.id)
    inside = frame is not None and seen is not None and frame.function in seen.common
    return bool(seen and (inside or seen.same_stack) and seen.lasted_s >= STILL_S) and not (
        seen and seen.returned
    )


def _finding(
    rule: str,
    thread: Thread,
    polled: Polled,
    memory: CommonMemory,
    beside: list[Thread],
    words: Words,
) -> Finding:
    name, frame = words.thread_name(thread), own_frame(thread)
    others = [one for one in beside if one.pid != thread.pid]
    here = [one for one in beside if one.pid == thread.pid]
    told = clauses([does(one, words) for one in others[:NAMES_LISTED]], len(others))
    own = clauses([does(one, words) for one in here[:NAMES_LISTED]], len(here))
    beneath = f" In its own process {own}." if here else ""
    return Finding(
        id=rule,
        severity=Severity.WARNING,
        certainty=Certainty.INFERRED,
        title=(
            f"{name} waits{at(frame)}, by polling {looked_at(polled)}, and looks into shared "
            f"memory that only those have as well who wait themselves: {told}"
        ),
        sentence=(
            f"{name} looks{at(frame)}{callers_of(thread, frame)} again and again at "
            f"{looked_at(polled)}, which leads to the shared memory {memory.name}. Who else has "
            f"that mapped: {told}. Each of them waits for one of these processes.{beneath} So "
            "nobody of them changes what is looked at, before another one has gone on."
        ),
        threads=(ref(thread), *map(ref, beside[:NAMES_LISTED])),
        subject=thread.id,
        evidence=(
            f"/dev/shm/{memory.name} is mapped, too, by {listed(list(map(str, memory.others)))}",
            f"{name} looks at {looked_at(polled)} between two sleeps",
        ),
        unknown=("who was to change it, and whether it looks at the right place in it",),
        advice=(
            (
                "Look at what was written there last, and by whom: a note that another thread has "
                "taken, or a place that is not the current one any more, is never changed again."
            ),
        ),
    )
