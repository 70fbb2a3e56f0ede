"""The application waits for what an actor of a cluster, or a worker process, is to bring."""

from hangtui.analysis.waitgraph import Edge, Relation, WaitGraph
from hangtui.findings.actor_threads import never_begun, stuck_actors
from hangtui.findings.actors import REMOTE, remote_wait, rests_as_actor, runs_method, suspended_in
from hangtui.findings.by_the_clock import goes_on
from hangtui.findings.english import counted, listed
from hangtui.findings.grounds import ONE_WAIT
from hangtui.findings.inert import OF_THE_PROCESS
from hangtui.findings.on_the_way import onward
from hangtui.findings.onward import busy_in, chain
from hangtui.findings.outside.actor_calls import (
    at_rest,
    in_loops,
    in_process,
    not_there,
    queued,
)
from hangtui.findings.outside.actor_pools import told_lying
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
    does,
    kind_of,
    own_frame,
    stood_s,
    wait_for_ever,
)
from hangtui.findings.thresholds import NAMES_LISTED, STILL_S
from hangtui.findings.words import Words, ref, words_of
from hangtui.findings.written import nobody_comes, told_written
from hangtui.model import Capture, Certainty, Finding, NodeKind, Pid, Severity, Thread

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
has. And it is one if plain tasks are waited
for, none of the workers of Ray that are captured runs one, at least one of these has nothing to do,
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
    # What somebody is at work on may be an argument of a task, which is placed only then.
    missed = unplaced and not any(_gets_on(one, words) for one in _running(thread.pid, words))
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
    who = _who(waits, holds, there, words, inner=inner) + told_lying([thread.id], words)
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


def _who(waits: list[Edge], holds: list[Edge], there: Workers, words: Words, *, inner: bool) -> str:
    """Who is to answer, and what those do now."""
    if holds:
        doing = list(dict.fromkeys(busy_in(hold, words) for hold in holds))
        behind = queued(waits[0], words) if len(waits) == 1 else ""
        nobody = ""
        if len(holds) == 1:
            follows = _follows(holds[0], words)
            nobody = "" if follows else _nobody(holds[0], words)
            behind += follows or nobody
        begun = never_begun(holds, words)
        behind += ("" if begun and begun in nobody else begun) + _resting(waits, words)
        return f"Now {listed(doing[:NAMES_LISTED])}.{behind}"
    if any(is_placed(wait, words) for wait in waits):
        resting, idle = len(there.resting), ""
        if resting:
            idle = f", and {counted(resting, 'worker')} {'has' if resting == 1 else 'have'} nothing"
            idle += " to do"
        elif there.keeping:
            idle = f", and {_keepers(there, words)}"
        which = "some" if inner else "the tasks"
        rest = (
            f" So {which} are not scheduled (no node has the resources that they ask for, or has "
            "them free; or an argument of theirs has not come), or run on another node."
            f"{_may_bring(waits[0].source.pid, words)}"
            if there.none_free
            else ""
        )
        if there.scheduler and there.scheduler.demands:
            asked = listed(list(there.scheduler.demands))
            rest += f" What Ray's autoscaler last reported as asked for, and not placed: {asked}."
            rest += _lent(there, inner=inner)
        one = "Each worker of Ray that was captured and runs a task waits for others"
        none = "No worker of Ray that was captured runs a task"
        return f"{one if inner else none}{idle}.{rest}"
    inside = suspended_in(waits[0], words)
    if inside is not None and len(waits) == 1:
        return (
            f"By the title of its process it is inside of {inside}, which no thread of it "
            "runs now: so a generator is left that waits until whoever called it takes more of "
            "what it gives. An actor with one thread begins no other call meanwhile."
        )
    alone = waits[0] if len(waits) == 1 else None
    known = alone and (
        not_there(alone, there, words)
        or at_rest(alone, there, words)
        or in_loops(alone, words)
        or in_process(alone, words)
    )
    return known or (
        "Its process is not among those that were captured, runs no method now, or runs them in an "
        "event loop or in several threads."
    )


def _may_bring(waiting: Pid, words: Words) -> str:
    """`` Meanwhile MainThread of ray::Till.count waits at till.py:9 (count) for ...``: the methods
    of actors that run, one of which may be to bring an argument."""
    told = listed([does(one, words) for one in _running(waiting, words)[:NAMES_LISTED]])
    return f" Meanwhile {told}." if told else ""


