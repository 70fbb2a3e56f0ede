"""A thread that waits, without a timeout, for a process at the other end of a connection."""

import re
from collections.abc import Sequence

from hangtui.analysis.places import application_index
from hangtui.analysis.waitgraph import Edge, WaitGraph
from hangtui.findings.backlog import asking_back
from hangtui.findings.by_the_clock import works_behind
from hangtui.findings.decrypted import told_decrypted
from hangtui.findings.english import joined
from hangtui.findings.grounds import ONE_WAIT
from hangtui.findings.library_waits import call_within
from hangtui.findings.manager_clients import (
    MANAGERS,
    asks_manager,
    clients_behind,
    left_to_clients,
)
from hangtui.findings.messages import message_of
from hangtui.findings.outside import asked_of_rank, shared_end
from hangtui.findings.outside.arriving import arriving_advice, flows, told_arriving
from hangtui.findings.outside.due import answering, in_hand, nothing_due, uses_http
from hangtui.findings.outside.held_meanwhile import held_meanwhile
from hangtui.findings.outside.never_answered import answer_comes, never_answered
from hangtui.findings.outside.peer_end import answerers, of_own_program, other_end, there_is
from hangtui.findings.outside.timeouts import deaf_to_timeouts, timeout_of
from hangtui.findings.outside.traffic import (
    UNREAD_FIRST,
    account,
    heard,
    left_unread,
    silent,
    unfetched_there,
)
from hangtui.findings.package_queries import library_wait, serves
from hangtui.findings.senders import may_be_told
from hangtui.findings.stack_queries import (
    at,
    at_work,
    called,
    callers,
    depth_of,
    does,
    name_of,
    other_side_works,
    own_frame,
    still,
    stood_s,
    waits_for_ever,
)
from hangtui.findings.thresholds import NAMES_LISTED, STILL_S
from hangtui.findings.two_ends import LEFT_OPEN, left_open
from hangtui.findings.unflushed import told_unflushed
from hangtui.findings.words import Words, ref, words_of
from hangtui.model import (
    Capture,
    Certainty,
    Finding,
    NodeKind,
    PythonFrame,
    Severity,
    Thread,
)

ID = "waiting-for-peer"
GROUND = ONE_WAIT
HELP = """\
The program waits for somebody else: a server, a client, another machine. Nothing in this process is
at fault, except that it waits without a timeout. It is a note while the other side is seen at work,
or sleeps by the clock, less than a minute and not again and again, and while it waits in its turn
for one of which that is so.

How it is known: the system call waits for a connection, whose other end is looked up in the
kernel's tables. Threads that serve clients and wait for the next request are left out, unless a
line of the application does so itself, and so are sockets without a single other end: those that
listen, and UDP sockets that anybody may send to.

Of a TCP connection the kernel remembers when data was sent over it and came last. If the last that
came is newer, nothing shows that an answer is due, as with a subscription to messages that need not
come: then it is a note. (One who has got half of an answer looks the same.) So it is where the
program goes through an answer of HTTP line by line, as it does with a stream of events, unless
others wait for a lock that it has meanwhile, or the server's thread waits for the next request over
that same connection; and so it is where another
thread than the main one waits for the next request of a client, or may not have sent anything
later. And so it is where the application has left its thread to a library, to serve until it is
stopped (`server.run()`).
It is a warning where threads of several processes wait for data from the very same end of a TCP
connection, as a fork leaves it: what comes goes to whoever reads first.
"""

_SERVING = ("/socketserver.py", "/http/server.py", "/wsgiref/", "/gunicorn/", "/xmlrpc/server.py")
_LOOPS = ("/asyncio/", "/uvloop/", "/trio/", "/selectors.py")
_READINESS = ("poll", "ppoll", "select", "pselect", "epoll")
"""System calls of those who wait for whatever comes next. One who wants an answer from a peer, and
set no timeout, calls recv(2) and the like."""
_SENDS = re.compile(r"(^|_)(send|request|call|query|execute|invoke|command|ask|publish)")
"""How functions are called that send something."""
_PEER = "its peer"
_CALLS = {
    "receive": "for data from",
    "send": "for room to send to",
    "connect": "for an answer from",
}


def check(capture: Capture, graph: WaitGraph) -> list[Finding]:
    """One finding for each such thread that nothing else explains."""
    words = words_of(capture, graph)
    found = []
    for thread, wait in waits_for_ever(words, {NodeKind.SOCKET}):
        if (
            words.operation(wait) in _CALLS
            and not _serves(thread)
            and not graph.cycle_of(thread.id)
        ):
            found.append(_finding(thread, wait, words))
    return found


