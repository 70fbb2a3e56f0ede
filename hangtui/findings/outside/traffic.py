"""What went over a connection last, in words: who owes whom an answer, and since when."""

from collections.abc import Collection, Sequence

from hangtui.analysis.places import package_of_module
from hangtui.findings.english import counted, lasting, listed
from hangtui.findings.thresholds import STILL_S
from hangtui.model import Capture, NodeId, Resource, Thread, Traffic, Unattended, Watched

_POLLS = ("poll", "ppoll", "select", "pselect", "epoll")
_MUCH = 4096
"""Bytes: less than that keeps nobody from sending more."""
_NATIVE = "Native threads of the process watch"
_ONCE = (
    "epoll was to tell of it once (EPOLLONESHOT), has done so, and is silent until it is "
    "registered anew (modify())"
)


def watched(threads: Collection[Thread], capture: Capture) -> list[str]:
    """The connections that *threads* watch along with other things: ``the TCP connection to
    10.0.0.1:5672 (open in process 12), silent for 40 s``."""
    nodes = {thread.id for thread in threads}
    found = (one for one in capture.watched if one.thread in nodes and not is_own(one))
    return list(dict.fromkeys(map(watched_one, found)))


def watched_one(one: Watched) -> str:
    """``the TCP connection to 10.0.0.1:5672 of aiormq's Connection (open in process 12), silent for
    40 s``."""
    whose = f" of {one.heard_by}" if one.heard_by else ""
    return f"the {one.name}{whose}{_open(one)}{_since(one.traffic)}"


def watches(threads: Sequence[Thread], capture: Capture, subject: str = "It") -> str:
    """`` It watches the TCP connection to 10.0.0.1:5672.``: which connections wake *threads*, or
    threads of C code in their process that may do their work; without those that serve, nobody
    else's. *subject*: what to call the threads."""
    process = capture.process(threads[0].pid) if threads else None
    native = [one for one in (process.threads if process else ()) if not one.is_python]
    for those, who in ((threads, f"{subject} watches"), (native, _NATIVE)):
        if found := watched(those, capture):
            return f" {who} {listed(found)}."
    return ""


def unread(pid: int, capture: Capture, package: str | None) -> str:
    """`` But 44 bytes lie unread in its own TCP connection to 10.0.0.1:1883 (fd 7), ...``: that
    what a process waits for may have come, and nobody in it takes it; empty: not so. *package*: in
    which it waits; one that waits in code of its own may have nothing to do with a connection."""
    found = _unread(pid, capture)
    if not found:
        return ""
    one = found[0]
    more = f"; so it is with {counted(len(found) - 1, 'more connection')}" if found[1:] else ""
    why = (
        f"no thread of process {pid} reads them or waits for data there, and no event loop watches "
        "it"
    )
    if one.paused is not None:
        by = f" of its protocol {one.paused}" if one.paused else ""
        why = (
            f"its transport is paused (pause_reading(){by}), and nothing more is read until "
            "somebody takes what was read before"
        )
    if one.disarmed:
        why = f"{why}: {_ONCE}"
    begin, end = (
        ("But", "") if package else ("Besides,", " Whether it waits for that is not known.")
    )
    return (
        f" {begin} {counted(one.traffic.unread, 'byte')} lie unread in its own {one.name} "
        f"({one.descriptors}), for {lasting(one.traffic.received_s or 0.0)}: {why}{more}.{end}"
    )


def unfetched_there(resource: Resource | None, capture: Capture) -> str:
    """`` Nobody takes them there: ...``, of what lies unread at the other end of a connection to a
    captured process of which no thread reads that; empty: not so, or not known."""
    ends = resource.ends if resource else None
    there = (one for one in capture.unattended if ends and one.ends and one.ends.meets(ends))
    one = next(there, None)
    if one is None or one.paused is not None or not _unread(one.pid, capture):
        return ""
    once = f": {_ONCE}" if one.disarmed else ""
    return (
        f" No thread of process {one.pid} takes them there or waits for data ({one.descriptors}), "
        f"and no event loop watches it{once}."
    )


