"""Threads of libraries that end nobody's wait."""

import pytest

from hangtui import findings
from hangtui.model import Capture, NodeKind, Resource, Severity, shared_id
from tests.unit.factories import capture, lock, python_frame, stood, thread, waits

SHARER = "/usr/lib/python3.11/multiprocessing/resource_sharer.py"


def shares(file: str) -> Capture:
    """The main thread waits for an item, beside a thread that waits for somebody to connect."""
    main = thread("MainThread", 100, 100, python=[python_frame("next_order", 27)])
    accepts = [python_frame("_serve", 129, file)]
    other = thread("Thread-1 (_serve)", 101, 100, python=accepts)
    orders = lock("ORDERS", 0x1, NodeKind.QUEUE, pid=100)
    node = shared_id(NodeKind.SOCKET, "1")
    socket = Resource(node, NodeKind.SOCKET, "the Unix socket /tmp/listener", 100, 0)
    made = capture(
        main,
        other,
        resources=[orders, socket],
        waits=[waits(main, orders), waits(other, socket, operation="accept")],
    )
    return stood(made)


@pytest.mark.parametrize(("file", "nobody"), [(SHARER, True), ("/app/serve.py", False)])
def test_who_shares_descriptors_puts_nothing_into_a_queue(file: str, nobody: bool) -> None:
    found = [one for one in findings.run(shares(file)) if one.id == "nobody-left-to-wake"]
    assert bool(found) is nobody
    if found:
        assert "put into ORDERS" in found[0].title
        assert found[0].severity is not Severity.NOTE
