"""What a thread waits for that reads from a connection, in the words of its protocol: known by the
function of the library that reads."""

from collections.abc import Sequence

from hangtui.model import PythonFrame

_MESSAGES = (
    ("/ssl.py", "do_handshake", "its peer's part of the TLS handshake"),
    ("/ssl.py", "unwrap", "its peer's closing of TLS (unwrap)"),
    ("/smtplib.py", "connect", "the greeting of the SMTP server"),
    ("/smtplib.py", "getreply", "a reply of the SMTP server"),
    ("/ftplib.py", "getresp", "a response of the FTP server"),
    ("/imaplib.py", "_get_response", "a response of the IMAP server"),
    ("/poplib.py", "_getresp", "a response of the POP3 server"),
)
"""By the file's end and the function; the first that is there counts."""

_ZMQ = ("zmq", "pyzmq")
_QT = ("PySide6", "PySide2", "PyQt6", "PyQt5")
_CALLS = (
    (_ZMQ, "recv", "for a message of another socket (recv)"),
    (_ZMQ, "send", "for another socket to take what it sends (send)"),
    (_QT, "QThread::wait", "for the end of a QThread"),
)
"""By the package, and what is in the name of the function that the application has called there."""
_INSIDE = (
    (
        "/torch/distributed/elastic/rendezvous/dynamic_rendezvous.py",
        "next_rendezvous",
        "for the agents of the other nodes to join the rendezvous (torchrun), again and again",
    ),
    ("/torch/distributed/rpc/api.py", "rpc_sync", "for the answer of a remote call (rpc_sync)"),
    (
        "/torch/distributed/rpc/api.py",
        "_wait_all_workers",
        "for all workers to be through with their remote calls (RPC)",
    ),
    ("/ray/train/v2/api/train_fn_utils.py", "report", "for all ranks to report to Ray Train"),
)
"""By the file's end and a function on the stack, what is waited for whatever lies below it."""


def call_of(package: str | None, entry: str) -> str | None:
    """What a call of a package waits for; *entry*: its place and function. None: not known."""
    return next((says for names, part, says in _CALLS if package in names and part in entry), None)


def call_within(stack: Sequence[PythonFrame]) -> str | None:
    """What the innermost such function waits for that is on a stack; None: there is none."""
    for frame in stack:
        name = frame.function.rpartition(".")[2]
        for file, function, words in _INSIDE:
            if name == function and frame.filename.endswith(file):
                return words
    return None


def message_of(stack: Sequence[PythonFrame]) -> str | None:
    """What it waits for; None: no such function is on the stack."""
    running = {frame.function.rpartition(".")[2]: frame.filename for frame in reversed(stack)}
    for file, function, words in _MESSAGES:
        if running.get(function, "").endswith(file):
            return words
    return None
