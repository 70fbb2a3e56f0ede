"""A pool of processes or threads whose tasks come from an iterable that waits for what is done with
their results."""

from collections.abc import Iterator

from hangtui.analysis.places import application_index
from hangtui.analysis.waitgraph import Edge
from hangtui.analysis.wakers import coming
from hangtui.findings.beyond_doubt import waking_signals
from hangtui.findings.certainty import as_sure_as
from hangtui.findings.claims import claim, reserve
from hangtui.findings.pool_workers import started_by, waits_for_result
from hangtui.findings.resources import of_processes
from hangtui.findings.stack_queries import (
    POOL_FILES,
    at,
    index_of,
    own_frame,
    still,
    stood_s,
    way_of,
)
from hangtui.findings.thresholds import STILL_S
from hangtui.findings.unseen_children import unseen_children
from hangtui.findings.wakeups.lost_worker import no_result_comes, own_workers
from hangtui.findings.wakeups.nobody_left_advice import act
from hangtui.findings.words import Words, ref
from hangtui.model import Certainty, CouldWake, Finding, Process, Severity, Thread

_WHY_NEVER = (
    "the process has no other threads than these two and the pool's own, handles no signal, and "
    "all workers stood still: whoever was to end the wait, nobody is left"
)


def fed_by_results(identifier: str, words: Words) -> Iterator[Finding]:
    """One finding for each thread that waits for a result of a pool which has nothing to do before
    that thread goes on."""
    for thread, wait, _ in words.lasting.values():
        process = words.capture.process(thread.pid)
        if process is None or not waits_for_result(thread) or process.steady is False:
            continue
        feeder = _feeder(process, words)
        if feeder is None or unseen_children(process, words.capture):
            continue
        needed = words.lasting[feeder.id].wait
        wakers = coming(words.graph, needed.target, way_of(needed, words))
        alone = {one.candidate for one in wakers} == {thread.id}
        if alone and no_result_comes(process, words):
            yield _finding(identifier, (thread, wait), (feeder, needed), wakers[0], words)


def _feeder(process: Process, words: Words) -> Thread | None:
    """The only thread that hands out a pool's tasks, if it waits in the program's iterable."""
    running = ((one, index_of(one, {"_handle_tasks"}, *POOL_FILES)) for one in process.threads)
    found = [one for one, index in running if index is not None]
    if len(found) != 1 or found[0].id not in words.lasting:
        return None
    index = application_index(found[0].python_stack or ())
    return found[0] if index is not None else None


def _nobody_else(process: Process, own: list[Thread], needed: Edge, words: Words) -> bool:
    """Whether the process has no other threads than these two and those of the pool's own, none of
    which would end the wait for what is of this process, nor a handler of signals; and all workers
    rested for a while."""
    resource = words.resource(needed.target)
    if needed.target.pid != process.pid or resource is None or of_processes(resource):
        return False
    if resource.id.shared or process.steady is not True or waking_signals(process) != ():
        return False
    others = [one for one in process.threads if one not in own]
    if not all(one.is_python and _is_of_pool(one) for one in others):
        return False
    children = started_by(process.pid, words.capture)
    workers = [thread for child in children for thread in child.threads] + own_workers(process)
    return bool(workers) and all(stood_s(one, words) >= STILL_S for one in workers)


def _is_of_pool(thread: Thread) -> bool:
    stack = thread.python_stack or ()
    inside = any(frame.filename.endswith(POOL_FILES) for frame in stack)
    return inside and application_index(stack) is None


def _finding(
    identifier: str,
    taker: tuple[Thread, Edge],
    feeder: tuple[Thread, Edge],
    waker: CouldWake,
    words: Words,
) -> Finding:
    (thread, wait), (other, needed) = taker, feeder
    name, its = words.thread_name(thread), words.thread_name(other)
    where, what = at(own_frame(thread)), words.name(needed.target)
    line = f" ({waker.call}(), {waker.call_place})" if waker.call and waker.call_line else ""
    process = words.capture.process(thread.pid)
    own = [one for one in (process.threads if process else ()) if one in (thread, other)]
    long = all(stood_s(one, words) >= STILL_S for one in own)
    never = long and process is not None and _nobody_else(process, own, needed, words)
    what_it_is = claim(sure=never)
    return Finding(
        id=identifier,
        severity=Severity.ERROR if never else Severity.WARNING if long else Severity.NOTE,
        certainty=as_sure_as(Certainty.INFERRED, wait, needed),
        never_ends=never,
        title=(
            f"{what_it_is}: {name} waits{where} for a Pool's next result, and the Pool's next "
            f"task waits for {what}"
        ),
        sentence=(
            f"{reserve(sure=never)}{name} waits{where} for the next result of "
            f"a multiprocessing Pool, whose workers are idle. {its}, which hands out its tasks, "
            f"{words.waiting(needed)}, in the iterable that the tasks come from; only {name} is "
            f"seen on the way to {act(needed, words)} it{line}, once it has a result."
        ),
        threads=(ref(thread), ref(other)),
        resources=(wait.target, needed.target),
        evidence=(
            words.reading(wait),
            words.reading(needed),
            f"{words.name(waker.candidate)}: {waker.evidence.text}",
            "all workers wait for a task, and the thread that fetches results for the next one",
            still(own),
            *((_WHY_NEVER,) if never else ()),
        ),
        unknown=()
        if never
        else (f"whether code that stacks do not show would {act(needed, words)} {what}",),
        advice=(
            (
                "Do not let the iterable given to imap() block for what its results bring: submit "
                "each task when it is known (apply_async() with a callback), and count those that "
                "are under way to know when all is done."
            ),
        ),
    )
