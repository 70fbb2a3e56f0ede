"""A job of which a rank has ended, while others wait in a collective operation."""

from collections.abc import Sequence

from hangtui.analysis.waitgraph import WaitGraph
from hangtui.findings.child_ends import how_ended
from hangtui.findings.collectives import asks_store, collective
from hangtui.findings.english import clauses, joined, listed
from hangtui.findings.grounds import ONE_WAIT
from hangtui.findings.jobs import (
    Inside,
    by_place,
    caller,
    in_short,
    jobs,
    lost,
    rank_thread,
    who,
    with_title,
)
from hangtui.findings.outside.rank_waits import waited_s, waits
from hangtui.findings.roles import ranks_told
from hangtui.findings.stack_queries import at, still
from hangtui.findings.thresholds import NAMES_LISTED, STILL_S
from hangtui.findings.words import Words, ref, words_of
from hangtui.model import Capture, Certainty, Child, Finding, Severity, Thread

ID = "rank-gone"
_KEY = "TCPStore for a key of the job"
_FAILED = (
    "Look into the launcher's log, and into dmesg for a process that was killed for want of memory."
)
_CAME_TO_AN_END = (
    "It ended by itself, with status 0: let every rank come to the same operations before it ends, "
    "also one that has nothing to do."
)
GROUND = ONE_WAIT
HELP = """\
Ranks of a distributed job wait in a collective operation, to join the job, or for a key of its
store that another one has to set, and a rank is not there any more: it was killed (for want of
memory, by somebody), or has failed. All others wait for it until a timeout of the library makes an
error of that.

How it is known: the launcher has told each rank how many there are, nobody has the number of one of
them, and the process that started the others has a child that has ended, or has fetched the status
of one already (Lightning, torchrun and torch's `spawn` keep that). It is a warning if one of
the others did not run for a second or more over several looks. Why a child has ended is in the log
of its launcher, and in the kernel's (`dmesg`) if it was killed for want of memory; that the kernel
has killed processes of the others' cgroup for that it counts there, and the finding says so.
"""


def check(capture: Capture, graph: WaitGraph) -> list[Finding]:
    """One finding for each such job."""
    words = words_of(capture, graph)
    found = []
    for ranks in jobs(capture):
        threads = [thread for rank in ranks if (thread := rank_thread(rank, capture))]
        inside = [
            (thread, operation)
            for thread in threads
            if waits(thread, words.progress.get(thread.id)) and (operation := _joint(thread))
        ]
        gone, ended = lost(ranks, capture) if inside else ([], [])
        if gone:
            found.append(_finding(inside, gone, ended, words))
    return found


def _joint(thread: Thread) -> str | None:
    """What it is in that others have to take part in, or to answer."""
    return collective(thread) or (_KEY if asks_store(thread) else None)


def _finding(
    inside: Sequence[Inside], gone: list[int], ended: list[Child], words: Words
) -> Finding:
    threads = [thread for thread, _ in inside]
    parted = by_place(inside)
    places = [f"{_who(those, words)} in {name}{place}" for name, place, those in parted]
    where = parted[0][1] if len(parted) == 1 else ""
    operations = list(dict.fromkeys(operation for _, operation in inside))
    names, one = ranks_told(gone), len(gone) == 1
    pids = listed([_named(child) for child in ended])
    noun = "process" if len(ended) == 1 else "processes"
    starved = _killed_for_memory(threads, words)
    lasts = any(waited_s(thread, words) >= STILL_S for thread in threads)
    verb = "waits" if len(threads) == 1 else "wait"
    return Finding(
        id=ID,
        severity=Severity.WARNING if lasts else Severity.NOTE,
        certainty=Certainty.INFERRED,
        title=f"{in_short(threads, words)} {verb} in {joined(operations)}{where}, "
        f"{names} {'is' if one else 'are'} gone{starved and ', and ' + starved}: {noun} {pids} "
        f"{how_ended(*ended)}",
        sentence=(
            f"{names[:1].upper()}{names[1:]} {'is' if one else 'are'} not among the processes of "
            f"the job any more, and {noun} {pids} {how_ended(*ended)}, "
            f"{'a child' if len(ended) == 1 else 'children'} of {_starter(threads, ended, words)}."
            f"{starved and f' {starved[:1].upper()}{starved[1:]}.'} These wait: {clauses(places)}."
        ),
        threads=tuple(map(ref, threads)),
        evidence=(
            *(
                f"{words.process_name(t.pid)}: {name} is on the stack of {t.name}{at(caller(t))}"
                for t, name in inside[:NAMES_LISTED]
            ),
            *(f"process {_named(child)} {how_ended(child)}" for child in ended[:NAMES_LISTED]),
            still(threads),
        ),
        unknown=(
            f"whether {pids} was {names}",
            "whether that was the one which was killed" if starved else "why it has ended",
        ),
        advice=(_CAME_TO_AN_END if all(c.exit_status == 0 for c in ended) else _FAILED,),
    )


def _who(threads: Sequence[Thread], words: Words) -> str:
    """``rank 0 (process 7)``: of a rank that is looked at alone, too."""
    told = who(threads, words)
    if len(words.capture.processes) > 1:
        return told
    return f"{in_short(threads, words)} ({told})"


def _named(child: Child) -> str:
    """``12 (python)``; of one that was collected the number alone is known."""
    return f"{child.pid} ({child.name})" if child.name else str(child.pid)


def _starter(threads: Sequence[Thread], ended: Sequence[Child], words: Words) -> str:
    """``rank 0``, where that has started the others itself, as Lightning does."""
    pids = {child.pid for child in ended}
    known = {one.parent for one in words.capture.collected if one.pid in pids}
    own = [thread for thread in threads if {thread.pid} == known]
    if own:
        return in_short(own, words)
    return with_title(known.pop(), words) if len(known) == 1 else "who started the others"


def _killed_for_memory(threads: Sequence[Thread], words: Words) -> str:
    """``the kernel has killed 1 process of their cgroup for want of memory``; empty: none."""
    processes = [words.capture.process(pid) for pid in {thread.pid for thread in threads}]
    around = [process.around for process in processes if process and process.around]
    kills = max((one.oom_kills or 0 for one in around), default=0)
    if not kills:
        return ""
    many = f"{kills} process{'es' if kills > 1 else ''}"
    return f"the kernel has killed {many} of their cgroup for want of memory"
