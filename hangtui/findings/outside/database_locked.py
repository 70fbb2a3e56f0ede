"""A thread that asks SQLite again and again for a database that somebody else has locked."""

from collections.abc import Iterator
from itertools import takewhile

from hangtui.analysis.frame_classifier import base_name, eval_frame, foreign_frame, module_name
from hangtui.analysis.places import short_path
from hangtui.analysis.waitgraph import WaitGraph
from hangtui.findings.chains import leads_back
from hangtui.findings.claims import reserve
from hangtui.findings.databases import (
    BACKUP,
    backs_up,
    copies_for_ever,
    named_functions,
    only_its_process,
)
from hangtui.findings.english import clauses, joined
from hangtui.findings.grounds import ONE_WAIT
from hangtui.findings.outside.database_bystanders import (
    beside,
    kept_from_going_on,
    other_processes,
    waiting_behind,
)
from hangtui.findings.stack_queries import (
    at,
    callers,
    depth_of,
    does,
    main_thread,
    own_frame,
    stood_s,
    told,
)
from hangtui.findings.thresholds import NAMES_LISTED, STILL_S
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
saw the same wait, and whoever has the lock stand still; or nobody else is in a process which has
the lock itself than the thread that waits, and such as wait for it. Greenlets and tasks of that
thread are named: SQLite's sleep stops their loop as well. It is an error if no thread of such a
process goes on before another one, and it is in a `backup()` that was given nothing but the target:
that tries for ever, and calls nothing in between.
"""

_BUSY = "sqlite3InvokeBusyHandler"
_TRIES = "Connection.backup() has no timeout: it tries again for ever."
_GIVES_UP = "Only the timeout of the connection that waits ends this, with an error."
_LOCKING = frozenset(
    {
        *(_BUSY, "btreeBeginTrans", "sqlite3BtreeBeginTrans", "lockBtree", "pager_wait_on_lock"),
        *("sqlite3PagerSharedLock", "sqlite3PagerExclusiveLock", "walBusyLock"),
    }
)
"""Functions of SQLite that come by no code of anybody else's but the busy handler."""
_SLEEP = "sqlite3_sleep"


def check(capture: Capture, graph: WaitGraph) -> list[Finding]:
    """One finding for each thread that sleeps in a busy handler."""
    words = words_of(capture, graph)
    found = []
    for thread in capture.threads():
        if _sleeps_in_sqlite(thread):
            locks = [one for one in capture.database_locks if thread.pid in one.users]
            found.append(_finding(thread, locks, words))
    return found


def _sleeps_in_sqlite(thread: Thread) -> bool:
    """Whether it sleeps right below SQLite, which it does for nothing but a lock; or in a busy
    handler of the program's."""
    if thread.syscall is None or not thread.syscall.sleeps:
        return False
    frames = thread.native_stack or ()
    if not _LOCKING.isdisjoint(map(base_name, frames)):
        return True
    first = next((frame for frame in frames if foreign_frame(frame)), None)
    if first is None or not module_name(first).startswith("libsqlite3"):
        return False
    return _between_tries(thread) or (
        not any(frame.function for frame in frames if frame.module == first.module)
    )


def _between_tries(thread: Thread) -> bool:
    """Whether it sleeps between two tries of a backup."""
    names = named_functions(thread)
    called = names[names.index(_SLEEP) + 1 :] if _SLEEP in names else []
    return bool(called) and called[0].startswith(BACKUP)


def _holders(thread: Thread, locks: list[DatabaseLock], words: Words) -> list[DatabaseUse]:
    """The other threads of its process that have a connection in hand, if the lock is this
    process's."""
    if thread.pid not in {lock.pid for lock in locks}:
        return []
    uses = words.capture.database_uses
    return [one for one in uses if one.thread.pid == thread.pid and one.thread != thread.id]


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


def _stands(holder: Thread | None, others: list[int], words: Words) -> bool:
    """Whether who has the lock, as far as it is known, did nothing for a while: where connections
    write in turn, one that waits is often seen to wait."""
    if holder is not None:
        return stood_s(holder, words) >= STILL_S
    mains = [main_thread(one) for pid in others if (one := words.capture.process(pid))]
    known = [main for main in mains if main is not None]
    return bool(known) and all(stood_s(main, words) >= STILL_S for main in known)


