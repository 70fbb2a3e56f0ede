"""A call of the application waits for what a reader of its process is to bring it, or for an answer
over a connection itself, and the peer that would send it waits for the next message."""

from collections.abc import Sequence

from hangtui.analysis.waitgraph import WaitGraph
from hangtui.findings.child_ends import failed_children, short_ended, told_ended
from hangtui.findings.enders import called
from hangtui.findings.english import joined
from hangtui.findings.grounds import ONE_WAIT
from hangtui.findings.messages import message_for
from hangtui.findings.pending_calls import Call, look_there, pending_calls, told_question
from hangtui.findings.questions import Question, questions
from hangtui.findings.stack_queries import at_own_line, depth_of, own_frame
from hangtui.findings.stack_queries import called as called_by
from hangtui.findings.standing import stood_still
from hangtui.findings.thresholds import NAMES_LISTED
from hangtui.findings.words import Actor, Words, ref, words_of
from hangtui.model import Capture, Certainty, Child, Finding, NodeId, Severity, Task, Thread

ID = "unanswered-call"
GROUND = ONE_WAIT
HELP = """\
A call of the application waits for a future, an event or an item that another thread or task of its
process sets once the answer has come over a connection. That one waits for data, nothing has come,
and the process at the other end has one thread, which waits for the next message over the same
connection. So neither of them is about to send anything: the answer was lost, it was never sent, or
it came for another call.

How it is known: the code of all threads and tasks was searched for the calls that end the wait, and
only the reader comes to one (inferred); the kernel tells who has the ends of the connection, and
that both ends wait for data. Several looks saw all three stand still for a second or more. It is an
error if nobody else in these processes could send anything, and a note if another thread of the
caller's process goes on by the clock or is at work: what that asks for may bring it.

The same goes for a task that waits for an answer itself, and for a thread that a task would answer:
the only thread or task of another process that could send it takes the next message in a loop.
Between two threads that is a [ring](deadlock.md).

Who waits at the head of a loop for whatever comes next, as a worker does, is no call, and nothing
is said of him.
"""


def check(capture: Capture, graph: WaitGraph) -> list[Finding]:
    """One finding for each reader, and for each who waits for an answer itself."""
    words = words_of(capture, graph)
    told = [_direct(one, words) for one in questions(words)]
    readers: dict[NodeId, list[Call]] = {}
    for call in pending_calls(capture, graph):
        readers.setdefault(call.reader.id, []).append(call)
    return [*told, *(_finding(calls, words) for calls in readers.values())]


def _direct(question: Question, words: Words) -> Finding:
    asker, peer = question
    name, who = words.actor_name(asker), words.actor_name(peer)
    threads = words.carriers([asker, peer])
    what = message_for(asker) or "an answer"
    waits = [words.graph.wait_of(one.id) for one in question]
    return Finding(
        id=ID,
        severity=Severity.WARNING,
        certainty=Certainty.INFERRED,
        title=told_question(asker, peer, words),
        sentence=(
            f"{name} waits{at_own_line(asker)}{_inside(asker)} for {what} over a connection, and "
            f"nothing is on its way: {words.process_name(peer.pid)} has the other end, and {who} "
            f"takes what comes next there{at_own_line(peer)}. So the answer was lost, was never "
            "sent, or what was asked has not arrived whole. Nobody else in "
            f"{words.process_name(peer.pid)} could send it."
        ),
        owed=True,
        threads=tuple(map(ref, threads)),
        tasks=tuple(one.id for one in question if isinstance(one, Task)),
        subject=asker.id,
        evidence=(
            *(words.reading(wait) for wait in waits if wait is not None),
            *(
                f"{words.actor_name(one)}: {one.awaits}"
                for one in question
                if isinstance(one, Task) and one.awaits
            ),
            stood_still(threads, words),
        ),
        unknown=("whether the answer was lost, or never sent",),
        advice=(
            look_there(peer, words),
            f"Give the wait{at_own_line(asker)} a timeout.",
        ),
    )


def _inside(actor: Actor) -> str:
    """`` in recv (connection.py:250)``: what the line of a thread's has called."""
    frame = own_frame(actor) if isinstance(actor, Thread) else None
    return called_by(actor, depth_of(actor, frame)) if isinstance(actor, Thread) and frame else ""


def _finding(calls: list[Call], words: Words) -> Finding:
    call = calls[0]
    caller, reader, peer = call.caller, call.reader, call.peer
    name, by = words.actor_name(caller), words.actor_name(reader)
    target = words.name(call.wait.target)
    process = words.process_name(peer.pid)
    others = [words.actor_name(one.caller) for one in calls[1 : NAMES_LISTED + 1]]
    more = (
        f" {joined(others)} {'waits' if len(others) == 1 else 'wait'} so as well." if others else ""
    )
    threads = words.carriers([caller, reader, peer])
    alone = _nobody_asks_again(call, threads, words)
    waits = [words.graph.wait_of(one.id) for one in (reader, peer)]
    gone = _killed(call, words)
    lost = told_ended(gone, f"{words.process_name(caller.pid)}'s")
    return Finding(
        id=ID,
        severity=Severity.WARNING if alone else Severity.NOTE,
        certainty=Certainty.INFERRED,
        title=(
            f"{name} waits{at_own_line(caller)} for {target}, which only {by} would bring: that "
            f"and {words.actor_name(peer)}{at_own_line(peer)} wait for each other's next message"
            f"{short_ended(gone)}"
        ),
        sentence=(
            f"{name} {words.waiting(call.wait)}. Only {by} comes to {called(call.waker)}, which "
            f"would end that, once an answer has come; it waits for data{at_own_line(reader)}. "
            f"Nothing is on its way: {process} has the other end, and "
            f"{words.actor_name(peer)} waits there{at_own_line(peer)} for what comes next. So the "
            f"answer was lost, was never sent, or has come for another call.{lost}"
            f"{' It may have been asked instead.' if lost else ''}{more}"
        ),
        owed=alone,
        threads=tuple(map(ref, threads)),
        tasks=tuple(one.id for one in (caller, reader, peer) if isinstance(one, Task)),
        subject=caller.id,
        resources=(call.wait.target,),
        evidence=(
            words.reading(call.wait),
            f"{by}: {call.waker.evidence.text}",
            *(words.reading(wait) for wait in waits if wait is not None),
            stood_still(threads, words),
        ),
        unknown=("whether the answer was lost, or never sent",),
        advice=(
            look_there(peer, words),
            (
                f"Give the wait{at_own_line(caller)} a timeout, and fail all calls that wait when "
                "the connection ends."
            ),
        ),
    )


def _killed(call: Call, words: Words) -> list[Child]:
    """Children of the caller's process that did not end well: one may have been asked."""
    process = words.capture.process(call.caller.pid)
    return [one for one in failed_children(process) if one.exit_status] if process else []


def _nobody_asks_again(call: Call, threads: Sequence[Thread], words: Words) -> bool:
    """Whether nothing else of the caller's process, beside *threads*, goes on by the clock or by
    itself: it may ask for something, of which the answer ends this wait as well."""
    process = words.capture.process(call.caller.pid)
    others = [one for one in (process.threads if process else ()) if one not in threads]
    loops = [one for one in words.capture.event_loops if one.pid == call.caller.pid]
    waiting = all(one.id in words.lasting for one in others if one.is_python)
    return waiting and not any(one.timers for one in loops)
