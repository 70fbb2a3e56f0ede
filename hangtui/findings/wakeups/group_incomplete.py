"""A process group of torch lacks a member, for which the others wait, and somebody is known who was
asked to join or would come to it."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from hangtui.analysis.waitgraph import WaitGraph
from hangtui.findings.english import joined, listed
from hangtui.findings.grounds import ONE_WAIT
from hangtui.findings.jobs import who
from hangtui.findings.outside.rank_elsewhere import waiting_ranks
from hangtui.findings.outside.rank_waits import waited_s, works
from hangtui.findings.outside_in import outside_in
from hangtui.findings.roles import ranks_told
from hangtui.findings.stack_queries import at, does, name_of, own_frame, still
from hangtui.findings.thresholds import NAMES_LISTED, STILL_S
from hangtui.findings.words import Words, ref, words_of
from hangtui.model import (
    Capture,
    Certainty,
    Finding,
    Joining,
    NodeId,
    Severity,
    Thread,
    host_of,
)

ID = "group-incomplete"
GROUND = ONE_WAIT
HELP = """\
A process group of torch (`ProcessGroupGloo`, `init_process_group`, `new_group`), or the store at
which its members meet (`TCPStore`), is made by all of its members together: each waits until the
last one has come. Here some wait, one has not come, and it is known who that would be: a thread
whose next lines make the same group, or an actor of Ray that one of the members has called for it.
If that one waits for the members itself, or in another group that lacks one of these, none goes on.

How it is known: the group's store, a member's number and how many there are lie in the memory of
the threads that make it. Who would come is inferred: from the code of the functions that a thread
stands in, and from references to an actor's results in the variables of who waits. It is a warning
if all of them wait for a second or more over several looks.
"""


class _Absent(NamedTuple):
    """One who has not come, and why it would."""

    thread: Thread
    why: str
    elsewhere: str
    """The store of another group that it waits in; empty: in none that is known."""


class _Group(NamedTuple):
    """Those who wait for the same members."""

    members: list[tuple[Joining, Thread]]
    absent: list[_Absent]

    @property
    def threads(self) -> list[Thread]:
        """Those who wait."""
        return [thread for _, thread in self.members]

    @property
    def missing(self) -> list[int]:
        """The numbers of those who have not come, where they are known."""
        size = max((one.size or 0 for one, _ in self.members), default=0)
        came = {one.rank for one, _ in self.members}
        return [] if None in came else sorted(set(range(size)) - came)


def check(capture: Capture, graph: WaitGraph) -> list[Finding]:
    """One finding for each such group; for groups that lack each other's members, one for all."""
    words = words_of(capture, graph)
    groups = _groups(words)
    found, told = [], set[str]()
    for store, group in groups.items():
        if store in told or not group.absent:
            continue
        ring = _ring(store, groups)
        told.update(ring)
        found.append(_finding([groups[one] for one in ring], words, closed=len(ring) > 1))
    return found


def _groups(words: Words) -> dict[str, _Group]:
    """By their stores, the groups that lack somebody, each with who that may be."""
    known = waiting_ranks(words.capture)
    inside: dict[str, list[tuple[Joining, Thread]]] = {}
    for one in words.capture.joinings:
        thread = words.thread(one.thread)
        if one.here and one.store and thread is not None and one.thread not in known:
            inside.setdefault(f"{host_of(thread.pid)} {one.store}", []).append((one, thread))
    stores = {thread.id: store for store, those in inside.items() for _, thread in those}
    return {
        store: _Group(those, list(_absent(those, stores, words))[:NAMES_LISTED])
        for store, those in inside.items()
    }


def _absent(
    members: Sequence[tuple[Joining, Thread]], stores: dict[NodeId, str], words: Words
) -> Iterator[_Absent]:
    """Who has not come to the group of *members*."""
    came = {thread.pid for _, thread in members}
    functions = {name_of(frame) for _, thread in members if (frame := own_frame(thread))}
    for one in words.capture.joinings:
        thread = words.thread(one.thread)
        if one.here or thread is None or thread.pid in came or one.function not in functions:
            continue
        came.add(thread.pid)
        why = f"{words.thread_name(thread)} comes to {one.function}() at {one.line} next"
        yield _Absent(thread, why, "")
    for one, caller in members:
        for actor in one.called:
            for hold in words.graph.holders_of(actor):
                thread = words.thread(hold.target)
                if thread is None or thread.pid in came:
                    continue
                came.add(thread.pid)
                why = f"{words.thread_name(caller)} has called {words.name(actor)}"
                yield _Absent(thread, why, stores.get(thread.id, ""))


