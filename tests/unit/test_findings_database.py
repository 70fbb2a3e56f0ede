"""SQLite's busy handler: who sleeps in it, and who has the lock."""

from dataclasses import replace

import pytest

from hangtui import findings
from hangtui.model import (
    Capture,
    Certainty,
    Complement,
    CouldWake,
    DatabaseKept,
    DatabaseLock,
    DatabaseUse,
    Finding,
    Nearness,
    NodeKind,
    Progress,
    Severity,
    Sleep,
    Surroundings,
    Syscall,
    Task,
    TaskState,
    Thread,
    process_id,
)
from tests.unit.factories import (
    LIBC,
    PID,
    capture,
    evidence,
    holds,
    lock,
    native_frame,
    python_frame,
    thread,
    waits,
)

SQLITE = "/usr/lib/x86_64-linux-gnu/libsqlite3.so.0.8.6"
PATH = "/srv/app.db"


def locked(*, ring: bool = True, pid: int = PID, native: str = SQLITE) -> Capture:
    """Somebody sleeps in the busy handler; the importer has the other connection."""
    sleeper = thread(
        "statistics",
        101,
        still=False,
        python=[python_frame("save_count", 19)],
        native=[
            native_frame("clock_nanosleep", LIBC),
            native_frame("sqlite3OsSleep", native),
            native_frame("sqlite3InvokeBusyHandler", native),
            native_frame("_PyEval_EvalFrameDefault"),
        ],
        syscall=Syscall("clock_nanosleep"),
    )
    importer = thread("importer", 102, python=[python_frame("import_all", 27)])
    main = thread("MainThread", 200, 200)
    future = lock("concurrent.futures.Future at 0x1", 0x1, NodeKind.FUTURE)
    made = capture(
        sleeper,
        importer,
        main,
        resources=[future],
        waits=[waits(importer, future)] if ring else [],
        holds=[holds(future, sleeper, Certainty.PROVEN)],
    )
    use = DatabaseUse(importer.id, "/app/main.py:27", "db")
    held = DatabaseLock(PATH, pid, writes=True, users=(PID,))
    return replace(made, database_locks=(held,), database_uses=(use,))


def watched(made: Capture, *threads: int, stood_s: float) -> Capture:
    """As several looks saw it: the sleeper on the same lines, *threads* standing."""
    seen: list[Progress] = []
    for one in made.threads():
        stands = one.tid in threads
        seen.append(
            Progress(one.id, 5, 2.0, stood_s if stands else 0.0, 0.0, same_stack=one.tid == 101)
        )
    return replace(made, progress=tuple(seen))


def told(made: Capture) -> Finding | None:
    return next((one for one in findings.run(made) if one.id == "database-locked"), None)


def names(threads: tuple[Thread, ...], finding: Finding) -> set[str]:
    return {one.name for one in threads if one.tid in {ref.tid for ref in finding.threads}}


def test_the_one_with_the_lock_waits_for_the_one_that_sleeps() -> None:
    made = locked()
    finding = told(made)

    assert finding is not None
    assert (finding.severity, finding.certainty) == (Severity.WARNING, Certainty.INFERRED)
    assert finding.title == (
        "Possible deadlock: statistics waits for a lock on the SQLite database app.db, and "
        "importer has it and waits for statistics"
    )
    assert names(made.threads(), finding) == {"statistics", "importer"}


def test_who_asks_for_it_as_well_is_not_the_one_who_has_it() -> None:
    made = locked(ring=False)
    sleeper = next(one for one in made.threads() if one.name == "statistics")
    use = replace(made.database_uses[0], thread=sleeper.id)
    kept = (DatabaseKept(PID, "session (main.py)"),)
    finding = told(replace(made, database_uses=(use,)))
    found = told(replace(made, database_uses=(use,), database_kept=kept))

    assert finding is not None
    assert found is not None
    assert "which no frame of a thread that does not wait for it refers to" in finding.sentence
    assert "own process: the global variable session (main.py) leads to one." in found.sentence


