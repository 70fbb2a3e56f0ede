"""The application waits for tasks or an actor of Ray that, by its scheduler, no node can take."""

from hangtui.analysis.waitgraph import WaitGraph
from hangtui.findings.actors import remote_wait
from hangtui.findings.english import listed
from hangtui.findings.grounds import NOBODY
from hangtui.findings.outside.cluster_full import of_libraries
from hangtui.findings.outside.cluster_waits import awaited
from hangtui.findings.outside.cluster_workers import Workers, workers
from hangtui.findings.stack_queries import at, callers_of, own_frame
from hangtui.findings.thresholds import STILL_S
from hangtui.findings.words import Words, ref, words_of
from hangtui.model import Capture, Certainty, Finding, Severity, Thread

ID = "never-scheduled"
GROUND = NOBODY
_LESS = (
    "Start a node that has what is asked for, or ask for less (num_cpus, num_gpus, memory, "
    "resources); `ray status` shows both sides."
)
_GIVE = (
    "Give the actors fewer CPUs than the node has (`num_cpus=0` for those that only wait), or let "
    "tasks wait for tasks: a task gives its CPUs back meanwhile."
)
HELP = """\
A program waits for results of Ray (`ray.get`, `ray.wait`) that nobody computes: no captured worker
runs a task, and Ray's scheduler says that it keeps tasks or actors which ask for what no node of
the cluster has: a GPU, memory, a resource of one's own, a placement group. They start when a node
joins that has it.

It is an error if Ray's autoscaler says as well that no type of node that it could start has that,
else a warning: a node may be on its way.

So too if all CPUs of a cluster of one node are in use, and each worker there waits for tasks that
need one: an actor keeps what it asked for while it waits (a task gives its CPUs back), so that
none of them comes to run. That is an error.

Libraries of Ray (Data, Serve, Tune, Train, its Pool) wait in their own ways for the tasks and
actors that they start. Of a line of the application that waits in one of these it is told, as a
warning, if all of a resource of a cluster of one node is with actors or tasks that have nothing to
do, or wait for the cluster themselves, while more is asked for. It is an error if all of those wait
for a second or more, in `ray.get` or in such a library, and no other worker runs anything: a task
that waits in Ray Data keeps its CPU meanwhile.

How it is known: every ten seconds each node of Ray writes who has what of it, and what it keeps as
infeasible, into `debug_state.txt` in its logs, and the autoscaler of the head node what is asked
for into `monitor.log`. These are read as they lie there, if they are no older than a minute; nobody
is asked. Which task it is that waits there Ray does not write; `ray list tasks --detail` says it.
Capture the raylet too: `hangtui --children PID` of the driver that started Ray.
"""


def check(capture: Capture, graph: WaitGraph) -> list[Finding]:
    """One finding for each thread that waits so."""
    words = words_of(capture, graph)
    there, found = None, []
    for thread in capture.threads():
        if remote_wait(thread.id, words) is not None and not graph.cycle_of(thread.id):
            there = there or workers(words)
            if there.keeps_from(thread, words):
                found.append(_finding(thread, there, words))
                if there.exhausted:  # it speaks of all of them
                    break
    return found or of_libraries(there or workers(words), words)


def _finding(thread: Thread, there: Workers, words: Words) -> Finding:
    wait = remote_wait(thread.id, words)
    assert wait is not None
    seen = words.progress.get(thread.id)
    lasted = seen.lasted_s if seen and seen.same_line else 0.0
    lasts = lasted >= STILL_S
    call = (one.call if (one := words.wait(wait)) else None) or "a library"
    name, where = words.thread_name(thread), at(own_frame(thread))
    used_up = there.exhausted
    none = "for which nothing is free" if used_up else "which no node of its cluster can run"
    what = f"{awaited(wait, words)}, {none}"
    never = there.none_to_come or used_up is not None
    span = f" for {lasted:.0f} s or more" if lasts else ""
    return Finding(
        id=ID,
        severity=Severity.NOTE if not lasts else Severity.ERROR if never else Severity.WARNING,
        certainty=Certainty.INFERRED,
        title=f"{name} waits{where}{span}, in {call}, for {what}",
        sentence=(
            f"{name} waits{where}{callers_of(thread, own_frame(thread))}{span}, in {call}, for "
            f"{what}. {_why(there, words)}"
        ),
        threads=tuple(map(ref, dict.fromkeys((thread, *there.keeping))))
        if used_up
        else (ref(thread),),
        resources=(wait.target,),
        evidence=(words.reading(wait), *there.evidence(words)),
        unknown=("which task or actor it is that asks for that: Ray does not write it down",),
        advice=(_GIVE if used_up else _LESS,),
        never_ends=never,
    )


def _why(there: Workers, words: Words) -> str:
    if there.exhausted is not None and there.scheduler is not None:
        held = words.listed(there.keeping)
        many = len(there.keeping) > 1
        return (
            f"Ray's scheduler keeps {there.scheduler.waiting} until others give resources back, "
            f"and all are in use ({there.exhausted}), by nobody but {held}: an actor keeps what it "
            f"asked for while it waits, and {'these wait' if many else 'this one waits'} for such "
            "tasks."
        )
    offers = f" {listed(list(there.offers))}." if there.offers else ""
    none = " No type of node that the autoscaler could start has that." * there.none_to_come
    return f"Ray's scheduler keeps {there.infeasible}.{offers}{none}"
