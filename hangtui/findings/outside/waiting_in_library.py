"""The application waits inside an installed package, and nothing is known to be wrong with that."""

from collections.abc import Collection, Iterator

from hangtui.analysis.places import application_index
from hangtui.analysis.waitgraph import Edge, WaitGraph
from hangtui.findings.actors import REMOTE
from hangtui.findings.by_the_clock import all_go_on
from hangtui.findings.child_ends import stopped_children, told_stopped
from hangtui.findings.collectives import ONLY_RANKS, awaited_of_ranks
from hangtui.findings.databases import sleeps_in_sqlite
from hangtui.findings.engine_schedulers import held_requests
from hangtui.findings.english import listed
from hangtui.findings.grounds import ONE_WAIT
from hangtui.findings.lost_writers import ended_beside
from hangtui.findings.message_rings import ring_wait
from hangtui.findings.on_the_way import onward
from hangtui.findings.outside import held_meanwhile, library_peers
from hangtui.findings.outside.answerers import answered_later, nobody_answers
from hangtui.findings.outside.arriving import arriving_advice, comes, told_arriving
from hangtui.findings.outside.calm_waits import (
    is_calm,
    looks_after,
    takes_first,
    told_looked_after,
    told_of_changes,
)
from hangtui.findings.outside.dataset_blocks import made_behind, told_makers
from hangtui.findings.outside.due import just_started
from hangtui.findings.outside.library_enders import (
    Member,
    at_its_end,
    doing_now,
    ended,
    ender,
    meanwhile,
    parted,
    stuck,
    whose,
)
from hangtui.findings.outside.library_goals import (
    CLOCK,
    TIME_OVER,
    advice,
    between_tries,
    goal_of,
    in_step,
    none_missing,
    passing,
    sleeps_where,
)
from hangtui.findings.outside.library_looks import how_seen
from hangtui.findings.outside.others_in_library import others_in_library
from hangtui.findings.outside.package_jobs import called_in_its_own, short_jobs, told_jobs
from hangtui.findings.outside.rank_elsewhere import waiting_ranks
from hangtui.findings.outside.store_waits import awaits_key, told_setters
from hangtui.findings.outside.traffic import (
    connection_in_hand,
    left_alone,
    unconnected,
    unread,
    watched,
    watches,
)
from hangtui.findings.package_queries import (
    in_its_words,
    library_entry,
    library_wait,
    serves,
    takes_message,
    takes_one_request,
)
from hangtui.findings.polled import told_changes
from hangtui.findings.pools import pool_of
from hangtui.findings.re_entered import told_again
from hangtui.findings.remote_sides import other_side, short_handlers
from hangtui.findings.rpc_calls import answering
from hangtui.findings.run_for_answer import told_by_tasks
from hangtui.findings.stack_queries import at, callers, kind_of, own_frame, still
from hangtui.findings.started_programs import awaits_first_word
from hangtui.findings.thresholds import NAMES_LISTED, STILL_S
from hangtui.findings.words import Words, ref, words_of
from hangtui.findings.written import at_the_end
from hangtui.model import (
    Capture,
    Certainty,
    Finding,
    NodeId,
    NodeKind,
    Process,
    Progress,
    Severity,
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
does, it is a note, as it is if the thread itself sleeps so, between two tries say; and if they are
services that do not run Python and were started less than a minute before. So it is if the package
has called the application in other threads meanwhile, of the same process, of one that it has
started or of one at the other end of a connection of the package's threads of C code, and all of
these sleep so or are at work; if it waits for data from a process that is at work, or for the end
of one that lives; if the thread has one function of the application alone, which takes items from a
library's queue; if it goes through what a connection of threads of C code brings, message by
message, and something has come over that before; or if the package's function tells of changes, of
files say (`watch()`). A lock that the thread has meanwhile, of a module that it imports say, and
for which another thread of the process waits all the while, is told, and then it is a warning.
"""
_TOLD = REMOTE | {NodeKind.FILE_LOCK}


def check(capture: Capture, graph: WaitGraph) -> list[Finding]:
    """One finding for each line of the application from which threads wait so."""
    words = words_of(capture, graph)
    found = []
    ranks = waiting_ranks(capture)
    for process in capture.processes:
        groups: dict[tuple[str, str], list[Member]] = {}
        for thread, wait, package in _waiting(process, ranks, words):
            groups.setdefault((at(own_frame(thread)), package), []).append((thread, wait))
        # Who is called by what may be to bring it waits for itself, and others behind that.
        own = {
            key: any(called_in_its_own(thread, key[1], words) for thread, _ in members)
            for key, members in groups.items()
        }
        for where, package in sorted(groups, key=own.__getitem__, reverse=True):
            members = groups[where, package]
            found += [_finding(where, package, one, words) for one in parted(members, words)]
    return found


def waits_in_library(thread: Thread, words: Words) -> bool:
    """Whether it does: such a thread neither rests nor is at work."""
    seen = words.progress.get(thread.id)
    asks = seen is not None and seen.same_line  # it may be awake at the moment, to ask again
    if not (thread.asleep or asks) or library_wait(thread) is None or told_by_tasks(thread, words):
        return False
    if seen is None and thread.still is False and thread.id in words.carrying:
        return False  # its stack may be that of a callback which has returned to the loop since
    wait = words.graph.wait_of(thread.id)
    begins = wait is not None and awaits_first_word(thread, wait, words)
    # A lock without a name that it was met at on its way round is not what it waits for.
    lasts = wait is not None and not passing(thread, wait, words)
    if serves(thread, kind_of(wait, words) if wait and lasts else None) and not begins:
        return False
    if wait is None:  # then only that several looks saw it on the same lines tells it from a rest
        # Who was awake, and elsewhere in the package in each look, is at work: in an import, say.
        held_up = thread.asleep or (seen is not None and (seen.same_stack or seen.asks))
        return asks and (held_up or ring_wait(thread, words) is not None)
    # Who waits for the GIL has what the library waited for, and is about to go on.
    if kind_of(wait, words) is NodeKind.GIL:
        return False
    stack = thread.python_stack or ()
    serves_all = not takes_one_request(stack, application_index(stack))
    return not (serves_all and words.operation(wait) == "accept")


def _waiting(
    process: Process, ranks: Collection[NodeId], words: Words
) -> Iterator[tuple[Thread, Edge | None, str]]:
    """Those of a process; of *ranks*, and of a database's lock, rules of their own tell."""
    for thread in process.threads:
        if thread.id in ranks or sleeps_in_sqlite(thread):
            continue
        package = library_wait(thread)
        wait = words.graph.wait_of(thread.id)
        kind = None if wait is None else wait.target.kind  # rules of their own tell of some
        told = wait is not None and (pool_of(wait, words) or kind in _TOLD)
        if package and not told and waits_in_library(thread, words):
            yield thread, wait, package


def _called(thread: Thread, package: str, words: Words) -> str:
    """Who has been called to answer, or is to bring it and waits for itself, for a title."""
    return called_in_its_own(thread, package, words) or short_handlers(thread.id, words)


def _lasted_s(seen: Progress | None) -> float:
    """For how long several looks saw it there; 0: there was one, or it was elsewhere in between."""
    if seen is None:
        return 0.0
    return seen.stayed_s if seen.asks else seen.waited_s


def _finding(where: str, package: str, members: list[Member], words: Words) -> Finding:
    threads = [thread for thread, _ in members]
    (first, wait), several = members[0], len(members) > 1
    names = listed([words.thread_name(thread) for thread in threads])
    lasted = max(_lasted_s(words.progress.get(thread.id)) for thread in threads)
    held = held_meanwhile.held_meanwhile(threads, words)
    ring = ring_wait(first, words) or made_behind(first, words)
    lasted = max(lasted, held.stood_s if held else 0.0, ring.stood_s if ring else 0.0)
    long = lasted >= STILL_S
    span = f" for {lasted:.0f} s or more" if long else ""
    named = wait is not None and not passing(first, wait, words)
    goal = goal_of(first, wait if named else None, words)
    clock = wait is None and (goal.startswith(CLOCK) or between_tries(first, words))
    owner = whose(wait, words) or (
        connection_in_hand(first, words.capture)[0] if wait is None else ""
    )
    who = TIME_OVER if clock else _who(members, package, words)
    verb = "wait" if several else "waits"
    apart = "" if all(map(told_of_changes, threads)) else unconnected(first, words.capture)
    what, joint = f"{goal}{span}{apart}", wait is None and awaited_of_ranks(first)
    alone = left_alone(first, words.capture) if wait is None and not joint else ""
    if joint:
        who = ONLY_RANKS
    elif alone:
        what = f"{span.strip()}, {alone}" if span else alone
        who = (
            "Native threads of the process listen there, and have no other connection: as far as "
            "can be seen, only somebody who connects could end that."
        )
    # A server to which nobody has come is calm; of ranks the slowest sets the pace.
    calm = bool(alone and takes_message(first)) or in_step(threads, words)
    calm = (calm or is_calm(members, package, words)) and held is None
    own = application_index(first.python_stack or ()) or 0
    unanswered, gone = nobody_answers(first, package, words) if not named else ("", "")
    asks = first.takes_next is False and not first.answers
    unasked = all(map(takes_first, threads)) and not (unanswered and asks)
    by_itself = unasked or (clock and all_go_on(threads, words))
    later = not named and answered_later(first, package, words)
    calm, who = calm or (not (gone or held) and (by_itself or later)), unanswered.strip() or who
    stopped, engine = _stopped(first, words), held_requests(first, words)
    far_side, peers = other_side(first.id, words), library_peers.short(first, wait, package, words)
    called = far_side.short(words) if far_side else _called(first, package, words)
    chain = wait if named and not (owner or ";" in peers) else None
    called += at_its_end(chain, words, one=not called) or short_jobs(members, package, words)
    who = f"{engine.told} {who}".strip() if engine else none_missing(first, who, words)
    if ring is not None:
        what, who, calm = (
            f"{ring.goal}{span}{ring.short}",
            ring.told,
            (calm and not ring.in_turn) or ring.calm,
        )
    return Finding(
        id=ID,
        severity=Severity.WARNING if long and not calm else Severity.NOTE,
        certainty=Certainty.INFERRED,
        title=f"{names} {verb}{where}, in {package}, {what}{owner}{gone}{stopped[0]}"
        f"{comes(first, wait, words)}{peers}"
        f"{called}"
        f"{engine.short if engine else ''}{held_meanwhile.short_held(held, threads, words)}",
        sentence=(
            f"{names} {verb}{where}{callers(first, own)}. Below that line, {package} "
            f"({library_entry(first)}) waits {what}{told_again(first)}."
            f"{sleeps_where(first)}{in_its_words(first)}{watches(threads, words.capture)}"
            f"{library_peers.told(first, wait, words)}"
            f"{told_changes(first.id, words) if wait is None and not clock else ''} {who}"
            f"{told_arriving(first, wait, words)}"
            f"{unread(first.pid, words.capture, package)}{ended_beside(wait, words)}"
            f"{stopped[1]}{held_meanwhile.told_held(held, threads, words)}"
            f"{told_jobs(members, package, words)}"
            f"{others_in_library(first.pid, package, words) if ring is None else ''}"
            f"{far_side.told(words) if far_side else ''}"
        ),
        threads=tuple(ref(thread) for thread in threads),
        owed=held is not None,  # nobody rests with what another one needs
        resources=(wait.target,) if wait else (),
        evidence=(
            *(words.reading(edge) for _, edge in members[:NAMES_LISTED] if edge),
            *filter(None, (how_seen(thread, words) for thread in threads[:NAMES_LISTED])),
            *([] if words.progress else [still(threads)]),
        ),
        unknown=("whether the wait will end: a slow answer looks the same",),
        advice=held_meanwhile.held_advice(held, threads, words)
        or arriving_advice(first, wait, words)
        or (far_side.advice if far_side else ())
        or (advice(where, package, clock=clock, limit=library_peers.timeout(first, words)),),
    )


def _who(members: list[Member], package: str, words: Words) -> str:
    """Who has it or could end that, and what they do now."""
    first, wait = members[0]
    if awaits_key(first):
        return told_setters(first, words)
    if ranks := looks_after(first, words):
        return told_looked_after(ranks, words)
    if there := answering(first, words) or told_makers(first, words):
        return there
    holds = words.graph.holders_of(wait.target) if wait else ()
    if wait and holds:
        able = library_peers.answering(first, wait, words)
        holders = [one.id for one in able] or [hold.target for hold in holds]
        does = "has it" if whose(wait, words) else "could end that"
        then = onward(holders[0], words).text if len(holders) == 1 else ""
        now = f"{doing_now(holders, words)}{just_started(wait, words)}{then}"
        now += at_the_end(holders, words)
        now += ended(first, words) if wait.target.kind is NodeKind.PIPE else ""
        who = listed([*map(words.name, holders)])
        who = who[:1].upper() + who[1:] if who.startswith(("process ", "the ")) else who
        return f"{who} {does}.{now}"
    if wait and words.thread(wait.target) and (further := onward(first.id, words)).text:
        return f"{further.text.strip()}{at_the_end(further.told, words)}{ended(first, words)}"
    threads = [thread for thread, _ in members]
    heard = wait is None and watched(threads, words.capture)
    ends = "What comes there may end that." if heard else ender(wait, words)
    ends = (connection_in_hand(first, words.capture)[1] if wait is None else "") or ends
    who = f"{ends} {meanwhile(threads, package, wait, words)}".strip()
    return f"{who}{stuck(wait, words)}{ended(first, words)}" if wait else who


def _stopped(thread: Thread, words: Words) -> tuple[str, str]:
    """That children of its process are stopped by a signal, for a title and as a sentence."""
    process, captured = words.capture.process(thread.pid), words.capture.processes
    known = {one.pid for one in captured}
    return told_stopped(stopped_children(process, known) if process else [])
