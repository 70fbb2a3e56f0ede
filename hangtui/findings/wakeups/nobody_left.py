"""A lost wake-up: every thread of a process waits for another one of them, so that nobody is left
who could notify, set, put or release."""

from collections import Counter

from hangtui.analysis.places import application_index
from hangtui.analysis.waitgraph import Edge, WaitGraph
from hangtui.analysis.wakers import coming
from hangtui.findings.backlog import clients, told_clients
from hangtui.findings.beyond_doubt import (
    in_a_test,
    left_alone,
    no_rest,
    nobody_will,
    signals_for,
    waking_signals,
)
from hangtui.findings.certainty import as_sure_as
from hangtui.findings.collectives import collective, exchange
from hangtui.findings.ended import told_threads_gone
from hangtui.findings.english import article, joined
from hangtui.findings.given_work import given_work
from hangtui.findings.grounds import NOBODY
from hangtui.findings.inert import (
    CONNECTIONS,
    all_waits,
    asks_in_vain,
    at_connections,
    by_the_clock,
    unwoken,
)
from hangtui.findings.outside.answerers import told_receivers
from hangtui.findings.resources import is_native, noted_ended, setter_ended
from hangtui.findings.run_elsewhere import elsewhere
from hangtui.findings.services import is_service
from hangtui.findings.shapes import whole_work
from hangtui.findings.stack_queries import at, kind_of, own_frame, still, way_of
from hangtui.findings.thresholds import NAMES_LISTED
from hangtui.findings.to_come import by_signal
from hangtui.findings.wakeups.called_in import called_in_advice, told_called_in
from hangtui.findings.wakeups.meant_wait import idles, meant
from hangtui.findings.wakeups.never_begun import await_begin
from hangtui.findings.wakeups.nobody_left_advice import (
    act,
    advice,
    connection_advice,
    enders,
    parked_advice,
    referring,
    start_advice,
    unknown,
    unread_beside,
)
from hangtui.findings.wakeups.nobody_left_words import (
    behind,
    kept_from,
    parent_of,
    parked_title,
    sentence,
    title,
    unreaped,
)
from hangtui.findings.wakeups.orphaned_lock import fork_advice
from hangtui.findings.wakeups.pool_starvation import starved
from hangtui.findings.wakeups.work_behind import told_behind, wake_advice
from hangtui.findings.words import Words, ref, words_of
from hangtui.model import Capture, Certainty, Finding, NodeKind, Process, Severity, Thread

ID = "nobody-left-to-wake"
GROUND = NOBODY
_EXECUTOR_ADVICE = (
    "Make executors in the child, after the fork (os.register_at_fork(after_in_child=...) can do "
    'that), or start it with "spawn" (multiprocessing.set_start_method("spawn")).'
)
HELP = """\
A condition, an event or a queue has no owner: any thread may notify, set or put. If every thread of
the process waits for another one of them, no one is left to do it. Typical causes: the thread that
should have done it died of an exception; it did it before the wait began; `task_done()` was not
called. The same goes for a plain lock whose holder is not known: for example, a thread ended
without releasing it.

How it is known: every Python thread of the process waits, without a timeout, for something that
only a thread of the same process can end, or for what comes over a connection or pipe both ends of
which this process alone has. Programs that handle signals may wait like that on
purpose, so there it is a note. It is an error if several looks saw that nobody ran for a second or
more, no signal has a handler that could end it (SIGTERM's gives nothing back that was taken in a
call of a package's), and nobody rests in such a wait: for a lock, a semaphore, a barrier,
a result, room in a queue, or for an event, condition or queue of a library's own; nor for an item
that a thread is about to put which reads from such a connection first; nor does it if somebody has
asked over one a second ago, or if what is waited for belongs to what lies in a queue of a loop that
nobody woke. The only thread
of a process does not rest by a queue that is the process's own; nor, if it has no living child, by
what functions of the program would notify or set that nobody runs.
"""

_ROOTS = [NodeKind.CONDITION, NodeKind.EVENT, NodeKind.QUEUE, NodeKind.BARRIER,
          NodeKind.SEMAPHORE, NodeKind.FUTURE, NodeKind.FUTEX]  # fmt: skip
_LOCKS = (NodeKind.LOCK, NodeKind.MUTEX, NodeKind.RWLOCK)  # if nobody is seen to have it


