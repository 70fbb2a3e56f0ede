"""Whether a thread that waits at a line of the application is at rest there, and what a rest is."""

from hangtui.analysis.places import called_frame, package_of
from hangtui.analysis.waitgraph import Edge
from hangtui.dataclass import dataclass
from hangtui.findings.awaited_signals import awaits_agreed, for_signals, owed_by_no_child
from hangtui.findings.package_queries import server_in_c
from hangtui.findings.re_entered import begun_by
from hangtui.findings.rest.calls import SIGNAL_CALLS, from_outside, sleeps
from hangtui.findings.rhythm import wakes_often
from hangtui.findings.shapes import Stack, called_by_library, depth, whole_work
from hangtui.findings.stack_queries import kind_of, name_of, told
from hangtui.findings.standstill import nobody_moves
from hangtui.findings.started_programs import awaits_first_word
from hangtui.findings.words import Words
from hangtui.model import NodeKind, PythonFrame, Thread

SHALLOW = 3
"""Functions of the application on a stack that does nothing but sleep, at most."""


@dataclass(frozen=True, slots=True)
class Rest:
    """Why something is at rest."""

    says: str
    """As a verb and its object."""
    outside: bool
    """Something from outside of the process, or the clock, ends it: so there may be work to come
    for those as well that wait for their share of it."""
    own_sleep: bool = False
    """A line of the application sleeps, here or where it is waited for: that may be its work, done
    in turns."""


def below_line(
    thread: Thread, stack: Stack, index: int, wait: Edge | None, words: Words
) -> Rest | None:
    """A line of the application waits: by the clock, for a signal, or for the next item of a
    loop that is all that its thread does."""
    if served := server_in_c(thread):
        return Rest(f"is serving in {served}(), called at {told(stack[index])}", outside=True)
    call = thread.syscall
    inside_package = any(map(package_of, stack[:index]))
    if inside_package or depth(stack, SHALLOW + 1) > SHALLOW or called_by_library(stack, index):
        return None
    process = words.capture.process(thread.pid)
    if awaits_agreed(thread) or (process and owed_by_no_child(thread, process)):
        return None  # a child, or somebody who knows the program, owes it a signal
    if call and call.name in SIGNAL_CALLS:
        signals = for_signals(thread) or " for a signal"
        return Rest(f"is waiting{signals} at {told(stack[index])}", outside=True)
    alone = thread.tid != thread.pid and whole_work(stack, index) and begun_by(thread) is None
    if call and call.sleeps:
        # A library that sleeps looks in between whether what it was asked for has come.
        return _asleep(thread, stack[index], words, alone=alone and index == 0)
    return _own_loop(wait, stack[index], words) if wait and alone else None


def _asleep(thread: Thread, frame: PythonFrame, words: Words, *, alone: bool) -> Rest | None:
    """It does nothing else, or has the rhythm of its own work. Else it may look each time
    whether something has come."""
    if thread.only_sleeps:
        return Rest(f"sleeps at {told(frame)} and looks for nothing", outside=True, own_sleep=True)
    # Code in C that retries by the clock waits for something else (SQLite for a lock).
    direct = thread.native_stack is not None and called_frame(thread) is None
    rhythm = alone and direct and not wakes_often(words.progress.get(thread.id))
    return Rest(f"sleeps at {told(frame)}", outside=True, own_sleep=True) if rhythm else None


def _own_loop(wait: Edge, frame: PythonFrame, words: Words) -> Rest | None:
    """A thread that has one function waits in it for its next item, or for its next turn."""
    here = f"at {told(frame)}, the loop of its thread"
    if words.method(wait) == "get":
        item = f"an item in {words.name(wait.target)}"
        return Rest(f"is waiting for {item}, {here}", outside=False)
    if wait.expires and kind_of(wait, words) in (NodeKind.EVENT, NodeKind.CONDITION):
        return Rest(f"is waiting with a timeout {here}", outside=False)
    return None


def serving(
    thread: Thread, stack: Stack, index: int, wait: Edge | None, words: Words
) -> Rest | None:
    """The application handed it to a library, to serve until it is stopped: not where nobody but
    the thread itself could ever wake it."""
    if wait is None and not sleeps(thread):
        return None
    process = words.capture.process(thread.pid)
    alone = wait is not None and wait.target.kind is NodeKind.PIPE and not wait.expires
    if alone and process is not None and nobody_moves(process, words):
        return None
    name = name_of(stack[index - 1])
    if wait is not None and awaits_first_word(thread, wait, words):
        return None
    outside = from_outside(thread) or bool(wait and wait.expires)
    return Rest(f"is serving in {name}(), called at {told(stack[index])}", outside)
