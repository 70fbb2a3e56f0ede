"""What to do about a wait that nobody is left to end, and what cannot be known of it."""

from hangtui.analysis.places import function_of, line_and_function, package_of
from hangtui.analysis.waitgraph import Edge
from hangtui.analysis.wakers import coming
from hangtui.findings.enders import called
from hangtui.findings.english import joined, listed
from hangtui.findings.exits import closing_advice, is_ending
from hangtui.findings.forks import HOOKS_ADVICE, in_fork
from hangtui.findings.inert import CONNECTIONS, OF_THE_PROCESS
from hangtui.findings.outside.traffic import unread, unread_advice
from hangtui.findings.package_queries import (
    called_within,
    inner_package,
    library_wait,
    package_entry,
)
from hangtui.findings.re_entered import called_further_out, re_entered
from hangtui.findings.resources import is_native
from hangtui.findings.run_elsewhere import sharing_advice
from hangtui.findings.stack_queries import at, depth_of, kind_of, name_of, own_frame, told, way_of
from hangtui.findings.thresholds import NAMES_LISTED
from hangtui.findings.wakeups import own_reading
from hangtui.findings.wakeups.own_loop import advice as loop_advice
from hangtui.findings.wakeups.own_loop import own_loop
from hangtui.findings.words import Actor, Words
from hangtui.findings.written import told_written
from hangtui.model import NodeId, NodeKind, Process, Thread

_ENDED = {
    NodeKind.EVENT: ("set", "set()"),
    NodeKind.SEMAPHORE: ("released", "release()"),
    NodeKind.BARRIER: ("joined or aborted", "abort()"),
}
"""By what is waited for: what should be done to it, and the call."""


def _object(name: str) -> str:
    """What stands before the dot: of one without a name, nothing does that says which."""
    return "..." if " " in name else name


_FURTHER_OUT = (
    "Do not wait{at} for what {package} may have to do itself, in what it has called: use a "
    "callback of it, return first, or wait in another thread."
)
_OF_C = (NodeKind.MUTEX, NodeKind.FUTEX)
_IN_C = (
    "Find out, by the library's documents or with a debugger, what the call{at} waits for: "
    "something that this process has taken before and not given back, or that a thread was to "
    "bring which is not there."
)


def act(wait: Edge, words: Words) -> str:
    """What somebody would have to do to end the wait."""
    kind = kind_of(wait, words)
    if _is_join(wait, words):
        return "call task_done() on"
    if kind is NodeKind.QUEUE and way_of(wait, words) == "put":
        return "take from"
    if kind in CONNECTIONS and wait.source.kind is NodeKind.THREAD:
        return "read from" if way_of(wait, words) in ("send", "write") else "write into"
    if kind is NodeKind.SOCKET:
        return "make by reading" if way_of(wait, words) == "send" else "send"
    if kind is NodeKind.FUTEX:
        return "change"
    return OF_THE_PROCESS.get(kind or NodeKind.LOCK, "end the wait for")


def joined_queue(actor: Actor, words: Words) -> NodeId | None:
    """The queue in whose ``join()`` it waits; None: in none."""
    waits = words.graph.waits_of(actor.id)
    return next((one.target for one in waits if _is_join(one, words)), None)


def _is_join(wait: Edge, words: Words) -> bool:
    return kind_of(wait, words) is NodeKind.QUEUE and way_of(wait, words) == "join"


def done_for_all(queue: str, place: str = "") -> str:
    """What to do about a ``join()`` that does not return; *place*: where its items are taken."""
    return (
        f"Call {queue}.task_done() for every item{f' taken at {place}' if place else ''}, "
        "also when its processing raises: try: ... finally: task_done()."
    )


def _filled(waits: list[tuple[Thread, Edge]], words: Words) -> tuple[Thread, Edge] | None:
    """Who waits for room in a pipe or connection that this process alone could read."""
    for thread, wait in waits:
        if kind_of(wait, words) in CONNECTIONS and way_of(wait, words) in ("send", "write"):
            return thread, wait
    return None


