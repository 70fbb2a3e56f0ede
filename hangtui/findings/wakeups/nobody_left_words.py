"""How a wait that nobody is left to end is told."""

from hangtui.analysis.places import function_of, line_and_function
from hangtui.analysis.waitgraph import Edge
from hangtui.analysis.wakers import coming
from hangtui.findings.beyond_doubt import handled_signals
from hangtui.findings.child_ends import ended_children, told_ended
from hangtui.findings.english import clauses, joined, listed
from hangtui.findings.exits import ENDING, STOPPED, is_ending
from hangtui.findings.forks import in_fork, told_in_fork
from hangtui.findings.given_work import given_work
from hangtui.findings.inert import CONNECTIONS
from hangtui.findings.left_in_parent import left_in_parent, own_left_in_parent
from hangtui.findings.outside.traffic import unread, while_unread
from hangtui.findings.package_queries import called_within, library_wait, waits_at
from hangtui.findings.pools import held, lent_by, pool_of
from hangtui.findings.re_entered import (
    called_further_out,
    re_entered,
    told_called_further_out,
    told_own,
)
from hangtui.findings.resources import is_native, kept_by_generator
from hangtui.findings.run_elsewhere import elsewhere
from hangtui.findings.stack_queries import at, callers_of, kind_of, own_frame, told, way_of
from hangtui.findings.thresholds import NAMES_LISTED
from hangtui.findings.wakeups.nobody_left_advice import act, told_later
from hangtui.findings.wakeups.orphaned_lock import inherited
from hangtui.findings.wakeups.own_loop import INSIDE, own_loop, told_loop
from hangtui.findings.wakeups.own_reading import own_reading, reads_again
from hangtui.findings.words import Words
from hangtui.model import NodeKind, Process, Thread

_WHO = "Who took it is not known"
_TAKEN = f"{_WHO}: a thread that has ended since, or one of these, earlier on"
_OF_AN_EXECUTOR = (
    ". If it is of an executor that was made before the fork: that counts its threads, which the "
    "parent alone has, and starts none here, so its jobs lie in its queue."
)
_EXECUTOR = "/concurrent/futures/thread.py"


def title(thread: Thread, wait: Edge, waits: list[tuple[Thread, Edge]], words: Words) -> str:
    """What nobody is left to do, and who waits for it where."""
    what = act(wait, words)
    name = words.thread_name(thread)
    frame = told(own_frame(thread))
    where = f" at {frame}" if frame else ""
    has = reads_again(thread, wait, waits, words)
    has = has or _told_behind(thread, waits, words) or _told_ahead(thread, wait, waits, words)
    if (awaited := words.resource(wait.target)) and awaited.own_queue:
        has = f", though what would end that lies in its own queue, {awaited.own_queue.name}"
    if not has and ((ends := is_ending(thread)) or own_loop(thread, wait, words)):
        has = ", at the interpreter's end" if ends else INSIDE
    has = has or (", inside of os.fork()" if in_fork(thread) else "")
    within = re_entered(thread) if _own(thread, wait, words) else called_further_out(thread)
    has = has or (f", in what {within[0]} has called" if within else "")
    if not has and (away := elsewhere(wait.target, words)):
        names = joined(list(dict.fromkeys(map(words.thread_name, away.values()))))
        has = f", and {names} has only a copy of it"
    has = has or while_unread(thread.pid, words.capture, library_wait(thread))
    return f"Nobody is left to {what} {words.name(wait.target)}: {name} waits for it{where}{has}"


def parked_title(thread: Thread, wait: Edge, words: Words) -> str:
    """The same of who may wait there to rest."""
    return (
        f"{words.thread_name(thread)} is parked: only a signal ends its wait for "
        f"{words.name(wait.target)}{at(own_frame(thread))}"
    )


