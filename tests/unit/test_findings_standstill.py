"""Processes that nobody sets going but one of them: a warning is an error there."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from hangtui import findings
from hangtui.analysis.waitgraph import build
from hangtui.findings.for_good import made_errors
from hangtui.findings.lookers import Lookers
from hangtui.findings.standstill import standstill
from hangtui.findings.words import ref, words_of
from hangtui.model import (
    Capture,
    Certainty,
    Child,
    Complement,
    CouldWake,
    EventLoop,
    Finding,
    Hold,
    Inward,
    Looking,
    LoopState,
    Nearness,
    NodeKind,
    NoHolder,
    Polled,
    Progress,
    PythonFrame,
    Reason,
    Resource,
    Severity,
    Sleep,
    Surroundings,
    Syscall,
    Task,
    TaskState,
    Thread,
    Wait,
    shared_id,
)
from tests.unit.factories import capture, evidence, holds, lock, python_frame, stood, thread, waits

FUTEX = Syscall("futex", timed=False)
READS = Syscall("read")
POOL = "/venv/lib/python3.12/site-packages/dbutils/pooled_db.py"
THREADING = "/usr/lib/python3.12/threading.py"
PEBBLE = "/venv/lib/python3.12/site-packages/pebble/pool/thread.py"


def asker(*, timed: bool = False) -> Thread:
    """It waits for a connection of a pool."""
    stack = [
        python_frame("Condition.wait", 355, THREADING),
        python_frame("PooledDB.connection", 46, POOL),
        python_frame("open_report", 15),
    ]
    return thread("MainThread", python=stack, syscall=replace(FUTEX, timed=timed))


def exhausted(*others: Thread, timed: bool = False, signals: tuple[str, ...] = ()) -> Capture:
    """The only thing that is known is that a pool has nothing left."""
    pool = replace(
        lock("DBUtils' PooledDB", 0x10, NodeKind.POOL), name="DBUtils' PooledDB",
        lends="connection", size=2, out=2,
    )  # fmt: skip
    one = asker(timed=timed)
    made = capture(one, *others, resources=[pool], waits=[waits(one, pool, expires=timed)])
    return stood(made, *signals)


def severity(made: Capture) -> Severity:
    return findings.run(made)[0].severity


def group(made: Capture, *pids: int) -> list[int]:
    return [one.pid for one in standstill(pids or (100,), words_of(made, build(made)))]


def test_the_only_thread_waits_for_what_nobody_gives_back() -> None:
    (first, *_) = findings.run(exhausted())

    assert first.severity is Severity.ERROR
    assert first.never_ends
    assert "the only thread of process 100 waits without a timeout" in first.evidence[-1]


@pytest.mark.parametrize("change", [{"timed": True}, {"signals": ("SIGUSR1",)}])
def test_it_is_a_warning_if_the_wait_may_end(change: dict[str, bool | tuple[str, ...]]) -> None:
    assert severity(exhausted(**change)) is not Severity.ERROR  # type: ignore[arg-type]


def test_a_thread_of_c_that_waits_for_anything_else_may_end_it() -> None:
    native = replace(
        thread("poller", 101, syscall=Syscall("epoll_wait", timed=False)), is_python=False
    )
    made = exhausted(native)

    assert severity(made) is Severity.WARNING
    own = replace(made, inward=(Inward(native.id, (100,)),))
    assert severity(own) is Severity.ERROR
    assert severity(replace(made, inward=(Inward(native.id, (100, 555)),))) is Severity.WARNING
    listens = Inward(native.id, (100,), ("TCP port 0.0.0.0:80",))
    assert severity(replace(made, inward=(listens,))) is Severity.WARNING


def test_a_librarys_thread_that_looks_after_its_workers_ends_nothing() -> None:
    stack = [python_frame("pool_manager_loop", 144, PEBBLE)]
    keeper = thread("keeper", 101, python=stack, still=False, syscall=Syscall("clock_nanosleep"))
    made = exhausted(keeper)
    ticks = Progress(keeper.id, 5, 2.0, 0.0, 0.001, wakes=20, same_stack=True, same_line=True)
    made = replace(made, progress=(made.progress[0], ticks))

    assert severity(made) is Severity.ERROR
    other = replace(keeper, python_stack=(python_frame("refresh", 9),))
    (process,) = made.processes
    made = replace(made, processes=(replace(process, threads=(process.threads[0], other)),))
    assert severity(made) is Severity.WARNING


def pair(*, far: tuple[int, ...] = (200,)) -> Capture:
    """Two processes, each of which reads what only the other one would write."""
    stack = [python_frame("receive", 7)]
    one = thread("MainThread", 100, 100, python=stack, syscall=READS)
    other = thread("MainThread", 200, 200, python=stack, syscall=READS)
    made = stood(capture(one, other))
    return replace(made, inward=(Inward(one.id, far), Inward(other.id, (100,))))


def test_processes_that_read_from_each_other_stand_for_good() -> None:
    assert group(pair()) == [100, 200]
    assert group(pair(), 200) == [200, 100]


def test_they_do_not_if_somebody_else_has_an_end() -> None:
    assert group(pair(far=(200, 300))) == []


def test_they_do_not_if_one_look_alone_saw_it() -> None:
    assert group(replace(pair(), progress=())) == []


SERVES = python_frame("BaseServer.serve_forever", 235, "/usr/lib/python3.12/socketserver.py")
SENDS = python_frame("Connection.send", 502, "/venv/lib/python3.12/site-packages/websockets/x.py")


def crossed(*, kind: NodeKind = NodeKind.SOCKET) -> Capture:
    """A thread waits for room on a connection of its process with itself; another one serves."""
    end = replace(lock("TCP connection to 127.0.0.1:1", 0x10, kind), id=shared_id(kind, "0x7"))
    stack = [SENDS, python_frame("push", 22)]
    one = thread("MainThread", python=stack, syscall=Syscall("sendto"))
    server = thread("server", 101, python=[SERVES], syscall=Syscall("poll", timed=True))
    made = stood(capture(one, server, resources=[end], waits=[waits(one, end, operation="send")]))
    ticks = Progress(server.id, 5, 2.0, 0.0, 0.001, wakes=8, same_stack=True, same_line=True)
    inward = (Inward(one.id, (100,)), Inward(server.id, (100,), ("TCP port 0.0.0.0:80",)))
    return replace(made, progress=(made.progress[0], ticks), inward=inward)


def test_who_connects_later_does_not_end_the_wait_for_who_is_there() -> None:
    (first, *_) = findings.run(crossed())

    assert first.severity is Severity.ERROR
    assert first.evidence[-1].endswith("somebody new who connects has no part in that")


BRINGS = python_frame("Future.result", 451, "/usr/lib/python3.12/concurrent/futures/_base.py")


def beside_server(
    awaited: Resource,
    *held: Hold,
    stack: Sequence[PythonFrame],
    way: str | None = None,
    serves: Sequence[PythonFrame] = (),
) -> Finding:
    """What is made of a warning about a thread that waits, while another one serves."""
    stack = [*stack, python_frame("fetch", 22)]
    one = thread("MainThread", python=stack, syscall=FUTEX)
    worker = thread("worker", 102, python=[python_frame("work", 5)], syscall=FUTEX)
    served = [SERVES, *serves]
    server = thread("server", 101, python=served, syscall=Syscall("poll", timed=True))
    turn = lock("turn", 0x90, NodeKind.LOCK)
    made = capture(
        one, worker, server,
        resources=[awaited, turn],
        waits=[waits(one, awaited, operation=way), waits(worker, turn)],
        holds=[*held, holds(turn, one)],
    )  # fmt: skip
    made = stood(made)
    ticks = Progress(server.id, 5, 2.0, 0.0, 0.001, wakes=8, same_stack=True, same_line=True)
    progress = tuple(ticks if old.thread == server.id else old for old in made.progress)
    inward = (Inward(server.id, (100,), ("TCP port 0.0.0.0:80",)),)
    made = replace(made, progress=progress, inward=inward)
    told = Finding(
        "waiting", Severity.WARNING, Certainty.CERTAIN, "", "", (ref(one),),
        reason=Reason.ONE_WAIT,
    )  # fmt: skip
    return made_errors([told], made, build(made))[0]


@pytest.mark.parametrize(
    ("certainty", "known", "expected"),
    [
        (Certainty.PROVEN, False, Severity.ERROR),
        (Certainty.INFERRED, True, Severity.ERROR),
        (Certainty.INFERRED, False, Severity.WARNING),
        (None, True, Severity.WARNING),
    ],
)
def test_who_connects_brings_no_result_that_somebody_else_is_at(
    certainty: Certainty | None, known: bool, expected: Severity
) -> None:
    awaited = replace(lock("result", 0x10, NodeKind.FUTURE), wakers_known=known)
    worker = thread("worker", 102)
    held = [holds(awaited, worker, certainty)] if certainty else []
    assert beside_server(awaited, *held, stack=[BRINGS]).severity is expected


@pytest.mark.parametrize("kind", [NodeKind.FUTURE, NodeKind.LOCK])
def test_but_he_may_have_the_server_end_or_give_back_what_it_has(kind: NodeKind) -> None:
    """A thread of a pool serves until it is told to end, and the main thread waits for it."""
    awaited = lock("result", 0x10, kind)
    server = thread("server", 101)
    found = beside_server(awaited, holds(awaited, server), stack=[BRINGS])
    assert found.severity is Severity.WARNING


@pytest.mark.parametrize(
    ("called_back", "enders", "expected"),
    [
        (("snowplow_tracker's AsyncEmitter.consume (emitters.py:550)",), (), Severity.ERROR),
        ((), (), Severity.WARNING),
        (("x's Emitter.consume (x.py:5)",), ("consume (main.py:9)",), Severity.WARNING),
    ],
)
def test_nor_has_he_a_queue_of_a_packages_own(
    called_back: tuple[str, ...], enders: tuple[str, ...], expected: Severity
) -> None:
    """A program may hand the items of its own queue to whoever connects."""
    items = replace(
        lock("Emitter.queue", 0x10, NodeKind.QUEUE),
        wakers_known=True, called_back=called_back, enders=enders,
    )  # fmt: skip
    joins = python_frame("Queue.join", 90, "/usr/lib/python3.12/queue.py")
    assert beside_server(items, stack=[joins], way="join").severity is expected


@pytest.mark.parametrize(("accounted", "expected"), [(2, Severity.ERROR), (None, Severity.WARNING)])
def test_nor_what_a_pool_lent_to_who_is_there(accounted: int | None, expected: Severity) -> None:
    """One thread has both connections."""
    pool = replace(
        lock("pool", 0x10, NodeKind.POOL), lends="connection", size=2, out=2, accounted=accounted
    )
    stack = [python_frame("PooledDB.connection", 46, POOL)]
    one = thread("MainThread", python=[])
    held = holds(pool, one, Certainty.INFERRED)
    assert beside_server(pool, held, stack=stack).severity is expected


GETS = python_frame("HTTPConnection.getresponse", 1, "/usr/lib/python3.12/http/client.py")
HAND_ON = "a2wsgi's SyncEvent.set (asgi.py:66)"


@pytest.mark.parametrize(
    ("called_back", "asked", "others", "expected"),
    [
        ((HAND_ON,), True, False, Severity.ERROR),
        ((), True, False, Severity.WARNING),
        ((HAND_ON,), False, False, Severity.WARNING),
        ((HAND_ON,), True, True, Severity.WARNING),
    ],
)
def test_who_connects_has_no_part_in_a_ring_within_packages(
    called_back: tuple[str, ...], asked: bool, others: bool, expected: Severity
) -> None:
    """Two threads each set what the other one waits for, and somebody waits for their answer."""
    there = replace(lock("there", 0x10, NodeKind.EVENT), wakers_known=True, called_back=called_back)
    back = replace(lock("back", 0x20, NodeKind.EVENT), wakers_known=True, called_back=(HAND_ON,))
    end = replace(lock("connection", 0x30, NodeKind.SOCKET), id=shared_id(NodeKind.SOCKET, "0x7"))
    stack = [GETS, python_frame("fill_in", 30)] if asked else [python_frame("listen", 30)]
    client = thread("MainThread", python=stack, syscall=Syscall("recvfrom"))
    one = thread("one", 101, python=[python_frame("wait", 3)], syscall=FUTEX)
    other = thread("other", 102, python=[python_frame("wait", 5)], syscall=FUTEX)
    server = thread("server", 103, python=[SERVES], syscall=Syscall("poll", timed=True))
    made = capture(
        client, one, other, server,
        resources=[there, back, end],
        waits=[waits(client, end), waits(one, there), waits(other, back)],
    )  # fmt: skip
    wakes = [(other, there), (one, back), *([(server, back)] if others else [])]
    could = [
        CouldWake(awaited.id, who.id, Complement.SET, Nearness.AHEAD, evidence("code"))
        for who, awaited in wakes
    ]
    made = replace(stood(made), could_wake=tuple(could))
    ticks = Progress(server.id, 5, 2.0, 0.0, 0.001, wakes=8, same_stack=True, same_line=True)
    progress = tuple(ticks if old.thread == server.id else old for old in made.progress)
    inward = (Inward(client.id, (100,)), Inward(server.id, (100,), ("TCP port 0.0.0.0:80",)))
    made = replace(made, progress=progress, inward=inward)
    told = Finding(
        "mutual-wait", Severity.WARNING, Certainty.INFERRED, "", "", (ref(one), ref(other)),
        victims=(ref(client),), reason=Reason.RING,
    )  # fmt: skip

    assert made_errors([told], made, build(made))[0].severity is expected


@pytest.mark.parametrize(
    ("package", "expected"), [("hub", Severity.WARNING), ("other", Severity.ERROR)]
)
def test_who_waits_in_a_package_that_serves_may_wait_for_its_end(
    package: str, expected: Severity
) -> None:
    where = "/venv/lib/python3.12/site-packages/{}/server.py"
    closed = replace(
        lock("Hub.closed", 0x10, NodeKind.EVENT),
        wakers_known=True, called_back=("hub's Hub.close (server.py:9)",),
    )  # fmt: skip
    stack = [
        python_frame("Event.wait", 655, THREADING),
        python_frame("Hub.result", 5, where.format("hub")),
    ]
    serves = [python_frame("Hub.run", 7, where.format(package))]
    assert beside_server(closed, stack=stack, serves=serves).severity is expected


def test_he_may_end_any_other() -> None:
    assert severity(crossed(kind=NodeKind.CONDITION)) is not Severity.ERROR


HEARTBEAT = python_frame("Heartbeat.send", 26)


def beating(*, endless: bool, alters: bool = False, wakes: int = 0) -> Capture:
    """Beside who waits, a thread waits with a timeout, again and again."""
    beats = thread(
        "beats", 101, python=[HEARTBEAT], still=False, syscall=replace(FUTEX, timed=True)
    )
    made = exhausted(beats)
    ticks = Progress(beats.id, 5, 2.0, 2.0, 0.0, wakes=wakes, same_stack=True, same_line=True)
    looking = (Looking(beats.id, endless, alters),)
    return replace(made, progress=(made.progress[0], ticks), looking=looking)


@pytest.mark.parametrize(
    ("endless", "wakes", "ends"), [(True, 0, False), (False, 9, False), (False, 0, True)]
)
def test_who_only_looks_ends_nothing(endless: bool, wakes: int, ends: bool) -> None:
    assert (severity(beating(endless=endless, wakes=wakes)) is Severity.WARNING) is ends


@pytest.mark.parametrize(
    ("kind", "endless", "expected"),
    [
        (NodeKind.LOCK, True, Severity.ERROR),
        (NodeKind.LOCK, False, Severity.WARNING),
        (NodeKind.EVENT, True, Severity.WARNING),
    ],
)
def test_who_waits_again_and_again_for_what_nobody_rests_by(
    kind: NodeKind, endless: bool, expected: Severity
) -> None:
    """An event of the program's own may be set when it is to end."""
    awaited = lock("awaited", 0x10, kind)
    stack = [python_frame("acquire", 300, THREADING), python_frame("take", 7)]
    one = thread("MainThread", python=stack, still=False, syscall=replace(FUTEX, timed=True))
    made = stood(capture(one, resources=[awaited], waits=[waits(one, awaited, expires=True)]))
    ticks = Progress(one.id, 5, 2.0, 0.0, 0.001, wakes=2, same_stack=True, same_line=True)
    looking = (Looking(one.id, endless, alters=False),)
    made = replace(made, progress=(ticks,), looking=looking)
    told = Finding(
        "waiting", Severity.WARNING, Certainty.CERTAIN, "", "", (ref(one),),
        reason=Reason.ONE_WAIT,
    )  # fmt: skip

    assert made_errors([told], made, build(made))[0].severity is expected


