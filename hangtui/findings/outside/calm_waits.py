"""Waits inside of packages that last, and that nothing is wrong with as far as can be seen."""

from collections.abc import Sequence

from hangtui.analysis.places import application_index, package_of
from hangtui.analysis.waitgraph import Edge
from hangtui.findings.by_the_clock import all_go_on, gives_up, goes_on, is_soon, moves, passed_on
from hangtui.findings.enders import enders
from hangtui.findings.english import clauses, joined
from hangtui.findings.library_waits import LOOKS_AFTER_RANKS
from hangtui.findings.outside import library_peers
from hangtui.findings.outside.arriving import flows
from hangtui.findings.outside.due import just_started, nothing_due, takes_given
from hangtui.findings.outside.engine_workers import others_at_work
from hangtui.findings.outside.had_by_others import had_by_another
from hangtui.findings.outside.library_enders import Member, all_enders
from hangtui.findings.outside.package_jobs import computes, heard_by_native, jobs_of
from hangtui.findings.outside.store_waits import awaits_key, others_rest
from hangtui.findings.outside.traffic import is_own
from hangtui.findings.package_queries import is_job, package_entry, takes_items
from hangtui.findings.senders import may_be_told
from hangtui.findings.services import is_helper
from hangtui.findings.stack_queries import does, index_of, main_thread, name_of, other_side_works
from hangtui.findings.thresholds import NAMES_LISTED
from hangtui.findings.words import Words
from hangtui.model import NodeKind, Thread

_LOCKS = (NodeKind.LOCK, NodeKind.SEMAPHORE, NodeKind.MUTEX)
_CHANNELS = (NodeKind.SOCKET, NodeKind.PIPE)
_ENDED_STATES = ("Z", "X")
_FROM_ANYBODY = ("message", "accept")
_ITERATES = frozenset({"__iter__", "__next__"})
_TELL = frozenset({"watch", "read_events", "event_gen", "iter_events", "notifies"})
"""How functions of packages are called that tell of what changes by and by, as files do, or that
somebody has given notice (NOTIFY of PostgreSQL)."""

_TAKES_FIRST = frozenset(f"zmq.Socket({sort}).recv" for sort in ("PULL", "REP", "ROUTER"))
"""Calls of objects in C that take what somebody sends of his own accord: nobody owes it."""
_SUBSCRIBED = frozenset(f"zmq.Socket({sort}).recv" for sort in ("SUB", "XSUB"))
_SERVES = frozenset(f"zmq.Socket({sort}).recv" for sort in ("DEALER", "REQ"))
"""Those by which a worker takes what it is to do next, once it has said that it is there."""
_UNASKED = frozenset({"can", "evdev", "hid", "inputs", "nng", "pynng", "pyserial", "serial", "usb"})
"""Packages by which a program reads what devices or others send of their own accord: lines,
buttons, messages."""
_POLL, _ZMQ = "poll", ("zmq", "pyzmq")


def takes_first(thread: Thread) -> bool:
    """Whether it waits for what others may send, unasked, as a worker rests that serves others; so
    does a loop that only takes what was subscribed to, or what any of several sockets has."""
    if thread.calling in _TAKES_FIRST or (thread.answers and thread.calling in _SERVES):
        return True
    entry = package_entry(thread)
    if thread.takes_next is True and entry is not None and package_of(entry) in _UNASKED:
        return True
    polls = entry is not None and name_of(entry) == _POLL and package_of(entry) in _ZMQ
    return thread.takes_next is True and (polls or thread.calling in _SUBSCRIBED)


