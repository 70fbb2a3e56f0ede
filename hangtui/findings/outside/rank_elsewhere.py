"""A job of several processes in which some wait in a collective operation, and others never got
there."""

from collections.abc import Iterator

from hangtui.analysis.waitgraph import Edge, Relation, WaitGraph
from hangtui.findings.actors import REMOTE
from hangtui.findings.collectives import asks_store, collective, says_itself
from hangtui.findings.english import counted, listed
from hangtui.findings.grounds import ONE_WAIT
from hangtui.findings.jobs import caller, jobs
from hangtui.findings.outside.collective_mismatch import Inside, crossed_ranks
from hangtui.findings.roles import places_of, ranks_told
from hangtui.findings.stack_queries import (
    at,
    main_thread,
    own_frame,
    still,
    stood_s,
)
from hangtui.findings.thresholds import BUSY_SHARE, NAMES_LISTED, STILL_S
from hangtui.findings.words import Words, ref, words_of
from hangtui.model import (
    Capture,
    Certainty,
    Finding,
    NodeId,
    Severity,
    Thread,
)

ID = "rank-elsewhere"
GROUND = ONE_WAIT
HELP = """\
In a distributed job (torch.distributed, MPI, Horovod) all ranks have to call the same collective
operations in the same order. If one of them is somewhere else, all others wait for it.

How it is known: some of the captured processes are inside a collective and did not run while they
were watched; others of the same job are in none. `RANK` and its like, which launchers set, tell
who belongs to it, else a common parent. It is a warning if that lasts for a second or more over
several looks, and those others make no progress either. Capture all ranks together for this:
`hangtui --children PID` of the launcher.
"""


def check(capture: Capture, graph: WaitGraph) -> list[Finding]:
    """One finding for each job of which only a part is in a collective."""
    words = words_of(capture, graph)
    return [_finding(inside, missing, words) for inside, missing in _divided(capture)]


def waiting_ranks(capture: Capture) -> set[NodeId]:
    """The threads that wait for the other ranks of their job, which are elsewhere."""
    divided = {thread.id for inside, _ in _divided(capture) for thread, _ in inside}
    return divided | crossed_ranks(capture)


def _divided(capture: Capture) -> Iterator[tuple[list[Inside], list[Thread]]]:
    """Of each job only a part of which is in collectives: who is in which, and who in none."""
    for ranks in jobs(capture):
        inside = [(t, operation) for rank in ranks if (t := main_thread(rank))
                  and t.blocked and (operation := collective(t))]  # fmt: skip
        there = {thread.pid for thread, _ in inside}
        missing = [t for rank in ranks if rank.pid not in there and (t := main_thread(rank))]
        if inside and missing:
            yield inside, missing


