"""Who is to answer a call of a cluster, and what those do now, in words."""

from hangtui.analysis.waitgraph import Edge, Relation
from hangtui.findings.actor_threads import never_begun
from hangtui.findings.actors import REMOTE, rests_as_actor, runs_method, suspended_in
from hangtui.findings.doing import doing
from hangtui.findings.english import counted, listed
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
from hangtui.findings.outside.cluster_waits import is_placed
from hangtui.findings.outside.cluster_workers import Workers
from hangtui.findings.pools import waited_s
from hangtui.findings.stack_queries import below_application, does
from hangtui.findings.thresholds import NAMES_LISTED, STILL_S
from hangtui.findings.words import Actor, Words
from hangtui.findings.written import nobody_comes, told_written
from hangtui.model import Certainty, NodeId, NodeKind, Pid, RayNode, Task, Thread


def who_answers(
    waits: list[Edge], holds: list[Edge], there: Workers, words: Words, *, inner: bool
) -> str:
    """Who is to answer, and what those do now."""
    if holds:
        busy = list(dict.fromkeys(busy_in(hold, words) for hold in holds))
        behind = queued(waits[0], words) if len(waits) == 1 else ""
        nobody = ""
        if len(holds) == 1:
            follows = _follows(holds[0], words)
            nobody = "" if follows else _nobody(holds[0], words)
            behind += follows or nobody
            behind += _elsewhere(holds[0], words) if nobody else ""
        begun = never_begun(holds, words)
        behind += ("" if begun and begun in nobody else begun) + _resting(waits, words)
        return f"Now {listed(busy[:NAMES_LISTED])}.{behind}"
    if any(is_placed(wait, words) for wait in waits):
        resting, idle = len(there.resting), ""
        if resting:
            idle = f", and {counted(resting, 'worker')} {'has' if resting == 1 else 'have'} nothing"
            idle += " to do"
        elif there.keeping:
            idle = f", and {_keepers(there, words)}"
        which = "some" if inner else "the tasks"
        source = waits[0].source
        rest = (
            f" So {which} are not scheduled (no node has the resources that they ask for, or has "
            "them free; or an argument of theirs has not come), or run on another node."
            f"{_argument_due(source, there.scheduler, words)}{_may_bring(source.pid, words)}"
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
            + " Nobody else that was captured is in code of the application."
            * nobody_draws(waits, words)
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


def nobody_draws(waits: list[Edge], words: Words) -> bool:
    """Whether who waits for an actor that has left a generator is the only one of all threads and
    tasks that were captured in code of the application: so nobody else would take what it gives."""
    if len(waits) != 1 or suspended_in(waits[0], words) is None:
        return False
    actors: tuple[Actor, ...] = (*words.capture.threads(), *words.capture.tasks)
    return all(one.id == waits[0].source for one in actors if below_application(one))


def _argument_due(source: NodeId, node: RayNode | None, words: Words) -> str:
    """That it is an argument which has not come, as the scheduler of the only node has nothing to
    place; of an asker that runs an actor's method, also which arguments never come."""
    if node is None or node.nodes != 1 or node.infeasible or node.waiting or node.demands:
        return ""
    said = (
        f" Ray's scheduler had none to place {node.age_s:.0f} s ago: so it is an argument that has "
        "not come, unless they were asked for since."
    )
    own = [hold for hold in words.graph.held_by(source) if hold.source.kind is NodeKind.ACTOR]
    if not own or own[0].evidence.certainty is not Certainty.PROVEN:
        return said
    return (
        f"{said} If that is the result of another call of the actor which waits here, it never "
        f"comes: {words.name(source)} runs one call at a time."
    )


def _may_bring(waiting: Pid, words: Words) -> str:
    """`` Meanwhile MainThread of ray::Till.count waits at till.py:9 (count) for ...``: the methods
    of actors that run, one of which may be to bring an argument."""
    told = listed([does(one, words) for one in running(waiting, words)[:NAMES_LISTED]])
    return f" Meanwhile {told}." if told else ""


def running(waiting: Pid, words: Words) -> list[Thread]:
    """The threads of other processes that run methods of actors."""
    return [
        thread
        for process in words.capture.processes
        if process.pid != waiting and runs_method(process)
        for thread in process.threads
        if any(hold.source.kind in REMOTE for hold in words.graph.held_by(thread.id))
    ]


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


def nobody_calls(hold: Edge, words: Words) -> bool:
    """Whether nobody in its process is on the way to end what a task that is to answer waits for,
    as its event loop did not run, and everybody else in code of the application, in all processes
    that were captured, waits for an answer or for the same, or is a task that stands still so
    itself."""
    edges = chain(hold.target, words)
    last = edges[-1] if edges else None
    task = words.actor(last.source) if last else None
    if last is None or not isinstance(task, Task) or not _nobody(hold, words):
        return False
    if waited_s(task, words) < STILL_S:
        return False
    actors: tuple[Actor, ...] = (*words.capture.threads(), *words.capture.tasks)
    own = (one for one in actors if below_application(one))
    return all(
        (wait := words.graph.wait_of(one.id)) is not None
        and (
            wait.target.kind in REMOTE
            or wait.target == last.target
            or _stands_still(one, wait, words)
        )
        for one in own
    )


def _stands_still(actor: Actor, wait: Edge, words: Words) -> bool:
    """Whether it is a task that has stood for a second in a wait for what nobody in its process is
    on the way to do, and which the program's code would do, were it called."""
    resource = words.resource(wait.target)
    known = isinstance(actor, Task) and resource is not None and bool(resource.enders)
    lasts = known and not wait.expires and waited_s(actor, words) >= STILL_S
    return lasts and resource is not None and nobody_comes(wait, words)


def _elsewhere(hold: Edge, words: Words) -> str:
    """`` Meanwhile task roll_out waits at main.py:23 (generate) for ...``: what the tasks of other
    processes do that stand still, one of which may be to make the call."""
    asking = {edge.source.pid for edge in words.graph.waiters_of(hold.source)}
    there = {hold.target.pid, *asking}
    found = [
        one
        for one in words.capture.tasks
        if one.pid not in there
        and below_application(one)
        and (wait := words.graph.wait_of(one.id)) is not None
        and _stands_still(one, wait, words)
    ]
    told = [f"{doing(one, words)} in {words.process_name(one.pid)}" for one in found]
    alone = words.graph.wait_of(found[0].id) if len(found) == 1 else None
    code = told_written(words.resource(alone.target), found[0], words) if alone else ""
    return f" Meanwhile {listed(told[:NAMES_LISTED])}.{code}" if told else ""


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
