"""A thread that asks SQLite again and again for a database that somebody else has locked."""

from hangtui.analysis.places import short_path
from hangtui.analysis.waitgraph import WaitGraph
from hangtui.findings.by_the_clock import all_go_on
from hangtui.findings.chains import leads_back
from hangtui.findings.claims import reserve
from hangtui.findings.databases import (
    backs_up,
    copies_for_ever,
    only_its_process,
    sleeps_in_sqlite,
)
from hangtui.findings.english import joined
from hangtui.findings.grounds import ONE_WAIT
from hangtui.findings.outside.database_bystanders import (
    comes_back,
    other_processes,
    waiting_behind,
)
from hangtui.findings.outside.database_words import (
    advice,
    evidence,
    for_task,
    of_its_own,
    unknown,
    who_has_it,
)
from hangtui.findings.stack_queries import (
    at,
    callers,
    depth_of,
    main_thread,
    own_frame,
    stood_s,
)
from hangtui.findings.thresholds import STILL_S
from hangtui.findings.words import Words, ref, words_of
from hangtui.model import (
    Capture,
    Certainty,
    DatabaseLock,
    DatabaseUse,
    Finding,
    Severity,
    Thread,
)

ID = "database-locked"
GROUND = ONE_WAIT
HELP = """\
SQLite lets one connection write at a time. The others sleep and ask again, up to the `timeout` of
their connection, and get "database is locked" then. A transaction that is left open while its
thread waits for something else keeps all of them out.

How it is known: the thread sleeps in SQLite's busy handler, by its native stack, and the kernel
lists who has SQLite's locks on the files that the process has open. Within one process the kernel
does not tell connections apart: the thread that has one in a variable is named, if it is the only
one. It is a warning if the thread that is named waits for the one that sleeps, or if several looks
saw the same wait, and whoever has the lock stand still, and await no answer that the clock brings
within the minute, or for over a second nobody looked at
those; or nobody else is in a process which has
the lock itself than the thread that waits, and such as wait for it. Greenlets and tasks of that
thread are named: SQLite's sleep stops their loop as well. It is an error if no thread of such a
process goes on before another one, and it is in a `backup()` that was given nothing but the target:
that tries for ever, and calls nothing in between.
"""


def check(capture: Capture, graph: WaitGraph) -> list[Finding]:
    """One finding for each thread that sleeps in a busy handler."""
    words = words_of(capture, graph)
    found = []
    for thread in capture.threads():
        if sleeps_in_sqlite(thread):
            locks = [one for one in capture.database_locks if thread.pid in one.users]
            found.append(_finding(thread, locks, words))
    return found


def _holders(thread: Thread, locks: list[DatabaseLock], words: Words) -> list[DatabaseUse]:
    """The other threads of its process that have a connection in hand, if the lock is this
    process's, and do not ask for it themselves."""
    if thread.pid not in {lock.pid for lock in locks}:
        return []
    asking = {one.id for one in words.capture.threads() if sleeps_in_sqlite(one)} | {thread.id}
    uses = words.capture.database_uses
    return [one for one in uses if one.thread.pid == thread.pid and one.thread not in asking]


def _only_its_own(thread: Thread, locks: list[DatabaseLock], words: Words) -> bool:
    """Whether only its own process has the lock, in which there is no other Python thread to give
    it up. Where others have the file open, they may have had it a moment ago."""
    process = words.capture.process(thread.pid)
    python = [one for one in process.threads if one.is_python is not False] if process else []
    own = bool(locks) and {lock.pid for lock in locks} == {thread.pid}
    alone = all(set(lock.users) == {thread.pid} for lock in locks)
    return own and python == [thread] and (alone or backs_up(thread))


def _abroad(thread: Thread, others: list[int], words: Words) -> Thread | None:
    """The one thread of the only other process with the lock that waits for *thread* to go on."""
    process = words.capture.process(others[0]) if len(others) == 1 else None
    found = [one for one in (process.threads if process else ())
             if leads_back(one.id, thread.id, words)]  # fmt: skip
    return found[0] if len(found) == 1 else None


