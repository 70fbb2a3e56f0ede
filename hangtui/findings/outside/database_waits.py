"""A statement that waits in PostgreSQL for a lock, which another session's transaction keeps."""

from collections.abc import Sequence

from hangtui.analysis.places import library_frame, line_and_function, package_of, program_frame
from hangtui.analysis.waitgraph import WaitGraph
from hangtui.findings.by_the_clock import goes_on, moves
from hangtui.findings.database_sessions import at_rest, at_work, copying, in_transaction
from hangtui.findings.english import counted, joined
from hangtui.findings.grounds import ONE_WAIT
from hangtui.findings.lookers import lasted_s
from hangtui.findings.stack_queries import does, main_thread, polls, stood_s
from hangtui.findings.thresholds import STILL_S
from hangtui.findings.words import Actor, Words, ref, words_of
from hangtui.model import (
    Capture,
    Certainty,
    DatabaseSession,
    Finding,
    NodeId,
    Process,
    Severity,
    Task,
    Thread,
    process_id,
)

ID = "database-waits"
GROUND = ONE_WAIT
HELP = """\
A statement that changes rows or tables waits until transactions that have touched them have ended.
A transaction that its program has begun and left open ("idle in transaction") can keep it waiting
forever, even one of the same program, on another connection.

How it is known: the server runs on this machine; the thread waits on its connection, the server's
process at the other end says in its title that it waits for a lock, and others say that they are
idle in transaction. Which of those has the lock, only the server knows (`pg_blocking_pids`). If
none of that database is idle in transaction, and another one is at work, it is a note; so it is
if another one is in a COPY, and a thread of its client goes on. If all others are idle, outside of
a transaction, the lock may be one that a session keeps beyond that (`pg_advisory_lock`).
"""

_MOST = 3
_DRIVERS = frozenset({"psycopg", "psycopg2"})
"""Those whose threads wait by looking."""
_ADVISORY = (
    " So it may be a lock that a session keeps beyond its transactions (pg_advisory_lock), until "
    "that unlocks it or its connection is closed."
)


def check(capture: Capture, graph: WaitGraph) -> list[Finding]:
    """One finding for each thread or task whose session waits for a lock."""
    words = words_of(capture, graph)
    found = []
    for session in capture.database_sessions:
        for node in _waiters(session, words) if session.waits else ():
            actor = words.actor(node)
            if actor is not None and not graph.cycle_of(node):
                found.append(_finding(actor, session, words))
    return found


def _waiters(session: DatabaseSession, words: Words) -> Sequence[NodeId]:
    """Who waits for its answer: also of a driver that looks ten times a second, and did so just
    when the connections, or the sessions, were read."""
    client = words.capture.process(session.client) if session.client else None
    if session.waiters or client is None:
        return session.waiters
    server, graph = process_id(session.pid), words.graph
    there = [
        thread.id
        for thread in client.threads
        if any(
            hold.target == server
            for wait in graph.waits_of(thread.id)
            for hold in graph.holders_of(wait.target)
        )
    ]
    return there or _who_looks(session, client, words)


def _who_looks(session: DatabaseSession, client: Process, words: Words) -> Sequence[NodeId]:
    """The only thread of its client that looks again and again, in a driver, for what comes, if no
    other session of that one waits for a lock."""
    waiting = [one for one in words.capture.database_sessions if one.waits]
    looks = [
        thread.id
        for thread in client.threads
        if polls(thread, words)
        and not words.graph.waits_of(thread.id)
        and any(package_of(frame) in _DRIVERS for frame in thread.python_stack or ())
    ]
    alone = [one for one in waiting if one.client == session.client] == [session]
    return looks if alone and len(looks) == 1 else ()


def _told_working(sessions: list[DatabaseSession], words: Words) -> str:
    told = []
    for one in sessions[:_MOST]:
        process = words.capture.process(one.client) if one.client else None
        main = main_thread(process) if process else None
        whose = f" of process {one.client}" if one.client else ""
        doing = f"; there {does(main, words)}" if main else ""
        told.append(
            f"Session {one.pid}{whose} is at work ({one.activity}) and may have that lock until "
            f"its transaction ends{doing}."
        )
    return " ".join(told)


def _feeders(copies: list[DatabaseSession], actor: Actor, words: Words) -> list[Thread]:
    """Threads of the clients of these that go on, one of which may send or take the rows."""
    clients = [words.capture.process(one.client) for one in copies if one.client]
    threads = [thread for one in clients if one is not None for thread in one.threads]
    return [
        one
        for one in threads
        if one.is_python and one is not actor and (goes_on(one, words) or moves(one, words))
    ]


def _told_copies(copies: list[DatabaseSession], feeders: list[Thread], words: Words) -> str:
    told = []
    for one in copies[:_MOST]:
        whose = f" of process {one.client}" if one.client else ""
        own = [t for t in feeders if t.pid == one.client]
        own = [t for t in own if words.graph.wait_of(t.id) is None] or own
        doing = joined([does(t, words) for t in own[:_MOST]])
        told.append(
            f"Session {one.pid}{whose} is in a COPY and may have that lock until its client has "
            f"sent or taken all rows{f'; there {doing}' if doing else ''}."
        )
    return " ".join(told)