def unread_beside(thread: Thread, waits: list[tuple[Thread, Edge]], words: Words) -> str:
    """What lies unread in a connection of the process, unless it may be so because who would read
    it stands at a pipe that is full."""
    if _filled(waits, words):
        return ""
    return unread(thread.pid, words.capture, library_wait(thread))


def connection_advice(thread: Thread, waits: list[tuple[Thread, Edge]], words: Words) -> list[str]:
    """What to do about a pipe that nobody reads, or else a connection."""
    if (found := _filled(waits, words)) is None:
        return [*unread_advice(thread.pid, library_wait(thread), words.capture)]
    writer, wait = found
    return [
        (
            f"Read the other end of {words.name(wait.target)} while {words.thread_name(writer)} "
            f"writes{at(own_frame(writer))}: in a thread, say. This process alone has it."
        )
    ]


def parked_advice(process: Process) -> tuple[str, ...]:
    """For a main thread that only a signal is to wake."""
    return (
        (
            "If there should be work: look at who sends it. Run hangtui check "
            f"{process.pid} while a request is open."
        ),
    )


def start_advice(process: Process, thread: Thread, wait: Edge, words: Words) -> list[str]:
    """To start the threads that were made and that nobody has started; empty: there are none."""
    names = listed(process.python.unstarted) if process.python else ""
    what = f"{act(wait, words)} {words.name(wait.target)}"
    start = f"start them before the wait{at(own_frame(thread))}"
    return [f"If {names} should {what}: {start}."] if names else []


def referring(wait: Edge, words: Words) -> list[str]:
    """The threads and tasks that refer to what is waited for, beside those that wait for it."""
    wakers = words.graph.wakers_of(wait.target)
    return [words.name(one) for one in dict.fromkeys(waker.candidate for waker in wakers)]


def enders(thread: Thread, wait: Edge, words: Words) -> str:
    """Which functions of the program would end it, and which package has called what waits."""
    text = told_written(words.resource(wait.target), thread, words)
    stack, frame = thread.python_stack or (), own_frame(thread)
    entry = package_entry(thread)
    if entry is not None and package_of(entry) != inner_package(thread):
        text += f" It is inside {function_of(entry)} of {package_of(entry)}."
    index = depth_of(thread, frame) + 1
    package = package_of(stack[index]) if frame and index < len(stack) else None
    if frame is not None and package:
        caller = line_and_function(stack[index])
        text += f" {package} has called {name_of(frame)}, at {caller}."
    return text


def unknown(
    native: list[Thread], signals: tuple[str, ...], living: list[str], *, meant: bool
) -> list[str]:
    """What the finding cannot tell; *meant*: a signal may be what is to end the wait; *living*:
    threads that refer to what is waited for."""
    lines = []
    if native:
        names = listed([f"{t.name} (TID {t.tid})" for t in native])
        lines.append(f"whether a native thread will call into Python and wake them: {names}")
    if signals:
        lines.append(
            "whether a signal is meant to end the wait: the program handles "
            f"{listed(list(signals))}"
        )
    if not meant and living:
        lines.append(
            f"who should have done it is not recorded. These refer to it: {listed(living)}"
        )
    elif not meant:
        lines.append(
            "who should have done it is not recorded: a thread that has ended, or one of those "
            "that wait here, later on; or it was done before the wait began"
        )
    return lines


def _of_condition(thread: Thread, name: str, here: str) -> str:
    if package := inner_package(thread):
        return (
            f"The condition is {package}'s own: find out who was to bring what it waits "
            f"for, and give the call{here} a timeout if it has one."
        )
    mine = _object(name)
    return (
        f"Wait for a state, not for a moment: `while not ready: {mine}.wait()` (or "
        f"{mine}.wait_for(...)){here}, with the flag set under the same condition before notify(). "
        "A notify() that nobody waits for is lost."
    )


def advice(thread: Thread, wait: Edge, roots: list[tuple[Thread, Edge]], words: Words) -> list[str]:
    """How to mend a wait that nobody is left to end, by where it is, or by what it is for."""
    shared = sharing_advice(wait.target, words)
    return shared or _of_its_place(thread, wait, words) or _of_its_kind(thread, wait, roots, words)