def sentence(
    process: Process, roots: list[tuple[Thread, Edge]], waits: list[tuple[Thread, Edge]],
    words: Words, *, meant: bool,
) -> str:  # fmt: skip
    """Who waits for what, and why nobody ends it; *meant*: why that may be a rest."""
    thread, wait = roots[0]
    start = f"{words.thread_name(thread)} {words.waiting(wait)}"
    lock = kind_of(wait, words) in (NodeKind.LOCK, NodeKind.MUTEX)
    reading = own_reading(thread, wait, waits, words)
    start = start if lock else f"{start} ({wait.evidence.text})"
    start += callers_of(thread, own_frame(thread))
    loop = told_loop(thread, wait, words) or told_called_further_out(thread)
    if work := given_work(thread):
        start = f"Inside {work}, {start}"
    rest = [t for t, _ in waits if t is not thread]
    if meant:
        return f"{start}. {_resting(process, rest)}"
    if not rest:
        around = process.around
        forked = around.forked_from if around and not lock else None
        copy = f", a fork of process {forked} without its other threads" if forked else ""
        kind = "thread" if all(t.is_python for t in process.threads) else "Python thread"
        who = f"It is the only {kind} of process {process.pid}{copy}, so no other {kind} can"
        left = left_in_parent(thread, words) if forked else None
        parent = parent_of(process, wait, words)
        resource = words.resource(wait.target)
        taken = inherited(thread, parent, "probably ", resource) if parent else None
        end = (
            f".{reading}"
            if reading
            else f". {taken or f'{_taken(thread, wait, words)}.'}{loop}"
            if lock
            else "."
            if unread(process.pid, words.capture, library_wait(thread))
            else f". {left.told}."
            if left
            else f". {threads}."
            if (threads := own_left_in_parent(thread, words) if forked else "")
            else f". {own}."
            if (own := _own(thread, wait, words))
            else f": {ENDING}."
            if is_ending(thread)
            else f": what was taken was not given back, or a release() never came.{loop}"
            if kind_of(wait, words) is NodeKind.SEMAPHORE
            else f".{loop}"
            if loop
            else _OF_AN_EXECUTOR
            if forked and kind_of(wait, words) is NodeKind.FUTURE
            else ": it was to be changed before, or is a lock that this thread has itself."
            if kind_of(wait, words) is NodeKind.FUTEX
            else "."
            if elsewhere(wait.target, words)
            else ": the wake-up came too early, or never."
        )
        return f"{start}. {who} {act(wait, words)} it{end}"
    same = [t for t, w in roots if w.target == wait.target and t is not thread]
    groups = dict[str, list[str]]()
    for other, its in waits:
        if other is not thread:
            groups.setdefault(_waits(other, its, words), []).append(words.thread_name(other))
    parts = [f"{listed(names)}{how}" for how, names in groups.items()][:NAMES_LISTED]
    others = clauses(parts, len(groups))
    python = "Python " if any(not one.is_python for one in process.threads) else ""
    end = f"So no {python}thread is left to {act(wait, words)} it"
    if same and words.method(wait) == "join":
        end += (
            ": the queue is empty, since its workers wait in get(), but task_done() was not called "
            "for every item that they took"
        )
    if lock:
        end += f". {_taken(thread, wait, words)}{f'.{loop[:-1]}' if loop else ''}"
    elif reading or loop:
        end += f".{(reading or loop)[:-1]}"
    elif own := _own(thread, wait, words):
        end += f". {own}"
    end += f".{told_later(thread, wait, words)}"
    return f"{start}. All other {python}threads wait as well: {others}. {end}"


def _own(thread: Thread, wait: Edge, words: Words) -> str:
    """That a lock of C code may be its own thread's; empty: nothing shows that."""
    return told_own(thread) if is_native(words.resource(wait.target)) else ""


def kept_from(
    thread: Thread, waits: list[tuple[Thread, Edge]], words: Words
) -> tuple[Thread, Edge] | None:
    """Who waits for what the thread surely has, while that waits for somebody to go on."""
    for other, its in behind(thread, waits, words):
        holds = words.graph.holders_of(its.target)
        if any(h.target == thread.id and h.evidence.certainty.supports_claim for h in holds):
            return other, its
    return None


def behind(
    thread: Thread, waits: list[tuple[Thread, Edge]], words: Words
) -> list[tuple[Thread, Edge]]:
    """Those of *waits* that wait for what *thread* has or has to do, or is on the way to do."""
    found = []
    for other, its in waits:
        holders = {hold.target for hold in words.graph.holders_of(its.target)}
        comers = {one.candidate for one in coming(words.graph, its.target, way_of(its, words))}
        mutual = kind_of(its, words) in CONNECTIONS  # all threads have its other end alike
        ends = {its.target, *holders, *comers}
        if other is not thread and not mutual and thread.id in ends:
            found.append((other, its))
    return found


def _told_behind(thread: Thread, waits: list[tuple[Thread, Edge]], words: Words) -> str:
    """Who waits for what the thread would do or give back, the application's first."""
    those = [one for one in behind(thread, waits, words) if own_frame(one[0])]
    those.sort(key=lambda one: one[0].tid != one[0].pid)
    if not those:
        return ""
    other, its = those[0]
    more = f" (so do{'es' if len(those) == 2 else ''} {len(those) - 1} more)" if those[1:] else ""
    pool = pool_of(its, words)
    name, target = words.thread_name(other), lent_by(pool) if pool else words.name(its.target)
    waits_there = f"{name} waits{at(own_frame(other))}{more}"
    holds = [h for h in words.graph.holders_of(its.target) if h.target == thread.id]
    if kind_of(its, words) is NodeKind.THREAD:
        return f"; {waits_there} for it to end"
    if holds and kind_of(its, words) is not NodeKind.FUTURE:
        return f", and has {target}, for which {waits_there}"
    verb = "has to" if holds else "could"
    return f"; it {verb} {act(its, words)} {target}, for which {waits_there}"