def _finding(inside: list[Inside], missing: list[Thread], words: Words) -> Finding:
    operation = inside[0][1]
    waiting = [thread for thread, _ in inside]
    pids = _who(waiting, words)
    absent = [_elsewhere(thread, words) for thread in missing[:NAMES_LISTED]]
    one = len(waiting) == 1
    ranks = places_of(words.capture).keys()
    # All ranks come to a collective one after the other: that some wait is no fault by itself.
    at_work = [t for t in missing if _works(t, words)]
    # While the others are at work, or read data now and then, these may come to it yet.
    lasts = any(stood_s(t, words) >= STILL_S for t in waiting) and any(
        not _works(t, words) and _stayed_s(t, words) >= STILL_S for t in missing
    )
    return Finding(
        id=ID,
        severity=Severity.WARNING if lasts else Severity.NOTE,
        certainty=Certainty.INFERRED,
        title=f"{counted(len(waiting), 'rank')} {'waits' if one else 'wait'} in {operation}, "
        f"{counted(len(missing), 'rank')} elsewhere{at(own_frame(missing[0]))}",
        sentence=(
            f"{pids[:1].upper()}{pids[1:]} {'waits' if one else 'wait'} in "
            f"{'' if says_itself(operation) else 'the collective operation '}{operation}"
            f"{at(caller(waiting[0]))} until every rank has called it. "
            f"{'; '.join(absent)}. As long as that rank does not get there, all others wait."
        ),
        threads=tuple(ref(thread) for thread in (*missing, *waiting)),
        evidence=(
            *(
                f"{words.process_name(t.pid)}: {name} is on the stack of {t.name}{at(caller(t))}"
                for t, name in inside[:NAMES_LISTED]
            ),
            *(
                f"{words.process_name(t.pid)}: no collective is on the stack of {t.name}"
                for t in missing[:NAMES_LISTED]
            ),
            *(line for t in at_work[:NAMES_LISTED] if (line := _worked(t, words))),
            *(words.reading(edge) for t in missing[:NAMES_LISTED] for edge in _chain(t, words)),
            still(waiting),
        ),
        unknown=(
            *(
                ()
                if all(t.pid in ranks for t in (*waiting, *missing))
                else ("whether these processes belong to the same job: they have the same parent",)
            ),
            *(("whether they are merely slower than the others",) if at_work else ()),
        ),
        advice=(
            (
                f"Find out why it is still{at(own_frame(missing[0]))}: what only one rank does "
                "(checkpoints, logging, evaluation) must end, or come before a barrier for all."
            ),
            "Set a timeout for collectives: init_process_group(timeout=timedelta(minutes=5)).",
        ),
    )


def _who(threads: list[Thread], words: Words) -> str:
    """Processes by their ranks, many of them in short: ``ranks 0-2, 4-511``."""
    places = places_of(words.capture)
    numbers = [place.rank for thread in threads if (place := places.get(thread.pid))]
    if len(threads) > NAMES_LISTED and len(numbers) == len(threads):
        return ranks_told(numbers)
    return listed([words.process_name(thread.pid) for thread in threads])


def _elsewhere(thread: Thread, words: Words) -> str:
    chain = _chain(thread, words)
    goal = f", waiting {words.goal(chain[0])}" if chain else ""
    if asks_store(thread):
        goal = ", waiting for a key that another rank has to set in the job's store"
    name = words.process_name(thread.pid)
    does = "at work elsewhere" if _works(thread, words) else "elsewhere"
    told = [f"{name[:1].upper()}{name[1:]} is {does}{at(own_frame(thread))}{goal}"]
    for edge in chain[1:]:
        if edge.relation is Relation.WAITS_FOR:
            told.append(f"and itself {words.waiting(edge)}")
        else:
            verb = "runs" if edge.source.kind in REMOTE else "holds"
            told.append(f"which {words.name(edge.target)} {verb}")
    return ", ".join(told)


def _stayed_s(thread: Thread, words: Words) -> float:
    """For how many seconds several looks saw it on one line of the application."""
    seen = words.progress.get(thread.id)
    return seen.stayed_s if seen else 0.0


def _works(thread: Thread, words: Words) -> bool:
    """Whether it computes: it used a processor, over several looks if there were any."""
    seen = words.progress.get(thread.id)
    used = seen.busy if seen else thread.busy
    return used is not None and used >= BUSY_SHARE


def _worked(thread: Thread, words: Words) -> str | None:
    seen = words.progress.get(thread.id)
    if seen is None or seen.busy is None:
        return None
    lines = listed([visit.place for visit in seen.visits[:NAMES_LISTED]])
    name = words.process_name(thread.pid)
    return (
        f"{name}: {thread.name} used {seen.busy:.0%} of a CPU over {seen.lasted_s:.1f} s"
        f"{f', at {lines}' if lines else ''}"
    )


def _chain(thread: Thread, words: Words) -> list[Edge]:
    """What a thread waits for, who alone holds that, what that one waits for, and so on."""
    graph, here, seen = words.graph, thread.id, set[str]()
    edges: list[Edge] = []
    while here not in seen and (wait := graph.wait_of(here)):
        seen.add(here)
        edges.append(wait)
        holds = graph.holders_of(wait.target)
        if len(holds) != 1:
            break
        edges.append(holds[0])
        here = holds[0].target
    return edges