def _ring(store: str, groups: dict[str, _Group]) -> list[str]:
    """The groups that one leads to, each lacking who waits in the next one, if that leads back;
    else the group itself."""
    path = [store]
    while True:
        absent = groups[path[-1]].absent
        following = next((one.elsewhere for one in absent if one.elsewhere), "")
        if following == store:
            return path
        if not following or following in path or following not in groups:
            return [store]
        path.append(following)


def _finding(groups: Sequence[_Group], words: Words, *, closed: bool) -> Finding:
    first = groups[0]
    threads = [thread for group in groups for thread in group.threads]
    others = [one.thread for group in groups for one in group.absent if one.thread not in threads]
    waits = outside_in(words.capture, words.graph, tuple(thread.id for thread in first.threads))
    behind = {one.actor.pid for one in waits}
    back = [one.thread for one in first.absent if one.thread.pid in behind]
    lasts = all(waited_s(one, words) >= STILL_S for one in threads) and not any(
        works(one.thread, words) for one in first.absent
    )
    if closed:
        end = "Each group lacks one that waits in another: they wait for each other."
    elif back:
        name = words.thread_name(back[0])
        end = f"{name[:1].upper()}{name[1:]} waits for these itself, so none of them goes on."
    else:
        end = "Until it comes, all others wait."
    return Finding(
        id=ID,
        severity=Severity.WARNING if lasts else Severity.NOTE,
        certainty=Certainty.INFERRED,
        title=_title(first, words),
        sentence=" ".join([*(_told(group, words) for group in groups), end]),
        threads=tuple(ref(thread) for thread in dict.fromkeys((*threads, *others))),
        evidence=(
            *(
                f"{words.thread_name(thread)}: {_read(one)}"
                for group in groups
                for one, thread in group.members[:NAMES_LISTED]
            ),
            *(one.why for group in groups for one in group.absent),
            still(threads),
        ),
        unknown=("whether that is who has to join: it is inferred from code and variables",),
        advice=(
            (
                "Let all members make their groups in one order, and none of them wait for "
                "another one's answer before it has joined itself: start the call, join, then wait."
            ),
        ),
    )


def _title(group: _Group, words: Words) -> str:
    where, lacks = at(own_frame(group.threads[0])), _lacks(group)
    verb = "waits" if len(group.threads) == 1 else "wait"
    call = group.members[0][0].call
    after = next((words.process_name(one.thread.pid) for one in group.absent), "")
    names = joined(list(dict.fromkeys(words.process_name(one.pid) for one in group.threads)))
    return f"{names} {verb}{where}, in {call}, for {lacks}: {after} has not come"


def _lacks(group: _Group) -> str:
    """``rank 0 of 3``."""
    size = next((one.size for one, _ in group.members if one.size), None)
    if not group.missing:
        return "a member"
    return f"{ranks_told(group.missing)} of {size}"


def _told(group: _Group, words: Words) -> str:
    """Who waits where for whom, and what that one does."""
    names = who(group.threads, words)
    verb = "waits" if len(group.threads) == 1 else "wait"
    one, thread = group.members[0]
    does_now = [f"{absent.why}; now {_now(absent, words)}" for absent in group.absent]
    return (
        f"The group whose store is {one.store} lacks {_lacks(group)}: {names} {verb} for that"
        f"{at(own_frame(thread))}, in {one.call}. {listed(does_now)}."
    )


def _now(absent: _Absent, words: Words) -> str:
    name = words.thread_name(absent.thread)
    if not absent.elsewhere:
        return f"it {does(absent.thread, words).removeprefix(name).lstrip()}"
    frame, store = own_frame(absent.thread), absent.elsewhere.rpartition(" ")[2]
    return f"that waits{at(frame)} for the group whose store is {store}"


def _read(one: Joining) -> str:
    rank = f", rank {one.rank}" if one.rank is not None else ""
    size = f" of {one.size}" if one.size else ""
    opens = {True: ", which it opens", False: ", which another one opens", None: ""}[one.opens]
    return f"it is in {one.call} at {one.line}{rank}{size}, with the store {one.store}{opens}"
