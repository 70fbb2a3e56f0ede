"""Threads that take work out of a queue: all wait inside of some, while more lies there."""

from collections.abc import Iterator, Sequence

from hangtui.analysis.waitgraph import Edge
from hangtui.analysis.wakers import coming
from hangtui.findings.english import clauses, counted, joined
from hangtui.findings.inert import hears, unwoken, wait_inside, waits_for_work
from hangtui.findings.looked import polled_by
from hangtui.findings.polled import told_polling
from hangtui.findings.stack_queries import does, still, stood_s, way_of
from hangtui.findings.thresholds import NAMES_LISTED, STILL_S
from hangtui.findings.wakeups.own_permit import own_permit
from hangtui.findings.wakeups.who_would import who_would
from hangtui.findings.words import Words, ref
from hangtui.findings.written import nobody_comes, told_gone, told_unrun
from hangtui.model import (
    Capture,
    Certainty,
    Finding,
    NodeKind,
    Pid,
    Process,
    Severity,
    Thread,
    WorkerQueue,
)

_BOTH = 2
_CALL = "a call of a method of what is waited for"


def work_behind(identifier: str, capture: Capture, words: Words) -> Iterator[Finding]:
    """One finding for each such queue, if each of these threads has stood for long; and for each
    piece of work behind which a package keeps the next one, while it waits for that."""
    for queue in capture.worker_queues:
        if queue.unwoken:
            continue
        takers = _takers(queue, words)
        process = capture.process(queue.pid)
        whole = bool(takers) and len(takers) == len(queue.takers)
        if process and whole and all(_stuck(one, queue, words) for one in takers):
            yield _finding(identifier, queue, takers, process, words)
    yield from own_permit(identifier, capture, words)


def told_behind(pid: Pid, words: Words) -> str:
    """`` 2 items lie in the queue self.jobs meanwhile, from which only w-0 and w-1 take ...``, of
    what workers of a process that all wait have not begun; empty: nothing is known."""
    queues = (one for one in words.capture.worker_queues if one.pid == pid)
    told = (_lies_behind(one, _takers(one, words), words) for one in queues if not one.unwoken)
    return next(told, "") + "".join(_not_woken(one, words) for one in unwoken(pid, words)[:1])


def _not_woken(queue: WorkerQueue, words: Words) -> str:
    """`` 1 item lies in self.calls (Registry.lookup), from which only reactor takes (Reactor.run
    (rpc.py:9)), once something wakes it: nobody is left to do so.``"""
    names = joined([words.thread_name(one) for one in _takers(queue, words)])
    one, work = len(queue.takers) == 1, queue.work[:NAMES_LISTED]
    return (
        f" {_items(queue)} in {queue.name}{f' ({joined(list(work))})' if work else ''}, from which "
        f"only {names} {'takes' if one else 'take'} ({queue.taken_in}), once something wakes "
        f"{'it' if one else 'one of them'}: nobody is left to do so."
    )


def wake_advice(pid: Pid, words: Words) -> list[str]:
    """What to change, where somebody put an item into a queue and woke nobody."""
    return [
        (
            f"Wake who takes from {queue.name} each time after something was put into it: by a "
            "byte written to its own pipe or socket, say."
        )
        for queue in unwoken(pid, words)[:1]
    ]


def _takers(queue: WorkerQueue, words: Words) -> list[Thread]:
    return sorted(words.threads(queue.takers), key=lambda one: one.tid)


def _items(queue: WorkerQueue) -> str:
    return f"{counted(queue.items, 'item')} {'lies' if queue.items == 1 else 'lie'}"


def _lies_behind(queue: WorkerQueue, takers: Sequence[Thread], words: Words) -> str:
    one = len(takers) == 1
    names = joined([words.thread_name(taker) for taker in takers])
    after = "once it has done what it is in" if one else "once they have done what they are in"
    ends = _ending(queue, takers, words)
    leads = _lies_there(queue, takers, words)
    work = f" ({joined(list(queue.work[:NAMES_LISTED]))})" if queue.work else ""
    end = "what is waited for may be what that is to do"
    if ends or queue.ends:
        end = f"{joined(ends) or _CALL} there would end that wait"
    elif queue.may_end:
        end = f"that comes to {joined(list(queue.may_end))}, which may end that wait"
    elif leads:
        end = f"what would end the wait of {joined(leads)} lies there"
    return (
        f" {_items(queue)} in the queue {queue.name}{work} meanwhile, from which only {names} "
        f"take{'s' if one else ''} ({queue.taken_in}), {after}: {end}."
    )


def _ending(queue: WorkerQueue, takers: Sequence[Thread], words: Words) -> list[str]:
    """What lies there and is the only code of the program that would end what these wait for."""
    waits = filter(None, (words.graph.wait_of(one.id) for one in takers))
    resources = filter(None, (words.resource(wait.target) for wait in waits))
    polled = filter(None, (polled_by(one.id, words) for one in takers))
    known = [one for r in resources for one in r.enders]
    known += [one for p in polled for one in p.written]
    enders = dict.fromkeys(one.rpartition(" (")[0] for one in known)
    return list(enders) if all(one in queue.work for one in enders) else []


def _lies_there(queue: WorkerQueue, takers: Sequence[Thread], words: Words) -> list[str]:
    """Which of *takers* wait for what an item of that queue leads to, and nobody else is seen to
    end."""
    found = []
    for taker in takers:
        wait = words.graph.wait_of(taker.id)
        resource = words.resource(wait.target) if wait else None
        own = resource.own_queue if resource else None
        if own is not None and own.taken_in == queue.taken_in:
            found.append(words.thread_name(taker))
    return found


