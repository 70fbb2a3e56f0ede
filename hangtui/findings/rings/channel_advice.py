"""What to change where processes wait for each other by pipes, sockets and each other's end."""

from collections.abc import Iterator

from hangtui.analysis.places import place
from hangtui.analysis.waitgraph import Cycle, Edge
from hangtui.findings.backlog import unaccepted
from hangtui.findings.resources import PYTHON_LOCKS
from hangtui.findings.stack_queries import at_own_line, kind_of
from hangtui.findings.unheard_signals import blocked_loop
from hangtui.findings.words import Words
from hangtui.model import NodeKind, Thread

_QUEUE_FEEDER = "multiprocessing/queues.py"
_EVENT_LOOP = "/asyncio/"
_TAKEN = (*PYTHON_LOCKS, NodeKind.FILE_LOCK)


def channel_advice(cycle: Cycle, members: list[Thread], words: Words) -> Iterator[str]:
    """What would break a ring with pipes, sockets or processes in it."""
    waits = [edge for edge in cycle.edges if words.thread(edge.source)]
    ends = [edge for edge in waits if kind_of(edge, words) is NodeKind.PROCESS]
    for wait in waits:
        match kind_of(wait, words), words.operation(wait):
            case NodeKind.PIPE, "write":
                yield from _full(wait, ends, members, words)
            case NodeKind.PIPE, "read" if ends:
                yield _expected(wait, ends[0], words)
    if not ends:
        yield from _empty(cycle, words)
    sockets = [edge for edge in waits if kind_of(edge, words) is NodeKind.SOCKET]
    taken = [edge for edge in waits if kind_of(edge, words) in _TAKEN]
    answers = len(sockets) == 1 and bool(taken)
    if any(unaccepted(edge, words) for edge in waits):
        yield (
            "Let the server accept a connection while it serves another one, with a thread, a "
            "process or a task for each; or close the first connection before you ask by a second."
        )
    elif answers:
        yield (
            f"Give {words.name(taken[0].target)} back before you wait for an answer"
            f"{_at(sockets[0], words)}: who is to send it needs that first. And set a timeout, so "
            "that an answer which does not come becomes an error."
        )
    elif sockets:
        yield _both_wait(ends, words)
    locks = [edge for edge in waits if kind_of(edge, words) is NodeKind.FILE_LOCK]
    if locks and ends:
        lock, process = words.name(locks[0].target), words.name(ends[0].target)
        yield (
            f"Give {lock} back before you wait for {process}{_at(ends[0], words)}; or have that "
            "one not ask for what its parent has already."
        )
    elif locks and not answers:
        yield (
            "Or ask for the second file lock without waiting (LOCK_NB), and release the first "
            "one when that fails."
        )


def _both_wait(ends: list[Edge], words: Words) -> str:
    """Of who waits for data and of who is to send it."""
    for thread in filter(None, (blocked_loop(edge.target, words) for edge in ends)):
        return (
            f"Do not block the event loop of {words.thread_name(thread)}{at_own_line(thread)}: it "
            "runs the handler of the signal that asks to end. Await the data (asyncio's streams), "
            "or wait in a thread (await asyncio.to_thread(...))."
        )
    return (
        "Decide in the protocol which side sends first, and set a timeout on both sockets "
        "(settimeout), so that a silent peer becomes an error."
    )


def _full(wait: Edge, ends: list[Edge], members: list[Thread], words: Words) -> Iterator[str]:
    writer = words.thread(wait.source)
    if not ends:
        yield f"Read {words.name(wait.target)} while the other side writes: in a thread, say."
    elif writer is not None and _calls(writer, _QUEUE_FEEDER):
        at = _at(ends[0], words)
        yield (
            f"Drain the queue before you wait for the process that fills it: call get() for all of "
            f"its results before join(){at}. A process that has put items into a queue ends only "
            "once all of them were read from its pipe."
        )
    else:
        yield (
            f"Read {words.name(wait.target)} before or while you wait for the process"
            f"{_at(ends[0], words)}: communicate() or subprocess.run(capture_output=True) do both; "
            "or send the output to a file or DEVNULL."
        )
    if len(members) > 2 and not ends:
        yield "Or give each direction a pipe and a thread of its own."


def _expected(wait: Edge, end: Edge, words: Words) -> str:
    return (
        f"Send what the process expects on {words.name(wait.target)}, or close the writing end, "
        f"before you wait for it{_at(end, words)}. A process that was forked keeps a copy of the "
        "writing end until it closes that too."
    )


def _empty(cycle: Cycle, words: Words) -> Iterator[str]:
    """Of the pipes that somebody reads in vain, those that a thread would write to; and of FIFOs
    that nobody has open."""
    if any(words.operation(wait) == "open" for wait in cycle.edges):
        yield "Have both processes open the FIFOs in the same order."
    writers = {edge.source: words.thread(edge.target) for edge in cycle.edges}
    for wait in cycle.edges:
        empty = wait.target.kind is NodeKind.PIPE and words.operation(wait) == "read"
        writer = writers.get(wait.target)
        if empty and writer is not None and writer.is_python:
            pipe = words.name(wait.target)
            yield f"Write to {pipe} before you wait yourself, or close its writing end."


def self_advice(thread: Thread, channel: str, words: Words) -> str:
    """For a thread that waits for an answer that only it could give, by what is called so."""
    if in_event_loop(thread):
        return (
            "Do not block inside the event loop: await an asynchronous client there, or run the "
            "blocking call in a thread (loop.run_in_executor, asyncio.to_thread)."
        )
    wait = words.graph.wait_of(thread.id)
    if wait and kind_of(wait, words) is NodeKind.PIPE and words.operation(wait) == "read":
        if thread.syscall is not None and thread.syscall.fd == 0:
            return (
                "Let nothing ask for input (input(), a confirmation) where nobody answers: give "
                "the answer as an argument or an option, or take standard input from /dev/null, "
                "so that it ends at once."
            )
        return (
            f"Close the writing end of {channel} in the process that only reads from it: its data "
            "ends once nobody has that end any more, and a process that was forked keeps a copy of "
            "it. Or write to it in another thread or process."
        )
    return f"Serve the other end of {channel} in another thread or process."


def in_event_loop(thread: Thread) -> bool:
    """Whether an asyncio event loop called what the thread does."""
    return _calls(thread, _EVENT_LOOP)


def _calls(thread: Thread, part: str) -> bool:
    return any(part in frame.filename for frame in thread.python_stack or ())


def _at(edge: Edge, words: Words) -> str:
    thread = words.thread(edge.source)
    where = place(thread, edge.evidence.where) if thread else None
    return f" at {where}" if where else ""
