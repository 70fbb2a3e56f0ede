"""Statements that wait in PostgreSQL for a lock, and the sessions that may have it."""

from dataclasses import replace

import pytest

from hangtui import findings
from hangtui.analysis.waitgraph import build
from hangtui.findings.outside import database_waits
from hangtui.model import (
    Capture,
    Certainty,
    DatabaseSession,
    Finding,
    Hold,
    NodeKind,
    Progress,
    Resource,
    Severity,
    Sleep,
    Stay,
    Syscall,
    Task,
    TaskState,
    process_id,
    shared_id,
)
from tests.unit.factories import (
    PID,
    capture,
    evidence,
    holds,
    python_frame,
    stood,
    thread,
    waits,
)
from tests.unit.test_findings_pools import QUERY, exhausted, has, pool, workers

SERVER, WAITING, RESTING = 500, 501, 502
DRIVER = "/venv/lib/python3.12/site-packages/sqlalchemy/sql/schema.py"


def dropping(
    activity: str = "DROP TABLE waiting", *others: DatabaseSession, lasted_s: float = 2.0
) -> Capture:
    """A program whose driver polls for the answer to a statement."""
    frames = [python_frame("drop_all", 9, DRIVER), python_frame("tear_down", 37)]
    main = thread("MainThread", still=False, python=frames)
    node = shared_id(NodeKind.SOCKET, "0x1")
    socket = Resource(node, NodeKind.SOCKET, "Unix socket", PID, 1, name="Unix socket")
    session = DatabaseSession(SERVER, WAITING, "shop", activity, PID, 4, (main.id,))
    seen = Progress(main.id, 5, lasted_s, 0.0, 0.0, same_stack=True)
    made = capture(main, resources=[socket], waits=[waits(main, socket, expires=True)])
    return replace(made, database_sessions=(session, *others), progress=(seen,))


def resting(
    client: int | None = PID, database: str = "shop", fd: int | None = 3
) -> DatabaseSession:
    return DatabaseSession(SERVER, RESTING, database, "idle in transaction", client, fd)


def told(made: Capture) -> Finding | None:
    return next((one for one in findings.run(made) if one.id == "database-waits"), None)


def session_process(pid: int) -> Resource:
    return Resource(process_id(pid), NodeKind.PROCESS, f"process {pid} (postgres)", pid, 0)


def test_another_connection_of_the_program_keeps_the_lock() -> None:
    finding = told(dropping("DROP TABLE waiting", resting()))

    assert finding is not None
    assert (finding.severity, finding.certainty) == (Severity.WARNING, Certainty.INFERRED)
    assert finding.sentence == (
        "MainThread waits at main.py:37 (tear_down), in sqlalchemy, for the answer of PostgreSQL "
        "to DROP TABLE, which waits in the database for a lock. 1 other connection of this same "
        "process (fd 3) is idle in transaction and may hold that lock: then only it could end its "
        "own wait."
    )


def test_a_task_whose_event_loop_goes_on_waits_as_well() -> None:
    made = dropping("UPDATE waiting", resting())
    (main,) = made.threads()
    task = Task(
        PID, 0x101, "Task-2", "take", TaskState.WAITING, 0x10, main.tid,
        (python_frame("take", 9),),
    )  # fmt: skip
    session, other = made.database_sessions
    made = replace(
        made,
        tasks=(task,),
        waits=(),
        resources=(),
        database_sessions=(replace(session, waiters=(task.id,)), other),
        progress=(Progress(main.id, 5, 0.0, 0.0, 0.0, same_stack=True),),
    )
    short = told(made)
    finding = told(replace(made, stays=(Stay(task.id, 2.0),)))

    assert short is not None
    assert short.severity is Severity.NOTE
    assert finding is not None
    assert finding.severity is Severity.WARNING
    assert finding.title.startswith("Task take waits at main.py:9 (take) for a lock in PostgreSQL")


def test_a_session_of_another_process_or_one_of_an_unknown_client() -> None:
    for session, words in (
        (resting(300), "Session 502 of process 300 is idle in transaction and may hold it"),
        (resting(None, fd=None), "Session 502 is idle in transaction and may hold it."),
        (resting(PID, "other"), "No other session of that database is idle in transaction."),
    ):
        finding = told(dropping("UPDATE waiting", session))
        assert finding is not None
        assert words in finding.sentence


def test_a_short_wait_is_a_note_and_a_slow_statement_is_nothing() -> None:
    short = told(dropping("UPDATE waiting", resting(), lasted_s=0.5))

    assert short is not None
    assert short.severity is Severity.NOTE
    assert told(dropping("SELECT", resting())) is None
    assert told(dropping("idle in transaction", resting())) is None


@pytest.mark.parametrize(
    ("activity", "stopped", "works"),
    [
        ("SELECT", False, True),
        ("CREATE INDEX", False, True),
        ("SELECT", True, False),
        ("UPDATE waiting", False, False),
        ("idle", False, False),
        ("idle in transaction (aborted)", False, False),
        ("COPY", False, False),
    ],
)
def test_who_waits_for_a_session_that_executes_a_statement_is_a_note(
    activity: str, *, stopped: bool, works: bool
) -> None:
    made = dropping(activity)
    (session,), (socket,) = made.database_sessions, made.resources
    held = holds(socket, made.processes[0].threads[0])
    made = replace(
        made,
        resources=(socket, session_process(WAITING)),
        database_sessions=(replace(session, stopped=stopped),),
        holds=(replace(held, holder=process_id(WAITING)),),
    )

    found = [one.severity for one in findings.run(made)]

    assert session.works is works or stopped
    assert found == [Severity.NOTE if works else Severity.WARNING]