def _crossed(
    thread: Thread, locks: list[DatabaseLock], others: list[int], words: Words
) -> Thread | None:
    """The one thread of the only other process with a lock that asks SQLite for one as well, where
    each of the two processes has one on a database that the other one has open, too."""
    process = words.capture.process(others[0]) if len(others) == 1 else None
    if process is None:
        return None
    given = any(lock.pid == thread.pid and process.pid in lock.users for lock in locks)
    found = [one for one in process.threads if sleeps_in_sqlite(one)]
    return found[0] if given and len(found) == 1 else None


def _stands(holder: Thread | None, others: list[int], words: Words) -> bool:
    """Whether who has the lock, as far as it is known, did nothing for a while: where connections
    write in turn, one that waits is often seen to wait. Who awaits an answer, which another one is
    about to give, does not stand; who sleeps may do so again and again, and never write."""
    mains = [main_thread(one) for pid in others if (one := words.capture.process(pid))]
    known = [holder] if holder is not None else [main for main in mains if main is not None]
    awaits = all(one.syscall is None or one.syscall.sleep is None for one in known)
    if awaits and all_go_on(known, words):
        return False
    return bool(known) and all(stood_s(main, words) >= STILL_S for main in known)


def _unseen(holder: Thread | None, others: list[int], words: Words) -> bool:
    """Whether what who has the lock does is not known: nobody in these processes was looked at."""
    return holder is None and bool(others) and not any(map(words.capture.process, others))


def _finding(thread: Thread, locks: list[DatabaseLock], words: Words) -> Finding:
    writing = [lock for lock in locks if lock.writes] or locks
    paths = sorted({short_path(lock.path) for lock in writing})
    uses = _holders(thread, writing, words)
    holder = words.thread(uses[0].thread) if len(uses) == 1 else None
    others = other_processes(thread, writing, locks)
    crossed = _crossed(thread, writing, others, words) if holder is None else None
    if crossed is not None:
        paths = sorted({short_path(one.path) for one in writing if one.pid == crossed.pid})
    holder = holder or crossed or _abroad(thread, others, words)
    ring = holder is not None and (holder is crossed or comes_back(holder, [thread], words))
    seen = words.progress.get(thread.id)
    lasts = seen is not None and (seen.same_stack or seen.same_line) and not seen.returned
    long = seen is not None and lasts and seen.waited_s >= STILL_S and not backs_up(thread)
    own = not others and _only_its_own(thread, locks, words)
    alone = not own and holder is None and only_its_process(thread, locks)
    behind = waiting_behind(thread, words) if alone else []
    stays = lasts and bool(own or behind or _stands(holder, others, words))
    stays = stays or (long and _unseen(holder, others, words))
    name, frame = words.thread_name(thread), own_frame(thread)
    index = depth_of(thread, frame)
    file = joined(paths) if paths else "a database"
    title = f"{name} waits for a lock on the SQLite database {file}{at(frame)}"
    if len(others) == 1 and not (own or holder):
        title += f", which {words.process_name(others[0])} has"
    if own:
        title += ", which another connection of this very thread has"
    if behind:
        title = f"{reserve(sure=False)}{title}, and all who could give it up wait for {name}"
    if ring and holder is not None:
        title = (
            f"{reserve(sure=False)}{name} waits for a lock on the SQLite database {file}, and "
            f"{words.thread_name(holder)} has it and waits for {name}"
        )
        title = for_task(thread, holder, file, words) or title
    return Finding(
        id=ID,
        severity=Severity.WARNING if ring or stays else Severity.NOTE,
        certainty=Certainty.INFERRED,
        owed=own and copies_for_ever(thread, words),
        title=title,
        sentence=(
            f"{name} sleeps in SQLite{at(frame)}{callers(thread, index)} until another connection "
            f"to {file} gives up its lock (database is locked). "
            + (
                of_its_own(thread, behind, words)
                if own or behind
                else who_has_it(thread, holder, uses, others, writing, words, ring=ring)
            )
        ),
        threads=tuple(map(ref, (thread, *([holder] if holder else behind)))),
        evidence=tuple(evidence(thread, writing, uses, lasts=lasts, words=words)),
        unknown=tuple(unknown(thread, locks, uses, others)),
        advice=(advice(thread, holder or next(iter(behind), None), words, own=own),),
    )