def test_what_it_prints_another_one_of_several_processes_may_read() -> None:
    made = beating(endless=True)
    made = replace(made, looking=(replace(made.looking[0], tells=True),))
    words = words_of(made, build(made))
    assert severity(made) is Severity.ERROR
    assert Lookers(words).change_nothing([100])
    assert not Lookers(words).change_nothing([100, 200])
    assert not words.looking


@pytest.mark.parametrize(
    ("children", "ends"),
    [
        (None, True),
        ((), False),
        ((Child(200, "cat", "S"),), True),
        ((Child(200, "cat", "Z"),), False),
    ],
)
def test_who_looks_whether_a_child_has_ended(
    children: tuple[Child, ...] | None, ends: bool
) -> None:
    """One that lives and was not looked at may end at any moment."""
    made = beating(endless=True)
    (process,) = made.processes
    around = replace(process.around or Surroundings(), children=children)
    made = replace(
        made,
        processes=(replace(process, around=around),),
        looking=(replace(made.looking[0], asks_children=True),),
    )
    assert (severity(made) is Severity.WARNING) is ends


@pytest.mark.parametrize(
    ("no_holder", "name", "stands"),
    [
        (NoHolder.ALONE, "IterableQueue._sem", True),
        (NoHolder.ALONE, "named semaphore /press", False),
        (None, "IterableQueue._sem", False),
    ],
)
def test_a_semaphore_that_no_other_process_shares_is_given_back_by_its_own(
    no_holder: NoHolder | None, name: str, stands: bool
) -> None:
    semaphore = lock(name, 0x10, NodeKind.SEMAPHORE)
    semaphore = replace(
        semaphore, id=shared_id(NodeKind.SEMAPHORE, "0x7"), name=name, no_holder=no_holder
    )
    one = thread("MainThread", python=[python_frame("put", 7)], syscall=FUTEX)
    made = stood(capture(one, resources=[semaphore], waits=[waits(one, semaphore)]))
    assert group(made) == ([100] if stands else [])


