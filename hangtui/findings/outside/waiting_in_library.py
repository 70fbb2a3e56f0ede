"""The application waits inside an installed package, and nothing is known to be wrong with that."""

from collections.abc import Collection, Iterable, Iterator

from hangtui.analysis.places import application_index, library_frame, package_of
from hangtui.analysis.waitgraph import Edge, WaitGraph
from hangtui.analysis.wakers import coming
from hangtui.findings.actors import REMOTE
from hangtui.findings.by_the_clock import all_go_on, the_only
from hangtui.findings.collectives import collective, forms_group, seeks_store
from hangtui.findings.english import counted, joined, listed
from hangtui.findings.grounds import ONE_WAIT
from hangtui.findings.inert import at_connections
from hangtui.findings.messages import call_of, call_within
from hangtui.findings.on_the_way import doing, enders, only
from hangtui.findings.outside.calm_waits import at_work, passed_on
from hangtui.findings.outside.due import just_started, nothing_due
from hangtui.findings.outside.others_in_library import others_in_library
from hangtui.findings.outside.rank_elsewhere import waiting_ranks
from hangtui.findings.outside.traffic import left_alone, unconnected, unread, watched, watches
from hangtui.findings.polled import looked_at, polled_by, told_changes
from hangtui.findings.pools import pool_of
from hangtui.findings.resources import is_native, noted
from hangtui.findings.stack_queries import (
    at,
    callers,
    does,
    ended_children,
    in_its_words,
    kind_of,
    library_entry,
    library_wait,
    main_thread,
    name_of,
    own_frame,
    package_entry,
    serves,
    still,
)
from hangtui.findings.thresholds import NAMES_LISTED, STILL_S
from hangtui.findings.words import Words, ref, words_of
from hangtui.model import (
    Capture,
    Certainty,
    Finding,
    NodeId,
    NodeKind,
    Process,
    Progress,
    Severity,
    Task,
    Thread,
)

ID = "waiting-in-library"
GROUND = ONE_WAIT
HELP = """\
A line of the application called an installed package, and that waits: for a connection out of its
pool, an answer, a token. Nothing records who should end it, so nothing more is known; but this is
where the application stands, and it is not idle.

How it is known: the stack leads from the application's own line into the package, and the thread
sleeps below it. Over several looks (`hangtui check`) it is a warning if it lasted for a second or
more: either the thread did not run, or it woke up only to wait again on the same lines, which is
waiting by polling. That is also what a slow answer looks like; if those who could end it are known,
and each sleeps by the clock, less than a minute and not again and again, or waits for one that
does, it is a note; and if they are services that do not run Python and were started less than a
minute before. So it is if it waits for data from a process that is at work, or for the end of one
that lives, or if the thread has one function of the application alone, which takes items from a
library's queue.
"""

_LOCKS = (NodeKind.LOCK, NodeKind.SEMAPHORE, NodeKind.MUTEX)
_CLOCK = "for the clock"
_GROUP = "for the other members of a process group to join it (ProcessGroupGloo)"
_STORE = "for another rank to open the store of their group (TCPStore), trying again and again"
_OTHERS = 3
"""Other threads of the process that are told."""
_FILE = NodeKind.FILE_LOCK
_TAKES = ("recv", "receive", "poll", "accept")
"""How functions of packages are called that take what comes."""
_ITEMS = ("get", "pop", "take", "consume", "dequeue", "fetch", "next", "__next__")
"""Those that take the next item of many."""
_Member = tuple[Thread, Edge | None]
"""A thread, and what it waits for if that is known."""


def check(capture: Capture, graph: WaitGraph) -> list[Finding]:
    """One finding for each line of the application from which threads wait so."""
    words = words_of(capture, graph)
    found = []
    ranks = waiting_ranks(capture)
    for process in capture.processes:
        groups: dict[tuple[str, str], list[_Member]] = {}
        for thread, wait, package in _waiting(process, ranks, words):
            groups.setdefault((at(own_frame(thread)), package), []).append((thread, wait))
        for (where, package), members in groups.items():
            found.append(_finding(where, package, members, words))
    return found