def check(capture: Capture, graph: WaitGraph) -> list[Finding]:
    """One finding for each process whose threads all wait for one another."""
    words = words_of(capture, graph)
    found = []
    for process in capture.processes:
        if process.steady is False:
            continue  # a thread that came or went may be the one that is to do it
        waits = all_waits(process, words)
        if _hears_outside(process, waits, words):
            continue
        roots = [(t, w) for t, w in waits if _is_root(w, words)]
        roots = [root for root in roots if not is_service(root[0], words)] or _ends(waits, words)
        known = any(starved(process, words)) or any(await_begin(process, words))  # who should do it
        if roots and not known and not any(graph.cycle_of(thread.id) for thread, _ in waits):
            found.append(_finding(process, roots, waits, words))
    return found


def _hears_outside(process: Process, waits: list[tuple[Thread, Edge]], words: Words) -> bool:
    """Whether a library of C is waited for, and a native thread stands at connections, or sleeps
    by the clock: what comes there, or the time, may have it go on. So may other ranks of a job, in
    whose operations they all take part, wherever the threads were met that carry these out."""
    native = [thread for thread, wait in waits if is_native(words.resource(wait.target))]
    if any(collective(thread) or exchange(thread) for thread in native):
        return True
    return bool(native) and bool(at_connections(process) or by_the_clock(process))


def _is_root(wait: Edge, words: Words) -> bool:
    """Whether none of the threads that are left can be named as the one that should end it."""
    kind = kind_of(wait, words)
    return kind in _ROOTS or (kind in _LOCKS and not words.graph.holders_of(wait.target))


def _ends(waits: list[tuple[Thread, Edge]], words: Words) -> list[tuple[Thread, Edge]]:
    """Those that wait at connections of which only their own process has the other end, where no
    thread but a library's own waits for something else."""
    found = [(t, w) for t, w in waits if kind_of(w, words) in CONNECTIONS and own_frame(t)]
    return found if any(is_service(t, words) for t, _ in waits) else []


def _finding(
    process: Process, roots: list[tuple[Thread, Edge]], waits: list[tuple[Thread, Edge]],
    words: Words,
) -> Finding:  # fmt: skip
    native = [t for t in process.threads if not t.is_python]
    waking = signals_for(process, roots, words)
    signals = waking or ()
    main = next((root for root in roots if root[0].tid == process.pid), None)
    ended_by = signals_for(process, roots, words, ending=True) or ()
    parked = main is not None and meant(process, main, waits, ended_by, words)
    parked = parked or all(by_signal(words.resource(one.target)) for _, one in roots)
    roots = sorted(
        roots, key=lambda root: (parked and root is not main, _rank(root[0], root[1], words))
    )
    thread, wait = roots[0]
    tested = in_a_test(process)
    certainty = as_sure_as(
        Certainty.INFERRED if native or signals else Certainty.PROVEN,
        *(wait for _, wait in waits),
    )
    owed = tested or bool(given_work(thread)) or left_alone(process, wait, words)
    owed = owed or _kept_by_own_connection(thread, wait, waits, words)
    owed = owed or setter_ended(words.resource(wait.target)) or bool(elsewhere(wait.target, words))
    owed = owed or bool(clients(process, words)) or bool(unwoken(process.pid, words))
    owed = (
        owed
        or asks_in_vain(waits, words)
        or any(
            no_rest(one, its, way_of(its, words), words)
            for one, its in (roots[0], *behind(thread, waits, words))
        )
    )
    never = owed and nobody_will(process, [one for one, _ in waits], words, waking)
    severity = Severity.ERROR if never and certainty.supports_claim else Severity.WARNING
    return Finding(
        id=ID,
        severity=Severity.NOTE if parked else severity,
        certainty=certainty,
        title=(parked_title(thread, wait, words) if parked else title(thread, wait, waits, words)),
        sentence=(
            f"{sentence(process, roots, waits, words, meant=parked)}"
            f"{'' if parked else enders(thread, wait, words)}"
            f"{'' if parked else told_called_in(thread, wait, words)}"
            f"{noted_ended(words.resource(wait.target)) or told_threads_gone(process)}"
            f"{told_clients(process, words) or told_receivers(process, words)}"
            f"{'' if parked else told_behind(process.pid, words)}"
            f"{unread_beside(thread, waits, words)}{'' if parked else unreaped(process)}"
        ),
        tells_process=not parked and len(waits) > 1,
        threads=tuple(ref(one) for one, _ in roots),
        resources=tuple(dict.fromkeys(w.target for _, w in roots)),
        evidence=tuple(_evidence(process, roots, waits, signals, words)),
        unknown=tuple(unknown(native, signals, referring(wait, words), meant=parked)),
        advice=parked_advice(process) if parked else tuple(_advice(process, roots, waits, words)),
    )