@pytest.mark.parametrize(("asks", "expected"), [(True, Severity.ERROR), (False, Severity.WARNING)])
def test_who_has_a_lock_of_processes_looks_whether_those_have_ended_that_want_it(
    asks: bool, expected: Severity
) -> None:
    """That it has the lock is inferred; that nobody else shares it is known."""
    turn = replace(
        lock("turn", 0x10, NodeKind.LOCK), id=shared_id(NodeKind.LOCK, "0x7"), sharers=(100, 200)
    )
    parent = thread("MainThread", 100, 100, python=[python_frame("run", 9)], still=False,
                    syscall=Syscall("clock_nanosleep"))  # fmt: skip
    child = thread("MainThread", 200, 200, python=[python_frame("work", 4)], syscall=FUTEX)
    made = stood(
        capture(
            parent,
            child,
            resources=[turn],
            waits=[waits(child, turn)],
            holds=[holds(turn, parent, Certainty.INFERRED)],
        )
    )
    first, second = made.processes
    around = replace(first.around or Surroundings(), children=(Child(200, "python", "S"),))
    ticks = Progress(parent.id, 5, 2.0, 0.0, 0.001, wakes=20, same_stack=True, same_line=True)
    made = replace(
        made,
        processes=(replace(first, around=around), second),
        progress=(ticks, made.progress[1]),
        looking=(Looking(parent.id, endless=False, alters=False, asks_children=asks),),
    )
    told = Finding(
        "waiting", Severity.WARNING, Certainty.CERTAIN, "", "", (ref(child),),
        reason=Reason.ONE_WAIT,
    )  # fmt: skip

    assert made_errors([told], made, build(made))[0].severity is expected


