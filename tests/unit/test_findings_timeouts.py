"""The timeout that is advised is one of the library that the application calls."""

import pytest

from hangtui.findings.outside.timeouts import deaf_to_timeouts, timeout_of
from tests.unit.factories import python_frame, thread

LIB = "/usr/lib/python3.12"
SITE = "/app/.venv/lib/python3.12/site-packages"
OWN = python_frame("load", 12, "/app/shop.py")
READS = python_frame("SocketIO.readinto", 707, f"{LIB}/socket.py")


@pytest.mark.parametrize(
    ("called", "advice"),
    [
        (f"{SITE}/pymysql/connections.py", "pymysql.connect(..., read_timeout=10)"),
        (f"{SITE}/httpx/_models.py", "httpx.Client(timeout=10)"),
        (f"{LIB}/imaplib.py", "IMAP4(host, timeout=10)"),
        (f"{LIB}/http/client.py", "http.client.HTTPConnection(host, timeout=10)"),
        (f"{LIB}/xmlrpc/client.py", None),
        (f"{SITE}/somelib/client.py", None),
        ("/app/smtplib.py", None),
    ],
)
def test_of_the_library_that_is_called(called: str, advice: str | None) -> None:
    stack = (READS, python_frame("call", 9, called), OWN)
    assert timeout_of(thread("MainThread", python=stack)) == advice


def test_of_a_socket_of_the_application() -> None:
    assert timeout_of(thread("MainThread", python=(OWN,))) is None
    assert timeout_of(thread("MainThread", python=())) is None


def test_where_no_timeout_holds_another_way_is_told() -> None:
    deaf = python_frame("_init_socks5_connection", 62, f"{SITE}/httpcore/_sync/socks_proxy.py")
    assert "SOCKS proxy" in (deaf_to_timeouts(thread("MainThread", python=(deaf, OWN))) or "")
    assert deaf_to_timeouts(thread("MainThread", python=(OWN, deaf))) is None
