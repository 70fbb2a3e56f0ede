"""Data that lies unread beside a thread that waits with epoll for what comes after it."""

from dataclasses import replace

import pytest

from hangtui import findings
from hangtui.model import (
    Certainty,
    Finding,
    NodeKind,
    Resource,
    Severity,
    Traffic,
    shared_id,
)
from hangtui.older_capture import named
from tests.unit.factories import capture, native_frame, python_frame, thread, waits

OLD = Traffic(None, 7.0, False, unread=35_904)
LIBC = "/lib/x86_64-linux-gnu/libc.so.6"
GRPC = "/srv/venv/lib/python3.12/site-packages/grpc/_cython/cygrpc.so"


def told(
    traffic: Traffic | None = OLD,
    *,
    only_new: bool = True,
    expires: bool = False,
    modules: tuple[str, ...] = (LIBC,),
) -> Finding | None:
    waiter = thread(
        "MainThread",
        python=[python_frame("fetch_report", 32)],
        native=[
            *(native_frame("epoll_wait", module) for module in modules),
            native_frame("_PyEval_EvalFrameDefault"),
        ],
    )
    connection = named(
        Resource(
            shared_id(NodeKind.SOCKET, "1"), NodeKind.SOCKET, "TCP connection to ::1:80", 100, 0
        )
    )
    connection = replace(connection, traffic=traffic)
    wait = waits(waiter, connection, operation="receive", expires=expires)
    made = capture(waiter, resources=[connection], waits=[replace(wait, only_new=only_new)])
    return next((one for one in findings.run(made) if one.id == "data-unread"), None)


def test_who_read_a_part_is_not_told_of_the_rest() -> None:
    finding = told()

    assert finding is not None
    assert (finding.severity, finding.certainty) == (Severity.WARNING, Certainty.CERTAIN)
    assert finding.title == (
        "MainThread waits at main.py:32 (fetch_report) in epoll, while 35904 bytes lie unread in "
        "its own socket"
    )
    assert "35904 bytes that came 7 s ago were not fetched" in finding.sentence


@pytest.mark.parametrize(
    ("traffic", "changed"),
    [
        (replace(OLD, unread=0), {}),
        (replace(OLD, received_s=0.1), {}),
        (replace(OLD, received_s=None), {}),
        (None, {}),
        (OLD, {"only_new": False}),
        (OLD, {"expires": True}),
        (OLD, {"modules": (LIBC, GRPC)}),
    ],
    ids=["nothing", "just came", "never", "not known", "level", "timeout", "C code"],
)
def test_nothing_is_said_without_all_of_it(
    traffic: Traffic | None, changed: dict[str, bool]
) -> None:
    assert told(traffic, **changed) is None  # type: ignore[arg-type]
