"""When data went over a TCP connection last: real connections, and the kernel's words."""

import os
import socket
import struct
import time
from collections.abc import Iterator

import pytest

from hangtui.backends.ipc import addresses, sock_diag, tcp_traffic
from hangtui.backends.ipc.addresses import TcpTable
from hangtui.model import Traffic

_APART_S = 0.05
"""Well above a tick of the slowest clock."""


@pytest.fixture(params=["127.0.0.1", "::1"])
def ends(request: pytest.FixtureRequest) -> Iterator[tuple[socket.socket, socket.socket]]:
    family = socket.AF_INET6 if ":" in request.param else socket.AF_INET
    try:
        listener = socket.create_server((request.param, 0), family=family)
    except OSError:
        pytest.skip("no such address here")
    client = socket.create_connection(listener.getsockname()[:2])
    with listener, client, listener.accept()[0] as server:
        yield client, server


def _traffic(one: socket.socket) -> Traffic:
    table = TcpTable(os.getpid())
    connection = table.socket(os.fstat(one.fileno()).st_ino)
    assert connection is not None
    found = tcp_traffic.traffic_of(connection, table)
    assert found is not None
    return found


def _send(sender: socket.socket, receiver: socket.socket) -> None:
    sender.sendall(b"word")
    assert receiver.recv(4) == b"word"


def test_nothing_was_sent_yet(ends: tuple[socket.socket, socket.socket]) -> None:
    assert _traffic(ends[0]) == Traffic(None, None, None, came=0)


def test_who_spoke_last(ends: tuple[socket.socket, socket.socket]) -> None:
    client, server = ends
    _send(client, server)
    asked = _traffic(client)
    assert (asked.received_s, asked.sent_last) == (None, True)
    assert asked.sent_s is not None
    assert asked.sent_s < 60
    time.sleep(_APART_S)
    _send(server, client)
    assert (_traffic(client).sent_last, _traffic(server).sent_last) == (False, True)
    assert (_traffic(client).accepted, _traffic(server).accepted) == (False, True)
    time.sleep(_APART_S)
    _send(client, server)
    assert (_traffic(client).sent_last, _traffic(server).sent_last) == (True, False)


def test_a_mapped_address_of_ipv4() -> None:
    listener = socket.create_server(("", 0), family=socket.AF_INET6, dualstack_ipv6=True)
    client = socket.create_connection(("127.0.0.1", listener.getsockname()[1]))
    with listener, client, listener.accept()[0] as server:
        _send(client, server)
        assert _traffic(server).sent_last is False


def _info(sent: int, received: int, confirmed: int, segments: tuple[int, int] = (1, 1)) -> bytes:
    raw = bytearray(232)
    struct.pack_into("<4I", raw, 44, sent, 0, received, confirmed)
    struct.pack_into("<2I", raw, 152, *segments)
    return bytes(raw)


@pytest.mark.parametrize(
    ("info", "sent_last"),
    [
        (_info(5000, 9000, 9000), True),
        (_info(9000, 5000, 5000), False),
        (_info(5000, 5000, 5000), None),
        (_info(5000, 5004, 5000), None),
        (_info(5000, 5000, 4960), True),
        (_info(5000, 5000, 100), None),
        (_info(5000, 5000, 5000, (1, 0)), False),
        (_info(5000, 5000, 5000, (0, 1)), True),
        (_info(5000, 5000, 5000, (0, 0)), None),
    ],
    ids=[
        "asked later", "answered later", "same moment", "same tick", "confirmed by itself",
        "keepalive", "only heard", "only spoke", "silence",
    ],
)  # fmt: skip
def test_what_follows_from_the_kernels_account(
    info: bytes, sent_last: bool | None, ends: tuple[socket.socket, socket.socket],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setattr(sock_diag, "attributes", lambda _: {2: info})
    assert _traffic(ends[0]).sent_last is sent_last


@pytest.mark.parametrize("length", [0, 40, 104, 159])
def test_an_account_of_an_old_kernel_is_too_short(length: int) -> None:
    assert tcp_traffic.parse(_info(1, 1, 1)[:length]) is None


def test_what_was_sent_again_and_is_not_confirmed() -> None:
    raw = bytearray(_info(1, 1, 1))
    raw[2], raw[24] = 3, 1
    found = tcp_traffic.parse(bytes(raw))
    assert found is not None
    assert found.unacknowledged


def test_what_was_not_fetched_yet(ends: tuple[socket.socket, socket.socket]) -> None:
    client, server = ends
    server.sendall(b"four and more")
    assert client.recv(4) == b"four"
    assert (_traffic(client).unread, _traffic(server).unread) == (9, 0)
    assert _unfetched(server, client) == 9
    client.recv(100)
    assert _traffic(client).unread == 0
    assert _unfetched(server, client) == 0


def _unfetched(one: socket.socket, other: socket.socket) -> int:
    """By the other end, of what went out of this one."""
    table = TcpTable(os.getpid())
    near, far = (table.socket(os.fstat(end.fileno()).st_ino) for end in (one, other))
    assert near is not None
    found = tcp_traffic.traffic_between(near, far, table)
    assert found is not None
    return found.unfetched


def test_the_kernel_is_not_asked_about_another_network_namespace(
    ends: tuple[socket.socket, socket.socket], monkeypatch: pytest.MonkeyPatch
) -> None:
    connection = TcpTable(os.getpid()).socket(os.fstat(ends[0].fileno()).st_ino)
    assert connection is not None
    monkeypatch.setattr(addresses, "namespace", lambda pid: f"net:[{pid}]")
    assert tcp_traffic.traffic_of(connection, TcpTable(1)) is None