def _kept_by_own_connection(
    thread: Thread, wait: Edge, waits: list[tuple[Thread, Edge]], words: Words
) -> bool:
    """Whether who is on the way to put what it waits for reads from a connection first of which
    this process alone has the other end: neither of the two rests."""
    way = way_of(wait, words)
    if kind_of(wait, words) is not NodeKind.QUEUE or way != "get":
        return False
    comers = {one.candidate for one in coming(words.graph, wait.target, way)}
    return any(
        other is not thread and other.id in comers and kind_of(its, words) in CONNECTIONS
        for other, its in waits
    )


def _advice(
    process: Process, roots: list[tuple[Thread, Edge]], waits: list[tuple[Thread, Edge]],
    words: Words,
) -> list[str]:  # fmt: skip
    thread, wait = roots[0]
    if parent_of(process, wait, words):
        return fork_advice(words.name(wait.target))
    around = process.around
    forked = around is not None and around.forked_from is not None and len(process.threads) == 1
    if forked and kind_of(wait, words) is NodeKind.FUTURE:
        return [_EXECUTOR_ADVICE]
    if (awaited := words.resource(wait.target)) and awaited.own_queue:
        return [
            (
                f"Do not wait{at(own_frame(thread))} for what this very thread is to do next, in "
                f"{awaited.own_queue.taken_in}: call it directly there, or leave the answer to "
                "whoever asked first."
            )
        ]
    if kept := kept_from(thread, waits, words):
        other, its = kept
        return [
            (
                f"Release {words.name(its.target)} before the wait{at(own_frame(thread))}: "
                f"{words.thread_name(other)} needs it, and may be who is to {act(wait, words)} "
                f"{words.name(wait.target)}."
            )
        ]
    if len(waits) == 1 and (unstarted := start_advice(process, thread, wait, words)):
        return unstarted
    beside = wake_advice(process.pid, words) or connection_advice(thread, waits, words)
    beside = beside or called_in_advice(thread, wait, words)
    return beside or advice(thread, wait, roots, words)


def _rank(thread: Thread, wait: Edge, words: Words) -> tuple[bool, bool, bool, bool, bool, int]:
    """The most telling wait first: of one who would have to end it itself; workers that wait for
    work, and owe nobody a result, are the rule, not the cause, whoever one of the others could wake
    or owes a result waits behind that one, and who takes items, or rests, may be meant to."""
    way = way_of(wait, words)
    holders = {hold.target for hold in words.graph.holders_of(wait.target)}
    others = {one.candidate for one in coming(words.graph, wait.target, way)} | holders
    waits_behind = bool(others - {thread.id})
    awaited = words.resource(wait.target)
    itself = awaited is not None and awaited.own_queue is not None
    rests = not no_rest(thread, wait, way, words)
    calm, stack = idles(wait, words), thread.python_stack or ()
    index = application_index(stack)
    owes = any(words.graph.waiters_of(hold.source) for hold in words.graph.held_by(thread.id))
    works = calm and not owes and (index is None or whole_work(stack, index))
    return not itself, works, waits_behind, calm, rests, thread.tid


def _evidence(
    process: Process, roots: list[tuple[Thread, Edge]], waits: list[tuple[Thread, Edge]],
    signals: tuple[str, ...], words: Words,
) -> list[str]:  # fmt: skip
    """*signals*: those whose handlers could end it."""
    lines = [words.reading(wait) for _, wait in waits[: 2 * NAMES_LISTED]]
    kinds = Counter(kind_of(wait, words) for _, wait in waits)
    what = joined([f"{count} for {article(kind)}" for kind, count in kinds.items() if kind])
    who = f"all {len(waits)} Python threads" if len(waits) > 1 else "the only Python thread"
    verb = "wait" if len(waits) > 1 else "waits"
    lines.append(f"{who} of process {process.pid} {verb}, without a timeout: {what}")
    holders = [h for _, wait in roots for h in words.graph.holders_of(wait.target)]
    lines += [words.reading(hold) for hold in holders[:NAMES_LISTED]]
    others = [one for one in waking_signals(process) or () if one not in signals]
    if others:
        lines.append(f"handlers: {joined(others)}, which ask it to end, or tell of no child of it")
    return [*lines, still([thread for thread, _ in waits])]