def test_one_of_two_that_look_may_see_what_the_other_one_counts() -> None:
    made = beating(endless=True, alters=True)
    assert severity(made) is Severity.ERROR

    (process,) = made.processes
    other = replace(process.threads[1], tid=102)
    made = replace(
        made,
        processes=(replace(process, threads=(*process.threads, other)),),
        progress=(*made.progress, replace(made.progress[1], thread=other.id)),
        looking=(*made.looking, Looking(other.id, endless=True, alters=False)),
    )
    assert severity(made) is Severity.WARNING

    # Who waits inside of its loop without a timeout does not come round to count.
    stands = Looking(process.threads[0].id, endless=False, alters=True)
    made = beating(endless=True)
    assert severity(replace(made, looking=(*made.looking, stands))) is Severity.ERROR


def polling_task(*, timers: int = 1, sockets: tuple[int, ...] = (100,)) -> Capture:
    """A task polls in a package for what somebody else would have to bring."""
    select = python_frame("select", 5, "/usr/lib/python3.12/selectors.py")
    package = "/venv/lib/python3.12/site-packages/taskiq/task.py"
    main = thread(
        "MainThread", python=[select], still=False, syscall=Syscall("epoll_wait", timed=True)
    )
    main = replace(main, runs=40)
    stack = (
        python_frame("sleep", 600, "/usr/lib/python3.12/asyncio/tasks.py"),
        python_frame("AsyncTaskiqTask.wait_result", 103, package),
        python_frame("weigh_all", 20),
    )
    task = Task(100, 0x70, "Task-1", "main", TaskState.WAITING, 0x60, 100, stack,
                "sleep (0.0 s left)", sleep=Sleep(0.2, 0.0))  # fmt: skip
    loop = EventLoop(100, 0x60, "asyncio", LoopState.IDLE, 100, None, timers, 0, 0)
    made = replace(stood(capture(main)), tasks=(task,), event_loops=(loop,))
    ticks = Progress(main.id, 5, 2.0, 0.0, 0.001, wakes=20, same_stack=True, same_line=True)
    return replace(
        made,
        progress=(ticks,),
        polled=(Polled(task.id, ("self.is_ready()",), "task.py:103"),),
        looking=(Looking(task.id, endless=False, alters=False),),
        inward=(Inward(main.id, sockets),),
    )


