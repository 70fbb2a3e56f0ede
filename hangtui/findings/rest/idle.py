"""A healthy process that has nothing to do: every thread waits for work, a client or a timer."""

from collections.abc import Iterable

from hangtui.analysis.places import application_index
from hangtui.analysis.states import ThreadState, state_of
from hangtui.analysis.waitgraph import Edge, WaitGraph
from hangtui.findings.english import counted, listed
from hangtui.findings.grounds import REASSURANCE
from hangtui.findings.outside.waiting_in_library import waits_in_library
from hangtui.findings.reassurance import Reassures
from hangtui.findings.stack_queries import (
    kind_of,
    main_thread,
    name_of,
    own_frame,
    told,
    unseen_children,
)
from hangtui.findings.thresholds import NAMES_LISTED
from hangtui.findings.words import Words, ref, words_of
from hangtui.model import (
    Capture,
    Certainty,
    EventLoop,
    Finding,
    LoopState,
    NodeKind,
    Process,
    Severity,
    Thread,
    thread_id,
)

ID = "idle"
GROUND = REASSURANCE
HELP = """\
Nothing is wrong as far as can be seen: all threads wait for clients, for work, or for a timer.
"""
REASSURES = {ID: Reassures.PROCESS}

_SERVING = ("/socketserver.py", "/selectors.py", "/http/server.py", "/gunicorn/", "/uvicorn/")


def check(capture: Capture, graph: WaitGraph) -> list[Finding]:
    """One finding for each such process."""
    words = words_of(capture, graph)
    loops = idle_loops(capture)
    found = []
    for process in capture.processes:
        if process.python is None or process.state in ("Z", "X", "T", "t"):
            continue
        reasons = [(t, reason_to_rest(t, loops.get(t.id), words)) for t in process.threads]
        main = main_thread(process)
        if main is not None and all(reason for _, reason in reasons):
            told_ = [(thread, reason) for thread, reason in reasons if reason]
            found.append(_finding(process, told_, words))
    return found


def idle_loops(capture: Capture) -> dict[str, EventLoop]:
    """The event loops with nothing to run, by the threads that run them."""
    return {
        thread_id(loop.pid, loop.tid): loop
        for loop in capture.event_loops
        if loop.tid is not None and loop.state is LoopState.IDLE
    }


def reason_to_rest(thread: Thread, loop: EventLoop | None, words: Words) -> str | None:
    """Why it is idle, as a verb and its object; None: it is not, or that cannot be told."""
    if thread.state not in ("S", "I"):
        return None
    if loop is not None:
        awaits = loop.watched or loop.timers
        return f"runs an asyncio event loop that waits for {_awaited(loop)}" if awaits else None
    if state_of(thread, words.graph) is ThreadState.SLEEP and _pool_worker(thread):
        return "is a pool's worker, waiting for work"
    wait = words.graph.wait_of(thread.id)
    return _waiting(thread, wait, words) if wait else _resting(thread)


def _awaited(loop: EventLoop) -> str:
    timers = counted(loop.timers or 0, "timer")
    return f"{counted(loop.watched, 'connection')} and {timers}" if loop.watched else timers


def _waiting(thread: Thread, wait: Edge, words: Words) -> str | None:
    """A wait that is part of the day's work."""
    kind, name = kind_of(wait, words), words.name(wait.target)
    if words.operation(wait) == "accept":
        return f"is waiting for somebody to connect to {name}"
    if words.operation(wait) == "message":
        return f"is waiting for somebody to send to {name}"
    if waits_in_library(thread, words):
        return None
    if kind is NodeKind.QUEUE and words.method(wait) == "get":
        return f"is waiting for an item in {name}"
    if wait.expires and not words.graph.holders_of(wait.target):
        return f"is waiting {words.goal(wait)}, with a timeout"
    # What the application itself does below the server is not the server's rest.
    stack = thread.python_stack or ()
    stack = stack[: application_index(stack)]
    if kind is NodeKind.SOCKET and any(m in f.filename for f in stack for m in _SERVING):
        return "serves a client and is waiting for its next request"
    return None


def _resting(thread: Thread) -> str | None:
    """A rest that ends by the clock."""
    frame = own_frame(thread)
    if thread.syscall and thread.syscall.sleeps:
        return f"sleeps for a while{f' at {told(frame)}' if frame else ''}"
    if _timed(thread):
        return "is waiting with a timeout"
    return "is a native thread at rest" if thread.is_python is False else None


def _pool_worker(thread: Thread) -> bool:
    stack = thread.python_stack or ()
    return bool(stack) and name_of(stack[0]) == "_worker"


def _timed(thread: Thread) -> bool:
    call = thread.syscall
    polls = call is not None and call.name in ("poll", "ppoll", "select", "pselect6", "epoll_wait",
                                               "epoll_pwait", "epoll_pwait2", "futex")  # fmt: skip
    return call is not None and polls and bool(call.timed)


def _finding(process: Process, reasons: list[tuple[Thread, str]], words: Words) -> Finding:
    main = next((pair for pair in reasons if pair[0].tid == process.pid), reasons[0])
    others = [pair for pair in reasons if pair is not main]
    name = words.thread_name(main[0])
    rest = f"; {_others(others, words)}" if others else ""
    unseen = unseen_children(process, words.capture)
    return Finding(
        id=ID,
        severity=Severity.NOTE,
        certainty=Certainty.INFERRED,
        title=f"Process {process.pid} is idle, as far as can be seen: {name} is waiting for work"
        f"{f'; {unseen}' if unseen else ''}",
        sentence=(
            f"Nothing wrong was found in process {process.pid} ({process.title}). Every thread "
            f"waits for something that comes from outside or by the clock: {name} {main[1]}{rest}."
        ),
        threads=tuple(ref(thread) for thread, _ in reasons),
        subject=process.id,
        processes=(process.pid,),
        evidence=(
            *(f"{words.thread_name(thread)} {reason}" for thread, reason in reasons[:NAMES_LISTED]),
            f"the kernel shows all {len(reasons)} threads asleep (state S or I)"
            if len(reasons) > 1
            else "the kernel shows its only thread asleep (state S or I)",
        ),
        unknown=("whether the work, the client or the message that it waits for is to come",),
        advice=(
            *((f"Look at its children too: hangtui --children {process.pid}.",) if unseen else ()),
            (
                "If it should be working: look at who sends it work, not here. Run hangtui check "
                f"{process.pid} while a request is open."
            ),
        ),
    )


def _others(others: Iterable[tuple[Thread, str]], words: Words) -> str:
    groups: dict[str, list[str]] = {}
    for thread, reason in others:
        groups.setdefault(reason, []).append(words.thread_name(thread))
    some = list(groups.items())[:NAMES_LISTED]
    parts = [f"{listed(names)}{': each' if names[1:] else ''} {reason}" for reason, names in some]
    return "; ".join(parts)
