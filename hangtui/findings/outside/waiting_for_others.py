"""A thread that waits, without a timeout, for something that has no owner: any other thread of the
process may end the wait."""

from hangtui.analysis.places import package_of
from hangtui.analysis.waitgraph import Edge, WaitGraph
from hangtui.findings.beyond_doubt import handled_signals
from hangtui.findings.certainty import as_sure_as
from hangtui.findings.engine_schedulers import has_no_request
from hangtui.findings.english import clauses, joined
from hangtui.findings.given_work import given_work
from hangtui.findings.givers import givers_going_on, short_givers
from hangtui.findings.grounds import ONE_WAIT
from hangtui.findings.inert import waits_for_work
from hangtui.findings.outside.others_doing import (
    joined_in_vain,
    never_heard,
    shared_with,
    told_others,
)
from hangtui.findings.outside.own_callbacks import after_return, awaited_first
from hangtui.findings.outside.read_first import read_first
from hangtui.findings.package_queries import library_wait
from hangtui.findings.pools import position
from hangtui.findings.process_waits import ending
from hangtui.findings.re_entered import short_by_its_own, told_by_its_own
from hangtui.findings.resources import (
    given_back_by_nobody,
    kept_by_generator,
    lies_in_no_loop,
    noted_cancelled,
    of_processes,
    releases_nobody,
    why_taken,
)
from hangtui.findings.stack_queries import (
    at,
    callers,
    depth_of,
    does,
    kind_of,
    name_of,
    own_frame,
    still,
    stood_s,
    waits_for_ever,
)
from hangtui.findings.thresholds import NAMES_LISTED, STILL_S
from hangtui.findings.words import Words, ref, words_of
from hangtui.findings.written import (
    led_to_by_none,
    lost_in_title,
    nobody_comes,
    only_inside,
    told_gone,
    told_written,
)
from hangtui.model import Capture, Certainty, Finding, NodeKind, Severity, Task, Thread

ID = "waiting-for-others"
GROUND = ONE_WAIT
HELP = """\
An event, a condition, a queue or a barrier is not held by anybody: any thread may set, notify, put
or arrive. A plain lock does not record who holds it. The finding lists what the others do, one of
which should end the wait.

Often that is as it should be. It is reported because this is where the program stands. It is a
warning for a plain lock that nobody is seen to have, over a second or more, if several threads wait
for it or no other one ran: a lock can also be a signal, which one thread waits for and another one
gives; not so while another one that goes on is on the way to release it. It is one as well for the
result of a call that lies in an event loop which no thread runs, over a second or more, and if who
waits would give the lock back by its own code, and no other code that is under way would. It is
one, too, if the thread was called for a request, no thread of its process is on the way to end the
wait, and another process waits in the library of that server; and if a library's thread has asked
over a connection that never brought anything, while nobody runs what the program has to end the
wait, and it handles no signals; or if another thread has waited for a while for the end of one that
waits for room in a queue from which nobody comes to take, or for what only code would end that
those are inside of who wait so. And it is one if, for over a second,
nothing but the wait leads to what somebody was meant to end it for; if only functions beside the
one that a package has called, and that waits, would do so; or if a package has called the program
in a thread of its own, and that waits in the same package for what no other thread leads to. So it
is in a generator that a pool reads to its end (`Executor.map`) before it gives a result.
"""

_WITH = (
    "Take it with `with` everywhere, so that an exception or a return releases it, and never end a "
    "thread inside it."
)
_CLOSE = (
    "Close a generator that is not gone over to its end (contextlib.closing), or yield outside of "
    "the lock: copy what it protects first."
)
_NO_LOOP = (
    "The call lies in that loop, and begins once a thread runs it (run_forever, run_until_complete)"
    ": none does."
)
_RUN_LOOP = (
    "Give the coroutine to a loop that runs: one that a thread of its own runs for good "
    "(run_forever), or asyncio.run()."
)
_OWNERLESS = {
    NodeKind.CONDITION: "notify it",
    NodeKind.EVENT: "set it",
    NodeKind.QUEUE: "put something into it",
    NodeKind.BARRIER: "arrive at it",
    NodeKind.SEMAPHORE: "release it",
    NodeKind.FUTURE: "set its result",
    NodeKind.LOCK: "release it",
}
_BY_HANDLERS = (NodeKind.EVENT, NodeKind.CONDITION, NodeKind.SEMAPHORE, NodeKind.QUEUE)
"""What a signal's handler may well be there to set, notify, release or fill."""
_SIGNALS = 3  # that are named
_OF_QUEUES = {"put": "take something from it", "join": "call task_done() on it"}
"""By the method that waits."""


