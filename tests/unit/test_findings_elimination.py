"""Locks that record no owner: who has them is told by who else is inside the package."""

from dataclasses import replace

import pytest

from hangtui import findings
from hangtui.model import (
    Capture,
    Certainty,
    Complement,
    CouldWake,
    Finding,
    NativeFrame,
    Nearness,
    NodeKind,
    Progress,
    Severity,
    Syscall,
    Thread,
    Unconnected,
)
from tests.unit.factories import (
    LIBC,
    capture,
    evidence,
    holds,
    lock,
    native_frame,
    python_frame,
    stood,
    thread,
    waits,
)

H5PY = "/venv/lib/python3.12/site-packages/h5py/_objects.so"
OTHER = "/venv/lib/python3.12/site-packages/h5py/h5fd.so"
NUMPY = "/venv/lib/python3.12/site-packages/numpy/core.so"


def packaged(function: str, module: str, package: str = "h5py 3.16.0") -> NativeFrame:
    return replace(native_frame(function, module), package=package)


def phil(*more: Thread, main: str = OTHER, ring: bool = True, held: bool = False) -> Capture:
    """A reader frees an object of h5py while the main thread waits for it inside of h5py."""
    reader = thread(
        "fsspecIO",
        101,
        python=[python_frame("fetch_range", 22)],
        native=[
            native_frame("sem_wait", LIBC),
            packaged("lock_lock", H5PY),
            native_frame("gc_collect_main"),
            native_frame("_PyEval_EvalFrameDefault"),
        ],
    )
    package = "h5py 3.16.0" if main == OTHER else "numpy 2.5.5"
    waiting = thread(
        "MainThread",
        python=[python_frame("readinto", 47)],
        native=[
            native_frame("_PyEval_EvalFrameDefault"),
            packaged("H5FD_fileobj_read", main, package),
            native_frame("_PyEval_EvalFrameDefault"),
        ],
    )
    lock_ = lock("semaphore in _objects.so", 0x1, NodeKind.SEMAPHORE, module=H5PY)
    future = lock("concurrent.futures.Future at 0x2", 0x2, NodeKind.FUTURE)
    return capture(
        waiting,
        reader,
        *more,
        resources=[lock_, future],
        waits=[waits(reader, lock_), *([waits(waiting, future)] if ring else [])],
        holds=[
            holds(future, reader, Certainty.PROVEN),
            *([holds(lock_, "thread:100:999")] if held else []),
        ],
    )


def told(made: Capture) -> Finding | None:
    return next((one for one in findings.run(made) if one.id == "deadlock-by-elimination"), None)


def test_the_only_other_thread_inside_the_package_waits_for_the_first() -> None:
    finding = told(phil())

    assert finding is not None
    assert (finding.severity, finding.certainty) == (Severity.WARNING, Certainty.INFERRED)
    assert finding.title == (
        "Possible deadlock: fsspecIO waits at main.py:22 (fetch_range) for a lock inside h5py "
        "3.16.0, which MainThread probably has, and MainThread waits at main.py:47 (readinto) for "
        "fsspecIO"
    )
    assert "inside the garbage collector" in finding.sentence


def test_without_a_ring_or_with_another_candidate_nothing_is_said() -> None:
    inside = [packaged("H5Dread", OTHER), native_frame("_PyEval_EvalFrameDefault")]
    third = thread("third", 102, native=inside)
    unread = replace(third, native_stack=None)
    for made in (phil(ring=False), phil(main=NUMPY), phil(third), phil(unread), phil(held=True)):
        assert told(made) is None


def test_a_thread_of_the_package_itself_is_no_candidate() -> None:
    own = replace(thread("h5-worker", 102, native=[packaged("worker", OTHER)]), is_python=False)

    assert told(phil(own)) is not None


TKINTER = "/usr/lib/python3.12/lib-dynload/_tkinter.cpython-312-x86_64-linux-gnu.so"