def _running(waiting: Pid, words: Words) -> list[Thread]:
    """The threads of other processes that run methods of actors."""
    return [
        thread
        for process in words.capture.processes
        if process.pid != waiting and runs_method(process)
        for thread in process.threads
        if any(hold.source.kind in REMOTE for hold in words.graph.held_by(thread.id))
    ]


def _gets_on(thread: Thread, words: Words) -> bool:
    """Whether it ran in the last second, or goes on by the clock."""
    return stood_s(thread, words) < STILL_S or goes_on(thread, words)


def _lent(there: Workers, *, inner: bool) -> str:
    """What of the cluster is used up that tasks keep while they wait for others."""
    node = there.scheduler
    kept = [use for use in node.used_up if not use.endswith(" CPU")] if node and inner else []
    if not kept:
        return ""
    return (
        f" {listed(kept)} of the cluster {'is' if len(kept) == 1 else 'are'} in use: a task lends "
        "only its CPUs while it waits in `ray.get`, and keeps all else. So those that wait here "
        "may have themselves what the tasks ask for that they wait for."
    )


def _follows(hold: Edge, words: Words) -> str:
    """Who could end the last wait of who is to answer, and of those for whom that one waits, where
    nobody has what it is for."""
    found = chain(hold.target, words)
    last = found[-1] if found else None
    if last is None or last.relation is not Relation.WAITS_FOR or words.actor(last.target):
        return ""
    return onward(last.source, words).text


def _nobody(hold: Edge, words: Words) -> str:
    """`` Nobody in its process is on the way to release it. The program does so in Limiter.release
    (limits.py:16), which nobody runs.``, of what who is to answer waits for; empty: somebody
    is, or it is not known."""
    edges = chain(hold.target, words)
    last = edges[-1] if edges and edges[-1].relation is Relation.WAITS_FOR else None
    actor = words.actor(last.source) if last else None
    if last is None or actor is None or last.expires or not nobody_comes(last, words):
        return ""
    resource = words.resource(last.target)
    if resource is None or resource.kind is NodeKind.FUTURE or resource.id.shared:
        # What comes from outside sets those, and other processes end these.
        return ""
    act = OF_THE_PROCESS.get(resource.kind, "end the wait for")
    return (
        f" Nobody in its process is on the way to {act} it.{told_written(resource, actor, words)}"
    )


def _resting(waits: list[Edge], words: Words) -> str:
    """`` The actor Trainer of process 9 runs no method now.``, of those that are waited for beside
    others: what they were asked for has come, or has not reached them."""
    found = []
    for wait in waits if len(waits) > 1 else ():
        resource = words.resource(wait.target)
        if wait.target.kind is not NodeKind.ACTOR or words.graph.holders_of(wait.target):
            continue
        process = words.capture.process(resource.pid) if resource else None
        if process is not None and process.pid != wait.source.pid and rests_as_actor(process):
            found.append(words.name(wait.target))
    names = listed(found[:NAMES_LISTED])
    run = "runs" if len(found) == 1 else "run"
    return f" {names[:1].upper()}{names[1:]} {run} no method now." if found else ""


def _keepers(there: Workers, words: Words) -> str:
    """The actors that wait for tasks, each of which keeps its CPUs meanwhile."""
    many = len(there.keeping) > 1
    keep = "keep their CPUs while they wait" if many else "keeps its CPUs while it waits"
    themselves = "themselves" if many else "itself"
    who = f"{counted(len(there.keeping), 'actor')} {keep} for tasks {themselves}"
    offers = f"; {listed(list(there.offers))}" if there.offers else ""
    return f"{who} ({words.listed(there.keeping)}){offers}"


def _is_stuck(hold: Edge, there: Workers, words: Words) -> bool:
    """Whether who is to answer stands still itself, in a wait for what somebody has, or for tasks
    that nobody runs; or for what only its own process could bring, where it alone runs calls."""
    thread = words.thread(hold.target)
    if thread is None and (last := _asked_in_turn(hold, words)):
        return _is_stuck(last, there, words)
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
