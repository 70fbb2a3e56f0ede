"""Whether the two who have the ends of one connection wait for each other's data."""

from collections.abc import Sequence

from hangtui.findings.stack_queries import index_of
from hangtui.findings.words import Words
from hangtui.model import Ends, Resource, Thread

_BODIES = (
    (
        frozenset(
            {"read", "read1", "readline", "readinto", "peek", "_safe_read", "_get_chunk_left"}
        ),
        "/http/client.py",
    ),
    (frozenset({"read_chunked"}), "/urllib3/response.py"),
)
"""Where a client reads what comes behind the head of an answer."""
_NEXT = frozenset({"handle_one_request"})
LEFT_OPEN = (
    "Have the server end its answer: with the last, empty chunk, by a Content-Length of as many "
    "bytes as it writes, or by closing the connection (close_connection = True)."
)
BOTH = " So each of the two waits for the other."
"""Said of two of which `waits_here` is true."""
_DONE = (
    " It has done with that request, and waits for the next one over the same connection: what "
    "would end its answer (an empty chunk, or as many bytes as Content-Length says) was not sent."
)


def waits_here(thread: Thread, there: Sequence[Thread], words: Words) -> bool:
    """Whether the only one who has the other end waits for data from *thread*'s end itself, and
    without a timeout."""
    waits = [words.graph.wait_of(one.id) for one in (thread, *there)]
    if len(there) != 1 or any(one is None or one.expires for one in waits):
        return False
    if {words.operation(one) for one in waits if one} != {"receive"}:
        return False
    here, other = (ends_of(words.resource(one.target)) for one in waits if one)
    return here is not None and other is not None and here.meets(other)


def ends_of(resource: Resource | None) -> Ends | None:
    """Of a connection of TCP both ends of which are known; None: it is none."""
    ends = resource.ends if resource else None
    return ends if ends is not None and ends.local else None


def left_open(thread: Thread, there: Sequence[Thread], words: Words) -> bool:
    """Whether it reads on in an answer of HTTP with which the server's thread that has the other
    end has done: that waits there for the next request."""
    reads = any(index_of(thread, *body) is not None for body in _BODIES)
    if not reads or not waits_here(thread, there, words):
        return False
    index = index_of(there[0], _NEXT, "/http/server.py")
    inside = (there[0].python_stack or ())[:index]
    return index is not None and all(one.filename.endswith("/socket.py") for one in inside)


def told_both(thread: Thread, there: Sequence[Thread], words: Words) -> str:
    """That the one who has the other end waits for *thread* in turn; empty: it does not."""
    if not waits_here(thread, there, words):
        return ""
    return f"{_DONE if left_open(thread, there, words) else ''}{BOTH}"