def check(capture: Capture, graph: WaitGraph) -> list[Finding]:
    """One finding for each process whose main thread, or a thread that it waits for, does so."""
    words = words_of(capture, graph)
    found: dict[int, Finding] = {}
    passed_on = {one.resource for one in capture.handovers}
    for thread, wait in awaited_first(waits_for_ever(words, _OWNERLESS), words):
        if thread.pid in found or _at_work(thread, wait, words) or graph.holders_of(wait.target):
            continue
        # It is a lock that is taken in turn: who had it in this look was missed, no more.
        if wait.target in passed_on:
            continue
        if own_frame(thread) is not None:
            others = [t for t in capture.threads() if t.pid == thread.pid and t is not thread]
            found[thread.pid] = _finding(thread, wait, others, words)
    return list(found.values())


def _at_work(thread: Thread, wait: Edge, words: Words) -> bool:
    """Whether it is a worker that waits for work, or an engine that has none."""
    stack = thread.python_stack or ()
    if waits_for_work(thread) or has_no_request(thread, words.capture):
        return True
    return words.method(wait) == "get" and (
        thread.tid != thread.pid or (bool(stack) and name_of(stack[0]) == "_worker")
    )


def _who(wait: Edge, words: Words) -> str:
    resource = words.resource(wait.target)
    return (
        "thread or process"
        if of_processes(resource) or (resource and not resource.pid)
        else "thread"
    )


def _or_handler(thread: Thread, kind: NodeKind | None, words: Words) -> str:
    """``, or the handler of SIGTERM,``: what a program that waits to be told to end waits for."""
    process = words.capture.process(thread.pid)
    signals = handled_signals(process) if process and kind in _BY_HANDLERS else ()
    if not signals:
        return ""
    return f", or the handler of {joined(list(signals)[:_SIGNALS])},"


def _finding(thread: Thread, wait: Edge, others: list[Thread], words: Words) -> Finding:
    name, frame = words.thread_name(thread), own_frame(thread)
    index = depth_of(thread, frame)
    kind, resource = kind_of(wait, words), words.resource(wait.target)
    act = _OF_QUEUES.get(words.method(wait) or "") if kind is NodeKind.QUEUE else None
    if kind is NodeKind.SEMAPHORE and of_processes(resource):
        act = ending(thread, wait, words)
    act = act or _OWNERLESS.get(kind or NodeKind.EVENT, "end it")
    # Of a package's line, the wait's own words tell who called it.
    called = "" if frame is None or package_of(frame) else callers(thread, index)
    awake = [t for t in others if t.still is not True]
    private = kind is NodeKind.LOCK and _who(wait, words) == "thread"
    # One thread may wait for another one's signal; a queue, or a process at rest, hardly does.
    crowd = len(words.graph.waiters_of(wait.target)) > 1 or not awake
    lost = private and crowd and stood_s(thread, words) >= STILL_S
    lost = lost and not givers_going_on(wait, words)
    clients, there = _clients(thread, wait, words), shared_with(thread, wait, words)
    asked = f"Inside {given_work(thread)}, {name}" if clients else name
    gone, suspended = given_back_by_nobody(resource), kept_by_generator(resource)
    unrun = lies_in_no_loop(resource)
    lost = lost or ((gone or unrun) and stood_s(thread, words) >= STILL_S)
    deaf = never_heard(thread, wait, words)
    vain = joined_in_vain(thread, wait, words)
    alone = led_to_by_none(wait, words)
    returned = after_return(thread, wait, act, words)
    by_others = returned or lost_in_title(resource, thread.pid, words)
    own = short_by_its_own(thread) if _unled(wait, words) else ""
    first = read_first(thread, wait, words)
    bad = lost or bool(clients or vain or returned or first)
    bad = bad or (bool(deaf or alone or own) and stood_s(thread, words) >= STILL_S)
    return Finding(
        id=ID,
        severity=Severity.WARNING if bad else Severity.NOTE,
        certainty=Certainty.INFERRED if bad else as_sure_as(wait),
        title=f"{asked} waits for {words.name(wait.target)}{at(frame)}, without a timeout"
        f"{f': {why_taken(resource)}' if gone else only_inside(wait, thread, act, words)}"
        f"{f'; {there[0]}' if len(there) == 1 else by_others}{own}"
        f"{(resource and suspended and f'; {resource.note}') or ''}"
        f"{short_givers(wait, words)}{alone}{first}"
        f"{f'; {deaf}' if deaf else ''}{vain and f'; {vain}'}",
        sentence=(
            f"{name} {words.waiting(wait)}{_call(wait, words)}{called}, without a timeout. "
            + (
                f"It is locked, but {releases_nobody(resource)}."
                if gone
                else _NO_LOOP
                if unrun
                else f"{_held(kind, wait, words)} {_who(wait, words)}"
                f"{_or_handler(thread, kind, words)} has to {act}."
            )
            + f"{noted_cancelled(resource)}{told_written(resource, thread, words)}"
            + told_gone(wait, words)
            + (f" But {told_by_its_own(thread)}." if own else "")
            + (f" Besides, {clauses(there, len(there))}." if there else "")
            + (f" {_for_whom(clients, words)}" if clients else "")
            + (f" Meanwhile {deaf}." if deaf else "")
            + told_others(others, words)
            + _tasks(wait, words)
        ),
        threads=(ref(thread),),
        resources=(wait.target,),
        victims=tuple(map(ref, clients)),
        evidence=(words.reading(wait), still([thread])),
        unknown=(f"which thread should {act}",),
        advice=(
            *((_CLOSE if suspended else _WITH,) if kind is NodeKind.LOCK else ()),
            *((_RUN_LOOP,) if unrun else ()),
            (
                f"If it waits for too long: look at those that should {act}, and use a "
                f"timeout{at(frame)}."
            ),
        ),
    )


