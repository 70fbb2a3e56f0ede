"""Who has a lock of SQLite that somebody waits for, and what to do about that, in words."""

from collections.abc import Iterator
from itertools import takewhile

from hangtui.analysis.frame_classifier import base_name, eval_frame
from hangtui.analysis.places import application_index, short_path
from hangtui.findings.claims import reserve
from hangtui.findings.databases import LOCKING, backs_up, sleeps_in_sqlite
from hangtui.findings.english import clauses, joined
from hangtui.findings.outside.database_bystanders import beside, kept_from_going_on, way_back
from hangtui.findings.pools import position
from hangtui.findings.stack_queries import (
    at,
    below_application,
    callers,
    does,
    main_thread,
    own_frame,
    told,
)
from hangtui.findings.thresholds import NAMES_LISTED
from hangtui.findings.words import Words
from hangtui.model import DatabaseLock, DatabaseUse, Task, Thread

_TRIES = "Connection.backup() has no timeout: it tries again for ever."
_GIVES_UP = "Only the timeout of the connection that waits ends this, with an error."


def of_its_own(thread: Thread, behind: list[Thread], words: Words) -> str:
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
    inner = takewhile(lambda frame: base_name(frame) not in LOCKING, frames)
    return any(map(eval_frame, inner))


def _given_up(thread: Thread) -> str:
    if not _handler(thread):
        return _GIVES_UP
    frame = (thread.python_stack or ())[0]
    return f"Its busy handler, {told(frame)}, says how often it tries."


def advice(thread: Thread, holder: Thread | None, words: Words, *, own: bool) -> str:
    if own and not backs_up(thread):
        return (
            "Use one connection for both, or commit what the one has written before the other one "
            f"writes{at(own_frame(thread))}."
        )
    if holder is not None and (task := _asking(thread, holder, words)):
        return (
            f"Commit what the one connection has written before the other one writes at "
            f"{position(task)}, or use one for both: a transaction that writes keeps all other "
            "connections out until its end."
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


def who_has_it(
    thread: Thread,
    holder: Thread | None,
    uses: list[DatabaseUse],
    others: list[int],
    writing: list[DatabaseLock],
    words: Words,
    *,
    ring: bool,
) -> str:
    if holder is not None:
        said = f"The other one is {words.thread_name(holder)}'s: {does(holder, words)}."
        if ring and sleeps_in_sqlite(holder):
            own = joined(sorted({short_path(o.path) for o in writing if o.pid == thread.pid}))
            said = (
                f"The other one is {words.thread_name(holder)}'s, which asks SQLite for a lock, "
                f"too{at(own_frame(holder))}, while this process has that of {own}."
            )
        said += _on_the_way(thread, holder, words) if ring else ""
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
    if {lock.pid for lock in writing} == {thread.pid}:
        return f"That is a connection of its own process{_kept(thread.pid, words)}."
    return "Who has it is not known."


def for_task(thread: Thread, holder: Thread, file: str, words: Words) -> str:
    """The title of a ring where both threads run for a task that waits at a line of the program;
    empty: none is known."""
    task = _asking(thread, holder, words)
    if task is None:
        return ""
    return (
        f"{reserve(sure=False)}{words.actor_name(task)} waits at {_lines(task)} for a lock on the "
        f"SQLite database {file}, which another connection has that waits for this task alone"
    )


def _on_the_way(thread: Thread, holder: Thread, words: Words) -> str:
    """Which task the thread that has the lock waits for, and where that waits for the other."""
    task = _asking(thread, holder, words)
    if task is None:
        return ""
    return (
        f" That comes from {words.actor_name(task)} alone, which waits at {_lines(task)} for what "
        f"{words.thread_name(thread)} does."
    )


def _asking(thread: Thread, holder: Thread, words: Words) -> Task | None:
    """The first task that the thread which has the lock waits for, where neither thread runs a
    line of the program."""
    if below_application(thread):
        return None
    way = way_back(holder, [thread], words) or []
    return next((one for one in way if isinstance(one, Task) and below_application(one)), None)


def _lines(task: Task) -> str:
    index = application_index(task.python_stack or ()) or 0
    return f"{position(task)}{callers(task, index)}"


def _kept(pid: int, words: Words) -> str:
    """Which variables keep one that no thread has in hand."""
    names = [one.name for one in words.capture.database_kept if one.pid == pid]
    if not names:
        return ", which no frame of a thread that does not wait for it refers to"
    several = len(names) > 1
    variables = "global variables" if several else "global variable"
    return f": the {variables} {joined(names)} {'lead' if several else 'leads'} to one"


def evidence(
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


def unknown(
    thread: Thread, locks: list[DatabaseLock], uses: list[DatabaseUse], others: list[int]
) -> Iterator[str]:
    if not (backs_up(thread) or _handler(thread)):
        yield "when the timeout of its connection ends the wait with an error"
    if not locks:
        yield "which file is locked: no process that hangtui may look into has a lock on it now"
    elif uses and not others:
        yield "whether that connection has the lock: the kernel knows only the process"
