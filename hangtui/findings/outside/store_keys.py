"""A job all of whose ranks wait for keys of the store that they have in common."""

from collections.abc import Iterator, Sequence

from hangtui.analysis.waitgraph import WaitGraph
from hangtui.findings.collectives import asks_store, collective, seeks_store
from hangtui.findings.english import clauses, listed
from hangtui.findings.grounds import NOBODY
from hangtui.findings.jobs import jobs, rank_thread, who
from hangtui.findings.outside.store_waits import keys_of
from hangtui.findings.stack_queries import at, own_frame, still, stood_s
from hangtui.findings.thresholds import NAMES_LISTED, STILL_S
from hangtui.findings.words import Words, ref, words_of
from hangtui.model import Capture, Certainty, Finding, Process, Severity, Thread

ID = "store-keys"
GROUND = NOBODY
HELP = """\
The ranks of a job of torch have a store of keys in common (TCPStore), in which they leave each
other addresses and other notes. `store.get()` and `store.wait()` wait until somebody sets a key.
If all ranks wait for one, nobody of the job is left to set any.

How it is known: calls of the store are on the native stacks of the main threads of all ranks, as
many as the job has by what its launcher told them, and none of them ran. It is a warning if that
lasts for a second or more over several looks. The names of keys are read where a function of Python
gives them to the store.
"""


def check(capture: Capture, graph: WaitGraph) -> list[Finding]:
    """One finding for each such job."""
    words = words_of(capture, graph)
    return [_finding(ranks, words) for ranks in _asking(capture)]


def _asking(capture: Capture) -> Iterator[list[Process]]:
    """The jobs all of whose ranks wait for keys of their store, which only ranks write."""
    # Who makes another group than the job's waits for its members, whoever they are.
    joins = {one.thread for one in capture.joinings if one.here}
    for ranks in jobs(capture):
        threads = [rank_thread(rank, capture) for rank in ranks]
        if any(thread and (thread.id in joins or seeks_store(thread)) for thread in threads):
            continue
        whole = all(rank.job and rank.job.size == len(ranks) for rank in ranks)
        if whole and all(t and t.blocked and asks_store(t) and not collective(t) for t in threads):
            yield ranks


def _finding(ranks: list[Process], words: Words) -> Finding:
    threads = [thread for rank in ranks if (thread := rank_thread(rank, words.capture))]
    groups: dict[str, list[Thread]] = {}
    for thread in threads:
        groups.setdefault(at(own_frame(thread)), []).append(thread)
    parted = sorted(groups.items(), key=lambda one: len(one[1]))
    places = [f"{who(those, words)} for {_keys(those, words)}{place}" for place, those in parted]
    lasts = all(stood_s(thread, words) >= STILL_S for thread in threads)
    return Finding(
        id=ID,
        severity=Severity.WARNING if lasts else Severity.NOTE,
        certainty=Certainty.INFERRED,
        title=f"All {len(threads)} ranks wait for keys of the job's store: nobody is left to set "
        f"one{at(own_frame(threads[0]))}",
        sentence=(
            f"All ranks wait: {clauses(places)}. Each waits until another rank sets a key of the "
            "store that they have in common (TCPStore), and all of them wait for one."
        ),
        threads=tuple(map(ref, threads)),
        evidence=(
            *(
                f"{words.process_name(t.pid)}: a call that waits for a key of the store is on the "
                f"stack of {t.name}{at(own_frame(t))}"
                for t in threads[:NAMES_LISTED]
            ),
            still(threads),
        ),
        unknown=(
            *(() if all(keys_of(t, words.capture) for t in threads) else ("which keys these are",)),
            "whether other programs write into this store",
        ),
        advice=(
            (
                "Compare the keys that are waited for with those that are set: a name that differs "
                "from rank to rank, or is set under a condition."
            ),
        ),
    )


def _keys(threads: Sequence[Thread], words: Words) -> str:
    """``the key "step-1" of the job's store``: those that they wait for at one line."""
    found = dict.fromkeys(key for one in threads for key in keys_of(one, words.capture))
    if not found:
        return "a key of the job's store"
    quoted = listed([f'"{key}"' for key in [*found][:NAMES_LISTED]])
    return f"the key{'s' if len(found) > 1 else ''} {quoted} of the job's store"