def test_a_writer_that_is_only_slow_is_a_note_until_it_stands_for_long() -> None:
    made = locked(ring=False)
    short = told(watched(made, 102, stood_s=0.5))
    long = told(watched(made, 102, stood_s=1.5))

    assert short is not None
    assert long is not None
    assert (short.severity, long.severity) == (Severity.NOTE, Severity.WARNING)


@pytest.mark.parametrize(
    ("total_s", "severity"), [(40.0, Severity.NOTE), (4000.0, Severity.WARNING)]
)
def test_a_writer_that_awaits_what_the_clock_brings_is_a_note(
    total_s: float, severity: Severity
) -> None:
    made = locked(ring=False)
    sleeper, importer = made.processes[0].threads[:2]
    call = Syscall("clock_nanosleep", sleep=Sleep(total_s, total_s))
    other = thread("other", 103, python=[python_frame("answer", 5)], syscall=call)
    asked = lock("a lock", 0x9)
    again = capture(
        sleeper,
        importer,
        other,
        resources=[asked],
        waits=[waits(importer, asked)],
        holds=[holds(asked, other, Certainty.PROVEN)],
    )
    again = replace(again, database_locks=made.database_locks, database_uses=made.database_uses)
    finding = told(watched(again, 102, stood_s=1.5))

    assert finding is not None
    assert finding.severity is severity


def test_a_lock_of_another_process_is_said_to_be_its() -> None:
    finding = told(locked(ring=False, pid=200))

    assert finding is not None
    assert "The lock is held by process 200." in finding.sentence


@pytest.mark.parametrize(("pid", "looks"), [(300, 5), (300, 2), (200, 5)])
def test_who_waits_for_long_for_a_process_that_nobody_looked_at(pid: int, looks: int) -> None:
    """Below a package, too: only SQLite's lock is told. One that was looked at, and runs, may give
    it up; two looks may be of two waits."""
    made = locked(ring=False, pid=pid)
    site = "/venv/lib/python3.12/site-packages/django/db/backends/utils.py"
    below = (python_frame("CursorWrapper.execute", 79, site), python_frame("save_count", 19))
    (own, *others) = made.processes
    sleeper = replace(own.threads[0], python_stack=below)
    made = replace(made, processes=(replace(own, threads=(sleeper, *own.threads[1:])), *others))
    seen = Progress(sleeper.id, looks, 2.0, 0.0, 0.0, same_stack=True, same_line=True, looked=True)
    made = replace(made, progress=(seen,))
    finding = told(made)

    assert finding is not None
    assert f"app.db at main.py:19 (save_count), which process {pid}" in finding.title
    assert (finding.severity is Severity.WARNING) is (pid == 300 and looks == 5)
    assert all(one.id != "waiting-in-library" for one in findings.run(made))


@pytest.mark.parametrize("waits_for_it", [True, False])
def test_a_process_that_waits_for_the_end_of_another_keeps_it_from_the_database(
    waits_for_it: bool,
) -> None:
    made = locked(ring=False)
    parent = thread("MainThread", 200, 200, python=[python_frame("count_orders", 18)])
    (child, _) = made.processes
    sleeper = replace(child.threads[0], tid=PID)
    made = capture(
        sleeper,
        parent,
        resources=[],
        waits=[waits(parent, process_id(PID if waits_for_it else 300))],
    )
    made = replace(made, database_locks=(DatabaseLock(PATH, 200, writes=True, users=(PID, 200)),))
    finding = told(made)

    assert finding is not None
    assert ("Possible deadlock" in finding.title) is waits_for_it
    assert ("Neither can go on before that ends." in finding.sentence) is waits_for_it


