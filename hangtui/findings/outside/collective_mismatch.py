"""A job all of whose ranks are in collective operations, but not in the same, or in several at
once: none of them gets on."""

from collections.abc import Iterator, Sequence

from hangtui.analysis.waitgraph import WaitGraph
from hangtui.findings.collectives import asks_third, exchange, one_way, polls
from hangtui.findings.english import clauses, joined
from hangtui.findings.grounds import NOBODY
from hangtui.findings.jobs import Inside, by_place, caller, is_whole, jobs, rank_thread, who
from hangtui.findings.outside.group_circles import circles_of_groups, in_one_each
from hangtui.findings.outside.job_at_rest import calm, nobody_left
from hangtui.findings.outside.message_circles import circles_of_messages
from hangtui.findings.outside.message_peers import awaited, crosses_messages
from hangtui.findings.outside.message_tags import (
    COMPARE_TAGS,
    WHY_TAGS,
    Half,
    told_tags,
    unmet_tags,
)
from hangtui.findings.outside.mismatch_words import advice, exchanged, title, why
from hangtui.findings.outside.rank_waits import waited_s
from hangtui.findings.outside.roots import rings_of_roots
from hangtui.findings.stack_queries import at, callers_of, still
from hangtui.findings.started import AT_THE_END, operation_of
from hangtui.findings.thresholds import NAMES_LISTED, STILL_S
from hangtui.findings.words import Words, ref, words_of
from hangtui.model import (
    Capture,
    Certainty,
    Finding,
    NodeId,
    Process,
    Severity,
    Thread,
)

ID = "collective-mismatch"
GROUND = NOBODY
HELP = """\
All ranks of a process group have to call the same collective operations in the same order. Here
each rank is in one, and they are not the same; or each rank makes such calls from several threads,
which nothing orders. Each waits until the others come to where it is.

How it is known: the names of the operations on the stacks. An operation that all have come to ends
by itself: so what lasts for a second or more over several looks is a warning. It is an error if all
ranks of the job were looked at (`WORLD_SIZE`), no thread of theirs ran meanwhile, and none of them
has a GPU open, whose work may take its time.

Where all ranks are in one operation, but at different lines, they may belong to different groups:
that is told if none of them gets on. The group of each call of torch's is read, with its ranks: so
it is told of ranks each of which waits for another one that is in an operation of another group.

It is told of ranks in one operation, too, if that has a root (broadcast, scatter, gather, reduce),
and they take each other for it, or all ranks of the job each themselves: `src` or `dst` of the
calls are read. So it is told of ranks some of which send to others, or receive from them, while
these are in an operation of all.

The same is told of ranks that all wait to receive from one another, or all to send, if all ranks of
the job were looked at; and of such that send while all others receive, if none of their threads ran
for a second or more: had one half met the other, both would be through. So it is told of ranks
each of which sends to the next one or receives from it, the last of the first.
"""
_ONE_ORDER = (
    "Let all ranks call the operations of different groups in one order: where a rank is in two of "
    "them, the same first everywhere."
)
_RECORD = (
    "TORCH_FR_BUFFER_SIZE=2000 has torch record groups and numbers of all operations: "
    "`hangtui dump trace_rank_*` compares these records."
)
_WHICH_GROUP = "whether these operations belong to the same process group"


def check(capture: Capture, graph: WaitGraph) -> list[Finding]:
    """One finding for each job that stands still like this."""
    words = words_of(capture, graph)
    told = circles_of_groups(ID, words)
    told = told or [one for inside in _crossed(capture) if (one := _finding(inside, words))]
    told = told or circles_of_messages(ID, words)
    told = told or [one for inside in _unmet(capture, words) if (one := _finding(inside, words))]
    told = told or rings_of_roots(ID, words)
    return told or [one for inside in _parted(capture) if (one := _of_lines(inside, words))]


def crossed_ranks(capture: Capture) -> set[NodeId]:
    """The threads of such jobs, each of which waits for what another rank has to call."""
    return {thread.id for inside in _crossed(capture) for thread, _ in inside}


def _crossed(capture: Capture) -> Iterator[list[Inside]]:
    for ranks in jobs(capture):
        mains = [_within(main, rank) for rank in ranks if (main := rank_thread(rank, capture))]
        inside = [one for one in mains if one is not None]
        if len(ranks) < 2 or len(inside) < len(ranks):
            continue
        others = _beside(ranks, capture)
        talking = sum(exchange(thread) is not None for thread, _ in inside)
        if not talking and (others or _differ(inside)):
            if others or not in_one_each(inside, capture):
                yield [*inside, *others]
        elif talking == len(ranks) and is_whole(ranks, capture):
            if _talks(inside):
                yield inside
        elif crosses_messages(inside, capture):
            yield inside


def _unmet(capture: Capture, words: Words) -> Iterator[list[Inside]]:
    """Of each job some of whose ranks send while all others receive, and none gets on: had one half
    met the other, both would have ended."""
    for ranks in jobs(capture):
        mains = [(main, rank) for rank in ranks if (main := rank_thread(rank, capture))]
        inside = [one for main, rank in mains if (one := _within(main, rank)) and exchange(main)]
        if 1 < len(ranks) == len(inside) and not _talks(inside):
            threads = [thread for thread, _ in inside]
            lasts = all(waited_s(thread, words) >= STILL_S for thread in threads)
            if lasts and nobody_left(threads, words):
                yield inside