def _of_its_place(thread: Thread, wait: Edge, words: Words) -> list[str]:
    """At the interpreter's end, in a loop's callback, or in a package for the second time."""
    if is_ending(thread):
        return [closing_advice(thread, lock=kind_of(wait, words) is NodeKind.LOCK)]
    if in_fork(thread):
        return [HOOKS_ADVICE]
    if own_loop(thread, wait, words):
        return [loop_advice(thread, wait, words)]
    if further := called_further_out(thread):
        return [_FURTHER_OUT.format(at=at(own_frame(thread)), package=further[0])]
    if kind_of(wait, words) is NodeKind.RWLOCK:
        reads = words.operation(wait) == "read"
        return [own_reading.ADVICE if reads else own_reading.WRITER_ADVICE]
    native = is_native(words.resource(wait.target))
    again = re_entered(thread) if native else None
    where = told(own_frame(thread))
    if again is None:
        told_native = native and kind_of(wait, words) in _OF_C
        return [_IN_C.format(at=f" at {where}" if where else "")] if told_native else []
    return [
        (
            f"Do not use{f' at {where}' if where else ''} what the call of {again[0]} uses that is "
            "still at work further out (the same parser, connection, ...): give it one of its own."
        )
    ]


def _of_its_kind(
    thread: Thread, wait: Edge, roots: list[tuple[Thread, Edge]], words: Words
) -> list[str]:
    """By what is waited for."""
    kind, name = kind_of(wait, words), words.name(wait.target)
    where = told(own_frame(thread))
    here = f" at {where}" if where else ""
    if kind is NodeKind.QUEUE and words.method(wait) == "join":
        worker = next((t for t, w in roots if w.target == wait.target and t is not thread), None)
        place = told(own_frame(worker)) if worker else ""
        return [done_for_all(name, place)]
    if kind is NodeKind.QUEUE:
        return [
            (
                f"Find who should {act(wait, words)} {name} and why it ended (an exception in "
                f"that thread?); or use a timeout{here}. Send a sentinel when no more items come."
            ),
        ]
    if kind is NodeKind.CONDITION:
        return [_of_condition(thread, name, here)]
    if kind is NodeKind.LOCK and (within := called_within(thread)):
        entry, caller = within
        return [
            (
                f"Do not call {function_of(entry)} for the same thing at "
                f"{line_and_function(caller)}: it is still at work below that line."
            ),
        ]
    if kind is NodeKind.LOCK and package_entry(thread):
        return [
            (
                f"The lock is {inner_package(thread)}'s own: look at which earlier call of it "
                f"failed or is still to be closed, and what may be called there{here} by its "
                "documents."
            ),
        ]
    if kind is NodeKind.LOCK:
        return [
            (
                f"Take {name} with `with {_object(name)}:` everywhere, so that an exception or a "
                "return releases it; a lock that its own thread may take again is an RLock."
            ),
            f"Bound the wait{here}: acquire(timeout=...) turns this into an error.",
        ]
    if kind is NodeKind.FUTURE:
        return [
            (
                "Give every future its result in the end, with set_result() or set_exception(), "
                "also when the work fails; who waits learns that one was cancelled only by "
                "set_running_or_notify_cancel(), which the executor calls."
            ),
            f"Bound the wait{here} with a timeout, and look then at which of them are not done.",
        ]
    done, call = _ENDED.get(kind or NodeKind.EVENT, ("ended", "..."))
    return [
        (
            f"Make sure that {name} is {done} on every way out of the thread that should do it, "
            f"also when it fails: try: ... finally: {_object(name)}.{call}."
        ),
        f"Bound the wait{here} with a timeout, and check then that the other thread is alive.",
    ]


def told_later(thread: Thread, wait: Edge, words: Words) -> str:
    """`` scheduler comes to page.set() (app.py:33) only after its own wait.``, or nothing."""
    calls = dict[str, str]()
    for one in coming(words.graph, wait.target, way_of(wait, words)):
        if one.candidate != thread.id and one.call_line:
            calls.setdefault(words.name(one.candidate), called(one))
    told_calls = [f"{who} comes to {call}" for who, call in calls.items()][:NAMES_LISTED]
    each = "each " if told_calls[1:] else ""
    return f" {joined(told_calls)}, {each}only after its own wait." if told_calls else ""