def sleeping(*natives: tuple[str, str]) -> Capture:
    """The same, with this native stack below its sleep."""
    made = locked(ring=False)
    process = made.processes[0]
    native = (native_frame("clock_nanosleep", LIBC), *(native_frame(*one) for one in natives))
    sleeper = replace(process.threads[0], native_stack=native)
    held = DatabaseLock(PATH, PID, writes=True, users=(PID,))
    alone = (replace(process, threads=(sleeper,)), *made.processes[1:])
    made = replace(made, processes=alone, database_locks=(held,), database_uses=())
    return watched(made, stood_s=0.0)


APSW = "/app/site-packages/apsw/__init__.cpython-312-x86_64-linux-gnu.so"
EVAL = ("_PyEval_EvalFrameDefault", "/usr/lib/libpython3.12.so.1.0")


def test_who_sleeps_in_other_code_waits_for_no_database() -> None:
    other = "/usr/lib/libother.so"

    assert told(sleeping(("usersleep", other), EVAL)) is None
    assert told(sleeping(EVAL, ("callFunction", APSW), ("sqlite3VdbeExec", APSW), EVAL)) is None


def test_a_busy_handler_of_the_programs_sleeps_in_sqlite() -> None:
    finding = told(sleeping(EVAL, ("busyhandlercb", APSW), ("btreeBeginTrans", APSW), EVAL))

    assert finding is not None
    assert finding.severity is Severity.WARNING
    assert finding.title.endswith("which another connection of this very thread has")
    assert "Its busy handler, main.py:19 (save_count), says how often it tries." in finding.sentence
    assert not any("timeout" in one for one in finding.unknown)


def test_sqlite_within_another_module_is_known_by_its_functions() -> None:
    finding = told(sleeping(("sqlite3InvokeBusyHandler", APSW), ("sqlite3_step", APSW), EVAL))

    assert finding is not None
    assert "Only the timeout of the connection that waits ends this" in finding.sentence


def test_who_came_back_in_between_did_not_wait_all_the_time() -> None:
    made = watched(locked(ring=False), 102, stood_s=2.0)
    seen = tuple(replace(one, returned=one.same_stack) for one in made.progress)
    stayed, came_back = told(made), told(replace(made, progress=seen))

    assert stayed is not None
    assert came_back is not None
    assert (stayed.severity, came_back.severity) == (Severity.WARNING, Severity.NOTE)


def backing_up(
    *, alone: bool = True, holder: int = PID, slept_by: str = "sqlite3_sleep"
) -> Capture:
    """A backup into a database that is locked, as several looks saw it."""
    backup = thread(
        "MainThread",
        101,
        still=False,
        python=[python_frame("back_up", 16)],
        native=[
            native_frame("clock_nanosleep", LIBC),
            native_frame("sqlite3OsSleep", SQLITE),
            native_frame(slept_by, SQLITE),
            native_frame("pysqlite_connection_backup_impl.constprop.0", "/usr/lib/_sqlite3.so"),
            native_frame("_PyEval_EvalFrameDefault"),
        ],
        syscall=Syscall("clock_nanosleep"),
    )
    importer = thread("importer", 102, python=[python_frame("import_all", 27)])
    made = capture(backup, *(() if alone else (importer,)))
    held = DatabaseLock(PATH, holder, writes=True, users=(PID,))
    return watched(replace(made, database_locks=(held,)), stood_s=0.0)


def test_a_backup_waits_for_ever_for_another_connection_of_its_only_thread() -> None:
    finding = told(backing_up())

    assert finding is not None
    assert finding.severity is Severity.WARNING
    assert finding.title.endswith(
        "database app.db at main.py:16 (back_up), which another connection of this very thread has"
    )
    assert "MainThread is the only Python thread" in finding.sentence
    assert "tries again for ever" in finding.sentence
    assert not any("timeout" in one for one in finding.unknown)