def _finding(thread: Thread, locks: list[DatabaseLock], words: Words) -> Finding:
    writing = [lock for lock in locks if lock.writes] or locks
    paths = sorted({short_path(lock.path) for lock in writing})
    uses = _holders(thread, writing, words)
    holder = words.thread(uses[0].thread) if len(uses) == 1 else None
    others = other_processes(thread, writing, locks)
    holder = holder or _abroad(thread, others, words)
    ring = holder is not None and leads_back(holder.id, thread.id, words)
    seen = words.progress.get(thread.id)
    lasts = seen is not None and seen.same_stack and not seen.returned
    own = not others and _only_its_own(thread, locks, words)
    alone = not own and holder is None and only_its_process(thread, locks)
    behind = waiting_behind(thread, words) if alone else []
    stays = lasts and bool(own or behind or _stands(holder, others, words))
    name, frame = words.thread_name(thread), own_frame(thread)
    index = depth_of(thread, frame)
    file = joined(paths) if paths else "a database"
    title = f"{name} waits for a lock on the SQLite database {file}{at(frame)}"
    if own:
        title += ", which another connection of this very thread has"
    if behind:
        title = f"{reserve(sure=False)}{title}, and all who could give it up wait for {name}"
    if ring and holder is not None:
        title = (
            f"{reserve(sure=False)}{name} waits for a lock on the SQLite database {file}, and "
            f"{words.thread_name(holder)} has it and waits for {name}"
        )
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
                _of_its_own(thread, behind, words)
                if own or behind
                else _who(holder, uses, others, words, ring=ring)
            )
        ),
        threads=tuple(map(ref, (thread, *([holder] if holder else behind)))),
        evidence=tuple(_evidence(thread, writing, uses, lasts=lasts, words=words)),
        unknown=tuple(_unknown(thread, locks, uses, others)),
        advice=(_advice(thread, holder or next(iter(behind), None), own=own),),
    )


def _of_its_own(thread: Thread, behind: list[Thread], words: Words) -> str:
    """Why nobody of its process, which alone has the lock, gives that up. *behind*: its other
    threads."""
    name, tasks = words.thread_name(thread), beside(thread, words)
    ends = _TRIES if backs_up(thread) else _given_up(thread)
    whose = "That is a connection of its own process"
    if behind:
        stand = clauses([does(one, words) for one in behind[:NAMES_LISTED]], len(behind))
        return f"{whose}, whose other threads wait for {name}: {stand}. {ends}"
    whose += f", of which {name} is the only Python thread"
    if tasks:
        return f"{whose}. {kept_from_going_on(tasks, thread, words)} {ends}"
    return f"{whose}: nobody else is there to commit or to close it. {ends}"


def _handler(thread: Thread) -> bool:
    """Whether the busy handler is Python code, which sleeps between SQLite and the system call."""
    frames = thread.native_stack or ()
    inner = takewhile(lambda frame: base_name(frame) not in _LOCKING, frames)
    return any(map(eval_frame, inner))


def _given_up(thread: Thread) -> str:
    if not _handler(thread):
        return _GIVES_UP
    frame = (thread.python_stack or ())[0]
    return f"Its busy handler, {told(frame)}, says how often it tries."


def _advice(thread: Thread, holder: Thread | None, *, own: bool) -> str:
    if own and not backs_up(thread):
        return (
            "Use one connection for both, or commit what the one has written before the other one "
            f"writes{at(own_frame(thread))}."
        )
    if holder is not None:
        return (
            f"Commit before waiting for anything else{at(own_frame(holder))}: a transaction that "
            "writes keeps all other connections out until its end."
        )
    return (
        "Keep transactions that write short: find the connection that has not committed, rolled "
        "back or been closed."
    )


def _who(
    holder: Thread | None,
    uses: list[DatabaseUse],
    others: list[int],
    words: Words,
    *,
    ring: bool,
) -> str:
    if holder is not None:
        said = f"The other one is {words.thread_name(holder)}'s: {does(holder, words)}."
        return f"{said} Neither can go on before that ends." if ring else said
    if others:
        names = joined([f"process {pid}" for pid in others[:3]])
        process = words.capture.process(others[0])
        main = main_thread(process) if process else None
        doing = f" There, {does(main, words)}." if main else ""
        return f"The lock is held by {names}.{doing}"
    if uses:
        threads = words.threads(one.thread for one in uses)
        return f"It is one of those of {words.listed(threads)}."
    return "Who has it is not known."


def _evidence(
    thread: Thread,
    writing: list[DatabaseLock],
    uses: list[DatabaseUse],
    *,
    lasts: bool,
    words: Words,
) -> Iterator[str]:
    seen = words.progress.get(thread.id)
    where = "between two steps of a backup" if backs_up(thread) else "in SQLite's busy handler"
    yield f"native stack: it sleeps {where}, which asks for the lock again"
    if lasts and seen is not None:
        yield f"{seen.looks} looks over {seen.lasted_s:.1f} s saw it asleep on the same lines"
    for lock in writing[:3]:
        kind = "the lock of a writer" if lock.writes else "the lock of a reader"
        yield f"the kernel's list of locks: process {lock.pid} has {kind} on {lock.path}"
    for use in uses[:5]:
        yield (
            f"{words.name(use.thread)} has a connection in the variable {use.name} at "
            f"{short_path(use.where)}"
        )


def _unknown(
    thread: Thread, locks: list[DatabaseLock], uses: list[DatabaseUse], others: list[int]
) -> Iterator[str]:
    if not (backs_up(thread) or _handler(thread)):
        yield "when the timeout of its connection ends the wait with an error"
    if not locks:
        yield "which file is locked: no process that hangtui may look into has a lock on it now"
    elif uses and not others:
        yield "whether that connection has the lock: the kernel knows only the process"
