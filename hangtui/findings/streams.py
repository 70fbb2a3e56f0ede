"""Streams of remote calls that are full both ways: each side waits until the other one takes what
it sends, and neither takes anything."""

from collections.abc import Iterable
from typing import NamedTuple

from hangtui.findings.library_waits import stands_in
from hangtui.findings.thresholds import STILL_S
from hangtui.findings.words import Words
from hangtui.model import NodeId, NodeKind, Pid, Thread

_CLIENT, _SERVER = "/grpc/_channel.py", "/grpc/_server.py"
_SENDS = {_CLIENT: "consume_request_iterator", _SERVER: "_send_response"}
"""By file, where gRPC waits until what it has sent last may go, which the other side's flow control
decides."""
_TAKES = "_next"
"""Where a client takes the answers."""


class BothFull(NamedTuple):
    """A stream of which neither side takes what the other one sends."""

    short: str
    """``; encoder (process 12) has not taken what that sent last (gRPC), and worker there ...``."""
    told: str
    """The same, as sentences."""
    advice: str = (
        "Take answers while requests are sent: in a thread of its own, or after every few; the "
        "number of requests that are under way has to be bounded by what both sides may keep."
    )


def both_full(sender: NodeId, words: Words) -> BothFull | None:
    """The stream that thread *sender* sends the messages of, if it has waited for over a second
    until the other side takes one, and that side so for it; None: it does not, or somebody of its
    process is there to take answers."""
    thread = words.thread(sender)
    process = words.capture.process(sender.pid) if sender.pid else None
    if thread is None or process is None or not _sends(thread, _CLIENT, words):
        return None
    if any(stands_in(one.python_stack or (), {(_CLIENT, _TAKES)}) for one in process.threads):
        return None
    peers = _connected(process.pid, words)
    others = [one for one in words.capture.threads() if one.pid in peers]
    there = [one for one in others if _sends(one, _SERVER, words)]
    if len(there) != 1:
        return None
    other, own, name = there[0], words.process_name(process.pid), words.thread_name(there[0])
    server = words.process_name(other.pid)
    return BothFull(
        f"; {server} has not taken what that sent last (gRPC), and {name} waits there until {own} "
        "takes an answer: neither reads",
        f" That is gRPC's, and waits until {server} takes what it has sent last. There, {name} "
        f"waits until its answer is taken (gRPC's flow control), and reads no more meanwhile; no "
        f"thread of {own} is there to take answers.",
    )


def _sends(thread: Thread, file: str, words: Words) -> bool:
    """Whether it was met in each look over a second where gRPC waits to send."""
    seen = words.progress.get(thread.id)
    lasts = seen is not None and seen.same_line and seen.stayed_s >= STILL_S
    return lasts and stands_in(thread.python_stack or (), {(file, _SENDS[file])})


def _connected(pid: Pid, words: Words) -> set[Pid]:
    """The processes that have the other end of a connection which a thread of *pid* waits at."""
    found = {peer for one in words.capture.watched if one.thread.pid == pid for peer in one.peers}
    process = words.capture.process(pid)
    for thread in process.threads if process else ():
        for wait in words.graph.waits_of(thread.id):
            if wait.target.kind is NodeKind.SOCKET:
                found |= _pids(hold.target for hold in words.graph.holders_of(wait.target))
    return found - {pid}


def _pids(nodes: Iterable[NodeId]) -> set[Pid]:
    return {one.pid for one in nodes if one.pid}