def waits_in_library(thread: Thread, words: Words) -> bool:
    """Whether it does: such a thread neither rests nor is at work."""
    seen = words.progress.get(thread.id)
    asks = seen is not None and seen.same_line  # it may be awake at the moment, to ask again
    if not (thread.asleep or asks) or thread.id in words.looping or library_wait(thread) is None:
        return False
    wait = words.graph.wait_of(thread.id)
    if serves(thread, kind_of(wait, words) if wait else None):
        return False
    if wait is None:  # then only that several looks saw it on the same lines tells it from a rest
        return asks
    # Who waits for the GIL has what the library waited for, and is about to go on.
    return kind_of(wait, words) is not NodeKind.GIL and words.operation(wait) != "accept"


def _waiting(
    process: Process, ranks: Collection[NodeId], words: Words
) -> Iterator[tuple[Thread, Edge | None, str]]:
    """Those of a process; of *ranks* a rule of its own tells."""
    for thread in process.threads:
        if thread.id in ranks:
            continue
        package = library_wait(thread)
        wait = words.graph.wait_of(thread.id)
        # Rules of their own tell of these.
        kind = None if wait is None else wait.target.kind
        told = wait is not None and (pool_of(wait, words) or kind is _FILE or kind in REMOTE)
        if package and not told and waits_in_library(thread, words):
            yield thread, wait, package


def _lasted_s(seen: Progress | None) -> float:
    """For how long several looks saw it there; 0: there was one, or it was elsewhere in between."""
    if seen is None:
        return 0.0
    return seen.stayed_s if seen.asks else seen.waited_s


def _finding(
    where: str,
    package: str,
    members: list[_Member],
    words: Words,
) -> Finding:
    threads = [thread for thread, _ in members]
    (first, wait), several = members[0], len(members) > 1
    names = listed([words.thread_name(thread) for thread in threads])
    lasted = max(_lasted_s(words.progress.get(thread.id)) for thread in threads)
    long = lasted >= STILL_S
    calm = all(
        edge is not None
        # Who takes messages from anybody may have asked for nothing.
        and (
            nothing_due(thread, edge, words)
            or words.operation(edge) == "message"
            or _takes_items(thread)
        )
        for thread, edge in members
    )
    calm = calm or (wait is not None and all_go_on(_enders(wait, words), words))
    calm = calm or (wait is not None and (at_work(wait, words) or passed_on(members, words)))
    young = [just_started(edge, words) if edge else "" for _, edge in members]
    calm = calm or all(young)
    span = f" for {lasted:.0f} s or more" if long else ""
    # All ranks are in it, or are not known: the slowest of them and the network set its pace.
    joint = all(collective(thread) for thread in threads)
    named = wait is not None and not _passing(first, wait, words)
    holds = words.graph.holders_of(wait.target) if wait else ()
    goal = _goal(first, wait if named else None, package, words)
    holders = [words.name(hold.target) for hold in holds]
    who = f"{_ender(wait, words)} {_meanwhile(threads, package, words)}".strip()
    clock = wait is None and goal.startswith(_CLOCK)
    if clock:
        who = "It goes on by itself when that time is over."
    if wait and not holders:
        who += _ended(first, words)
    if holders:
        now = _now([hold.target for hold in holds], words)
        who = f"{listed(holders)} could end that.{now}{young[0]}"
    stack = first.python_stack or ()
    own = application_index(stack) or 0
    verb = "wait" if several else "waits"
    apart = unconnected(first, words.capture)
    what, alone = f"{goal}{span}{apart}", left_alone(first, words.capture) if wait is None else ""
    if alone:
        calm = calm or _takes(first)  # a server to which nobody has come
        what = f"{span.strip()}, {alone}" if span else alone
        who = (
            "Native threads of the process listen there, and have no other connection: as far as "
            "can be seen, only somebody who connects could end that."
        )
    return Finding(
        id=ID,
        severity=Severity.WARNING if long and not (calm or joint) else Severity.NOTE,
        certainty=Certainty.INFERRED,
        title=f"{names} {verb}{where}, in {package}, {what}",
        sentence=(
            f"{names} {verb}{where}{callers(first, own)}. Below that line, {package} "
            f"({library_entry(first)}) waits {what}.{in_its_words(first)}"
            f"{watches(threads, words.capture)}"
            f"{told_changes(first.id, words) if wait is None and not clock else ''} {who}"
            f"{unread(first.pid, words.capture, package)}"
            f"{others_in_library(first.pid, package, words)}"
        ),
        threads=tuple(ref(thread) for thread in threads),
        resources=(wait.target,) if wait else (),
        evidence=(
            *(words.reading(edge) for _, edge in members[:NAMES_LISTED] if edge),
            *filter(None, (_seen(thread, words) for thread in threads[:NAMES_LISTED])),
            *([] if words.progress else [still(threads)]),
        ),
        unknown=("whether the wait will end: a slow answer looks the same",),
        advice=(_advice(where, package, clock=clock),),
    )