def left_unread(resource: Resource | None, pid: int, capture: Capture) -> str:
    """`` 77939 bytes from 127.0.0.1:80 lie unread in another connection (fd 7) of process 12, for
    16 s: ...``, of a process that waits for what comes from the same address; empty: none do."""
    remote = resource.ends.remote if resource and resource.ends else None
    there = (one for one in _unread(pid, capture) if one.ends and one.ends.remote == remote)
    one = next(there, None)
    if one is None or one.paused is not None or one.traffic.unread < _MUCH:
        return ""
    return (
        f" {counted(one.traffic.unread, 'byte')} from {remote} "
        f"lie unread in another connection ({one.descriptors}) of process {pid}, for "
        f"{lasting(one.traffic.received_s or 0.0)}: no thread reads them, and who has more to send "
        "there may have to wait until one does."
    )


UNREAD_FIRST = (
    "Read the answer before to its end, or close it, before the next request goes to the same "
    "server: it may have to wait for that."
)
"""What to do about that."""


def reading_paused(pid: int, capture: Capture) -> bool:
    """Whether the most of that lies in a connection that an event loop was told not to read."""
    found = _unread(pid, capture)
    return bool(found) and found[0].paused is not None


def while_unread(pid: int, capture: Capture, package: str | None) -> str:
    """The same in short: ``, while 44 bytes lie unread in its own connection``."""
    found = _unread(pid, capture) if package else []
    if not found:
        return ""
    return f", while {counted(found[0].traffic.unread, 'byte')} lie unread in its own connection"


def unread_advice(pid: int, package: str | None, capture: Capture) -> tuple[str, ...]:
    """What to do about that; *package*: in which it waits."""
    found = _unread(pid, capture) if package else []
    if not found:
        return ()
    if reading_paused(pid, capture):
        return (
            (
                f"Take what has come over the {found[0].name} before, or while, something else of "
                "it is waited for; or drop the connection instead of closing it in good order."
            ),
        )
    return (
        (
            f"See to it that somebody reads the {found[0].name}: the loop or thread of {package} "
            "that does so was not started, has ended, or does not read on before something else "
            "is done."
        ),
    )


def _unread(pid: int, capture: Capture) -> list[Unattended]:
    """That for a while, the most of it first."""
    found = [
        one
        for one in capture.unattended
        if one.pid == pid and (one.traffic.received_s or 0.0) >= STILL_S
    ]
    return sorted(found, key=lambda one: -one.traffic.unread)


def left_alone(thread: Thread, capture: Capture) -> str:
    """``while nobody is connected to its TCP port 127.0.0.1:5555``, of a process whose threads of C
    code listen there and watch no connection; empty: not so."""
    process = capture.process(thread.pid)
    native = {one.id for one in (process.threads if process else ()) if not one.is_python}
    found = [one for one in capture.listening if one.thread in native]
    if any(one.clients for one in found) or any(w.thread in native for w in capture.watched):
        return ""
    ports = listed(list(dict.fromkeys(one.name for one in found)))
    return f"while nobody is connected to its {ports}" if ports else ""


def unconnected(thread: Thread, capture: Capture) -> str:
    """``, while its process has no TCP connection``, of one that waits in a package whose threads
    of C code are there for connections: one of them polls; empty: not so."""
    packages = {frame.package for frame in thread.python_stack or () if frame.package}
    native = (one for one in thread.native_stack or () if package_of_module(one))
    packages |= {one.package for one in native if one.package}
    process = capture.process(thread.pid)
    polling = (
        one
        for one in (process.threads if process else ())
        if not one.is_python and one.syscall and one.syscall.name.startswith(_POLLS)
    )
    if not any(f.package in packages for one in polling for f in one.native_stack or ()):
        return ""
    return no_connection(thread.pid, capture)