def window(*more: Thread, only: bool = True) -> Capture:
    """A worker sets a variable of the window, whose thread waits for the worker's work."""
    loop = native_frame("_tkinter_tkapp_mainloop", TKINTER)
    main = thread("MainThread", python=[python_frame("import_files", 26)], native=[loop])
    sets = native_frame("var_invoke", TKINTER)
    importer = thread("importer", 101, python=[python_frame("work", 20)], native=[sets])
    jobs = lock("jobs (queue.Queue)", 0x2, NodeKind.QUEUE)
    condition = lock("condition in _tkinter.so", 0x1, NodeKind.CONDITION, module=TKINTER)
    coming = (importer, *(() if only else more))
    return replace(
        capture(
            main,
            importer,
            *more,
            resources=[condition, jobs],
            waits=[waits(importer, condition), waits(main, jobs, operation="join")],
        ),
        could_wake=tuple(
            CouldWake(
                jobs.id,
                one.id,
                Complement.TASK_DONE,
                Nearness.AHEAD,
                evidence("its code reaches jobs.task_done()", Certainty.INFERRED),
            )
            for one in coming
        ),
    )


def test_the_only_other_thread_inside_waits_for_what_the_first_alone_would_bring() -> None:
    finding = told(window())

    assert finding is not None
    assert finding.severity is Severity.WARNING
    assert finding.title == (
        "Possible deadlock: importer waits at main.py:20 (work) for a condition inside _tkinter, "
        "which MainThread is probably to notify, and MainThread waits at main.py:26 (import_files) "
        "for importer"
    )
    assert "it is probably to notify that; but it waits at main.py:26" in finding.sentence


def test_a_condition_may_be_notified_by_who_else_could_go_on() -> None:
    helper = replace(thread("helper", 102, native=[native_frame("run", TKINTER)]), is_python=False)
    elsewhere = [native_frame("poll", LIBC)]
    other = thread("other", 102, python=[python_frame("work", 20)], native=elsewhere)

    assert told(window(helper)) is None
    assert told(window(other, only=False)) is None
    assert told(window(other)) is not None


FUTEX = Syscall("futex", "wait 0x1", timed=False)
QT = "/venv/lib/python3.12/site-packages/PySide6/libQt6Core.so.6"


def crossed(*, timed: bool = False, outside: bool = False) -> Capture:
    """Two threads of the application wait inside Qt, and nobody else is there."""
    stacks = {"close_window": "QThread::wait", "run": "QMetaObject::activate"}
    threads = [
        thread(
            "MainThread" if number == 0 else "Scanner",
            100 + number,
            python=[python_frame(function, 22 + number)],
            native=[
                native_frame("syscall", LIBC),
                packaged(called, QT, "pyside6 6.12"),
                native_frame("_PyEval_EvalFrameDefault"),
            ],
            syscall=replace(FUTEX, timed=timed) if number == 0 else FUTEX,
        )
        for number, (function, called) in enumerate(stacks.items())
    ]
    ends = lock("condition in libQt6Core.so.6", 0x1, NodeKind.CONDITION, module=QT)
    answers = lock("futex in libQt6Core.so.6", 0x2, NodeKind.FUTEX, module=QT)
    if outside:
        threads.append(thread("reader", 102, syscall=Syscall("read", timed=False)))
    return stood(
        capture(
            *threads,
            resources=[ends, answers],
            waits=[waits(threads[0], ends, expires=timed), waits(threads[1], answers)],
        )
    )


def test_two_that_wait_inside_one_package_with_nobody_else_wait_for_each_other() -> None:
    finding = told(crossed())

    assert finding is not None
    assert finding.severity is Severity.ERROR
    assert finding.title == (
        "Deadlock: MainThread and Scanner wait inside pyside6 6.12, which only they could end, at "
        "main.py:22 (close_window) and at main.py:23 (run)"
    )
    assert "in PySide6 (QThread::wait (libQt6Core.so.6)), for the end of a QThread;" in (
        finding.sentence
    )