def _told_ahead(thread: Thread, wait: Edge, waits: list[tuple[Thread, Edge]], words: Words) -> str:
    """Who is on the way to do it, and what keeps that one."""
    comers = {one.candidate for one in coming(words.graph, wait.target, way_of(wait, words))}
    for other, its in waits:
        if other is not thread and other.id in comers and own_frame(other):
            name = words.thread_name(other)
            return f"; {name} could, but waits{waits_at(other)} {words.goal(its)}"
    return ""


def parent_of(process: Process, wait: Edge, words: Words) -> int | None:
    """The parent of a process that has only the thread which forked, if that waits for a lock; a
    plain one names no owner."""
    around = process.around
    if around is None or len(process.threads) > 1 or kind_of(wait, words) is not NodeKind.LOCK:
        return None
    return around.forked_from


def _taken(thread: Thread, wait: Edge, words: Words) -> str:
    """Who has a lock that no thread can be said to hold: a generator, or nobody who is known."""
    if generator := kept_by_generator(words.resource(wait.target)):
        return generator
    if within := called_within(thread):
        entry, caller = within
        return (
            f"Who took it is not recorded; but {function_of(entry)} was called again, from what it "
            f"has called itself ({line_and_function(caller)}), before its first call had ended, "
            "and that one may have it"
        )
    if forking := told_in_fork(thread):
        return forking
    process = words.capture.process(thread.pid)
    if process is not None and process.python is not None and process.python.threads_ever == 1:
        return "It took that itself, earlier on: no other thread has ever run this program's code"
    return f"{_WHO}: {STOPPED}; {ENDING}" if is_ending(thread) else _TAKEN


def _resting(process: Process, rest: list[Thread]) -> str:
    """Why a wait that no thread can end need not be a hang."""
    signals = handled_signals(process) or ()
    by = f"a signal that it handles ({listed(list(signals))})" if signals else "a signal"
    others = "All other threads wait for work or for one another" if rest else (
        f"It is the only thread of process {process.pid}"
    )  # fmt: skip
    return (
        f"{others}, so only {by} can end this. Programs that run until they are stopped look like "
        "this: nothing is wrong if there is no work."
    )


def _waits(thread: Thread, wait: Edge, words: Words) -> str:
    """Where one of the others waits for what; threads of a pool may do so for the same."""
    node, pool = words.graph.node(wait.target), pool_of(wait, words)
    target = f"{lent_by(pool)}{held(pool, words)}" if pool else words.name(wait.target)
    who = f"{waits_at(thread)}{_job(thread)}"
    wakers = dict.fromkeys(
        one.candidate for one in coming(words.graph, wait.target, way_of(wait, words))
    )
    if wakers:
        names = listed([words.name(one) for one in wakers])
        return f"{who} for {target}, which {names} could {act(wait, words)}"
    if node is not None and node.kind is NodeKind.THREAD:
        return f"{who} for {target} to end"
    if node is not None and node.kind is NodeKind.QUEUE and words.method(wait) == "get":
        return f"{who} for an item in {target} (get)"
    if node is not None and node.kind in CONNECTIONS:
        return f"{who} {words.goal(wait)}, whose other end nobody has but this process"
    holds = words.graph.holders_of(wait.target) if pool is None else []
    if len(holds) == 1 and holds[0].evidence.certainty.supports_claim:
        has = "has to finish" if kind_of(wait, words) is NodeKind.FUTURE else "holds"
        return f"{who} for {target}, which {words.name(holds[0].target)} {has}"
    return f"{who} for {target}"


def _job(thread: Thread) -> str:
    """What a thread of an executor runs, where it does not wait in that itself."""
    stack, frame = thread.python_stack or (), own_frame(thread)
    if frame is None or not any(one.filename.endswith(_EXECUTOR) for one in stack):
        return ""
    called = callers_of(thread, frame)
    return f"{called}," if called else ""


def unreaped(process: Process) -> str:
    """`` Of its children, process 7 (python3) has ended. ...``, where a handler of the program was
    to learn of that; empty: there is none, or none has ended."""
    handled = (process.around.handles_signals if process.around else None) or ()
    dead = ended_children(process) if "SIGCHLD" in handled else []
    if not dead:
        return ""
    them = "it" if len(dead) == 1 else "them"
    return (
        f"{told_ended(dead, 'its')} Nobody has reaped {them}: the handler for SIGCHLD that the "
        "program has does not."
    )
