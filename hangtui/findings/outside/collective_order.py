"""What the flight recorders of a job's ranks say: which rank called another collective operation
than the others, and which never called the one that they are in."""

from collections.abc import Iterator, Mapping, Sequence

from hangtui.analysis.places import line_and_function, program_frame
from hangtui.analysis.waitgraph import WaitGraph
from hangtui.dataclass import dataclass
from hangtui.findings.english import joined
from hangtui.findings.flight_records import ByRank, Gap, Records, causes_first, is_ring
from hangtui.findings.grounds import ONE_WAIT
from hangtui.findings.jobs import rank_thread
from hangtui.findings.roles import places_of, ranks_among, ranks_told
from hangtui.findings.stack_queries import does
from hangtui.findings.thresholds import NAMES_LISTED
from hangtui.findings.words import Words, ref, words_of
from hangtui.model import Capture, Certainty, Collective, Finding, Process, Severity

ID = "collective-order"
GROUND = ONE_WAIT
HELP = """\
The flight recorders of torch's ranks differ: some called an operation that others have not, or
something else as the same number of their process group (another operation, other sizes). All
ranks of a group have to call the same operations in the same order. So it is with the operations of
several groups: ranks that call those of rows and of columns in different orders wait for one
another.

How it is known: torch keeps a list of the last operations of each rank, with number, sizes, lines
and whether they were done (`TORCH_FR_BUFFER_SIZE`), and writes it when one times out, or when it is
asked to. `hangtui open trace_rank_*` compares these files, also beside captures of the ranks'
processes: then it says what the odd rank does. A record is of one moment: the rank may have gone on
since. What was called less than five seconds before the record was written, by the file's time, is
no wait; and an operation that needs all ranks and is done in one of them was called by all.
"""

_NAMED = 8


def check(capture: Capture, graph: WaitGraph) -> list[Finding]:
    """One finding for each process group whose ranks differ."""
    groups: dict[tuple[str, tuple[int, ...]], list[Collective]] = {}
    records = Records.of(capture)
    for one in (one for one in capture.collectives if one.peer is None and one.number):
        groups.setdefault((one.group, one.ranks), []).append(one)
    words = words_of(capture, graph) if groups else None
    found: list[Finding] = []
    gaps: list[Gap] = []
    for (group, ranks), members in groups.items():
        by_rank: ByRank = {rank: {} for rank in records.members(group, ranks)}
        for one in members:
            by_rank.setdefault(one.rank, {})[one.number] = one
        judged = _judged(by_rank, records, words) if words else None
        if isinstance(judged, Gap):
            gaps.append(judged)
        elif judged:
            found.append(judged)
    if words and is_ring(gaps):
        return [*found, _ring(gaps, records, words)]
    return [*found, *(_absent(one, records, words) for one in causes_first(gaps) if words)]


def _judged(by_rank: ByRank, records: Records, words: Words) -> Finding | Gap | None:
    last = max(max(those, default=0) for those in by_rank.values())
    first = max(min(those) for those in by_rank.values() if those)
    for number in range(first, last + 1):
        there = [those[number] for those in by_rank.values() if number in those]
        kinds: dict[tuple[str, str], list[Collective]] = {}
        for one in there:
            kinds.setdefault(_kind(one), []).append(one)
        if len(kinds) > 1 and any(one.waits for one in there):
            return _mismatch(sorted(kinds.values(), key=len), records, words)
        missing = sorted(r for r, those in by_rank.items() if number > max(those, default=0))
        if any(one.done and one.operation.startswith(_OF_ALL) for one in there):
            continue  # so all have called it, and the records of some were written before
        if missing and any(one.waits for one in there):
            return Gap(tuple(there), {rank: _last(by_rank[rank]) for rank in missing})
    return None


def _last(those: Mapping[int, Collective]) -> Collective | None:
    return those[max(those)] if those else None


_OF_ONE_SIZE = frozenset({"all_reduce", "broadcast", "reduce", "all_gather", "reduce_scatter"})
"""Operations to which each rank brings as much as any other."""
_OF_ALL = ("all_", "allreduce", "allgather", "alltoall", "barrier", "reduce_scatter",
           "_all_gather", "_reduce_scatter")  # fmt: skip
"""How operations begin that are done nowhere before all ranks have called them."""


def _kind(one: Collective) -> tuple[str, str]:
    return one.operation, one.shape if one.operation in _OF_ONE_SIZE else ""


def told_of(one: Collective, *, size: bool = False) -> str:
    """``all_reduce (Float [8]) at train.py:21 (train_step)``."""
    frame = program_frame(one.stack)
    place = f" at {line_and_function(frame)}" if frame else ""
    return f"{one.operation}{f' ({one.shape})' if size and one.shape else ''}{place}"


