"""The application waits for what an actor of a cluster, or a worker process, is to bring."""

from hangtui.analysis.waitgraph import Edge, Relation, WaitGraph
from hangtui.findings.actor_threads import stuck_actors
from hangtui.findings.actors import REMOTE, remote_wait
from hangtui.findings.by_the_clock import goes_on
from hangtui.findings.grounds import ONE_WAIT
from hangtui.findings.onward import chain
from hangtui.findings.outside.actor_calls import blocked_by_asker, ends_waits_of_others
from hangtui.findings.outside.actor_pools import told_lying
from hangtui.findings.outside.cluster_answers import nobody_draws, running, who_answers
from hangtui.findings.outside.cluster_waits import awaited, is_group, is_placed
from hangtui.findings.outside.cluster_workers import Workers, workers
from hangtui.findings.outside.compiled_graphs import looks_after_graph
from hangtui.findings.outside.starting_workers import starting_worker
from hangtui.findings.outside.trials_paused import paused_trials
from hangtui.findings.outside.unstarted_actors import told_unstarted
from hangtui.findings.resources import OWED
from hangtui.findings.services import is_service
from hangtui.findings.stack_queries import (
    at,
    callers_of,
    kind_of,
    own_frame,
    stood_s,
    wait_for_ever,
)
from hangtui.findings.thresholds import NAMES_LISTED, STILL_S
from hangtui.findings.words import Words, ref, words_of
from hangtui.findings.written import brought_by_nobody, nobody_comes
from hangtui.model import Capture, Certainty, Finding, NodeId, NodeKind, Severity, Task, Thread

ID = "waiting-for-cluster"
GROUND = ONE_WAIT
_BROUGHT = frozenset({NodeKind.QUEUE, NodeKind.CONDITION})
"""What another thread of the same process brings. An event may be one that ends a service."""
HELP = """\
A program waits for a result from an actor, or from a worker that runs a task (`ray.get`,
`ray.wait`), or for the batch that a worker of PyTorch's DataLoader has to deliver. The finding says
what these do now. While they work that is as it should be, a note.

It is a warning over several looks, a second or more, if who is to answer stands still itself in a
wait for a lock, a file lock or the like; or, where it runs one call at a time, for an item or a
condition that nobody in its process is on the way to bring. So it is if an actor has yet to start,
and what its node has started for a worker waits for a file lock that a worker with nothing to do
has, or if it is inside of a generator that waits for somebody to take more of what it gives, and
nobody but who waits for it is in code of the application; or if the very call that is asked for,
and that alone, would end what all tasks of the actor's event loops wait for. And it is one if plain
tasks are waited for, none of the workers of Ray that are captured runs one, at least one of these
has nothing to do,
and no actor gets on with a method, whose result may be an argument: then the scheduler does not
place them, as when no node has what they ask for (a GPU, memory, a label, a placement group), or
they run on another node. So too if all workers that run a task wait for others themselves, or if
there are only actors, and one of these waits for tasks: an actor keeps its CPUs while it waits.
Capture the workers too: `hangtui --children PID` of the driver that started Ray, or of the raylet.
What Ray's scheduler itself says that it cannot place is told as
[never-scheduled](never-scheduled.md).

It is a warning too if a tuner of Ray Tune has paused trials, and none that runs or is started: its
scheduler waits for others to come as far, as those never do that have ended.

How it is known: the references that are waited for hold the ids of task and actor; a worker at
rest stands in its own main loop. A DataLoader records which worker has to deliver which batch, and
the number of the one that it waits for. Only Ray knows what its scheduler will do: `ray list
tasks`.
"""


def check(capture: Capture, graph: WaitGraph) -> list[Finding]:
    """One finding for each thread that waits so."""
    words = words_of(capture, graph)
    found = list(paused_trials(ID, words))
    there, stuck = None, stuck_actors(words)
    for thread in capture.threads():
        wait = remote_wait(thread.id, words)
        told = wait is None or wait.target in stuck or looks_after_graph(thread)
        if wait is not None and not told and not graph.cycle_of(thread.id):
            there = there or workers(words)
            if not there.keeps_from(thread, words):
                found.append(_finding(thread, wait, there, words))
    return found