def test_a_task_that_polls_where_nobody_is_left_never_goes_on() -> None:
    (first, *_) = findings.run(polling_task())

    assert (first.id, first.severity) == ("quiet", Severity.ERROR)
    assert (
        "task main waits at main.py:20 (weigh_all), in taskiq (task.py:103 "
        "(AsyncTaskiqTask.wait_result)), by polling self.is_ready() for 2 s or more"
    ) in first.title


@pytest.mark.parametrize("made", [polling_task(timers=2), polling_task(sockets=(100, 7))])
def test_it_is_a_warning_where_a_timer_or_a_connection_may_bring_it(made: Capture) -> None:
    assert severity(made) is Severity.WARNING


@pytest.mark.parametrize(
    ("began", "seconds", "calm"),
    [("taskiq", 0.2, True), ("taskiq", 900.0, False), ("aiocron", 0.2, False)],
)
def test_what_the_package_has_the_program_do_meanwhile_may_bring_it(
    began: str, seconds: float, calm: bool
) -> None:
    made = polling_task(timers=2)
    runs = python_frame("run_task", 9, f"/venv/lib/python3.12/site-packages/{began}/receiver.py")
    stack = (made.tasks[0].python_stack or ())[:1]
    job = replace(
        made.tasks[0],
        address=0x72,
        name="Task-3",
        sleep=Sleep(seconds, None),
        python_stack=(*stack, python_frame("weigh", 29), runs),
    )
    found = next(one for one in findings.run(replace(made, tasks=(*made.tasks, job))))

    assert found.id == "quiet"
    assert (found.severity is Severity.NOTE) is calm