@pytest.mark.parametrize(
    ("plain", "user", "expected"),
    [
        (True, PID, Severity.ERROR),
        (False, PID, Severity.WARNING),
        (True, 200, Severity.WARNING),
    ],
)
def test_it_is_an_error_if_nothing_of_the_program_is_called_in_between(
    plain: bool, user: int, expected: Severity
) -> None:
    """And if nobody else has the file open."""
    made = backing_up()
    (process,), (held,), (seen,) = made.processes, made.database_locks, made.progress
    (backup,) = process.threads
    use = DatabaseUse(backup.id, "/app/main.py:16", "target", only_copies=plain)
    made = replace(
        made,
        processes=(replace(process, steady=True, around=Surroundings(handles_signals=())),),
        database_locks=(replace(held, users=tuple({PID, user})),),
        database_uses=(use,),
        progress=(replace(seen, same_line=True),),
    )
    finding = told(made)

    assert finding is not None
    assert finding.severity is expected


@pytest.mark.parametrize(
    ("alone", "holder"), [(False, PID), (True, 200)], ids=["thread", "process"]
)
def test_a_backup_is_let_go_on_by_others_that_have_the_lock(alone: bool, holder: int) -> None:
    finding = told(backing_up(alone=alone, holder=holder))

    assert finding is not None
    assert finding.severity is Severity.NOTE
    assert "this very thread" not in finding.title


@pytest.mark.parametrize(
    ("users", "beside", "own"), [((PID,), False, True), ((PID, 200), False, False),
                                 ((PID,), True, False)],
)  # fmt: skip
def test_a_statement_waits_for_another_connection_of_its_only_thread_until_its_timeout(
    users: tuple[int, ...], beside: bool, own: bool
) -> None:
    made = locked(ring=False)
    process = made.processes[0]
    left = process.threads if beside else process.threads[:1]
    held = DatabaseLock(PATH, PID, writes=True, users=users)
    processes = (replace(process, threads=left), *made.processes[1:])
    made = replace(made, processes=processes, database_locks=(held,), database_uses=())
    finding = told(watched(made, stood_s=0.0))

    assert finding is not None
    assert finding.severity is (Severity.WARNING if own else Severity.NOTE)
    assert ("which another connection of this very thread has" in finding.title) is own
    timed = "Only the timeout of the connection that waits ends this" in finding.sentence
    assert timed is own
    assert "for ever" not in finding.sentence


def test_another_sleep_below_sqlite_is_no_wait_for_a_lock() -> None:
    assert told(backing_up(slept_by="usersleep")) is None


def test_who_is_about_to_commit_waits_for_those_that_read() -> None:
    made = locked(ring=False)
    reads = DatabaseLock(PATH, 200, writes=False, users=(PID, 200))
    finding = told(replace(made, database_locks=(*made.database_locks, reads), database_uses=()))

    assert finding is not None
    assert "The lock is held by process 200." in finding.sentence


@pytest.mark.parametrize("ring", [True, False], ids=["all", "none"])
def test_nobody_gives_up_the_lock_of_a_process_whose_other_threads_wait_for_the_sleeper(
    ring: bool,
) -> None:
    made = locked(ring=ring)
    processes = [replace(one, threads=one.threads[:2]) for one in made.processes[:1]]
    made = replace(made, processes=(*processes, *made.processes[1:]), database_uses=())
    finding = told(watched(made, stood_s=0.0))

    assert finding is not None
    assert finding.severity is (Severity.WARNING if ring else Severity.NOTE)
    assert finding.title.endswith(", and all who could give it up wait for statistics") is ring
    assert ("whose other threads wait for statistics: importer waits" in finding.sentence) is ring
    assert (names(made.threads(), finding) == {"statistics", "importer"}) is ring
    assert ("at main.py:27 (import_all)" in finding.advice[0]) is ring


