"""What the application waits for in a call of a package whose object of that cannot be read."""

import re

from hangtui.analysis.places import application_index, package_of
from hangtui.findings.package_queries import library_entry, library_wait
from hangtui.model import Thread

_ZMQ = ("zmq", "pyzmq")
_KAFKA = ("confluent_kafka", "confluent-kafka")
_QT = ("PySide6", "PySide2", "PyQt6", "PyQt5")
_RECEIVES = "for a message of another socket (recv)"
_SORT = re.compile(r"\(([A-Z]{3,6})\)")
"""Of which sort a socket of ZeroMQ is."""
_CALLS = (
    (_ZMQ, "(REQ).recv", "for the reply to its request (recv)"),
    (_ZMQ, "recv", _RECEIVES),
    (_ZMQ, "send", "for another socket to take what it sends (send)"),
    (_ZMQ, "poll", "for its ZeroMQ sockets (poll)"),
    (_KAFKA, "flush", "for the broker to take its messages (flush)"),
    (_KAFKA, "poll", "for what the broker sends (poll)"),
    (_KAFKA, "consume", "for messages of the broker (consume)"),
    (_QT, "QThread::wait", "for the end of a QThread"),
    (_QT, "QMetaObject::activate", "for the receiver's thread to run its slot (BlockingQueued)"),
)
"""By the package, and what is in the name of the function that the application has called there."""


def call_of(package: str | None, entry: str) -> str | None:
    """What a call of a package waits for; *entry*: its place and function. None: not known."""
    return next((says for names, part, says in _CALLS if package in names and part in entry), None)


def awaited_in_library(thread: Thread) -> str | None:
    """What the application waits for: by the method of C code that was called, or else in the
    innermost of the packages that it called of whose calls that is known."""
    stack = thread.python_stack or ()
    inside = stack[: application_index(stack)]
    known = (call_of(package_of(frame), frame.function) for frame in inside)
    package, _, method = (thread.calling or "").partition(".")
    found = call_of(package, method) or next(filter(None, known), None)
    found = found or call_of(library_wait(thread), library_entry(thread))
    sort = _SORT.search(method) if found == _RECEIVES else None
    return f"{_RECEIVES.removesuffix(')')} of its {sort[1]} socket)" if sort else found