def _serves(thread: Thread) -> bool:
    """Whether it waits for the next request of a client, or in the heart of an event loop. What a
    server has called the application for, that waits by itself."""
    stack = thread.python_stack or ()
    inside = stack[: application_index(stack)]
    if thread.syscall and thread.syscall.name.startswith(_READINESS):
        return not _asks(thread, inside)
    if stack and any(part in stack[0].filename for part in _LOOPS):
        return True
    if any(name_of(frame) == "serve_forever" for frame in inside):
        return False  # the loop that takes all clients waits for one of them
    manager = [name_of(frame) for frame in inside if MANAGERS in frame.filename]
    if manager[:1] == ["serve_client"] and any(name_of(frame) == "recv" for frame in inside):
        return True
    return any(part in frame.filename for frame in inside for part in _SERVING)


def _asks(thread: Thread, inside: Sequence[PythonFrame]) -> bool:
    """Whether a package's function that sends something waits in select(2) and the like, for one
    connection: it does so for the answer."""
    return library_wait(thread) is not None and any(_SENDS.search(name_of(one)) for one in inside)


def _finding(thread: Thread, wait: Edge, words: Words) -> Finding:
    name, peer = words.thread_name(thread), words.name(wait.target)
    frame, operation = own_frame(thread), words.operation(wait) or "receive"
    http = uses_http(thread)
    what = "an HTTP response" if http and operation == "receive" else _PEER
    if operation == "receive":
        what = message_of(thread.python_stack or ()) or what
    index = depth_of(thread, frame)
    if what == _PEER and (goal := call_within((thread.python_stack or ())[:index])):
        what = goal.removeprefix("for ")
    holders = [words.name(hold.target) for hold in words.graph.holders_of(wait.target)]
    resource = words.resource(wait.target)
    own = of_own_program(thread, wait, words) if http else ""
    unread_before = left_unread(resource, thread.pid, words.capture)
    return Finding(
        id=ID,
        severity=_severity(thread, wait, words),
        certainty=Certainty.CERTAIN,
        title=f"{name} waits for {what}{at(frame)}: {peer}, no timeout{silent(resource)}"
        f"{there_is(thread, wait, words)}{asked_of_rank.in_title(thread, wait, words)}"
        f"{shared_end.in_title(thread, words)}"
        f"{'; a process of the same program has the other end' if own else ''}",
        sentence=(
            f"{name} waits{at(frame)}{_callers(thread, index)}{called(thread, index)} "
            f"{_CALLS[operation]} {peer}, without a timeout{_call(thread)}."
            f"{heard(resource)}{told_arriving(thread, wait, words)}"
            f"{unfetched_there(resource, words.capture)}{unread_before}"
            f"{told_unflushed(resource, words)}{told_decrypted(resource)} "
            f"{other_end(thread, holders, words)}"
            f"{asked_of_rank.told_asked_back(thread, wait, words)}"
            f"{shared_end.told_shared(thread, words)} As long as the "
            f"other side stays silent, it waits.{own}{_joined(thread, words)}"
        ),
        threads=(ref(thread),),
        resources=(wait.target,),
        evidence=(
            words.reading(wait),
            *(words.reading(hold) for hold in words.graph.holders_of(wait.target)),
            *((resource.note,) if resource and resource.note else ()),
            *account(resource),
            still([thread]),
        ),
        unknown=("what the other side is doing" if not holders else "why it does not answer",),
        advice=(
            *([UNREAD_FIRST] if unread_before else []),
            *([LEFT_OPEN] if left_open(thread, in_hand(thread, words), words) else []),
            *arriving_advice(thread, wait, words),
            *_advice(at(frame), http, thread, words),
        ),
    )


def _severity(thread: Thread, wait: Edge, words: Words) -> Severity:
    """An answer takes its time, so the wait must last. A connection within one process may rest,
    as those that are kept for the next request do: if its other end could not answer either, there
    would be a ring. Only who has sent a request of HTTP is known to expect an answer."""
    lasts = _waited_s(thread, wait, words) >= STILL_S or never_answered(thread, wait, words)
    rests = bool(answering(thread, words)) and not uses_http(thread)
    calm = other_side_works(wait, words) or rests or _rests(thread, wait, words)
    calm = calm or _left_to_serve(thread, wait, words) or _takes_next(thread, wait, words)
    calm = calm or flows(thread, wait, words) or at_work(clients_behind(thread, wait, words), words)
    there = answerers(thread, wait, words)
    calm = calm or left_to_clients(thread, wait, there, words)
    seen = words.progress.get(thread.id)
    calm = calm or (seen is not None and seen.returned)  # it had its answer, and asked again
    calm = calm and not unfetched_there(words.resource(wait.target), words.capture)
    # and read it then
    calm = calm or answer_comes(thread, wait, words) or any(works_behind(t, words) for t in there)
    calm = calm and asked_of_rank.asked_back(thread, wait, words) is None
    calm = calm and not shared_end.read_beside(thread, words)
    calm = calm and not left_open(thread, in_hand(thread, words), words)
    return Severity.WARNING if lasts and not calm else Severity.NOTE


