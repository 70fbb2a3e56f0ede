"""What the flight recorders of a job's ranks say: which rank called another collective operation
than the others, and which never called the one that they are in."""

from collections.abc import Iterator, Sequence

from hangtui.analysis.places import line_and_function, program_frame
from hangtui.analysis.waitgraph import WaitGraph
from hangtui.findings.grounds import ONE_WAIT
from hangtui.findings.roles import places_of, ranks_among, ranks_told
from hangtui.findings.stack_queries import does, main_thread
from hangtui.findings.thresholds import NAMES_LISTED
from hangtui.findings.words import Words, ref, words_of
from hangtui.model import Capture, Certainty, Collective, Finding, Process, Severity

ID = "collective-order"
GROUND = ONE_WAIT
HELP = """\
The flight recorders of torch's ranks differ: some called an operation that others have not, or
something else as the same number of their process group (another operation, other sizes). All
ranks of a group have to call the same operations in the same order.

How it is known: torch keeps a list of the last operations of each rank, with number, sizes, lines
and whether they were done (`TORCH_FR_BUFFER_SIZE`), and writes it when one times out, or when it is
asked to. `hangtui open trace_rank_*` compares these files, also beside captures of the ranks'
processes: then it says what the odd rank does. A record is of one moment: the rank may have gone on
since.
"""

_NAMED = 8


def check(capture: Capture, graph: WaitGraph) -> list[Finding]:
    """One finding for each process group whose ranks differ."""
    groups: dict[tuple[str, tuple[int, ...]], list[Collective]] = {}
    for one in (one for one in capture.collectives if one.peer is None):
        groups.setdefault((one.group, one.ranks), []).append(one)
    words = words_of(capture, graph) if groups else None
    found = []
    for members in groups.values():
        by_rank: dict[int, dict[int, Collective]] = {}
        for one in members:
            by_rank.setdefault(one.rank, {})[one.number] = one
        finding = _judged(by_rank, words) if words else None
        found += [finding] if finding else []
    return found


def _judged(by_rank: dict[int, dict[int, Collective]], words: Words) -> Finding | None:
    last = max(max(those) for those in by_rank.values())
    first = max(min(those) for those in by_rank.values())
    for number in range(first, last + 1):
        there = [those[number] for those in by_rank.values() if number in those]
        kinds: dict[tuple[str, str], list[Collective]] = {}
        for one in there:
            kinds.setdefault(_kind(one), []).append(one)
        if len(kinds) > 1 and not all(one.done for one in there):
            return _mismatch(sorted(kinds.values(), key=len), by_rank, words)
        missing = sorted(rank for rank, those in by_rank.items() if number > max(those))
        if missing and not all(one.done for one in there):
            return _absent(there, missing, by_rank, words)
    return None


_OF_ONE_SIZE = frozenset({"all_reduce", "broadcast", "reduce", "all_gather", "reduce_scatter"})
"""Operations to which each rank brings as much as any other."""


def _kind(one: Collective) -> tuple[str, str]:
    return one.operation, one.shape if one.operation in _OF_ONE_SIZE else ""


def told_of(one: Collective, *, size: bool = False) -> str:
    """``all_reduce (Float [8]) at train.py:21 (train_step)``."""
    frame = program_frame(one.stack)
    place = f" at {line_and_function(frame)}" if frame else ""
    return f"{one.operation}{f' ({one.shape})' if size and one.shape else ''}{place}"


def _mismatch(
    kinds: list[list[Collective]], by_rank: dict[int, dict[int, Collective]], words: Words
) -> Finding:
    odd, *others = kinds
    sizes = len({one[0].operation for one in kinds}) == 1
    what = "with other sizes" if sizes else "different operations"
    number, group = odd[0].number, odd[0].group
    clauses = [
        f"{ranks_told([one.rank for one in those])} called {told_of(those[0], size=sizes)}"
        for those in kinds[:NAMES_LISTED]
    ]
    most = ranks_told([one.rank for one in others[-1]])
    few = ranks_told([one.rank for one in odd])
    title = f"{few} and {most} called {what} as number {number} of {group}"
    told = (
        f"{'; '.join(clauses)}. All ranks of {group} have to call the same one as number {number}"
    )
    return _finding(
        title,
        f"{told}: none of them gets on.",
        odd,
        [one for those in kinds for one in those],
        by_rank,
        words,
        (
            "Look for a condition that differs from rank to rank around one of these lines (`if "
            "rank == 0`, data of another length, an exception that is caught)."
        ),
    )


def _absent(
    there: list[Collective],
    missing: list[int],
    by_rank: dict[int, dict[int, Collective]],
    words: Words,
) -> Finding:
    example = there[0]
    group, number = example.group, example.number
    before = [by_rank[rank][max(by_rank[rank])] for rank in missing]
    who, absent = ranks_told([one.rank for one in there]), ranks_told(missing)
    one_waits = "waits" if len(there) == 1 else "wait"
    state = "done" if before[0].done else "not done"
    return _finding(
        f"{who} {one_waits} in {told_of(example)}, which {absent} never called",
        (
            f"{who} {one_waits} in {told_of(example, size=True)}, number {number} of {group}. "
            f"{absent[:1].upper()}{absent[1:]} never called it: the last one there was number "
            f"{before[0].number}, {told_of(before[0])}, which was {state}."
        ),
        before,
        there,
        by_rank,
        words,
        f"Look at what {absent} did after {told_of(before[0])}: capture that process with hangtui.",
    )


def _finding(
    title: str,
    sentence: str,
    odd: Sequence[Collective],
    waiting: Sequence[Collective],
    by_rank: dict[int, dict[int, Collective]],
    words: Words,
    advice: str,
) -> Finding:
    processes = list(processes_of([one.rank for one in odd], words))
    threads = [thread for process in processes if (thread := main_thread(process))]
    now = "".join(f" Now {does(thread, words)}." for thread in threads[:NAMES_LISTED])
    known = waiting[0].ranks
    unread = sorted(set(known) - by_rank.keys())
    lost = (f"what {ranks_told(unread)} called: their records were not given",) if unread else ()
    return Finding(
        id=ID,
        severity=Severity.WARNING,
        certainty=Certainty.CERTAIN,
        title=title[:1].upper() + title[1:],
        sentence=sentence[:1].upper() + sentence[1:] + now,
        threads=tuple(map(ref, threads)),
        evidence=tuple(
            f"the record of rank {one.rank}{f' ({one.file})' if one.file else ''}: number "
            f"{one.number} of {one.group} is {told_of(one, size=True)}, "
            f"{'done' if one.done else 'not done'}"
            for one in (*odd[:_NAMED], *(one for one in waiting[:_NAMED] if one not in odd))
        ),
        unknown=(*lost, "what the ranks did after their records were written"),
        advice=(advice,),
    )


def processes_of(ranks: Sequence[int], words: Words) -> Iterator[Process]:
    """The captured processes of these ranks, without what they have started themselves."""
    places, known = places_of(words.capture), ranks_among(words.capture)
    for process in words.capture.processes:
        place = places.get(process.pid)
        if place is not None and place.rank in ranks and known[process.pid]:
            yield process
