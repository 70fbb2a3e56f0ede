"""What the application waits for in a call of a package whose object of that cannot be read."""

from collections.abc import Sequence

from hangtui.analysis.places import application_index, package_of
from hangtui.findings.package_queries import library_entry, library_wait
from hangtui.model import PythonFrame, Thread

_ZMQ = ("zmq", "pyzmq")
_QT = ("PySide6", "PySide2", "PyQt6", "PyQt5")
_CALLS = (
    (_ZMQ, "recv", "for a message of another socket (recv)"),
    (_ZMQ, "send", "for another socket to take what it sends (send)"),
    (_ZMQ, "poll", "for its ZeroMQ sockets (poll)"),
    (_QT, "QThread::wait", "for the end of a QThread"),
    (_QT, "QMetaObject::activate", "for the receiver's thread to run its slot (BlockingQueued)"),
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
    ("/xgboost/tracker.py", "wait_for", "for all workers of its tracker to be through"),
    ("/xgboost/collective.py", "init", "for the other workers to connect to the tracker"),
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


def awaited_in_library(thread: Thread) -> str | None:
    """What the application waits for in the innermost of the packages that it called of whose
    calls that is known."""
    stack = thread.python_stack or ()
    inside = stack[: application_index(stack)]
    known = (call_of(package_of(frame), frame.function) for frame in inside)
    return next(filter(None, known), None) or call_of(library_wait(thread), library_entry(thread))