@pytest.mark.parametrize("change", [{"timed": True}, {"outside": True}])
def test_they_do_not_where_somebody_may_go_on(change: dict[str, bool]) -> None:
    assert told(crossed(**change)) is None


def test_where_nobody_moves_it_is_an_error_whoever_has_the_lock() -> None:
    made = phil()
    (process,) = made.processes
    asleep = tuple(replace(one, syscall=FUTEX) for one in process.threads)
    made = replace(made, processes=(replace(process, threads=asleep),))
    sure, perhaps = told(stood(made)), told(stood(made, "SIGUSR1"))

    assert sure is not None
    assert perhaps is not None
    assert (sure.severity, perhaps.severity) == (Severity.ERROR, Severity.WARNING)


MANAGERS = "/usr/lib/python3.12/multiprocessing/managers.py"
SERVES = python_frame("Server.serve_client", 273, MANAGERS)
CALLS = python_frame("BaseProxy._callmethod", 821, MANAGERS)


def manager(*, locks: int = 2, rests: bool = False, ran: bool = False) -> Capture:
    """Two clients ask a manager for locks; *rests*: a third one asks for nothing just now."""
    serving = [thread(f"client-{n}", 300 + n, python=[SERVES]) for n in range(2 + rests)]
    clients = [
        replace(thread("MainThread", pid, python=[CALLS, python_frame("transfer", 8)]), pid=pid)
        for pid in (201, 202)
    ]
    asked = [lock(f"lock {n}", 0x10 + n, NodeKind.LOCK) for n in range(locks)]
    ends = [lock(f"end {n}", 0x20 + n, NodeKind.SOCKET) for n in range(2)]
    made = capture(
        *serving,
        resources=[*asked, *ends],
        waits=[
            *(waits(serving[n], asked[n % locks]) for n in range(2)),
            *(waits(clients[n], ends[n], operation="read") for n in range(2)),
        ],
        holds=[holds(end, serving[0]) for end in ends],
    )
    (process,) = made.processes
    others = [replace(process, pid=one.pid, threads=(one,)) for one in clients]
    everybody = (*serving, *clients)
    seen = [Progress(one.id, 5, 2.0, 0.0 if ran else 2.0, 0.0) for one in everybody]
    return replace(made, processes=(process, *others), progress=tuple(seen))


def test_all_clients_of_a_manager_wait_for_locks_that_one_of_them_has() -> None:
    finding = told(manager())

    assert finding is not None
    assert (finding.severity, finding.certainty) == (Severity.WARNING, Certainty.INFERRED)
    assert "MainThread of process 201 and MainThread of process 202 wait" in finding.title
    assert "each for one of 2 locks in process 100" in finding.sentence
    assert "client-1) wait for them" in finding.sentence


def test_a_client_that_asks_for_nothing_may_give_its_lock_back() -> None:
    for made in (manager(rests=True), manager(locks=1), manager(ran=True)):
        assert told(made) is None


@pytest.mark.parametrize(
    ("inner", "warned"), [("_ConnectionBase.recv", False), ("_ConnectionBase.send", True)]
)
def test_who_serves_a_client_of_a_manager_rests_until_that_one_asks(
    inner: str, warned: bool
) -> None:
    """But one whose answer nobody takes does not."""
    stack = [python_frame(inner, 250, MANAGERS.replace("managers", "connection")), SERVES]
    serves, end = thread("client-0", python=stack), lock("end", 0x20, NodeKind.SOCKET)
    wait = waits(serves, end, operation="receive")
    found = findings.run(capture(serves, resources=[end], waits=[wait]))
    assert ("waiting-for-peer" in {one.id for one in found}) is warned


PLAYER = "/srv/radio/_player.so"


