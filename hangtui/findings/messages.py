"""What a thread waits for that reads from a connection, in the words of its protocol: known by the
function of the library that reads."""

from collections.abc import Sequence

from hangtui.analysis.places import application_index
from hangtui.model import PythonFrame, Task, Thread

_NEXT_LINE = "the next line of an HTTP response"
_NEXT_EVENT = "the next event of a stream over HTTP"
_CONNECT = "the answer of the HTTP proxy to its CONNECT"
_SOCKS = "the answer of the SOCKS proxy to its greeting or its request"
STREAMED = frozenset({_NEXT_LINE, _NEXT_EVENT})
"""Of a response that has begun, and that is read piece by piece for as long as there are any."""
_ITEM = "an item of a Queue"
_MESSAGES = (
    ("/ssl.py", "do_handshake", "its peer's part of the TLS handshake"),
    ("/ssl.py", "unwrap", "its peer's closing of TLS (unwrap)"),
    ("/smtplib.py", "connect", "the greeting of the SMTP server"),
    ("/smtplib.py", "getreply", "a reply of the SMTP server"),
    ("/ftplib.py", "getresp", "a response of the FTP server"),
    ("/http/client.py", "_tunnel", _CONNECT),
    ("/httpcore/_sync/socks_proxy.py", "_init_socks5_connection", _SOCKS),
    ("/httpcore/_async/socks_proxy.py", "_init_socks5_connection", _SOCKS),
    ("/socks.py", "_readall", _SOCKS),
    ("/socks.py", "_negotiate_HTTP", _CONNECT),
    ("/imaplib.py", "_get_response", "a response of the IMAP server"),
    ("/poplib.py", "_getresp", "a response of the POP3 server"),
    ("/telnetlib.py", "read_until", "a text from the Telnet server (read_until)"),
    ("/telnetlib.py", "expect", "one of some texts from the Telnet server (expect)"),
    ("/telnetlib.py", "read_all", "the Telnet server to hang up (read_all)"),
    ("/multiprocessing/queues.py", "get", "an item of a Queue of multiprocessing"),
    ("/multiprocess/queues.py", "get", "an item of a Queue of multiprocess"),
    ("/httpx_sse/_api.py", "iter_sse", _NEXT_EVENT),
    ("/requests/models.py", "iter_lines", _NEXT_LINE),
    ("/httpx/_models.py", "iter_lines", _NEXT_LINE),
    ("/http/client.py", "readline", _NEXT_LINE),
)
"""By the file's end and the function; the first that is there counts."""


def message_of(stack: Sequence[PythonFrame]) -> str | None:
    """What it waits for; None: no such function is on the stack."""
    inside = stack[: application_index(stack)]  # what called the application waits for nothing
    running = {frame.function.rpartition(".")[2]: frame.filename for frame in reversed(inside)}
    for file, function, words in _MESSAGES:
        if running.get(function, "").endswith(file):
            return words
    return None


def message_for(actor: Thread | Task | None) -> str | None:
    """The same of who waits, with the name of the queue that an item of it is taken from."""
    message = message_of((actor.python_stack if actor else None) or ())
    name = actor.takes_from if isinstance(actor, Thread) else None
    return (
        message.replace(_ITEM, f"an item of the Queue {name}", 1) if message and name else message
    )