def _rests(thread: Thread, wait: Edge, words: Words) -> bool:
    """Whether nothing is due to it, and nobody waits for a lock that it has meanwhile."""
    return nothing_due(thread, wait, words) and held_meanwhile([thread], words) is None


def _takes_next(thread: Thread, wait: Edge, words: Words) -> bool:
    """Whether a loop of the application takes there what comes next, or what it may have asked to
    be told of, and nobody waits for that."""
    if words.operation(wait) != "receive" or words.graph.waiters_of(thread.id):
        return False
    others = {hold.target.pid for hold in words.graph.holders_of(wait.target)} - {thread.pid}
    told = len(others) == 1 and all(may_be_told(thread, pid, words) for pid in others)
    return told or thread.takes_next is True


def _left_to_serve(thread: Thread, wait: Edge, words: Words) -> bool:
    """Whether it serves until it is stopped, and has its answer to what it sent, as far as that can
    be told: of a client that says nothing from the first on, or of a peer that was asked, something
    is due."""
    resource = words.resource(wait.target)
    traffic = resource.traffic if resource else None
    due = traffic is not None and (traffic.received_s is None or traffic.sent_last)
    return not (due or asks_manager(thread)) and serves(thread, wait.target.kind)


def _waited_s(thread: Thread, wait: Edge, words: Words) -> float:
    """For how many seconds it stood still; no longer than since it sent something, which the kernel
    remembers: between two looks it may have gone on to its next request."""
    resource = words.resource(wait.target)
    sent_s = resource.traffic.sent_s if resource and resource.traffic else None
    stood = stood_s(thread, words)
    return stood if sent_s is None else min(stood, sent_s)


def _callers(thread: Thread, index: int) -> str:
    """``, called from a.py:9 (run),``, set off from what follows."""
    text = callers(thread, index)
    return f"{text}," if text else ""


def _joined(thread: Thread, words: Words) -> str:
    """Who waits for this thread to end: of a server's, often the one that closes the server."""
    waiting = words.threads(edge.source for edge in words.graph.waiters_of(thread.id))
    if not waiting:
        return ""
    return f" Behind it {joined([does(one, words) for one in waiting[:NAMES_LISTED]])}."


def _call(thread: Thread) -> str:
    return f" (system call {thread.syscall.name})" if thread.syscall else ""


def _advice(where: str, http: bool, thread: Thread, words: Words) -> list[str]:
    if shared_end.read_beside(thread, words) or shared_end.shared_with(thread, words):
        return [shared_end.ADVICE]
    inside = (thread.python_stack or ())[: application_index(thread.python_stack or ())]
    if any(frame.filename.endswith(MANAGERS) for frame in inside):
        first = (
            f"Give the call of the proxy{where} a timeout (acquire(timeout=10), get(timeout=10), "
            "wait(10)): the manager passes it on. What a process has of a manager's when it is "
            "killed nobody gives back."
        )
    elif deaf := deaf_to_timeouts(thread):
        first = deaf
    elif known := timeout_of(thread):
        first = f"Give it a timeout{where}: {known}, so that a silent peer becomes an error."
    elif http:
        first = (
            f"Give the request a timeout{where}: urlopen(url, timeout=10), requests.get(url, "
            "timeout=(3, 10)), http.client.HTTPConnection(host, timeout=10)."
        )
    else:
        first = (
            f"Give the socket a timeout{where}: sock.settimeout(10) makes a silent peer an "
            "error; and SO_KEEPALIVE finds out about peers that are gone."
        )
    if asking_back(thread, in_hand(thread, words), words):
        accept = (
            f"Accept connections while you wait{where}: run the loop that serves them in a thread "
            "of its own before the call, or have the answer not depend on calls back."
        )
        return [accept, first]
    if here := answering(thread, words):
        name = joined([words.actor_name(one) for one in here])
        return [first, f"Look at {name}, which would have to answer: what it does instead."]
    holders = [
        hold.target.pid
        for wait in words.graph.waits_of(thread.id)
        for hold in words.graph.holders_of(wait.target)
    ]
    look = f"hangtui {holders[0]}" if holders else "hangtui on that machine"
    return [first, f"Look at the other side: {look}   (what it does instead of answering)."]