def _lasts(actor: Actor, words: Words) -> bool:
    """Whether several looks saw the same wait: some drivers wake up ten times a second."""
    if isinstance(actor, Task):
        stood = (stood_s(thread, words) for thread in words.carriers([actor]))
        return lasted_s(actor, words) >= STILL_S or all(one >= STILL_S for one in stood)
    seen = words.progress.get(actor.id)
    return seen is not None and seen.waited_s >= STILL_S


def _finding(actor: Actor, session: DatabaseSession, words: Words) -> Finding:
    name = words.actor_name(actor)
    frame = program_frame(actor.python_stack or ())
    at = f" at {line_and_function(frame)}" if frame else ""
    suspects = in_transaction(session, words.capture)
    own = [one for one in suspects if one.client == actor.pid]
    working, copies = at_work(session, words.capture), copying(session, words.capture)
    feeders = _feeders(copies, actor, words)
    statement = session.activity.removesuffix(" waiting")
    whose = f" of its own process {actor.pid}" if own else ""
    who = f": another connection{whose} is idle in transaction" if suspects else ""
    who = ": another connection is in a COPY" if copies else who
    kept = [] if suspects or working or copies else at_rest(session, words.capture)
    who = _kept(kept, actor) or who
    wait = words.graph.wait_of(actor.id)
    threads = words.carriers([actor])
    return Finding(
        id=ID,
        severity=Severity.WARNING
        if _lasts(actor, words) and not (working or feeders)
        else Severity.NOTE,
        certainty=Certainty.INFERRED,
        title=f"{name[:1].upper()}{name[1:]} waits{at} for a lock in PostgreSQL{who}",
        sentence=(
            f"{name[:1].upper()}{name[1:]} waits{at}{_caller(actor)} for the answer of PostgreSQL "
            f"to {statement}, which waits in the database for a lock. "
            + (
                _told_working(working, words)
                or _told_copies(copies, feeders, words)
                or _told(suspects, actor, words) + (_ADVISORY if kept else "")
            )
        ),
        threads=tuple(map(ref, threads)),
        tasks=(actor.id,) if isinstance(actor, Task) else (),
        subject=actor.id,
        resources=(wait.target,) if wait else (),
        evidence=(
            *([words.reading(wait)] if wait else []),
            f"process {session.pid} of PostgreSQL, at the other end, says: {session.activity}",
            *(_line(one) for one in suspects[:_MOST]),
        ),
        unknown=(
            (
                f"which session has the lock; PostgreSQL tells: "
                f"SELECT pg_blocking_pids({session.pid})"
            ),
        ),
        advice=(
            (
                "Commit, roll back or close the other session before this statement: with "
                "SQLAlchemy, session.close() or `with Session(...)`; a connection that only reads "
                "has begun a transaction as well."
                if own
                else f"Ask the server: SELECT pid, state, query FROM pg_stat_activity WHERE pid = "
                f"ANY(pg_blocking_pids({session.pid}))."
            ),
            "Bound such waits: SET lock_timeout, and idle_in_transaction_session_timeout.",
        ),
    )


def _kept(idle: list[DatabaseSession], actor: Actor) -> str:
    """Whose sessions may have a lock that outlasts transactions, as a title has it; empty: none is
    at rest."""
    own = [one for one in idle if one.client == actor.pid]
    if not idle:
        return ""
    whose = f" of its own process {actor.pid}" if own else ""
    one = "an idle connection" if len(own or idle) == 1 else "one of the idle connections"
    return f", which {one}{whose} may have kept (pg_advisory_lock)"


def _caller(actor: Actor) -> str:
    """The package that the program called, if it did not call the driver itself."""
    stack = actor.python_stack or ()
    own = next((i for i, f in enumerate(stack) if not (library_frame(f) or package_of(f))), 0)
    package = package_of(stack[own - 1]) if own else None
    return f", in {package}," if package else ""


def _told(suspects: list[DatabaseSession], actor: Actor, words: Words) -> str:
    own = [one for one in suspects if one.client == actor.pid]
    if own:
        fds = joined([f"fd {one.fd}" for one in own[:_MOST]])
        many = len(own) > 1
        return (
            f"{counted(len(own), 'other connection')} of this same process ({fds}) "
            f"{'are' if many else 'is'} idle in transaction and may hold that lock: then only "
            "it could end its own wait."
        )
    if suspects:
        return " ".join(_other(one, words) for one in suspects[:_MOST])
    return "No other session of that database is idle in transaction."


def _other(session: DatabaseSession, words: Words) -> str:
    if session.client is None:
        return f"Session {session.pid} is idle in transaction and may hold it."
    process = words.capture.process(session.client)
    thread = main_thread(process) if process else None
    doing = f"; there {does(thread, words)}" if isinstance(thread, Thread) else ""
    return (
        f"Session {session.pid} of process {session.client} is idle in transaction and may hold "
        f"it{doing}."
    )


def _line(session: DatabaseSession) -> str:
    client = f"whose client is process {session.client}" if session.client else "client unknown"
    fd = f" (fd {session.fd})" if session.fd is not None else ""
    return f"process {session.pid} of PostgreSQL, {client}{fd}, says: {session.activity}"
