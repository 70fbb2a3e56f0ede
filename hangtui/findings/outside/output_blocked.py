"""A write that waits for a reader: print() to a pipe or terminal that nobody empties."""

from collections.abc import Sequence

from hangtui.analysis.waitgraph import Edge, WaitGraph
from hangtui.findings.by_the_clock import goes_on, moves
from hangtui.findings.certainty import as_sure_as
from hangtui.findings.english import joined
from hangtui.findings.grounds import ONE_WAIT
from hangtui.findings.stack_queries import (
    at,
    callers_of,
    does,
    other_side_works,
    own_frame,
    still,
    stood_s,
    waits_for_ever,
)
from hangtui.findings.thresholds import STILL_S
from hangtui.findings.words import Words, ref, words_of
from hangtui.model import Capture, Certainty, Finding, NodeId, NodeKind, Severity, Thread

ID = "output-blocked"
GROUND = ONE_WAIT
HELP = """\
A pipe holds 64 KiB. Whoever writes to a full one waits until its reader reads. A terminal held by
Ctrl-S takes no output either.

How it is known: the system call is a write to a pipe or a terminal, and the thread did not run.
While one of those who could read sleeps, for less than a minute and not again and again, or gets
on, it is a note. So it is where a pipe has both of its ends in one process that gets on elsewhere.
"""

_CHANNELS = ("/multiprocessing/queues.py", "/multiprocessing/connection.py")
_UNKNOWN = "why the reader does not read: capture it as well (hangtui PID of the reader)"
_PAUSED = ", unless the output was paused (Ctrl-S): then only Ctrl-Q in that terminal lets it go on"
_WHICH = "whether the terminal is full of what nobody has read, or was paused"
_OWN_ADVICE = (
    "Let the writing end not block (os.set_blocking(fd, False)), or have another thread read; a "
    "handler of a signal should write one byte, or only note that it was called."
)


def check(capture: Capture, graph: WaitGraph) -> list[Finding]:
    """One finding for each thread that waits for room in a pipe, outside of a deadlock."""
    words = words_of(capture, graph)
    found = []
    for thread, wait in waits_for_ever(words, {NodeKind.PIPE}):
        if words.operation(wait) != "write" or graph.cycle_of(thread.id):
            continue
        # Its maker has its other end open: what that does besides says nothing of the pipe.
        if _keeps_both_ends(thread, words) or not other_side_works(wait, words):
            found.append(_finding(thread, wait, words))
    return found + [_terminal(t, words) for t in capture.threads() if _on_terminal(t)]


def _finding(thread: Thread, wait: Edge, words: Words) -> Finding:
    name, pipe = words.thread_name(thread), words.name(wait.target)
    holders = _readers(wait, words)
    readers = [words.name(one) for one in holders]
    frame = own_frame(thread)
    known = _readers_rest(wait, words)
    there = words.threads(holders)
    reads = "does not" if known else "whether that will come cannot be told from one look"
    if len(there) == len(readers) == 1:
        now = f"now {does(there[0], words)}"
        reads = f"does not: {now}" if known else now
    who = f"only {joined(readers[:3])} could read it, and {reads}" if readers else (
        "nobody who could read it is known"
    )  # fmt: skip
    alone = _alone(thread, words) or _within(thread, there, words)
    terminal = thread.syscall is not None and thread.syscall.on_terminal
    full = "takes no more" if terminal else "is full"
    paused = _PAUSED if terminal else ""
    who = f"{who}. It goes on as soon as somebody reads{paused}" if alone is None else alone
    how = "" if alone else f" ({_by_what(thread)})"
    # A full pipe is how a reader slows a writer down: it must last, or the reader be seen to rest.
    works = other_side_works(wait, words) or _comes(there, words)
    lasts = known or (stood_s(thread, words) >= STILL_S and not works)
    return Finding(
        id=ID,
        severity=Severity.WARNING if lasts else Severity.NOTE,
        certainty=as_sure_as(wait),
        title=f"{name} waits to write{at(frame)}: {pipe} {full}"
        f"{' and nobody reads it' if known else ''}",
        sentence=(
            f"{name} is blocked in a write{how}{at(frame)}{callers_of(thread, frame)}: "
            f"{pipe} {full}, and {who}."
        ),
        threads=(ref(thread),),
        resources=(wait.target,),
        evidence=(
            words.reading(wait),
            *(words.reading(hold) for hold in words.graph.holders_of(wait.target)),
            still([thread]),
        ),
        unknown=() if alone else (_UNKNOWN, *([_WHICH] if terminal else [])),
        advice=(
            _OWN_ADVICE
            if alone
            else (
                f"Have the reader drain {pipe} all the time (communicate(), or a thread that "
                "reads), or send the output to a file or to /dev/null."
            ),
        ),
    )