def _stuck(taker: Thread, queue: WorkerQueue, words: Words) -> bool:
    """Whether it has stood for long, at what nobody is seen to have or to give; or looks again and
    again for what only work in this queue would change."""
    wait = words.graph.wait_of(taker.id)
    if wait is None:
        return bool(told_polling(taker.id, words) and _ending(queue, [taker], words))
    if stood_s(taker, words) < STILL_S or words.graph.cycle_of(taker.id):
        return False
    return not words.graph.holders_of(wait.target) and not coming(
        words.graph, wait.target, way_of(wait, words)
    )


def _nobody_else(process: Process, takers: Sequence[Thread], words: Words) -> bool:
    """Whether the other threads wait for work or for one another, or look by the clock whether
    somebody has done something."""
    others = [one for one in process.threads if one not in takers]
    return process.steady is not False and all(
        waits_for_work(one)
        or wait_inside(one, process, words) is not None
        or polled_by(one.id, words) is not None
        for one in others
    )


def _looking(process: Process, takers: Sequence[Thread], words: Words) -> str:
    """`` MainThread sleeps at app.py:9 (run) meanwhile, by polling queue.qsize().``"""
    for thread in process.threads:
        polled = polled_by(thread.id, words)
        if polled is not None and thread not in takers:
            return f" Meanwhile {does(thread, words)}."
    return ""


def _asking(process: Process, takers: Sequence[Thread], words: Words) -> str:
    """`` Behind it MainThread waits at app.py:9 (run) for call.``: who waits for what one of those
    who look again and again is in."""
    polling = {one.id for one in takers if words.graph.wait_of(one.id) is None}
    told = []
    for thread in process.threads:
        wait = words.graph.wait_of(thread.id)
        holds = words.graph.holders_of(wait.target) if wait else ()
        if wait and polling & {hold.target for hold in holds}:
            told.append(f"{words.thread_name(thread)} {words.waiting(wait)}")
    return f" Behind it {clauses(told[:NAMES_LISTED], len(told))}." if told else ""


def _would_end(queue: WorkerQueue, takers: Sequence[Thread], words: Words) -> str:
    if queue.may_end:
        return f", with {joined(list(queue.may_end))}, which may end that"
    if not queue.ends:
        return ", with what would end that" if _lies_there(queue, takers, words) else ""
    return ", and would end that" if queue.items == 1 else ", one of which would end that"


def _unreleased(
    takers: Sequence[Thread], waits: Sequence[Edge], process: Process, words: Words
) -> bool:
    """Whether all of them wait, without a timeout, for one semaphore that nobody is on the way to
    release, or an item that nobody is on the way to put, though code of the program does so; not
    where that may come with what somebody outside sends."""
    if len(waits) < len(takers) or len({wait.target for wait in waits}) != 1:
        return False
    wait, resource = waits[0], words.resource(waits[0].target)
    would = resource is not None and bool(resource.enders or resource.alike)
    item = wait.target.kind is NodeKind.QUEUE and way_of(wait, words) == "get"
    alone = not hears(process, words.capture, takers)
    endless = alone and not any(wait.expires for wait in waits)
    takes = item or wait.target.kind is NodeKind.SEMAPHORE
    return takes and would and endless and nobody_comes(wait, words)


def _finding(
    identifier: str,
    queue: WorkerQueue,
    takers: Sequence[Thread],
    process: Process,
    words: Words,
) -> Finding:
    count = "both" if len(takers) == _BOTH else f"all {len(takers)}"
    one = len(takers) == 1
    name = words.thread_name(takers[0])
    who = f"{name}, the only thread that takes" if one else f"{count} threads that take"
    told = clauses([does(taker, words) for taker in takers[:NAMES_LISTED]], len(takers))
    waits = [wait for taker in takers if (wait := words.graph.wait_of(taker.id))]
    return Finding(
        id=identifier,
        severity=(
            Severity.WARNING
            if queue.ends
            or queue.may_end
            or _ending(queue, takers, words)
            or len(_lies_there(queue, takers, words)) == len(takers)
            or _nobody_else(process, takers, words)
            or _unreleased(takers, waits, process, words)
            else Severity.NOTE
        ),
        certainty=Certainty.INFERRED,
        title=(
            f"Workers starved: {who} from {queue.name} wait{'s' if one else ''}, and "
            f"{_items(queue)} behind{_would_end(queue, takers, words)}: {does(takers[0], words)}"
            f"{who_would(waits, words)}"
        ),
        sentence=(
            f"{told}.{_lies_behind(queue, takers, words)}{_looking(process, takers, words)}"
            f"{_asking(process, takers, words)}{told_unrun(waits, words)}"
            f"{told_gone(waits[0], words) if waits else ''}"
        ),
        threads=tuple(ref(taker) for taker in takers),
        evidence=(
            *(
                words.reading(wait)
                for taker in takers[:NAMES_LISTED]
                if (wait := words.graph.wait_of(taker.id))
            ),
            f"{_items(queue)} in {queue.name}, to which the code of {queue.taken_in} comes again",
            still(takers),
        ),
        owed=True,  # by those who take, for what lies behind them
        unknown=("whether somebody else ends one of these waits",),
        advice=(
            (
                "Do not wait in a worker for what another piece of work in the same queue does: "
                "give that a queue and threads of its own, or come back to it later instead of "
                "waiting."
            ),
        ),
    )
