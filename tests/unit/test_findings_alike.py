"""Many findings that tell the same of different threads are one."""

from dataclasses import replace

import pytest

from hangtui import findings
from hangtui.model import Capture, NodeKind, Resource, Syscall, shared_id
from hangtui.older_capture import named
from tests.unit.factories import capture, python_frame, stood, thread, waits

PID = 100
RECEIVES = Syscall("recvfrom", timed=False)


def clients(count: int, *, lines: int = 1) -> Capture:
    """Threads that wait for data over a connection each, at so many lines of the program."""
    threads = [
        replace(
            thread(f"Thread-{n} (fetch)", PID + n, PID, python=[python_frame("fetch", n % lines)]),
            syscall=RECEIVES,
        )
        for n in range(1, count + 1)
    ]
    ends = [
        named(
            Resource(
                shared_id(NodeKind.SOCKET, str(n)),
                NodeKind.SOCKET,
                f"TCP connection to 10.0.0.1:{4000 + n}",
                PID,
                0,
            )
        )
        for n in range(count)
    ]
    made = capture(
        *threads,
        resources=ends,
        waits=[
            waits(one, end, operation="receive") for one, end in zip(threads, ends, strict=True)
        ],
    )
    return stood(made)


def test_who_waits_alike_is_told_once() -> None:
    found = [one for one in findings.run(clients(9)) if one.id == "waiting-for-peer"]

    assert len(found) == 1
    assert found[0].title.endswith("(and 8 more threads)")
    assert "8 more threads wait so as well: Thread-2 (fetch), Thread-3" in found[0].sentence
    assert len(found[0].threads) == len(found[0].resources) == 9


@pytest.mark.parametrize(("count", "lines", "told"), [(5, 1, 5), (9, 9, 9), (12, 2, 2)])
def test_those_that_can_be_named_or_wait_elsewhere_are_told_by_themselves(
    count: int, lines: int, told: int
) -> None:
    found = findings.run(clients(count, lines=lines))

    assert len([one for one in found if one.id == "waiting-for-peer"]) == told