def _clients(thread: Thread, wait: Edge, words: Words) -> list[Thread]:
    """Threads of other processes that wait in the package which has called a thread for a request,
    while that waits for what nobody of its process is on the way to."""
    if not given_work(thread) or not nobody_comes(wait, words):
        return []
    if stood_s(thread, words) < STILL_S:
        return []
    servers = {package_of(frame) for frame in thread.python_stack or ()} - {None}
    return [
        other
        for other in words.capture.threads()
        if other.pid != thread.pid and other.asleep and library_wait(other) in servers
    ]


def _for_whom(clients: list[Thread], words: Words) -> str:
    """Who may wait for the answer, which nobody is seen to bring."""
    who = joined([does(one, words) for one in clients[:NAMES_LISTED]])
    return (
        f"No thread of its process is seen on the way to that, and a client may wait for its "
        f"answer: {who}."
    )


def _tasks(wait: Edge, words: Words) -> str:
    """The tasks that refer to it: what they do is in no thread's stack."""
    found = dict.fromkeys(one.candidate for one in words.graph.wakers_of(wait.target))
    tasks = [one for node in found if isinstance(one := words.actor(node), Task)]
    told = [f"{words.actor_name(one)}{_stands(one)}" for one in tasks[:NAMES_LISTED]]
    who = "A task refers" if len(tasks) == 1 else f"{len(tasks)} tasks refer"
    return f" {who} to it: {joined(told)}." if told else ""


def _stands(task: Task) -> str:
    where = position(task)
    return f" at {where}" if where else ""


def _unled(wait: Edge, words: Words) -> bool:
    """Whether the frames of nobody but who waits lead to what is waited for."""
    resource = words.resource(wait.target)
    known = resource is not None and resource.wakers_known
    return known and {one.candidate for one in words.graph.wakers_of(wait.target)} <= {wait.source}


def _held(kind: NodeKind | None, wait: Edge, words: Words) -> str:
    resource = words.resource(wait.target)
    if kind is not NodeKind.LOCK:
        if _unled(wait, words):
            return "It has no owner, and no other thread's frames are seen to lead to it: another"
        return "It has no owner: another"
    if by_generator := kept_by_generator(resource):
        return f"{by_generator}. A"
    if _who(wait, words) != "thread":
        note = f" ({resource.note})" if resource and resource.note else ""
        return f"Who has it is not known{note}: a"
    return (
        "A plain lock does not record who has it, and no stack of a living thread shows that it "
        "took this one: maybe one that has ended, or went on, without releasing it. Another"
    )


def _call(edge: Edge, words: Words) -> str:
    """`` (Event.wait)``, the call that waits."""
    wait = words.wait(edge)
    return f" ({wait.call})" if wait and wait.call else ""