def _comes(there: Sequence[Thread], words: Words) -> bool:
    """Whether one of those who could read goes on by the clock, or was seen to get on."""
    return any(goes_on(one, words) or moves(one, words) for one in there)


def _readers(wait: Edge, words: Words) -> list[NodeId]:
    """Who could read: of other processes, where there are such. The writer's own mostly has that
    end open only because it has made the pipe."""
    holders = [hold.target for hold in words.graph.holders_of(wait.target)]
    return [one for one in holders if one.pid != wait.source.pid] or holders


def _by_what(thread: Thread) -> str:
    """What writes, as far as its frames tell: ``SimpleQueue.put``."""
    frames = thread.python_stack or ()
    own = [frame for frame in frames if frame.filename.endswith(_CHANNELS)]
    return own[-1].function if own else "print, logging, or a log handler"


def _alone(thread: Thread, words: Words) -> str | None:
    """That nobody but *thread* has the other end of the pipe that it writes to; None: it is not
    known to be so."""
    process = words.capture.process(thread.pid)
    if not _keeps_both_ends(thread, words) or process is None or process.threads[1:]:
        return None
    return (
        f"only process {thread.pid} itself has its other end, of which {words.thread_name(thread)} "
        "is the only thread: it would have to read itself what it writes"
    )


def _within(thread: Thread, others: Sequence[Thread], words: Words) -> str | None:
    """That only the process of *thread* has the other end of the pipe that it writes to, and what
    *others* of its threads do; None: it is not known to be so."""
    if not _keeps_both_ends(thread, words) or any(one.pid != thread.pid for one in others):
        return None
    name, process = words.thread_name(thread), f"process {thread.pid}"
    now = "".join(f": {does(one, words)}" for one in others[:1])
    return (
        f"only {process} itself has its other end. If {name} is to read what it writes, nobody "
        f"does; else another thread of it has to{now}"
    )


def _keeps_both_ends(thread: Thread, words: Words) -> bool:
    """Whether nobody but its own process has the other end of the pipe that it writes to."""
    inward = next((one for one in words.capture.inward if one.thread == thread.id), None)
    return inward is not None and inward.ends == (thread.pid,)


def _readers_rest(wait: Edge, words: Words) -> bool:
    """Whether it was looked into all that could read, none of their threads ran meanwhile, and no
    clock will wake any of them, or those who have what they wait for."""
    nodes = [words.graph.node(hold.target) for hold in words.graph.holders_of(wait.target)]
    found = [words.capture.process(node.pid) if node else None for node in nodes]
    readers = [process for process in found if process is not None]
    threads = [thread for process in readers for thread in process.threads]
    waits = [edge for thread in threads for edge in words.graph.waits_of(thread.id)]
    # Who writes on what it has read waits for whoever reads that, in turn.
    behind = words.threads(h.target for w in waits for h in words.graph.holders_of(w.target))
    by_clock = any(one.syscall and one.syscall.sleeps for one in (*threads, *behind))
    asleep = all(thread.blocked for thread in threads)
    return bool(found) and len(readers) == len(found) and asleep and not (
        by_clock or any(edge.expires for edge in waits)
    )  # fmt: skip


def _on_terminal(thread: Thread) -> bool:
    call = thread.syscall
    writes = call is not None and call.name in ("write", "writev") and call.on_terminal
    return writes and thread.still is True


def _terminal(thread: Thread, words: Words) -> Finding:
    name, frame = words.thread_name(thread), own_frame(thread)
    return Finding(
        id=ID,
        severity=Severity.WARNING,
        certainty=Certainty.CERTAIN,
        title=f"{name} waits to write to its terminal{at(frame)}",
        sentence=(
            f"{name} is blocked in a write to its terminal{at(frame)}: the terminal takes no "
            "output. Somebody pressed Ctrl-S or selects text in it, or its window hangs."
        ),
        threads=(ref(thread),),
        evidence=(f"system call write: {thread.syscall.detail if thread.syscall else ''}",
                  still([thread])),
        advice=("Press Ctrl-Q in that terminal, or leave the selection (scroll mode, copy mode).",),
    )  # fmt: skip