@pytest.mark.parametrize(("timers", "ends"), [(1, True), (2, False)])
def test_a_pool_is_waited_for_while_the_loop_does_nothing_but_tick(timers: int, ends: bool) -> None:
    """Another timer may be what wakes who waits, to ask again."""
    made = polling_task(timers=timers)
    pool = replace(lock("some pool", 0x30, NodeKind.POOL), name="some pool", size=2)
    asks = replace(made.tasks[0], address=0x72, name="Task-3", sleep=None, awaits="a place",
                   python_stack=(python_frame("print_order", 29),))  # fmt: skip
    made = replace(
        made,
        tasks=(*made.tasks, asks),
        resources=(pool,),
        waits=(Wait(asks.id, pool.id, waits(made.threads()[0], pool).evidence),),
    )
    found = [one.severity for one in findings.run(made) if one.id == "waiting-for-pool"]
    assert (found == [Severity.ERROR]) is ends


def asking(*, unlimited: bool, age_s: float | None = None) -> Capture:
    """A library sleeps, and asks again and again for a lock on a file that the only other thread of
    the process has, which waits for that one to end."""
    file = replace(
        lock("file lock /tmp/a.lock", 0x10, NodeKind.FILE_LOCK),
        id=shared_id(NodeKind.FILE_LOCK, "0x7/fe:0"), age_s=age_s,
    )  # fmt: skip
    poll = python_frame("acquire", 177, "/venv/lib/python3.12/site-packages/filelock/_api.py")
    asks = thread("indexer", 101, python=[poll, python_frame("refresh", 13)], still=False)
    main = thread("MainThread", python=[python_frame("publish", 20)], syscall=FUTEX)
    wait = replace(waits(asks, file, Certainty.INFERRED, expires=True), unlimited=unlimited)
    made = stood(
        capture(
            main,
            asks,
            resources=[file],
            waits=[wait, waits(main, asks)],
            holds=[holds(file, main, Certainty.INFERRED)],
        )
    )
    ticks = Progress(asks.id, 5, 2.0, 0.0, 0.001, wakes=40, same_stack=True, same_line=True)
    return replace(made, progress=(made.progress[0], ticks))


def test_a_library_that_never_gives_up_asks_for_good() -> None:
    (first, *_) = findings.run(asking(unlimited=True))

    assert (first.id, first.severity) == ("file-locked", Severity.ERROR)
    assert first.title.startswith("Deadlock: indexer waits at main.py:13 (refresh) for the file")
    assert first.unknown == ()