def is_calm(members: Sequence[Member], package: str, words: Words) -> bool:
    """Whether nothing is due there, or those who could end it go on by themselves."""
    wait = members[0][1]
    if others_at_work(members[0][0].pid, package, words):
        return True
    owes_nothing = all(
        edge is not None
        # Who takes messages from anybody may have asked for nothing.
        and (
            nothing_due(thread, edge, words)
            or words.operation(edge) in _FROM_ANYBODY
            or takes_items(thread)
        )
        for thread, edge in members
    )
    if awaits_key(members[0][0]):
        return not others_rest(members[0][0], words)
    if all(edge is not None and told_by_hub(one, edge, words) for one, edge in members):
        return True
    if looks_after(members[0][0], words) or flows(members[0][0], wait, words):
        return True
    goes_on = (
        (
            wait is not None
            and (
                all_go_on(all_enders(wait, words), words)
                or _at_work(wait, words)
                or _passed_on(members, words)
                or all_go_on(library_peers.answering(members[0][0], wait, words), words)
                or all(edge and gives_up(thread, edge, words) for thread, edge in members)
            )
        )
        or _hears_items(members[0][0], wait, words)
        or (wait is None and all(had_by_another(thread, words) for thread, _ in members))
        or (wait is None and all(_takes_what_comes(thread, words) for thread, _ in members))
        or _jobs_go_on([thread for thread, _ in members], package, words)
    )
    young = all(edge is not None and just_started(edge, words) for _, edge in members)
    return owes_nothing or goes_on or young or all(told_of_changes(one) for one, _ in members)


def _at_work(wait: Edge, words: Words) -> bool:
    """Whether it is for the end of a process that lives, what which does is judged on its own; for
    data from one that is at work, or for the end of a thread that waits so; or for a lock of those
    who come round to the same line."""
    read_by = words.graph.wait_of(wait.target) if words.thread(wait.target) else None
    if read_by is not None and read_by.target.kind in _CHANNELS:
        return other_side_works(read_by, words)
    if wait.target.kind in _LOCKS:
        return passed_on(wait, words)
    if wait.target.kind in _CHANNELS:
        return other_side_works(wait, words)
    if wait.target.kind is not NodeKind.PROCESS:
        return False
    process = words.capture.process(wait.target.pid) if wait.target.pid else None
    ended = process is not None and process.state in _ENDED_STATES
    resource = words.resource(wait.target)
    return not ended and not (resource and resource.note)  # that it was stopped, say


def _hears_items(thread: Thread, wait: Edge | None, words: Words) -> bool:
    """Whether it goes through what a package hears by and by (``for message in connection``), and
    those who hand that on wait at connections over which nothing is due: threads of C code do, over
    which something has come before."""
    frame = package_entry(thread)
    if frame is None or name_of(frame) not in _ITERATES:
        return False
    hearing = [
        (one, words.graph.wait_of(one.id))
        for one in (enders(wait, words) if wait else ())
        if not (isinstance(one, Thread) and _asks_by_clock(one, package_of(frame)))
    ]
    if not hearing:
        heard = [one.traffic for one in heard_by_native(thread.pid, words)]
        return any(one is not None and one.received_s is not None for one in heard)
    return all(
        isinstance(one, Thread)
        and (_only_hears(one, words) if its is None else _hears(one, its, words))
        for one, its in hearing
    )


def _takes_what_comes(thread: Thread, words: Words) -> bool:
    """Whether a loop of the application takes there what other clients give, which the package asks
    for now and then; or what comes next, over connections all of which have brought something
    before."""
    if takes_given(thread):
        return True
    heard = [one for one in words.capture.watched if one.thread == thread.id and not is_own(one)]
    came = [one.traffic is not None and one.traffic.received_s is not None for one in heard]
    return thread.takes_next is True and bool(came) and all(came)


def told_by_hub(thread: Thread, wait: Edge, words: Words) -> bool:
    """Whether it takes one message after the other, and may have asked to be told what others say
    to the one process that has the other end."""
    others = {hold.target.pid for hold in words.graph.holders_of(wait.target)} - {thread.pid}
    told = wait.target.kind is NodeKind.SOCKET and len(others) == 1
    return told and all(pid and may_be_told(thread, pid, words) for pid in others)


