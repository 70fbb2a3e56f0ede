"""Whether a job of several ranks stands still as a whole: nobody of it is left who could act."""

from collections.abc import Sequence

from hangtui.findings.jobs import is_whole
from hangtui.findings.thresholds import STILL_S
from hangtui.findings.words import Words
from hangtui.model import UNIX, NodeId, Process, Thread, Traffic


def nobody_left(threads: list[Thread], words: Words) -> bool:
    """Whether the job cannot get on: all of its ranks are here, no thread of them ran, and none of
    them hands work to a GPU, which may take its time."""
    ranks = _whole(threads, words)
    return bool(ranks) and all(thread.asleep for process in ranks for thread in process.threads)


def calm(threads: list[Thread], words: Words) -> bool:
    """The same, but threads of C code may have run that watch connections (gloo's), if nothing
    went over these: a slow operation has something to send. What goes over a connection shows at
    both ends, so that those of one rank need not have been seen."""
    watched: dict[NodeId, list[Traffic | None]] = {}
    for one in words.capture.watched:
        if one.name == UNIX:
            continue  # operations of ranks go over TCP
        watched.setdefault(one.thread, []).append(one.traffic)
    ranks = _whole(threads, words)
    unseen = 0
    for rank in ranks:
        seen = [traffic for t in rank.threads for traffic in watched.get(t.id, ())]
        ran = [t for t in rank.threads if not t.asleep]
        if any(t.is_python for t in ran) or not _silent(seen):
            return False
        unseen += not seen or any(t.id not in watched for t in ran)
    return bool(ranks) and (unseen <= 1 or nobody_left(threads, words))


def _silent(traffic: Sequence[Traffic | None]) -> bool:
    moments = [at for one in traffic if one for at in (one.sent_s, one.received_s)]
    return None not in traffic and all(at is None or at >= STILL_S for at in moments)


def _whole(threads: list[Thread], words: Words) -> list[Process]:
    """The ranks of *threads*, if they are all of their job, and no GPU works for them."""
    capture = words.capture
    pids = {thread.pid for thread in threads}
    ranks = [process for process in capture.processes if process.pid in pids]
    alone = all(p.around and p.around.devices == () for p in ranks)
    return ranks if alone and is_whole(ranks, capture) else []
