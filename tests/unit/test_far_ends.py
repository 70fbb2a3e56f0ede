"""Waits that lead over a TCP connection into another capture, and those that must not."""

from dataclasses import replace
from io import BytesIO

import pytest

from hangtui import findings
from hangtui.analysis.waitgraph import build
from hangtui.capture_file import packed, read
from hangtui.joined import joined
from hangtui.model import (
    Capture,
    Certainty,
    Meetings,
    Network,
    NodeKind,
    Resource,
    Severity,
    TcpEnd,
    Traffic,
    shared_id,
)
from tests.unit.factories import capture, python_frame, thread, waits

HERE, THERE = ("10.0.0.1:7000", "10.0.0.2:45000")
QUIET = Traffic(40.0, 40.0, True)
AT = 1_800_000_000.0


def end(pid: int, network: str, local: str, remote: str, traffic: Traffic | None = QUIET) -> TcpEnd:
    """One end, whose process has a single thread."""
    node = shared_id(NodeKind.SOCKET, f"{pid:#x}")
    able = (thread("MainThread", pid, pid).id,)
    return TcpEnd(
        node, pid, network, local, remote, Certainty.CERTAIN, "fd 4", able, able, True, traffic, AT
    )


def waiting(one: TcpEnd, host: str, *addresses: str) -> Capture:
    """A process that waits for data at that end."""
    main = thread("MainThread", one.pid, one.pid, python=[python_frame("ask", 9)])
    name = f"TCP connection to {one.remote}"
    held = Resource(one.socket, NodeKind.SOCKET, name, one.pid, 0, name=name, note="elsewhere")
    made = capture(main, resources=[held], waits=[replace(waits(main, held), operation="receive")])
    own = addresses or (one.local.rpartition(":")[0],)
    return replace(made, host=host, tcp_ends=(one,), networks=(Network(one.network, own),))


def both(
    here: TcpEnd | None = None, there: TcpEnd | None = None, within_s: float | None = 3.0
) -> Capture:
    """Two machines that wait for each other."""
    here = here or end(100, "a", HERE, THERE)
    there = there or end(200, "b", THERE, HERE)
    return joined([waiting(here, "node-1"), waiting(there, "node-2")], within_s)


def test_a_ring_over_two_machines_is_a_ring() -> None:
    made = both()

    (cycle,) = build(made).cycles
    assert cycle.certainty is Certainty.PROVEN
    first = findings.run(made)[0]
    assert (first.id, first.severity) == ("deadlock", Severity.ERROR)
    assert "TCP connection to 10.0.0.2:45000 in process 200@node-2" in first.sentence
    assert not [one for one in made.resources if one.note]


def test_it_is_one_when_it_is_read_again() -> None:
    again = read(BytesIO(packed(both())))

    assert len(build(again).cycles) == 1
    assert [str(one.pid) for one in again.tcp_ends] == ["100@node-1", "200@node-2"]


def test_by_the_clocks_of_two_machines_it_is_a_possible_one() -> None:
    (cycle,) = build(both(within_s=None)).cycles

    assert cycle.certainty is Certainty.INFERRED


@pytest.mark.parametrize(
    ("traffic", "later_s", "within_s"),
    [
        (QUIET, 60.0, None),  # it is quiet at both, and was not in between
        (Traffic(0.1, 40.0, False), 0.0, 3.0),
        (Traffic(40.0, 0.1, False), 0.0, None),
        (replace(QUIET, unacknowledged=True), 0.0, 3.0),
        (None, 0.0, 3.0),
    ],
)
def test_two_moments_are_no_ring(
    traffic: Traffic | None, later_s: float, within_s: float | None
) -> None:
    there = replace(end(200, "b", THERE, HERE, traffic), seen_at=AT + later_s)
    made = both(there=there, within_s=within_s)

    assert not build(made).cycles
    assert Severity.ERROR not in [one.severity for one in findings.run(made)]
    # Who has the other end is known all the same.
    assert {hold.evidence.certainty for hold in made.holds} == {Certainty.UNKNOWN}