def _hears(thread: Thread, wait: Edge, words: Words) -> bool:
    """Whether it waits at a connection over which nothing is due; or is there for nothing else, and
    something has come before: the package sends what the program does not ask (pings)."""
    if wait.target.kind is not NodeKind.SOCKET:
        return False
    resource = words.resource(wait.target)
    traffic = resource.traffic if resource else None
    came = traffic is not None and traffic.received_s is not None
    return nothing_due(thread, wait, words) or (came and _of_package(thread))


def _asks_by_clock(thread: Thread, package: str | None) -> bool:
    """Whether the package has it ask for what it sends, and the application sleeps meanwhile: its
    next question may bring an item as well, and what was asked before comes without it."""
    call = thread.syscall
    return package is not None and is_job(thread, package) and bool(call and call.sleeps)


def _only_hears(thread: Thread, words: Words) -> bool:
    """Whether it is a thread of a package's own that is awake, and was so now and then; or that
    watches connections alone over which something has come before."""
    seen = words.progress.get(thread.id)
    heard = [one.traffic for one in words.capture.watched if one.thread == thread.id]
    came = bool(heard) and all(one is not None and one.received_s is not None for one in heard)
    return _of_package(thread) and (came or (seen is not None and seen.ran))


def _of_package(thread: Thread) -> bool:
    """Whether none of the application's functions is on its stack."""
    return application_index(thread.python_stack or ()) is None


def looks_after(thread: Thread, words: Words) -> list[Thread]:
    """The main threads of ranks for whose end it waits, as the launcher that has started them:
    what each of these does is judged on its own."""
    file, function = LOOKS_AFTER_RANKS
    if index_of(thread, {function}, file) is None:
        return []
    own = [p for p in words.capture.processes if p.ppid == thread.pid and not is_helper(p)]
    return [main for one in own if one.state not in _ENDED_STATES and (main := main_thread(one))]


def told_looked_after(ranks: Sequence[Thread], words: Words) -> str:
    """``These are rank 0 (process 8) and rank 1 (process 9). There, ...``"""
    names = joined([words.process_name(one.pid) for one in ranks[:NAMES_LISTED]])
    now = clauses([does(one, words) for one in ranks])
    return f"{'These are' if len(ranks) > 1 else 'That is'} {names}. There, {now}."


def _jobs_go_on(waiting: Sequence[Thread], package: str, words: Words) -> bool:
    """Whether the package has called the application in other threads in its turn, and all of these
    go on by the clock or are at work: what is waited for is what they do. So it is if threads of
    its own compute."""
    if computes(waiting, package, words):
        return True
    jobs = jobs_of(waiting, package, words)
    return bool(jobs) and all(
        goes_on(one, words) or moves(one, words) or _naps(one, words) for one in jobs
    )


def _naps(thread: Thread, words: Words) -> bool:
    """Whether a line of the application sleeps itself for less than a minute, in no loop that does
    nothing but look at something in between."""
    sleep = thread.syscall.sleep if thread.syscall and thread.syscall.sleeps else None
    itself = application_index(thread.python_stack or ()) == 0
    return itself and sleep is not None and is_soon(sleep) and thread.id not in words.looking


def told_of_changes(thread: Thread) -> bool:
    """Whether it is in a function that tells of changes: between two of them it rests."""
    frame = package_entry(thread)
    return frame is not None and name_of(frame) in _TELL


def _passed_on(members: Sequence[tuple[Thread, Edge | None]], words: Words) -> bool:
    """Whether all of these wait for the same, and one of them had it meanwhile and asks again: the
    others get it in turn."""
    targets = {edge.target if edge else None for _, edge in members}
    seen = [words.progress.get(thread.id) for thread, _ in members]
    came_back = any(one is not None and one.returned for one in seen)
    return len(targets) == 1 and None not in targets and came_back