def _parted(capture: Capture) -> Iterator[list[Inside]]:
    """Of each job all of whose ranks are in one operation, but not at one line."""
    for ranks in jobs(capture):
        mains = [(main, rank) for rank in ranks if (main := rank_thread(rank, capture))]
        inside = [one for main, rank in mains if (one := _within(main, rank))]
        if len(inside) < len(ranks) or _differ(inside) or any(exchange(t) for t, _ in inside):
            continue
        if len({at(caller(thread)) for thread, _ in inside}) > 1:
            yield inside


def _of_lines(inside: list[Inside], words: Words) -> Finding | None:
    """Ranks may call one operation at several lines: it is told where none of them gets on."""
    threads = [thread for thread, _ in inside]
    if not all(waited_s(thread, words) >= STILL_S for thread in threads):
        return None
    if not calm(threads, words):
        return None
    operation = inside[0][1]
    return Finding(
        id=ID,
        severity=Severity.WARNING,
        certainty=Certainty.INFERRED,
        title=f"All ranks of a job wait in {operation}, at different lines",
        sentence=(
            f"No rank gets on: {clauses(_places(inside, words, several=False))}. If these calls "
            "are not the same one of the same process group, each waits for what another rank "
            "calls only later."
        ),
        threads=tuple(map(ref, threads)),
        evidence=(
            still(threads),
            "all ranks were looked at, and none of their threads ran, or nothing was sent",
        ),
        unknown=(_WHICH_GROUP,),
        advice=(_ONE_ORDER, _RECORD),
    )


def _talks(inside: Sequence[Inside]) -> bool:
    """Whether all of them send to one another, or all receive."""
    return one_way(thread for thread, _ in inside)


def _differ(inside: Sequence[Inside]) -> bool:
    return len({operation.removesuffix(AT_THE_END) for _, operation in inside}) > 1


def _within(thread: Thread, rank: Process) -> Inside | None:
    if not (thread.blocked or polls(thread)):
        return None
    operation = operation_of(thread, rank) or exchange(thread)
    return (thread, operation) if operation else None


def _beside(ranks: Sequence[Process], capture: Capture) -> list[Inside]:
    """Who but their `rank_thread` is in a collective operation, if that is so in each of them."""
    found = []
    for rank in ranks:
        first = rank_thread(rank, capture)
        others = [t for t in rank.threads if t is not first and t.is_python]
        there = [one for thread in others if (one := _within(thread, rank))]
        if not there:
            return []
        found += there
    return found


def _finding(inside: list[Inside], words: Words) -> Finding | None:
    threads = [thread for thread, _ in inside]
    # Each comes to it in its turn: several looks tell a mismatch from a moment between two.
    lasts = all(waited_s(thread, words) >= STILL_S for thread in threads)
    several = len({thread.pid for thread in threads}) < len(threads)
    if several and not lasts:
        return None
    places = _places(inside, words, several=several)
    operations = joined(list(dict.fromkeys(operation for _, operation in inside)))
    third = any(map(asks_third, threads))
    tags = _tags(threads, words)
    never = lasts and not third and nobody_left(threads, words)
    lasting = Severity.ERROR if never else Severity.WARNING
    return Finding(
        id=ID,
        severity=lasting if lasts else Severity.NOTE,
        certainty=Certainty.INFERRED,
        title=told_tags(*tags) if tags else title(threads, operations, several=several),
        sentence=f"No rank gets on: {clauses(places)}. "
        f"{WHY_TAGS if tags else why(threads, several=several)}",
        threads=tuple(map(ref, threads)),
        evidence=(
            *(
                f"{words.process_name(t.pid)}: {name} is on the stack of {t.name}{at(caller(t))}"
                for t, name in inside[:NAMES_LISTED]
            ),
            still(threads),
            *(
                ("all ranks of the job were looked at, and no thread of theirs ran",)
                if never
                else ()
            ),
        ),
        unknown=(
            *(() if exchanged(threads) or third else (_WHICH_GROUP,)),
            "when a timeout of the group makes an error of that",
        ),
        advice=(COMPARE_TAGS,) if tags else advice(inside, several=several),
        never_ends=never,
    )


def _tags(threads: Sequence[Thread], words: Words) -> tuple[Half, Half] | None:
    """Who of these sends to whom with another tag than that one receives with."""
    found = unmet_tags(words) if words.capture.exchanges else ()
    return next((pair for pair in found if all(half.thread in threads for half in pair)), None)


def _places(inside: Sequence[Inside], words: Words, *, several: bool) -> list[str]:
    """Who is in which operation, called from where, the fewest first."""
    told = []
    for operation, place, those in by_place(inside):
        names = words.listed(those) if several else who(those, words)
        ways = {callers_of(thread, caller(thread)) for thread in those}
        way = ways.pop() if len(ways) == 1 else ""
        alone = exchange(those[0]) and len(those) == 1
        peer = f", {awaited(those[0], words.capture)}" if alone else ""
        told.append(f"{names} in {operation}{place}{way}{peer}")
    return told