@pytest.mark.parametrize("made", [asking(unlimited=False), asking(unlimited=True, age_s=9.0)])
def test_one_that_may_give_up_or_whose_file_may_be_deleted_does_not(made: Capture) -> None:
    assert severity(made) is Severity.WARNING


@pytest.mark.parametrize(
    ("kind", "operation", "expected"),
    [
        (NodeKind.SOCKET, "send", Severity.ERROR),
        (NodeKind.SOCKET, "receive", Severity.WARNING),
        (NodeKind.QUEUE, None, Severity.WARNING),
    ],
)
def test_who_connects_may_bring_what_the_holder_of_a_lock_waits_for(
    kind: NodeKind, operation: str | None, expected: Severity
) -> None:
    """One of several takers waits for its turn, while another one waits for an item with the lock;
    or for whatever comes, or for room, over a connection of the process with itself."""
    stack = [python_frame("take", 7)]
    one = thread("MainThread", python=stack, syscall=FUTEX)
    other = thread("taker", 101, python=stack, syscall=FUTEX)
    server = thread("server", 102, python=[SERVES], syscall=Syscall("poll", timed=True))
    turn, item = lock("turn", 0x10, NodeKind.LOCK), lock("items", 0x20, kind)
    if kind is NodeKind.SOCKET:
        other = replace(other, syscall=Syscall("recvfrom"))
    made = stood(
        capture(
            one,
            other,
            server,
            resources=[turn, item],
            waits=[waits(one, turn), waits(other, item, operation=operation)],
            holds=[holds(turn, other)],
        )
    )
    ticks = Progress(server.id, 5, 2.0, 0.0, 0.001, wakes=8, same_stack=True, same_line=True)
    inward = (Inward(other.id, (100,)), Inward(server.id, (100,), ("TCP port 0.0.0.0:80",)))
    made = replace(made, progress=(*made.progress[:2], ticks), inward=inward)
    told = Finding(
        "waiting", Severity.WARNING, Certainty.CERTAIN, "", "", (ref(one),),
        reason=Reason.ONE_WAIT,
    )  # fmt: skip

    assert made_errors([told], made, build(made))[0].severity is expected


@pytest.mark.parametrize(
    ("library", "expected"), [(True, Severity.ERROR), (False, Severity.WARNING)]
)
def test_who_takes_turns_rests_if_whoever_has_the_turn_does(
    library: bool, expected: Severity
) -> None:
    """Takers wait for their turn, while one of them waits for an item; or in a library's code."""
    stack = [python_frame("take", 7)]
    inner = [python_frame("Pool.get", 3, POOL)] if library else []
    one = thread("MainThread", python=stack, syscall=FUTEX)
    other = thread("taker", 101, python=[*inner, *stack], syscall=FUTEX)
    turn, item = lock("turn", 0x10, NodeKind.LOCK), lock("items", 0x20, NodeKind.QUEUE)
    made = stood(
        capture(
            one,
            other,
            resources=[turn, item],
            waits=[waits(one, turn), waits(other, item)],
            holds=[holds(turn, other)],
        )
    )
    told = Finding(
        "waiting", Severity.WARNING, Certainty.CERTAIN, "", "", (ref(one),),
        reason=Reason.ONE_WAIT,
    )  # fmt: skip

    assert made_errors([told], made, build(made))[0].severity is expected


def test_one_that_looks_four_times_in_two_seconds_has_looked_since_the_others_stand() -> None:
    made = beating(endless=False, wakes=4)
    main, ticks = made.progress

    longer = replace(made, progress=(main, replace(ticks, lasted_s=2.4)))
    assert severity(longer) is Severity.ERROR
    seldom = replace(made, progress=(main, replace(ticks, lasted_s=2.4, wakes=2)))
    assert severity(seldom) is Severity.WARNING


def test_a_thread_that_a_library_gave_something_to_call_is_known_by_its_name() -> None:
    file = "/venv/lib/python3.12/site-packages/cherrypy/process/plugins.py"
    stack = [python_frame("BackgroundTask.run", 514, file)]
    sleeps = Syscall("clock_nanosleep")
    for name, ends in (("Session cleanup", Severity.ERROR), ("refresh", Severity.WARNING)):
        keeper = thread(name, 101, python=stack, still=False, syscall=sleeps)
        made = exhausted(keeper)
        ticks = Progress(keeper.id, 5, 2.0, 0.0, 0.001, wakes=20, same_stack=True, same_line=True)
        made = replace(made, progress=(made.progress[0], ticks))
        assert severity(made) is ends