def _advice(where: str, package: str, *, clock: bool) -> str:
    if clock:
        return (
            f"Look up how long {package} may sleep there, and bound that{where}: a timeout of the "
            "call mostly does not count what it sleeps between two tries."
        )
    return (
        f"Give the call{where} a timeout if {package} has one for it, so that a wait that lasts "
        "becomes an error which says where."
    )


def _enders(wait: Edge, words: Words) -> list[Thread | Task]:
    """Those who could end it, if they are known: who holds it, is seen on the way to end it, or
    alone shares it."""
    holders = [hold.target for hold in words.graph.holders_of(wait.target)]
    if holders:
        return [one for one in map(words.actor, holders) if one is not None]
    if on_the_way := enders(wait, words):
        return on_the_way
    resource = words.resource(wait.target)
    sharers = set(resource.sharers if resource else ()) - {wait.source.pid}
    processes = [words.capture.process(pid) for pid in sharers]
    mains = [main_thread(process) for process in processes if process is not None]
    alone = the_only((thread for thread in mains if thread is not None), words)
    return [*alone] if len(alone) == len(sharers) else []


def _ended(thread: Thread, words: Words) -> str:
    """That children have ended, one of which may have been to end the wait."""
    process = words.capture.process(thread.pid)
    dead = ended_children(process) if process else []
    have = "has" if len(dead) == 1 else "have"
    return f" Of its children, {listed(dead)} {have} ended." if dead else ""


def _now(holders: Iterable[NodeId], words: Words) -> str:
    """What the threads and tasks do that could end it: first those in the application."""
    found = [one for one in map(words.actor, holders) if one is not None]
    found.sort(key=lambda one: application_index(one.python_stack or ()) is None)
    return f" Now {joined([doing(one, words) for one in found[:_OTHERS]])}." if found else ""


def _passing(thread: Thread, wait: Edge, words: Words) -> bool:
    """Whether one that polls was met at some lock without a name, on its way back to its wait: in
    the next look it is another one."""
    seen, resource = words.progress.get(thread.id), words.resource(wait.target)
    bare = resource is not None and (resource.name is None or is_native(resource))
    return bare and wait.target.kind in _LOCKS and seen is not None and _polls(seen)


def _goal(thread: Thread, wait: Edge | None, package: str, words: Words) -> str:
    """What it waits for: in the words of the function that waits, where these are known."""
    if forms_group(thread):
        return _GROUP
    goal = words.goal(wait) if wait else _without_goal(thread, words)
    if wait and is_native(words.resource(wait.target)):
        goal = call_of(package, library_entry(thread)) or goal
    if wait and words.graph.holders_of(wait.target):
        return goal
    stack = thread.python_stack or ()
    return call_within(stack[: application_index(stack) or 0]) or goal


