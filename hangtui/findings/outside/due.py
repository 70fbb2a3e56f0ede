"""Whether an answer is due to who waits on a connection: else it may just hear what comes."""

from collections.abc import Collection

from hangtui.analysis.places import application_index, package_of
from hangtui.analysis.waitgraph import Edge
from hangtui.findings.backlog import clients
from hangtui.findings.library_waits import given_within
from hangtui.findings.messages import STREAMED, message_of
from hangtui.findings.stack_queries import index_of, name_of
from hangtui.findings.thresholds import NAMES_LISTED, STARTING_S
from hangtui.findings.words import Actor, Words
from hangtui.model import NodeKind, Thread, Traffic

_HTTP = ("/http/client.py", "/urllib3/", "/urllib/request.py", "/requests/", "/httpx/", "/httplib")
_SUBSCRIBED = (
    ({"listen", "get_message"}, "/redis/client.py"),
    ({"drain_events"}, "/amqp/connection.py"),
    ({"__receiver_loop"}, "/stomp/transport.py"),
)
"""Functions that wait for messages which nobody is bound to send."""
_BY_LINE = frozenset({"iter_lines", "readline", "iter_sse"})
"""Functions by which a program goes through an answer of HTTP line by line, for as long as there
are lines."""


def nothing_due(thread: Thread, wait: Edge, words: Words) -> bool:
    """Whether nothing shows that an answer is due, or that somebody must make room for data.

    Data came last; or a loop takes there what other clients give (BLPOP of Redis); or the program
    waits for the first word of a client; or it is not the main thread, and is not known to have
    sent any later, serves a client, or has its like at the other end. Who has sent a request of
    HTTP expects an answer, unless the program goes through that line by line, as it does with a
    stream of events.
    """
    comes = _goes_through_lines(thread, wait, words) or takes_given(thread)
    if comes or any(_subscribed(thread, *one) for one in _SUBSCRIBED):
        return True
    if uses_http(thread) or words.operation(wait) == "send":
        return False
    resource = words.resource(wait.target)
    traffic = resource.traffic if resource else None
    if traffic is not None and traffic.sent_last is False:
        return True
    if thread.tid == thread.pid:
        return traffic is not None and _hears_a_client(thread, traffic, words)
    if traffic is not None and (traffic.sent_last is None or traffic.accepted):
        return True
    there = (one for one in in_hand(thread, words) if one.tid != one.pid)
    return any(thread in in_hand(one, words) for one in there)


def _hears_a_client(thread: Thread, traffic: Traffic, words: Words) -> bool:
    """Whether the program itself waits for the first word of a client that it has accepted, and
    nobody else is seen to wait for that it accepts him."""
    first = traffic.accepted and traffic.sent_s is None and traffic.received_s is None
    process = words.capture.process(thread.pid)
    own = application_index(thread.python_stack or ()) == 0
    return first and own and process is not None and not clients(process, words, timed=True)


def _goes_through_lines(thread: Thread, wait: Edge, words: Words) -> bool:
    """Whether the program itself goes through an answer of HTTP line by line, as it does with a
    stream of events, and has sent nothing since that last brought something."""
    stack = thread.python_stack or ()
    own = application_index(stack)
    if not own or wait.target.kind is not NodeKind.SOCKET or message_of(stack) not in STREAMED:
        return False
    resource = words.resource(wait.target)
    traffic = resource.traffic if resource else None
    came = traffic is not None and traffic.received_s is not None and not traffic.sent_last
    return came and name_of(stack[own - 1]) in _BY_LINE


def takes_given(thread: Thread) -> bool:
    """Whether a loop of the program takes there what other clients give by and by."""
    stack = thread.python_stack or ()
    return thread.takes_next is True and given_within(stack[: application_index(stack)])


def _subscribed(thread: Thread, functions: Collection[str], file: str) -> bool:
    """Whether the innermost such function was not called by its own package, which then waits for
    an answer of its own: to a login, say."""
    stack, index = thread.python_stack or (), index_of(thread, functions, file)
    if index is None:
        return False
    caller = stack[index + 1] if index + 1 < len(stack) else None
    return caller is None or package_of(caller) != package_of(stack[index])


def just_started(wait: Edge, words: Words) -> str:
    """That the services from which an answer is waited for were started a short while before;
    empty: one of them was not, it is not known, or it runs Python: then its own stack says more."""
    if wait.target.kind is not NodeKind.SOCKET:
        return ""
    pids = {hold.target.pid for hold in words.graph.holders_of(wait.target)} - {wait.source.pid}
    ages = [_age_s(pid, wait.source.pid, words) for pid in sorted(pids)]
    known = [age for age in ages if age is not None and age < STARTING_S]
    if not known or len(known) < len(ages):
        return ""
    who = "That process was" if len(pids) == 1 else "These processes were"
    return f" {who} started {max(known):.0f} s ago, and may not answer yet."


def _age_s(pid: int, asker: int, words: Words) -> float | None:
    """How long ago a process was started, by itself or as a child of who waits for it."""
    process, waiting = words.capture.process(pid), words.capture.process(asker)
    if process is not None:
        return process.around.age_s if process.around and not process.python else None
    around = waiting.around if waiting else None
    children = (around.children if around else None) or ()
    return next((child.age_s for child in children if child.pid == pid), None)


def uses_http(thread: Thread) -> bool:
    """Whether a library for HTTP is on its stack."""
    return any(part in f.filename for f in thread.python_stack or () for part in _HTTP)


def in_hand(thread: Thread, words: Words) -> list[Thread]:
    """The threads of another process that have the other end, as their frames show."""
    waits = map(words.wait, words.graph.waits_of(thread.id))
    answering = (node for wait in waits if wait is not None for node in wait.answering)
    return words.threads(answering)[:NAMES_LISTED]


def answering(thread: Thread, words: Words) -> list[Actor]:
    """The threads and tasks of the same process that have the other end."""
    holds = (h for w in words.graph.waits_of(thread.id) for h in words.graph.holders_of(w.target))
    actors = (words.actor(hold.target) for hold in holds)
    return [one for one in actors if one is not None and one.pid == thread.pid][:NAMES_LISTED]