@pytest.mark.parametrize(("executing", "severity"), [(2, Severity.NOTE), (1, Severity.WARNING)])
def test_a_pool_whose_connections_all_execute_statements_is_a_note(
    executing: int, severity: Severity
) -> None:
    lent = pool()
    users = [thread(f"report-{n}", 111 + n, python=[QUERY]) for n in range(2)]
    sockets = [
        Resource(shared_id(NodeKind.SOCKET, f"0x{n}"), NodeKind.SOCKET, "socket", PID, n)
        for n in range(2)
    ]
    sessions = [
        DatabaseSession(SERVER, WAITING + n, "shop", "SELECT" if n < executing else "idle", PID)
        for n in range(2)
    ]
    ends = [
        replace(holds(one, users[0]), holder=process_id(WAITING + n))
        for n, one in enumerate(sockets)
    ]
    asking = workers(1)
    made = exhausted(lent, [has(lent, one) for one in users], asking, tuple(users))
    made = replace(
        made,
        resources=(*made.resources, *sockets, *map(session_process, (WAITING, WAITING + 1))),
        waits=(*made.waits, *(waits(u, s) for u, s in zip(users, sockets, strict=True))),
        holds=(*made.holds, *ends),
        database_sessions=tuple(sessions),
    )

    finding = next(one for one in findings.run(stood(made)) if one.id == "waiting-for-pool")

    assert finding.severity is severity


@pytest.mark.parametrize(
    ("activity", "severity"), [("SELECT", Severity.NOTE), ("idle", Severity.WARNING)]
)
def test_a_pool_of_which_nobody_is_known_to_have_any_while_statements_are_executed(
    activity: str, severity: Severity
) -> None:
    """As peewee keeps the connection of a thread where no frame refers to it."""
    user = thread("report", 111, python=[QUERY])
    socket = Resource(
        shared_id(NodeKind.SOCKET, "0x11"), NodeKind.SOCKET, "TCP", PID, 1, name="TCP"
    )
    lent = pool(1, 1, accounted=0)
    made = exhausted(lent, [], workers(1), (user,))
    made = replace(
        made,
        resources=(*made.resources, socket, session_process(WAITING)),
        waits=(*made.waits, waits(user, socket)),
        holds=(replace(holds(socket, user), holder=process_id(WAITING)),),
        database_sessions=(DatabaseSession(SERVER, WAITING, "shop", activity, PID, 4),),
    )

    finding = next(one for one in findings.run(stood(made)) if one.id == "waiting-for-pool")

    assert finding.severity is severity


def test_who_takes_what_is_notified_is_owed_nothing() -> None:
    frames = [
        python_frame("Connection.notifies", 414, DRIVER.replace("sqlalchemy", "psycopg")),
        python_frame("deliver", 9),
    ]
    made = dropping("idle")
    (main,) = made.processes[0].threads
    listening = replace(main, python_stack=tuple(frames))
    made = replace(made, processes=(replace(made.processes[0], threads=(listening,)),))

    assert [one.severity for one in findings.run(made)] == [Severity.NOTE]


@pytest.mark.parametrize(("left_s", "severity"), [(5.0, Severity.NOTE), (90.0, Severity.WARNING)])
def test_a_copy_that_its_client_feeds_by_the_clock_is_told(
    left_s: float, severity: Severity
) -> None:
    nap = Syscall("clock_nanosleep", sleep=Sleep(left_s, left_s))
    load = replace(thread("load", 102, still=True, python=[python_frame("load", 7)]), syscall=nap)
    made = dropping("TRUNCATE TABLE waiting", DatabaseSession(SERVER, RESTING, "shop", "COPY", PID))
    (process,) = made.processes
    made = replace(made, processes=(replace(process, threads=(*process.threads, load)),))
    (finding,) = database_waits.check(made, build(made))

    assert finding.severity is severity
    assert finding.title.endswith("for a lock in PostgreSQL: another connection is in a COPY")
    assert "Session 502 of process 100 is in a COPY and may have that lock" in finding.sentence
    assert ("; there load sleeps" in finding.sentence) is (severity is Severity.NOTE)


def test_a_lock_that_outlasts_transactions_is_one_of_an_idle_session() -> None:
    idle = replace(resting(), activity="idle")
    finding = told(dropping("SELECT waiting", idle))

    assert finding is not None
    assert finding.title == (
        "MainThread waits at main.py:37 (tear_down) for a lock in PostgreSQL, which an idle "
        f"connection of its own process {PID} may have kept (pg_advisory_lock)"
    )
    assert "keeps beyond its transactions (pg_advisory_lock)" in finding.sentence


@pytest.mark.parametrize("held", [True, False])
def test_a_driver_that_looked_just_when_the_sessions_were_read(held: bool) -> None:
    made = dropping("UPDATE waiting", resting())
    (main,) = made.threads()
    session, other = made.database_sessions
    poll = python_frame("wait", 9, DRIVER.replace("sqlalchemy/sql/schema", "psycopg/waiting"))
    main = replace(main, python_stack=(poll, *(main.python_stack or ())))
    process = replace(made.processes[0], threads=(main,))
    there = Hold(made.resources[0].id, process_id(WAITING), evidence()) if held else None
    made = replace(
        made,
        processes=(process,),
        waits=made.waits if held else (),
        holds=(there,) if there else (),
        database_sessions=(replace(session, waiters=()), other),
        progress=(Progress(main.id, 5, 2.0, 0.0, 0.0, wakes=9, same_line=True),),
    )

    assert told(made) is not None
