"""Data that lies unread in a socket, while its thread waits with epoll for what comes after it."""

from hangtui.analysis.places import called_frame
from hangtui.analysis.waitgraph import Edge, WaitGraph
from hangtui.findings.certainty import as_sure_as
from hangtui.findings.doing import doing
from hangtui.findings.english import counted, joined, lasting
from hangtui.findings.grounds import ONE_WAIT
from hangtui.findings.outside.due import answering, in_hand
from hangtui.findings.outside.traffic import account
from hangtui.findings.stack_queries import (
    at,
    callers_of,
    own_frame,
    still,
    waits_for_ever,
)
from hangtui.findings.thresholds import STILL_S
from hangtui.findings.words import Words, ref, words_of
from hangtui.model import Capture, Finding, NodeKind, Resource, Severity, Thread

ID = "data-unread"
GROUND = ONE_WAIT
HELP = """\
A descriptor that is registered with epoll edge-triggered (`EPOLLET`) is told of once, when data
comes. Who reads only a part of that is not told of the rest: it lies in the socket until the other
side sends more, and the other side may be waiting for an answer.

How it is known: the kernel lists how descriptors are registered with epoll, how many bytes of a TCP
connection were not fetched yet, and when the last of them came: a second or more ago, so that who
waits for them would have been woken long since. Said only of a thread that waits for this one
connection, without a timeout, in Python's own `epoll`: what C code waits for so, such as gRPC, may
leave data unread on purpose.
"""


def check(capture: Capture, graph: WaitGraph) -> list[Finding]:
    """One finding for each thread that waits so."""
    words = words_of(capture, graph)
    found = []
    for thread, edge in waits_for_ever(words, {NodeKind.SOCKET}):
        wait, resource = words.wait(edge), words.resource(edge.target)
        if wait is None or resource is None or not wait.only_new or not _old_data(resource):
            continue
        plain = thread.native_stack is not None and called_frame(thread) is None
        if plain and own_frame(thread) is not None and not graph.cycle_of(thread.id):
            found.append(_finding(thread, edge, resource, words))
    return found


def _old_data(resource: Resource) -> bool:
    """Whether what lies unread has been there for a while."""
    traffic = resource.traffic
    if traffic is None or traffic.received_s is None:
        return False
    return traffic.unread > 0 and traffic.received_s >= STILL_S


def _finding(thread: Thread, wait: Edge, resource: Resource, words: Words) -> Finding:
    name, frame, peer = words.thread_name(thread), own_frame(thread), words.name(wait.target)
    traffic = resource.traffic
    unread = counted(traffic.unread if traffic else 0, "byte")
    came = lasting((traffic.received_s if traffic else None) or 0.0)
    holders = words.graph.holders_of(wait.target)
    there = [one for one in (*answering(thread, words), *in_hand(thread, words)) if one != thread]
    others = f" At the other end {joined([doing(one, words) for one in there])}." if there else ""
    return Finding(
        id=ID,
        severity=Severity.WARNING,
        certainty=as_sure_as(wait),
        title=f"{name} waits{at(frame)} in epoll, while {unread} lie unread in its own socket",
        sentence=(
            f"{name} waits{at(frame)}{callers_of(thread, frame)} for new data from {peer}, without "
            f"a timeout. {unread} that came {came} ago were not fetched; but the socket is "
            "registered edge-triggered (EPOLLET), so that epoll tells of what comes from now on "
            f"only.{others}"
        ),
        threads=(ref(thread), *(ref(one) for one in words.carriers(there))),
        resources=(wait.target,),
        evidence=(
            words.reading(wait),
            f"the kernel counts {unread} in the connection's receive queue",
            *account(resource),
            *(words.reading(hold) for hold in holders),
            still([thread]),
        ),
        unknown=("whether the other side has more to send",),
        advice=(
            (
                f"Read until the socket is empty{at(frame)} (recv() raises BlockingIOError) before "
                "the next poll, or register it without EPOLLET."
            ),
        ),
    )