@pytest.mark.parametrize(
    ("inside", "signals", "expected"),
    [
        ((), (), Severity.ERROR),
        (("Prices.do_GET",), (), Severity.WARNING),
        ((), ("SIGTERM",), Severity.ERROR),
        ((), ("SIGUSR1",), Severity.WARNING),
    ],
)
def test_who_has_answered_waits_for_the_next_request(
    inside: tuple[str, ...], signals: tuple[str, ...], expected: Severity
) -> None:
    """Another end reads on in the answer; unless the handler is still busy with it, and reads. Who
    asks the program to end brings no answer."""
    lib = "/usr/lib/python3.12"
    reads = python_frame("SocketIO.readinto", 707, f"{lib}/socket.py")
    client = [
        reads,
        python_frame("HTTPResponse.read", 479, f"{lib}/http/client.py"),
        python_frame("fetch", 11),
    ]
    handler = [
        reads,
        *(python_frame(name, 30) for name in inside),
        python_frame("BaseHTTPRequestHandler.handle_one_request", 404, f"{lib}/http/server.py"),
    ]
    call = Syscall("recvfrom")
    one = thread("MainThread", python=client, syscall=call)
    other = thread("request", 101, python=handler, syscall=call)
    server = thread("server", 102, python=[SERVES], syscall=Syscall("poll", timed=True))
    near, far = (lock(name, at, NodeKind.SOCKET) for name, at in (("near", 0x10), ("far", 0x20)))
    made = stood(
        capture(
            one,
            other,
            server,
            resources=[near, far],
            waits=[waits(one, near), waits(other, far)],
            holds=[holds(near, other, Certainty.INFERRED), holds(far, one, Certainty.INFERRED)],
        ),
        *signals,
    )
    ticks = Progress(server.id, 5, 2.0, 0.0, 0.001, wakes=8, same_stack=True, same_line=True)
    port = ("TCP port 0.0.0.0:80",)
    inward = (Inward(one.id, (100,)), Inward(other.id, (100,)), Inward(server.id, (100,), port))
    made = replace(made, progress=(*made.progress[:2], ticks), inward=inward)
    told = Finding(
        "deadlock", Severity.WARNING, Certainty.INFERRED, "", "", (ref(one),), reason=Reason.RING
    )

    assert made_errors([told], made, build(made))[0].severity is expected


def test_a_rule_may_know_that_somebody_does_not_rest() -> None:
    event = lock("done", 0x10, NodeKind.EVENT)
    one = thread("MainThread", python=[python_frame("take", 7)], syscall=FUTEX)
    made = stood(capture(one, resources=[event], waits=[waits(one, event)]))
    told = Finding(
        "starved", Severity.WARNING, Certainty.INFERRED, "", "", (ref(one),), reason=Reason.NOBODY
    )

    assert made_errors([told], made, build(made))[0].severity is Severity.WARNING
    owed = made_errors([replace(told, owed=True)], made, build(made))
    assert owed[0].severity is Severity.ERROR


@pytest.mark.parametrize(
    ("signals", "timers", "expected"),
    [
        (("SIGWINCH",), 2, Severity.ERROR),
        (("SIGUSR1",), 2, Severity.WARNING),
        (("SIGWINCH",), 3, Severity.WARNING),
    ],
)
def test_a_task_of_a_library_that_looks_at_the_size_of_the_window_ends_nothing(
    signals: tuple[str, ...], timers: int, expected: Severity
) -> None:
    """Beside a task that polls; the loop handles a signal for that, too."""
    made = polling_task(timers=timers)
    file = "/venv/lib/python3.12/site-packages/prompt_toolkit/application/application.py"
    stack = (
        python_frame("sleep", 600, "/usr/lib/python3.12/asyncio/tasks.py"),
        python_frame("Application._poll_output_size", 1227, file),
    )
    keeper = replace(made.tasks[0], address=0x71, name="Task-2", python_stack=stack,
                     coroutine="_poll_output_size", sleep=Sleep(5.0, 1.0))  # fmt: skip
    (loop,) = made.event_loops
    (process,) = made.processes
    around = process.around
    assert around is not None
    made = replace(
        made,
        tasks=(*made.tasks, keeper),
        event_loops=(replace(loop, signal_handlers=1),),
        processes=(replace(process, around=replace(around, handles_signals=signals)),),
    )

    assert severity(made) is expected