def player(
    kind: NodeKind = NodeKind.CONDITION,
    *,
    calls: int = 1,
    held: bool = True,
    listening: bool = False,
) -> Capture:
    """The main thread waits in a player, with a lock that own threads of that want in Python."""
    waiting = thread(
        "MainThread",
        python=[python_frame("play_song", 24)],
        native=[
            native_frame("pthread_cond_wait", LIBC),
            native_frame("player_drain", PLAYER),
            native_frame("_PyEval_EvalFrameDefault"),
        ],
    )
    playing = [
        thread(
            "python",
            101 + number,
            python=[python_frame("note_block", 18)],
            native=[
                native_frame("lock_PyThread_acquire_lock"),
                native_frame("_PyEval_EvalFrameDefault"),
                native_frame("play", PLAYER),
                native_frame("start_thread", LIBC),
            ],
        )
        for number in range(calls)
    ]
    reads = thread("net", 110, native=[native_frame("recv_loop", PLAYER)])
    reads = replace(reads, is_python=False, syscall=Syscall("epoll_wait"))
    played = lock("condition it in _player.so", 0x1, kind, module=PLAYER)
    guard = lock("Radio.lock", 0x2)
    return capture(
        waiting,
        *playing,
        *([reads] if listening else []),
        resources=[played, guard],
        waits=[waits(waiting, played), *(waits(one, guard) for one in playing)],
        holds=[holds(guard, waiting, Certainty.PROVEN)] if held else [],
    )


def test_threads_of_the_package_that_have_called_python_wait_for_who_waits_for_them() -> None:
    finding = told(player())

    assert finding is not None
    assert (finding.severity, finding.certainty) == (Severity.WARNING, Certainty.INFERRED)
    assert finding.title == (
        "Possible deadlock: MainThread waits at main.py:24 (play_song), in _player.so, whose "
        "thread python has called Python and waits for MainThread"
    )
    assert "has called Python in play and waits at main.py:18 (note_block)" in finding.sentence
    assert "for Radio.lock, which MainThread holds" in finding.sentence
    assert "Do not keep Radio.lock locked around the call" in finding.advice[0]


def test_so_they_do_for_one_that_looks_again_and_again_by_the_clock() -> None:
    made = player(NodeKind.FUTURE)
    main, *_ = made.threads()
    made = replace(
        stood(made),
        waits=tuple(replace(one, expires=one.waiter == main.id) for one in made.waits),
    )
    looks = Progress(main.id, 5, 2.0, 0.0, 0.1, same_line=True)
    polls = replace(made, progress=(looks, *made.progress[1:]))
    finding = told(polls)

    assert finding is not None
    assert finding.severity is Severity.WARNING
    assert "MainThread woke up again and again, and did not leave its line" in finding.evidence
    sleeps = replace(looks, unchanged_s=2.0, cpu_s=0.0)
    assert told(replace(made, progress=(sleeps, *made.progress[1:]))) is None
    left = replace(looks, same_line=False)
    assert told(replace(made, progress=(left, *made.progress[1:]))) is None


def test_several_such_threads_are_told_of_if_no_other_one_hears_from_outside() -> None:
    finding = told(player(calls=3))

    assert finding is not None
    assert "python (TID 101), python (TID 102) and python (TID 103) have called" in finding.title
    assert told(player(calls=2, listening=True)) is None
    moment, alone = told(player(listening=True)), told(stood(player(listening=True)))
    assert moment is not None
    assert alone is not None
    assert (moment.severity, alone.severity) == (Severity.NOTE, Severity.WARNING)
    assert "whether what comes to native threads (net) ends the wait" in alone.unknown
    made = player(calls=2, listening=True)
    assert told(stood(replace(made, unconnected=(Unconnected(100),)))) is not None


def test_threads_of_the_package_that_wait_for_something_else_may_end_the_wait() -> None:
    assert told(player(held=False)) is None