@pytest.mark.parametrize("alone", [True, False])
def test_who_waits_for_what_the_sleeper_alone_would_do_next_waits_for_it(alone: bool) -> None:
    made = locked(ring=False)
    sleeper, importer = (one for one in made.threads() if one.pid == PID)
    done = lock("done", 0x2, NodeKind.EVENT)
    other = thread("other", 103, python=[python_frame("look", 3)])
    could = tuple(
        CouldWake(done.id, one.id, Complement.SET, Nearness.AHEAD, evidence())
        for one in ((sleeper,) if alone else (sleeper, other))
    )
    own = replace(made.processes[0], threads=(sleeper, importer))
    made = replace(
        made,
        processes=(own, *made.processes[1:]),
        resources=(*made.resources, done),
        waits=(waits(importer, done),),
        could_wake=could,
        database_uses=(),
    )
    finding = told(watched(made, stood_s=0.0))

    assert finding is not None
    assert (", and all who could give it up wait for statistics" in finding.title) is alone
    assert (finding.severity is Severity.WARNING) is alone

    use = DatabaseUse(importer.id, "/app/main.py:27", "session")
    finding = told(replace(made, database_uses=(use,)))

    assert finding is not None
    assert (", and importer has it and waits for statistics" in finding.title) is alone


def test_others_that_ask_for_the_lock_as_well_do_not_give_it_up() -> None:
    made = locked()
    process, *others = made.processes
    sleeper, importer, *_ = process.threads
    again = replace(sleeper, tid=103, name="again")
    process = replace(process, threads=(sleeper, importer, again))
    made = replace(made, processes=(process, *others), database_uses=())
    finding = told(watched(made, stood_s=0.0))

    assert finding is not None
    assert finding.title.endswith(", and all who could give it up wait for statistics")


def test_a_greenlet_that_may_have_the_lock_cannot_go_on_while_its_thread_sleeps_in_sqlite() -> None:
    made = locked(ring=False)
    process = made.processes[0]
    stack = (python_frame("sell", 33),)
    waiting = TaskState.WAITING
    seller = Task(PID, 0x51, "sell", "sell", waiting, 9, 101, stack, kind=NodeKind.GREENLET)
    processes = (replace(process, threads=process.threads[:1]), *made.processes[1:])
    made = replace(made, processes=processes, tasks=(seller,), database_uses=())
    finding = told(watched(made, stood_s=0.0))

    assert finding is not None
    assert "on meanwhile, to commit or to close it: greenlet sell" in finding.sentence
    assert "nobody else is there" not in finding.sentence


def test_two_connections_of_one_task_in_threads_of_a_library() -> None:
    made = locked()
    core = "/usr/lib/python3.12/site-packages/aiosqlite/core.py"
    inside = (python_frame("_connection_worker_thread", 63, core),)
    sleeper, importer, main = (
        replace(one, python_stack=inside if one.tid != 200 else one.python_stack)
        for one in made.threads()
    )
    stack = (python_frame("note", 20), python_frame("pay_in", 27))
    task = Task(PID, 0x70, "counter", "pay_in", TaskState.WAITING, 9, PID, stack)
    todo = lock("queue.SimpleQueue at 0x2", 0x2, NodeKind.QUEUE)
    done = lock("asyncio.Future at 0x3", 0x3, NodeKind.FUTURE)
    ours = capture(
        *(sleeper, importer, main, thread("MainThread")),
        resources=[todo, done],
        waits=[waits(importer, todo), replace(waits(sleeper, done), waiter=task.id)],
        holds=[
            replace(holds(todo, sleeper, Certainty.PROVEN), holder=task.id),
            holds(done, sleeper, Certainty.PROVEN),
        ],
    )
    finding = told(
        replace(
            ours,
            tasks=(task,),
            database_locks=made.database_locks,
            database_uses=made.database_uses,
        )
    )

    assert finding is not None
    assert finding.title == (
        "Possible deadlock: task pay_in (counter) waits at main.py:20 (note), called from "
        "main.py:27 (pay_in) for a lock on the SQLite database app.db, which another connection "
        "has that waits for this task alone"
    )
    assert "That comes from task pay_in (counter) alone, which waits at main.py:20" in (
        finding.sentence
    )
    assert "before the other one writes at main.py:20 (note)" in finding.advice[0]
