"""The application waits for what an actor of a cluster, or a worker process, is to bring."""

from hangtui.analysis.waitgraph import Edge, WaitGraph
from hangtui.findings.actors import REMOTE, busy_in, remote_wait
from hangtui.findings.english import counted, listed
from hangtui.findings.grounds import ONE_WAIT
from hangtui.findings.resources import OWED
from hangtui.findings.stack_queries import (
    at,
    callers_of,
    kind_of,
    name_of,
    own_frame,
    wait_for_ever,
)
from hangtui.findings.thresholds import NAMES_LISTED, STILL_S
from hangtui.findings.words import Words, ref, words_of
from hangtui.model import Capture, Certainty, Finding, NodeKind, Process, Severity, Thread

ID = "waiting-for-cluster"
GROUND = ONE_WAIT
HELP = """\
A program waits for a result from an actor, or from a worker that runs a task (`ray.get`,
`ray.wait`), or for the batch that a worker of PyTorch's DataLoader has to deliver. The finding says
what these do now. While they work that is as it should be, a note.

It is a warning over several looks, a second or more, if who is to answer stands still itself in a
wait for a lock, a file lock or the like. And it is one if plain tasks are waited for, none of the
workers of Ray that are captured runs one, and at least one of these has nothing to do: then the
scheduler does not place them, as when no node has what they ask for (a GPU, memory, a label, a
placement group), or they run on another node. So too if all workers that run a task wait for others
themselves. Capture the workers too: `hangtui --children PID` of the driver that started Ray, or of
the raylet.

How it is known: the references that are waited for hold the ids of task and actor; a worker at
rest stands in its own main loop. A DataLoader records which worker has to deliver which batch, and
the number of the one that it waits for. Only Ray knows what its scheduler will do: `ray list
tasks`.
"""

_WORKER = "/ray/_private/worker.py"
_LOOP = "main_loop"


def check(capture: Capture, graph: WaitGraph) -> list[Finding]:
    """One finding for each thread that waits so."""
    words = words_of(capture, graph)
    found = []
    resting = [process for process in capture.processes if _rests(process)]
    for thread in capture.threads():
        wait = remote_wait(thread.id, words)
        if wait is not None and not graph.cycle_of(thread.id):
            found.append(_finding(thread, wait, resting, words))
    return found


def _rests(process: Process) -> bool:
    """Whether it is a worker of Ray with nothing to do."""
    for thread in process.threads:
        frame = next(iter(thread.python_stack or ()), None)
        if frame and frame.filename.endswith(_WORKER) and name_of(frame) == _LOOP:
            return True
    return False


def _finding(thread: Thread, wait: Edge, resting: list[Process], words: Words) -> Finding:
    frame, name = own_frame(thread), words.thread_name(thread)
    waits = [w for w in words.graph.waits_of(thread.id) if w.target.kind in REMOTE]
    tasks = any(_is_placed(w, words) for w in waits)
    holds = [hold for w in waits for hold in words.graph.holders_of(w.target)]
    seen = words.progress.get(thread.id)
    lasted = seen.lasted_s if seen and seen.same_line else 0.0
    unplaced = tasks and len(waits) == 1 and not holds and bool(resting)
    lasts = lasted >= STILL_S and (unplaced or any(_is_stuck(hold, words) for hold in holds))
    span = f" for {lasted:.0f} s or more" if lasts else ""
    call = (one.call if (one := words.wait(wait)) else None) or "a library"
    inner = any(hold.source.kind is NodeKind.WORKER for hold in words.graph.held_by(thread.id))
    none = "as all workers here do that run one" if inner else "which no worker here runs"
    what = f"tasks{f', {none}' if unplaced else ''}" if tasks else words.name(wait.target)
    where = at(frame)
    who = _who(waits, holds, resting, words, inner=inner)
    return Finding(
        id=ID,
        severity=Severity.WARNING if lasts else Severity.NOTE,
        certainty=Certainty.INFERRED if tasks or len(waits) > 1 else Certainty.CERTAIN,
        title=(f"{name} waits{where}, in {call}, for {what}{span}"),
        sentence=(
            f"{name} waits{where}{callers_of(thread, frame)}, in {call}, for {what}{span}. {who}"
        ),
        threads=(ref(thread),),
        resources=tuple(w.target for w in waits),
        evidence=(
            *(words.reading(w) for w in waits[:NAMES_LISTED]),
            *(words.reading(hold) for hold in holds[:NAMES_LISTED]),
            *(
                f"process {one.pid} ({one.title}) stands in its main loop: it is given no task"
                for one in (resting[:NAMES_LISTED] if unplaced else ())
            ),
        ),
        unknown=(
            ("whether they are queued or run on another node: only Ray's scheduler knows",)
            if unplaced
            else ("whether the result will come soon",)
        ),
        advice=(
            (
                (
                    "Ask Ray: `ray list tasks --detail` says PENDING_NODE_ASSIGNMENT of what no "
                    "node can take, `ray status` which resources are asked for and which there are."
                ),
            )
            if unplaced
            else ()
        ),
    )


def _who(
    waits: list[Edge], holds: list[Edge], resting: list[Process], words: Words, *, inner: bool
) -> str:
    """Who is to answer, and what those do now."""
    if holds:
        doing = list(dict.fromkeys(busy_in(hold, words) for hold in holds))
        return f"Now {listed(doing[:NAMES_LISTED])}."
    if any(_is_placed(wait, words) for wait in waits):
        idle = (
            f", and {counted(len(resting), 'worker')} {'has' if len(resting) == 1 else 'have'} "
            "nothing to do"
            if resting
            else ""
        )
        rest = (
            f" So {'some' if inner else 'they'} are not scheduled (no node has the resources that "
            "they ask for, or has them free), or run on another node."
            if resting
            else ""
        )
        one = "Each worker of Ray that was captured and runs a task waits for others"
        none = "No worker of Ray that was captured runs a task"
        return f"{one if inner else none}{idle}.{rest}"
    return (
        "Its process is not among those that were captured, runs no method now, or runs them in an "
        "event loop or in several threads."
    )


def _is_placed(wait: Edge, words: Words) -> bool:
    """Whether a scheduler is to find a worker for what is waited for."""
    resource = words.resource(wait.target)
    return (
        wait.target.kind is NodeKind.WORKER and resource is not None and resource.package == "ray"
    )


def _is_stuck(hold: Edge, words: Words) -> bool:
    """Whether who is to answer stands still itself, in a wait for what somebody has."""
    thread = words.thread(hold.target)
    wait = wait_for_ever(thread, words) if thread else None
    return wait is not None and kind_of(wait, words) in OWED
