"""Who waits to receive what nobody has sent, or to send what nobody receives: by what calls of a
job's ranks were given, and by their flight recorders."""

from collections.abc import Iterator, Mapping, Sequence

from hangtui.analysis.waitgraph import WaitGraph
from hangtui.findings.english import joined
from hangtui.findings.grounds import ONE_WAIT
from hangtui.findings.jobs import caller, rank_thread
from hangtui.findings.outside.collective_order import processes_of, told_of
from hangtui.findings.outside.message_tags import (
    COMPARE_TAGS,
    WHY_TAGS,
    Half,
    told_tags,
    unmet_tags,
)
from hangtui.findings.outside.rank_waits import waited_s
from hangtui.findings.roles import ranks_told
from hangtui.findings.stack_queries import at, does, still
from hangtui.findings.thresholds import NAMES_LISTED, STILL_S
from hangtui.findings.words import Words, ref, words_of
from hangtui.model import Capture, Certainty, Collective, Finding, Severity

ID = "message-unmatched"
GROUND = ONE_WAIT
HELP = """\
A message between two ranks needs both: one sends it, the other receives it, and both name the same
tag. Here a rank waits to send to another one, that waits to receive from it, and the tags differ.
Or the flight recorder of torch has a rank in one half of a message, and the record of the other
rank has no other half that is not done.

How it is known: the other rank and the tag are variables of `send` and `recv`; it is a warning if
both stood still for a second or more over several looks. And torch keeps a list of the last
messages of each rank, with the other rank, the line and whether they were done
(`TORCH_FR_BUFFER_SIZE`; of NCCL alone), and writes it when one times out. A record is of one
moment: the rank may have gone on since.
"""
_Half = tuple[int, int, str]
"""A rank, the one that it exchanges a message with, and what it does."""
_OTHER = {"send": "recv", "recv": "send"}
_MEANS = {"send": "to send to", "recv": "to receive from"}
_LEFT_OUT = {"send": "does not receive it", "recv": "has not sent it"}


def check(capture: Capture, graph: WaitGraph) -> list[Finding]:
    """One finding for all messages of a job that lack their other half."""
    if capture.exchanges:
        words = words_of(capture, graph)
        if live := [_of_tags(*pair, words) for pair in unmet_tags(words)]:
            return live
    open_: dict[_Half, Collective] = {}
    for one in capture.collectives:
        if one.peer is not None and one.operation in _OTHER and one.waits:
            open_.setdefault((one.rank, one.peer, one.operation), one)
    if not open_:
        return []
    recorded = {one.rank for one in capture.collectives}
    lacking = [
        one
        for (rank, peer, does_), one in sorted(open_.items())
        if peer in recorded and (peer, rank, _OTHER[does_]) not in open_
    ]
    return [_finding(lacking, open_, words_of(capture, graph))] if lacking else []


def _of_tags(sends: Half, receives: Half, words: Words) -> Finding:
    """Of two ranks that wait for each other with different tags."""
    threads = (sends.thread, receives.thread)
    lasts = all(waited_s(one, words) >= STILL_S for one in threads)
    to, of = f"rank {receives.rank}", f"rank {sends.rank}"
    sender, receiver = at(caller(sends.thread)), at(caller(receives.thread))
    first, second = (words.process_name(one.pid) for one in threads)
    return Finding(
        id=ID,
        severity=Severity.WARNING if lasts else Severity.NOTE,
        certainty=Certainty.PROVEN,
        title=told_tags(sends, receives),
        sentence=(
            f"{first[:1].upper()}{first[1:]} waits in send{sender} until {to} receives a message "
            f"with tag {sends.tag}; {second} waits in recv{receiver} for a message of {of} with "
            f"tag {receives.tag}. {WHY_TAGS}"
        ),
        threads=tuple(map(ref, threads)),
        evidence=(
            f"{first}: torch's send was given tag {sends.tag} and rank {receives.rank}",
            f"{second}: torch's recv was given tag {receives.tag} and rank {sends.rank}",
            still(threads),
        ),
        unknown=("whether another thread of theirs would take part", "when a timeout ends that"),
        advice=(COMPARE_TAGS,),
    )


def _finding(
    lacking: Sequence[Collective], open_: Mapping[_Half, Collective], words: Words
) -> Finding:
    first = lacking[0]
    ring = all(any(one.peer == other.rank for other in lacking) for one in lacking)
    waiting = ranks_told(sorted({one.rank for one in lacking}))
    ranks = dict.fromkeys([one.peer for one in lacking if one.peer is not None])
    threads = [
        thread
        for process in processes_of(list(ranks), words)
        if (thread := rank_thread(process, words.capture)) is not None
    ]
    now = "".join(f" Now {does(thread, words)}." for thread in threads[:NAMES_LISTED])
    several = len({one.rank for one in lacking}) > 1
    return Finding(
        id=ID,
        severity=Severity.WARNING,
        certainty=Certainty.CERTAIN,
        title=(
            f"{waiting[:1].upper()}{waiting[1:]} {'wait' if several else 'waits'} in "
            f"{told_of(first)}, and "
            f"{'each of them waits for another one' if ring else _absent(first)}"
        ),
        sentence=". ".join(_clauses(lacking, open_)) + f".{now}",
        threads=tuple(map(ref, threads)),
        evidence=tuple(
            f"the record of rank {one.rank}{f' ({one.file})' if one.file else ''}: {told_of(one)}, "
            f"rank {one.peer}, not done"
            for one in lacking[:NAMES_LISTED]
        ),
        unknown=("what the ranks did after their records were written",),
        advice=(
            (
                "Let one rank of each pair send first and the other receive first, or start both "
                "at once: dist.batch_isend_irecv."
            )
            if ring
            else f"Look at what rank {first.peer} does: capture that process with hangtui.",
        ),
    )


def _clauses(lacking: Sequence[Collective], open_: Mapping[_Half, Collective]) -> Iterator[str]:
    for one in lacking[:NAMES_LISTED]:
        others = [told_of(o) for (rank, *_), o in open_.items() if rank == one.peer]
        instead = f": it is in {joined(others[:NAMES_LISTED])}" if others else ""
        yield (
            f"Rank {one.rank} waits in {told_of(one)} {_MEANS[one.operation]} rank {one.peer}, "
            f"which {_LEFT_OUT[one.operation]}{instead}"
        )


def _absent(one: Collective) -> str:
    return f"rank {one.peer} {_LEFT_OUT[one.operation]}"