def _mismatch(kinds: list[list[Collective]], records: Records, words: Words) -> Finding:
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
    advice = (
        "Look for a condition that differs from rank to rank around one of these lines (`if "
        "rank == 0`, data of another length, an exception that is caught)."
    )
    return _finding(
        _Told(title, f"{told}: none of them gets on.", advice, [one.rank for one in odd]),
        odd,
        [one for those in kinds for one in those],
        records,
        words,
    )


def _absent(gap: Gap, records: Records, words: Words) -> Finding:
    example = gap.there[0]
    group, number = example.group, example.number
    who, absent = ranks_told([one.rank for one in gap.there]), ranks_told(gap.missing)
    one_waits = "waits" if len(gap.there) == 1 else "wait"
    before = [one for one in gap.missing.values() if one]
    if before:
        state = "done" if before[0].done else "not done"
        last = (
            f"the last one there was number {before[0].number}, {told_of(before[0])}, which was "
            f"{state}"
        )
        after = f"after {told_of(before[0])}"
    else:
        theirs = "its record has" if len(gap.missing) == 1 else "their records have"
        last, after = f"{theirs} none of that group", "instead"
    told = _Told(
        f"{who} {one_waits} in {told_of(example)}, which {absent} never called",
        (
            f"{who} {one_waits} in {told_of(example, size=True)}, number {number} of {group}. "
            f"{absent[:1].upper()}{absent[1:]} never called it: {last}."
            f"{_elsewhere(gap, records)}"
        ),
        f"Look at what {absent} did {after}: capture that process with hangtui.",
        list(gap.missing),
    )
    return _finding(told, before, gap.there, records, words)


def _elsewhere(gap: Gap, records: Records) -> str:
    """What those are in that never called it: operations of other groups."""
    group = gap.there[0].group
    inside = [one for rank in gap.missing if (one := records.inside(rank)) and one.group != group]
    return "".join(
        f" Rank {one.rank} waits in {told_of(one)}, number {one.number} of {one.group}."
        for one in inside[:NAMES_LISTED]
    )


def _ring(gaps: Sequence[Gap], records: Records, words: Words) -> Finding:
    """Each of them waits in an operation of one group for who waits in one of another."""
    there = [one for gap in gaps for one in gap.there]
    ranks = sorted({one.rank for one in there})
    who = ranks_told(ranks)
    clauses = [
        f"{ranks_told([one.rank for one in gap.there])} in {told_of(gap.there[0])}, number "
        f"{gap.there[0].number} of {gap.there[0].group}, which {ranks_told(gap.missing)} never "
        "called"
        for gap in gaps[:_NAMED]
    ]
    operations = joined(list(dict.fromkeys(one.operation for one in there)))
    told = _Told(
        f"{who} wait for one another in {operations} of different groups",
        (
            f"{who[:1].upper()}{who[1:]} wait: {'; '.join(clauses)}. If each calls the next one "
            "only when that is done, none of them gets on."
        ),
        (
            "Let all ranks call the operations of different groups in one order: where a rank is "
            "in two of them, the same first everywhere."
        ),
        ranks,
    )
    return _finding(told, there, there, records, words)


@dataclass(frozen=True, slots=True)
class _Told:
    title: str
    sentence: str
    advice: str
    ranks: Sequence[int]
    """Of whom it is told."""


def _finding(
    told: _Told,
    odd: Sequence[Collective],
    waiting: Sequence[Collective],
    records: Records,
    words: Words,
) -> Finding:
    processes = list(processes_of(told.ranks, words))
    threads = [thread for process in processes if (thread := rank_thread(process, words.capture))]
    now = "".join(f" Now {does(thread, words)}." for thread in threads[:NAMES_LISTED])
    unread = sorted(records.known(waiting[0].ranks) - records.ranks)
    lost = (f"what {ranks_told(unread)} called: their records were not given",) if unread else ()
    return Finding(
        id=ID,
        severity=Severity.WARNING,
        certainty=Certainty.CERTAIN,
        title=told.title[:1].upper() + told.title[1:],
        sentence=told.sentence[:1].upper() + told.sentence[1:] + now,
        threads=tuple(map(ref, threads)),
        evidence=tuple(
            f"the record of rank {one.rank}{f' ({one.file})' if one.file else ''}: number "
            f"{one.number} of {one.group} is {told_of(one, size=True)}, "
            f"{'done' if one.done else 'not done'}"
            for one in (*odd[:_NAMED], *(one for one in waiting[:_NAMED] if one not in odd))
        ),
        unknown=(*lost, "what the ranks did after their records were written"),
        advice=(told.advice,),
    )


def processes_of(ranks: Sequence[int], words: Words) -> Iterator[Process]:
    """The captured processes of these ranks, without what they have started themselves."""
    places, known = places_of(words.capture), ranks_among(words.capture)
    for process in words.capture.processes:
        place = places.get(process.pid)
        if place is not None and place.rank in ranks and known[process.pid]:
            yield process
