"""A library of Ray waits for what nothing is free for: workers that do nothing keep it.

Ray Data, Serve, Tune and the like start actors and tasks of their own, and wait for them in other
ways than `ray.get`.
"""

from collections.abc import Iterator, Sequence

from hangtui.findings.actors import remote_wait
from hangtui.findings.english import counted, listed
from hangtui.findings.grounds import NOBODY
from hangtui.findings.outside.cluster_workers import Keeper, Workers
from hangtui.findings.package_queries import library_entry, library_wait
from hangtui.findings.stack_queries import at, callers_of, own_frame
from hangtui.findings.thresholds import NAMES_LISTED, STILL_S
from hangtui.findings.words import Words, ref
from hangtui.model import Certainty, Finding, Severity, Thread

ID = "never-scheduled"
GROUND = NOBODY
_RAY = "ray"
_GIVE = (
    "Let actors and replicas ask for less than the node has (`num_cpus`, the size of a pool, "
    "`max_concurrent_trials`), so that something is left for what they wait for, or add a node; "
    "`ray status` shows both sides."
)
_GIVE_TASKS = (
    "Let tasks and actors that use a library of Ray ask for no CPU themselves "
    "(`num_cpus=0`), or start fewer of them at once than the node has CPUs, so that something is "
    "left for what the library starts."
)


def of_libraries(there: Workers, words: Words) -> list[Finding]:
    """One finding for the driver's threads that wait so in a library of Ray; it names all that
    keep what is wanted."""
    node = there.scheduler
    if not there.keepers or node is None or there.starting:
        return []
    pids = {keeper.process.pid for keeper in there.keepers}
    waiting = [
        thread
        for thread in words.capture.threads()
        if thread.pid not in pids and _waits(thread, pids, words)
    ]
    return [_finding(waiting[0], there, words)] if waiting else []


def _waits(thread: Thread, pids: set[int], words: Words) -> bool:
    """Whether it waits so; of one that waits for actors: for those of *pids*."""
    if own_frame(thread) is None or library_wait(thread) != _RAY or words.graph.cycle_of(thread.id):
        return False
    if (wait := remote_wait(thread.id, words)) is not None:
        asked = {hold.target.pid for hold in words.graph.holders_of(wait.target)}
        return bool(asked) and asked <= pids
    seen = words.progress.get(thread.id)
    return seen.same_line if seen is not None else thread.asleep


def _finding(thread: Thread, there: Workers, words: Words) -> Finding:
    seen = words.progress.get(thread.id)
    lasted = seen.lasted_s if seen and seen.same_line else 0.0
    lasts = lasted >= STILL_S
    span = f" for {lasted:.0f} s or more" if lasts else ""
    name, where = words.thread_name(thread), at(own_frame(thread))
    node = there.scheduler
    assert node is not None
    never = lasts and there.closed
    all_of_it = listed(list(node.used_up))
    asked = listed(list(node.demands))
    return Finding(
        id=ID,
        severity=Severity.ERROR if never else Severity.WARNING if lasts else Severity.NOTE,
        certainty=Certainty.INFERRED,
        title=(
            f"{name} waits{where}{span}, in ray, while nothing is free in its cluster "
            f"({all_of_it}): {_who(there.keepers)}"
        ),
        sentence=(
            f"{name} waits{where}{callers_of(thread, own_frame(thread))}{span}, in ray "
            f"({library_entry(thread)}). All of {all_of_it} of its cluster is in the hands of "
            f"{' and '.join(_told(there.keepers))}. What asks for {asked} is not started before "
            f"one of these gives back what it has: {_keeps(there.keepers)}.{_ring(never)}"
        ),
        threads=(ref(thread),),
        evidence=(
            *(
                f"{keeper.name} (process {keeper.process.pid}) has {use}, as Ray's scheduler wrote"
                for keeper in there.keepers[:NAMES_LISTED]
                for use in _uses(keeper, there)
            ),
            *there.written[:NAMES_LISTED],
        ),
        unknown=(
            "whether that is what this line waits for",
            f"whether one of the {_noun(there.keepers)}s will be ended, or a node join",
        ),
        advice=(_GIVE if _noun(there.keepers) == "actor" else _GIVE_TASKS,),
        never_ends=never,
    )


def _noun(keepers: Sequence[Keeper]) -> str:
    return "task" if all(keeper.is_task for keeper in keepers) else "actor"


def _keeps(keepers: Sequence[Keeper]) -> str:
    if _noun(keepers) == "task":
        return (
            "a task keeps that until it returns, unless it waits in `ray.get` or `ray.wait` itself"
        )
    return "an actor keeps that as long as it lives"


def _ring(never: bool) -> str:
    return " All of them wait for that, and no other worker runs anything." if never else ""


def _uses(keeper: Keeper, there: Workers) -> Iterator[str]:
    node, process = there.scheduler, keeper.process
    for use in node.uses if node else ():
        if use.pid in (process.pid, process.ns_pid):
            yield use.what


def _who(keepers: Sequence[Keeper]) -> str:
    waits, one = sum(keeper.waits for keeper in keepers), len(keepers) == 1
    names = listed(list(dict.fromkeys(keeper.name for keeper in keepers)))
    if waits == len(keepers):
        what = "waits for the cluster itself" if one else "wait for the cluster themselves"
    elif waits:
        what = "wait or have nothing to do"
    else:
        what = f"{'has' if one else 'have'} nothing to do"
    keep = "keeps" if one else "keep"
    return f"{counted(len(keepers), _noun(keepers))} of {names} {keep} it, and {what}"


def _told(keepers: Sequence[Keeper]) -> Iterator[str]:
    """``MapWorker (process 12) and MapWorker (process 13), which have nothing to do``."""
    for waits, what in (
        (False, ("has nothing to do", "have nothing to do")),
        (True, ("waits for the cluster itself", "wait for the cluster themselves")),
    ):
        those = [one for one in keepers if one.waits is waits]
        if those:
            names = listed([f"{one.name} (process {one.process.pid}){one.where}" for one in those])
            yield f"{names}, which {what[len(those) > 1]}"
