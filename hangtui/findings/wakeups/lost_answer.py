"""A process waits for answers of its workers, all of which wait for its next command."""

from collections.abc import Iterator

from hangtui.analysis.waitgraph import WaitGraph
from hangtui.findings.english import counted, listed
from hangtui.findings.grounds import ONE_WAIT
from hangtui.findings.message_rings import nothing_lies, unread_by
from hangtui.findings.protocols import PROTOCOLS, Protocol
from hangtui.findings.stack_queries import name_of, told
from hangtui.findings.thresholds import NAMES_LISTED, STILL_S
from hangtui.findings.words import Words, ref, words_of
from hangtui.model import Capture, Certainty, Finding, Process, PythonFrame, Severity, Thread

ID = "lost-answer"
GROUND = ONE_WAIT
HELP = """\
A process has sent a command to its workers and waits for what they answer; they all wait for the
next command. So nobody is about to send anything: an answer was lost or never sent, or the two
sides disagree about whose turn it is.

How it is known: for some libraries (vLLM) the functions are known in which one side waits for
answers, and the loop in which a worker waits for commands. Several looks (`hangtui check`) over a
second or more all saw the one in the first and every worker in the second, and all children that
run Python were looked at. Two looks are enough if none of them used more than 5 ms of a processor
in between, in which nobody carries out a command; else it takes three. A message that is on its way
in each of these moments would look the same, which is why it is inferred. It is proven if the rings
in shared memory through which vLLM sends its messages were read: each reader marks there what it
has taken, and nothing lies in any. It is a warning, for vLLM gives up by itself: a step of the
model has 300 seconds (`VLLM_EXECUTE_MODEL_TIMEOUT_SECONDS`), after which the engine fails, and the
server ends with it.
"""

_LOOKS = 3
_NEXT_TO_NOTHING_S = 0.005
"""Processor time with which nobody receives a command, carries it out and answers."""


def check(capture: Capture, graph: WaitGraph) -> list[Finding]:
    """One finding for each such process."""
    words = words_of(capture, graph)
    found = []
    for process in capture.processes:
        for protocol in PROTOCOLS:
            asker = next(_askers(process, protocol, words), None)
            workers = list(_workers(process, protocol, words)) if asker else []
            if asker and workers and None not in workers:
                own = [worker for worker in workers if worker is not None]
                pids = [asker.pid, *(worker.pid for worker in own)]
                if not any(unread_by(pid, capture) for pid in pids):
                    found.append(_finding(asker, own, protocol, words))
    return found


def _askers(process: Process, protocol: Protocol, words: Words) -> Iterator[Thread]:
    """Threads that wait for answers in all looks."""
    for thread in process.threads:
        frame = protocol.called_by(thread)
        if frame and name_of(frame) in protocol.asks and _stays(thread, frame, protocol, words):
            yield thread


def _workers(process: Process, protocol: Protocol, words: Words) -> Iterator[Thread | None]:
    """Of each worker the thread that waits for commands in all looks; None: one does not."""
    around = process.around
    children = {child.pid for child in (around.children if around else None) or ()}
    for pid in children:
        child = words.capture.process(pid)
        if child is None or child.incomplete:
            yield None  # nothing is known of it
            continue
        loops = [(t, frame) for t in child.threads if (frame := _in_loop(t, protocol))]
        for thread, frame in loops:
            waits = protocol.called_by(thread) is frame and _stays(thread, frame, protocol, words)
            yield thread if waits else None


def _in_loop(thread: Thread, protocol: Protocol) -> PythonFrame | None:
    stack = thread.python_stack or ()
    return next((f for f in stack if protocol.has(f) and name_of(f) == protocol.serves), None)


def _stays(thread: Thread, frame: PythonFrame, protocol: Protocol, words: Words) -> bool:
    """Whether every one of several looks saw it there."""
    seen = words.progress.get(thread.id)
    if seen is None or seen.lasted_s < STILL_S:
        return False
    rested = seen.same_stack and seen.cpu_s is not None and seen.cpu_s <= _NEXT_TO_NOTHING_S
    if seen.looks < _LOOKS and not rested:
        return False
    common = {function.rpartition(".")[2] for function in seen.common}
    return {name_of(frame), protocol.waits} <= common


def _finding(asker: Thread, workers: list[Thread], protocol: Protocol, words: Words) -> Finding:
    seen = words.progress[asker.id]
    name, threads = words.thread_name(asker), [asker, *workers]
    places = [
        f"{words.thread_name(t)} at {told(frame)}"
        for t in workers
        if (frame := protocol.called_by(t))
    ]
    at = told(protocol.called_by(asker))
    names = listed([words.process_name(t.pid) for t in workers])
    one = len(workers) == 1
    rings = nothing_lies([thread.pid for thread in threads], words.capture)
    empty = " Nothing lies in the rings of messages between them." if rings else ""
    return Finding(
        id=ID,
        severity=Severity.WARNING,
        certainty=Certainty.PROVEN if rings else Certainty.INFERRED,
        title=(
            f"{name} waits for an answer of its {'worker' if one else 'workers'}, and "
            f"{'that waits' if one else 'all of them wait'} for its next command"
        ),
        sentence=(
            f"{name} waits at {at} for a response to a command of {protocol.name}. "
            f"{counted(len(workers), 'worker')} could send it ({names}), and "
            f"{'it waits' if one else 'all wait'} for the next command: "
            f"{'; '.join(places[:NAMES_LISTED])}. So it was in each of {seen.looks} looks over "
            f"{seen.lasted_s:.1f} s: nobody is about to send anything.{empty}"
        ),
        threads=tuple(map(ref, threads)),
        evidence=(
            *(
                f"{words.thread_name(t)}: {told(protocol.called_by(t))} called {protocol.waits} in "
                f"each of {words.progress[t.id].looks} looks"
                for t in threads[: 2 * NAMES_LISTED]
            ),
            *(
                f"the ring {end.ring} in shared memory: {words.process_name(end.pid)} has taken "
                "everything that was put into it for this reader"
                for end in (rings or ())[: 2 * NAMES_LISTED]
            ),
        ),
        unknown=(
            f"how long it waits yet: {protocol.gives_up}",
            "whether the answer was lost, or never sent",
            *(() if rings else ("whether messages were on their way in each of these moments",)),
        ),
        advice=(
            (
                "Look at what the workers did with the last command: their log, and whatever "
                "wraps or replaces the functions that send the answers."
            ),
        ),
    )