def _without_goal(thread: Thread, words: Words) -> str:
    """How it waits where for what is not known."""
    if seeks_store(thread):
        return _STORE
    seen, call = words.progress.get(thread.id), thread.syscall
    if seen is not None and _polls(seen):
        polled = polled_by(thread.id, words)
        return f"by polling {looked_at(polled)}" if polled else "by polling"
    if call is not None and call.sleeps:
        return f"{_CLOCK}, {call.detail}," if call.detail else _CLOCK
    known = call_of(library_wait(thread), library_entry(thread))
    return known or f"in the system call {_call(thread)}"


def _polls(seen: Progress) -> bool:
    """Whether it woke up only to wait again on the same lines."""
    same = seen.same_stack or (seen.same_line and seen.asks)
    return same and seen.ran and not seen.returned


def _meanwhile(threads: list[Thread], package: str, words: Words) -> str:
    """What the others do who may end it: those in the application, else the package's own."""
    process = words.capture.process(threads[0].pid)
    others = [t for t in (process.threads if process else ()) if t.is_python and t not in threads]
    stacks = [(thread, thread.python_stack or ()) for thread in others]
    chosen = [thread for thread, stack in stacks if application_index(stack) is not None]
    chosen = chosen or [t for t, stack in stacks if any(package_of(f) == package for f in stack)]
    chosen = chosen or [t for t in others if not t.asleep and _is_native(t, package)]
    if not chosen:
        return ""
    more = f"; {counted(len(chosen) - _OTHERS, 'more thread')}" if chosen[_OTHERS:] else ""
    there = f"There, {joined([does(t, words) for t in chosen[:_OTHERS]])}{more}."
    connections = watched(chosen, words.capture) if len(chosen) == 1 else []
    return f"{there} It watches {listed(connections)}." if connections else there


def _takes(thread: Thread) -> bool:
    """Whether it waits for what somebody sends who connects, as a server does."""
    frame = package_entry(thread)
    return frame is not None and name_of(frame).startswith(_TAKES)


def _takes_items(thread: Thread) -> bool:
    """Whether it is a thread whose own function takes what comes out of some queue of a library:
    between two items that is its rest."""
    frame, stack = package_entry(thread), thread.python_stack or ()
    own = [f for f in stack if not library_frame(f) and package_of(f) is None]
    takes = frame is not None and name_of(frame).startswith((*_TAKES, *_ITEMS))
    return thread.tid != thread.pid and takes and len(own) == 1


def _is_native(thread: Thread, package: str) -> bool:
    """Whether C code of the package is on its stack."""
    packages = ((frame.package or "").partition(" ")[0] for frame in thread.native_stack or ())
    return package in packages


def _ender(wait: Edge | None, words: Words) -> str:
    """The only one whose code is seen to come to what would end a wait."""
    wakers = coming(words.graph, wait.target, words.method(wait)) if wait else ()
    who = {one.candidate for one in wakers}
    if len(who) != 1:
        resource = words.resource(wait.target) if wait else None
        process = words.capture.process(wait.source.pid) if wait else None
        if is_native(resource) and process and (native := at_connections(process)):
            names = listed([one.name for one in native])
            return f"What comes to the connections of native threads ({names}) may end that."
        return f"Who could end that is not recorded{noted(resource) if wait else ''}."
    waiter = words.actor(wait.source) if wait else None
    return f"{only([words.name(who.pop())], wakers, waiter)}."


def _call(thread: Thread) -> str:
    call = thread.syscall
    return "?" if call is None else f"{call.name} ({call.detail})" if call.detail else call.name


def _seen(thread: Thread, words: Words) -> str | None:
    """How several looks saw it."""
    one = words.progress.get(thread.id)
    if one is None:
        return None
    name, looks = words.thread_name(thread), counted(one.looks, "look")
    if one.returned:
        return (
            f"{name} left these lines and came back to them between {looks}: a variable of the "
            "application changed, or a wait ended other than by a timeout"
        )
    if _polls(one):
        return (
            f"{name} was on the same lines in each of {looks} over {one.lasted_s:.1f} s, and woke "
            "up in between: it waits by polling"
        )
    return f"{name} did not run for the last {one.unchanged_s:.1f} s of {looks}"
