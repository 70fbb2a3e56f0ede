"""Connections of which epoll has told once (EPOLLONESHOT), and tells no more."""

from dataclasses import replace
from typing import cast

import pytest

from hangtui import findings
from hangtui.backends.ipc import multiplexed
from hangtui.backends.ipc.channel_calls import Access
from hangtui.backends.ipc.descriptors import Descriptors
from hangtui.model import Ends, NodeKind, Severity, Traffic, Unattended
from tests.unit.factories import (
    PID,
    between,
    capture,
    holds,
    lock,
    python_frame,
    stood,
    thread,
    waits,
)

ENTRIES = (
    "        4 events:        1 data: 7fff00000004  pos:0 ino:1 sdev:8",
    "        6 events: 40000000 data: 7fff00000006  pos:0 ino:2 sdev:8",
    "        7 events: 40000019 data: 7fff00000007  pos:0 ino:3 sdev:8",
)


class Listed:
    """What the kernel lists of one descriptor of epoll."""

    def info(self, _pid: int, _fd: int) -> "Listed":
        return self

    def values(self, _name: str) -> list[str]:
        return [entry.strip() for entry in ENTRIES]


def test_who_was_told_once_waits_for_no_more_of_it() -> None:
    kernel = cast("Descriptors", Listed())

    assert list(multiplexed.registered(1, 3, kernel)) == [(4, Access.READ), (7, Access.READ)]
    assert multiplexed.disarmed(1, 3, kernel) == {6}


@pytest.mark.parametrize(
    ("port", "once", "said", "severity"),
    [
        (9, True, True, Severity.WARNING),
        (9, False, True, Severity.WARNING),
        (8, True, False, Severity.NOTE),
    ],
)
def test_what_nobody_takes_at_the_other_end_is_told(
    *, port: int, once: bool, said: bool, severity: Severity
) -> None:
    client = thread("MainThread", python=[python_frame("ask", 15)])
    server = thread("watch", 101, python=[python_frame("watch", 2)])
    peer = lock("TCP connection to 127.0.0.1:80", 0x2, NodeKind.SOCKET)
    sent = Traffic(8.0, 9.0, sent_last=True, unfetched=8)
    peer = replace(between(peer, f"127.0.0.1:{port}", "127.0.0.1:80"), traffic=sent)
    asks = replace(waits(client, peer), operation="receive")
    made = capture(
        *(client, server),
        resources=[peer],
        waits=[asks],
        holds=[holds(peer, server)],
    )
    there = Traffic(None, 8.0, sent_last=False, unread=8)
    ends = Ends("127.0.0.1:80", "127.0.0.1:9")
    left = Unattended(PID, ends.name, "fd 6", there, disarmed=once, ends=ends)
    made = replace(stood(made), unattended=(left,))
    found = next(one for one in findings.run(made) if one.id == "waiting-for-peer")

    assert found.severity is severity
    assert ("No thread of process 100 takes them there" in found.sentence) is said
    assert ("EPOLLONESHOT" in found.sentence) is (said and once)