def test_a_connection_that_never_had_data_is_quiet() -> None:
    never = Traffic(None, None, None)
    made = both(end(100, "a", HERE, THERE, never), end(200, "b", THERE, HERE, never))

    assert [one.certainty for one in build(made).cycles] == [Certainty.PROVEN]


@pytest.mark.parametrize(
    ("here", "there"),
    [
        ("127.0.0.1:7000", "127.0.0.1:45000"),
        ("[::1]:7000", "[::1]:45000"),
        ("[fe80::1]:7000", "[fe80::2]:45000"),
        ("10.0.0.1:7000", "10.0.0.1:45000"),
        ("0.0.0.0:7000", "10.0.0.1:45000"),
        ("nonsense:1", "more:2"),
    ],
)
def test_what_every_machine_may_have_is_not_joined(here: str, there: str) -> None:
    made = both(end(100, "a", here, there), end(200, "b", there, here))

    assert not made.holds
    assert not build(made).cycles


def test_an_address_that_two_networks_have_is_nobodys() -> None:
    one, other = end(100, "a", HERE, THERE), end(200, "b", THERE, HERE)
    bridge = replace(waiting(other, "node-2"), networks=(Network("b", ("10.0.0.2", "10.0.0.1")),))
    made = joined([waiting(one, "node-1"), bridge], 3.0)

    assert not made.holds
    assert any("several networks have these addresses" in (r.note or "") for r in made.resources)


def test_the_same_network_in_two_captures_is_joined_by_its_own_addresses() -> None:
    here, there = ("127.0.0.1:7000", "127.0.0.1:45000")
    one, other = end(100, "a", here, there), end(200, "a", there, here)
    made = joined([waiting(one, "node-1"), waiting(other, "node-1")], 3.0)

    assert len(build(made).cycles) == 1
    assert made.hosts == ()


def test_a_translated_address_is_not_known_to_be_the_same() -> None:
    made = both(end(100, "a", HERE, "10.96.0.7:80"), end(200, "b", "10.0.0.2:8080", HERE))

    assert not made.holds
    (told,) = [one.note for one in made.resources if one.note and "translated" in one.note]
    assert "process 200@node-2 has a connection from 10.0.0.1:7000" in told


def test_who_could_act_is_not_known_of_a_process_that_did_not_rest() -> None:
    made = both(there=replace(end(200, "b", THERE, HERE), able=None))

    assert not build(made).cycles
    assert "process@node-2:200" in [hold.holder for hold in made.holds]


def test_a_process_with_a_thread_that_can_act_is_in_no_ring() -> None:
    there = end(200, "b", THERE, HERE)
    other = thread("timer", 201, 200)
    assert there.able is not None
    there = replace(there, able=(*there.able, other.id))
    second = waiting(there, "node-2")
    process = second.processes[0]
    second = replace(second, processes=(replace(process, threads=(*process.threads, other)),))
    made = joined([waiting(end(100, "a", HERE, THERE), "node-1"), second], 3.0)

    assert not build(made).cycles


def test_what_nobody_has_accepted_waits_for_who_listens() -> None:
    there = replace(end(200, "b", THERE, HERE), accepted=False, traffic=None, users=())
    made = both(there=there)
    (hold,) = [one for one in made.holds if one.holder.host == "node-2"]

    assert "has not accepted the connection" in hold.evidence.text
    assert [one.unaccepted for one in made.resources if one.id == hold.resource] == [True]


def test_ends_meet_once() -> None:
    one, other = end(100, "a", HERE, THERE), end(200, "b", THERE, HERE)
    third = end(300, "a", "10.0.0.1:7000", "10.0.0.3:1")
    meetings = Meetings([one, other, third], [])

    assert meetings.of(one).others == (other,)
    assert meetings.of(other).others == (one,)
    assert meetings.of(third).others == ()