def _finding(thread: Thread, wait: Edge, there: Workers, words: Words) -> Finding:
    frame, name = own_frame(thread), words.thread_name(thread)
    waits = [w for w in words.graph.waits_of(thread.id) if w.target.kind in REMOTE]
    tasks = any(is_placed(w, words) for w in waits)
    holds = [hold for w in waits for hold in words.graph.holders_of(w.target)]
    seen = words.progress.get(thread.id)
    lasted = seen.lasted_s if seen and seen.same_line else 0.0
    unplaced = tasks and len(waits) == 1 and not holds and there.none_free
    script = starting_worker(there, words) if not holds else None
    stuck = any(_is_stuck(hold, there, words) for hold in holds) or bool(script and script.stuck)
    begun_never = not holds and any(ends_waits_of_others(one, words) for one in waits)
    stuck = stuck or begun_never
    stuck = stuck or (not holds and (nobody_draws(waits, words) or blocked_by_asker(waits, words)))
    # What somebody is at work on may be an argument of a task, which is placed only then.
    missed = unplaced and not any(_gets_on(one, words) for one in running(thread.pid, words))
    lasts = lasted >= STILL_S and (missed or stuck)
    span = f" for {lasted:.0f} s or more" if lasts else ""
    call = (one.call if (one := words.wait(wait)) else None) or "a library"
    inner = any(hold.source.kind is NodeKind.WORKER for hold in words.graph.held_by(thread.id))
    none = "as all workers here do that run one" if inner else "which no worker here runs"
    others = f" and {len(waits) - 1} more" if len(waits) > 1 else ""
    plain = tasks and not is_group(wait)
    what = (
        f"{awaited(wait, words)}, {none}"
        if plain and unplaced
        else awaited(wait, words) + others * (not plain)
    )
    where = at(frame)
    nowhere, unstarted = told_unstarted(waits, there, words) if holds else ("", "")
    who = who_answers(waits, holds, there, words, inner=inner) + told_lying([thread.id], words)
    who = f"{unstarted.strip()} {who}".strip()
    if script is not None:
        nowhere, who = script.short, f"{who} {script.told}"
    return Finding(
        id=ID,
        severity=Severity.WARNING if lasts else Severity.NOTE,
        certainty=Certainty.INFERRED if tasks or len(waits) > 1 else Certainty.CERTAIN,
        title=(f"{name} waits{where}, in {call}, for {what}{span}{nowhere}"),
        sentence=(
            f"{name} waits{where}{callers_of(thread, frame)}, in {call}, for {what}{span}. {who}"
        ),
        threads=(ref(thread),),
        resources=tuple(w.target for w in waits),
        evidence=(
            *(words.reading(w) for w in waits[:NAMES_LISTED]),
            *(words.reading(hold) for hold in holds[:NAMES_LISTED]),
            *(there.evidence(words) if unplaced else ()),
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
                    "node can take and PENDING_ARGS_AVAIL of what lacks an argument, `ray status` "
                    "which resources are asked for and which there are."
                ),
            )
            if unplaced
            else ()
        ),
    )


def _gets_on(thread: Thread, words: Words) -> bool:
    """Whether it ran in the last second, or goes on by the clock."""
    return stood_s(thread, words) < STILL_S or goes_on(thread, words)


def _is_stuck(hold: Edge, there: Workers, words: Words) -> bool:
    """Whether who is to answer stands still itself, in a wait for what somebody has, or for tasks
    that nobody runs; or for what only its own process could bring, where it alone runs calls."""
    thread = words.thread(hold.target)
    if thread is None and (last := _asked_in_turn(hold, words)):
        return _is_stuck(last, there, words)
    if thread is None and _task_is_left(hold.target, words):
        return True
    if thread in there.keeping:
        return there.none_free
    wait = wait_for_ever(thread, words) if thread else None
    if wait is None or thread is None:
        return False
    kind = kind_of(wait, words)
    return kind in OWED or (
        kind in _BROUGHT
        and (hold.evidence.certainty is Certainty.PROVEN or hold.source.kind is NodeKind.WORKER)
        and nobody_comes(wait, words)
        and _alone(thread, words)
    )


def _task_is_left(node: NodeId, words: Words) -> bool:
    """Whether a task that is to answer, or the last of those whom it asks in turn, waits for what
    nobody brings."""
    edges = chain(node, words)
    holds = [edge for edge in edges if edge.relation is Relation.HELD_BY]
    last = words.actor(edges[-1].source) if edges else None
    alone = bool(edges) and edges[-1].relation is Relation.WAITS_FOR
    if not alone or not isinstance(last, Task) or any(e.source.kind not in REMOTE for e in holds):
        return False
    return brought_by_nobody(edges[-1], last, words)


def _asked_in_turn(hold: Edge, words: Words) -> Edge | None:
    """Who has to answer a task that is to answer itself, and waits for that alone."""
    edges = chain(hold.target, words)
    holds = [edge for edge in edges if edge.relation is Relation.HELD_BY]
    remote = bool(holds) and all(edge.source.kind in REMOTE for edge in holds)
    return holds[-1] if remote and words.thread(holds[-1].target) else None


def _alone(thread: Thread, words: Words) -> bool:
    """Whether all other threads of its process that run Python are a library's own, at rest."""
    process = words.capture.process(thread.pid)
    others = (one for one in (process.threads if process else ()) if one.id != thread.id)
    return all(is_service(one, words) for one in others if one.is_python)