def no_connection(pid: int | None, capture: Capture) -> str:
    """``, while its process has no TCP connection``; empty: it has, or that is not known."""
    found = next((one for one in capture.unconnected if one.pid == pid), None)
    if found is None:
        return ""
    begun = f", and no answer yet from {listed(found.begun)}" if found.begun else ""
    return f", while its process has no TCP connection{begun}"


def connection_in_hand(thread: Thread, capture: Capture) -> tuple[str, str]:
    """The one connection of its process to somewhere else, if a thread that only sleeps again and
    again has that in hand: for a title, ``, with the TCP connection to 10.0.0.1:5672 in hand``, and
    as a sentence."""
    found = [one for one in capture.tcp_ends if one.pid == thread.pid and one.accepted]
    if len(found) != 1 or found[0].users != (thread.id,):
        return "", ""
    (end,) = found
    name = f"the TCP connection to {end.remote}"
    heard_last = _last_heard(end.traffic) if end.traffic else ""
    return f", with {name} in hand", (
        f"It has {name} in hand, the only one of its process: what comes there may end that, from "
        f"whoever has the other end.{heard_last}"
    )


def own_ends(thread: NodeId, capture: Capture) -> int:
    """How many of the connections that a thread watches have both ends in its process alone."""
    return sum(one.thread == thread and is_own(one) for one in capture.watched)


def is_own(one: Watched) -> bool:
    """Whether both ends of it are in one process alone."""
    return one.peers == (one.thread.pid,)


def _open(one: Watched) -> str:
    peers = [f"process {pid}" for pid in one.peers]
    names = listed([] if all(peer in one.name for peer in peers) else peers)
    if not one.accepted:
        listens = f", though {names} listen{'' if one.peers[1:] else 's'} there" if names else ""
        return f", which nobody has accepted{listens}" if listens else ""
    return f" (open in {names})" if names else ""


def silent(resource: Resource | None) -> str:
    """``, silent for 40 s``, of a peer that something was sent to since it was heard last."""
    return _since(resource.traffic if resource else None)


def _since(traffic: Traffic | None) -> str:
    if traffic is None or traffic.sent_s is None or not traffic.sent_last:
        return ""
    return f", silent for {lasting(traffic.sent_s)}"


def heard(resource: Resource | None) -> str:
    """`` It sent data 40 s ago, and nothing has come back since.``, of a TCP connection."""
    traffic = resource.traffic if resource else None
    return _last_heard(traffic) if traffic else ""


def _last_heard(traffic: Traffic) -> str:
    if traffic.sent_last and traffic.sent_s is not None:
        since = "since" if traffic.received_s is not None else "on this connection"
        confirmed = ": it is not even confirmed" if traffic.unacknowledged else ""
        ago = lasting(traffic.sent_s)
        there = f"{confirmed}{_unfetched(traffic)}"
        return f" It sent data {ago} ago, and nothing has come back {since}{there}."
    if traffic.received_s is None:
        return " No data has gone over this connection yet."
    ago = lasting(traffic.received_s)
    if traffic.sent_last is None:
        return f" The last data went over it {ago} ago."
    return f" The last data came {ago} ago, and it sent none since."


def _unfetched(traffic: Traffic) -> str:
    """``; the last 24 bytes of it lie unread at the other end``."""
    if not traffic.unfetched:
        return ""
    lie = "lies" if traffic.unfetched == 1 else "lie"
    return f"; the last {counted(traffic.unfetched, 'byte')} {lie} unread at the other end"


def account(resource: Resource | None) -> tuple[str, ...]:
    """When data went over a connection last, by the kernel."""
    traffic = resource.traffic if resource else None
    if traffic is None:
        return ()
    sent, came = _moment("sent", traffic.sent_s), _moment("received", traffic.received_s)
    return (f"the kernel's account of the connection: {sent}, {came}",)


def _moment(what: str, ago_s: float | None) -> str:
    return f"nothing {what}" if ago_s is None else f"last data {what} {ago_s:.1f} s ago"
