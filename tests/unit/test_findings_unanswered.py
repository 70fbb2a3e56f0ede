"""A task that waits inside of a package while an answer is due over one connection of its loop."""

from dataclasses import replace

import pytest

from hangtui import findings
from hangtui.analysis.waitgraph import build
from hangtui.findings.by_the_clock import gives_up
from hangtui.findings.rest.owed import asks_itself, never_heard
from hangtui.findings.words import words_of
from hangtui.model import (
    Capture,
    Child,
    Complement,
    CouldWake,
    Ends,
    EventLoop,
    Finding,
    LoopState,
    Nearness,
    NodeKind,
    Progress,
    PythonFrame,
    Severity,
    Sleep,
    Surroundings,
    Syscall,
    Task,
    TaskState,
    Thread,
    Traffic,
    Unconnected,
    Watched,
)
from tests.unit.factories import (
    between,
    capture,
    evidence,
    holds,
    lock,
    native_frame,
    process,
    python_frame,
    thread,
    told_of_wait,
    waits,
)

SELECT = python_frame("select", 9, "/usr/lib/python3.12/selectors.py")
OWN = python_frame("load_users", 4)
CONNECT = replace(
    python_frame("connect", 80, "/venv/lib/python3.12/site-packages/asyncpg/connection.py"),
    package="asyncpg 0.30.0",
)
SILENT = Traffic(sent_s=9.0, received_s=None, sent_last=True)


def client(
    *traffic: Traffic | None,
    stack: tuple[PythonFrame, ...] = (CONNECT, OWN),
    kind: NodeKind = NodeKind.FUTURE,
    peer: Thread | None = None,
) -> Capture:
    """Its only task waits; *traffic*: of the connections that its loop watches."""
    main = replace(thread("MainThread", 100, python=[SELECT]), runs=7)
    task = Task(100, 0x70, "Task-1", "load_users", TaskState.WAITING, 0x60, 100, stack)
    answer = lock("the asyncio.Future awaited in connect", 0x80, kind)
    loop = EventLoop(100, 0x60, "loop", LoopState.IDLE, 100, None, 0, len(traffic), 0)
    made = capture(main, resources=[answer], waits=[waits(task.id, answer)])
    peers = () if peer is None else (peer.pid,)
    ends = [Ends(None, f"10.0.0.{n}:5432") for n in range(len(traffic))]
    watched = tuple(
        Watched(main.id, there.name, one, peers, ends=there)
        for there, one in zip(ends, traffic, strict=True)
    )
    seen = Progress(main.id, 5, 2.0, 2.0, 0.0, same_stack=True, same_line=True)
    others = () if peer is None else (process(peer.pid, peer),)
    return replace(
        made,
        processes=(*made.processes, *others),
        tasks=(task,),
        event_loops=(loop,),
        watched=watched,
        progress=(seen,),
    )


def quiet(made: Capture) -> Finding:
    return next(one for one in findings.run(made) if one.id == "quiet")


def test_the_one_connection_with_an_answer_due_is_told() -> None:
    heard = Traffic(sent_s=20.0, received_s=3.0, sent_last=False)
    found = quiet(client(heard, SILENT))

    assert found.severity is Severity.WARNING
    assert told_of_wait(found).endswith(
        "task load_users waits at main.py:4 (load_users), in asyncpg, for an answer over the TCP "
        "connection to 10.0.0.1:5432, silent for 9 s"
    )


@pytest.mark.parametrize(
    "made",
    [
        client(None),
        client(Traffic(sent_s=0.2, received_s=None, sent_last=True)),
        client(Traffic(sent_s=20.0, received_s=3.0, sent_last=False)),
        client(SILENT, stack=(replace(CONNECT, function="serve"), OWN)),
        client(SILENT, kind=NodeKind.QUEUE),
    ],
)
def test_without_one_that_is_known_nothing_is_said_of_an_answer(made: Capture) -> None:
    found = findings.run(made)

    assert all("for an answer over" not in one.title for one in found)
    assert all(one.severity is Severity.NOTE for one in found if one.id == "quiet")


def test_who_closes_a_connection_waits_for_its_end_and_not_for_an_answer() -> None:
    made = client(replace(SILENT, unfetched=70))
    closing = replace(made.tasks[0], awaits="the end of a connection")
    found = quiet(replace(made, tasks=(closing,)))

    assert "in asyncpg, for the end of the TCP connection to 10.0.0.0:5432" in found.title
    owed = "whoever is there has to read what was sent to it (70 bytes lie there unread), or to"
    assert owed in found.sentence


def test_the_only_connection_that_a_loop_hears_is_told_with_whose_protocol_it_is() -> None:
    made = client(SILENT, stack=(OWN,))
    heard = replace(made.watched[0], heard_by="slixmpp's ClientXMPP")
    found = quiet(replace(made, watched=(heard,)))

    assert told_of_wait(found).endswith(
        "; its event loop hears only the TCP connection to 10.0.0.0:5432 of slixmpp's ClientXMPP, "
        "silent for 9 s"
    )


@pytest.mark.parametrize("able", [1, 2])
def test_the_answer_is_due_to_the_task_that_alone_could_end_what_the_program_awaits(
    able: int,
) -> None:
    made = client(SILENT)
    asks = replace(made.tasks[0], address=0x71, name="Task-2")
    other = replace(asks, address=0x72, name="Task-3")
    main = replace(made.tasks[0], python_stack=(python_frame("main", 20),), coroutine="main")
    stopped = lock("stopped", 0x81, NodeKind.EVENT)
    could = tuple(
        CouldWake(stopped.id, one.id, Complement.SET, Nearness.AHEAD, evidence())
        for one in (asks, other)[:able]
    )
    made = replace(
        made,
        tasks=(main, asks, other)[: 1 + able],
        resources=(*made.resources, stopped),
        waits=(waits(main.id, stopped), *(replace(made.waits[0], waiter=asks.id),)),
        could_wake=could,
    )
    found = quiet(made)

    assert ("task load_users" in found.title and "for an answer over" in found.title) is (able == 1)
    assert (found.severity is Severity.WARNING) is (able == 1)


@pytest.mark.parametrize("watched", [1, 2])
def test_what_a_loop_hears_without_a_transport_is_told_if_it_hears_nothing_else(
    watched: int,
) -> None:
    made = client(stack=(OWN,))
    (loop,) = made.event_loops
    loop = replace(loop, timers=0, watched=watched, listeners=("aiozmq's Transport",))
    found = quiet(replace(made, event_loops=(loop,), unconnected=(Unconnected(100, ()),)))

    told = "; its event loop hears only aiozmq's Transport, while its process has no TCP connection"
    assert told_of_wait(found).endswith(told) is (watched == 1)


def test_over_which_of_several_it_is_is_not_told() -> None:
    for made in (client(SILENT, SILENT), client(SILENT, stack=(OWN,))):
        found = quiet(made)
        assert found.severity is Severity.WARNING
        assert "for an answer over" not in found.title
        assert told_of_wait(found).endswith(", silent for 9 s")


def test_of_several_that_is_told_which_the_task_hears_itself() -> None:
    made = client(SILENT, SILENT)
    named = between(made.resources[0], None, "10.0.0.1:5432")
    found = quiet(replace(made, resources=(named,)))

    assert "for an answer over the TCP connection to 10.0.0.1:5432, silent" in found.title


@pytest.mark.parametrize(
    ("timers", "sleepers", "told"), [(1, 0, False), (1, 1, True), (2, 1, False)]
)
def test_what_a_timer_may_end_is_no_reason_to_warn(timers: int, sleepers: int, told: bool) -> None:
    made = client(SILENT)
    naps = tuple(
        Task(100, 0x90 + n, "Task-2", "tick", TaskState.WAITING, 0x60, 100, (OWN,), "sleep (0.5 s)",
             sleep=Sleep(5.0, 0.5))
        for n in range(sleepers)
    )  # fmt: skip
    loop = replace(made.event_loops[0], timers=timers)
    found = quiet(replace(made, tasks=(*made.tasks, *naps), event_loops=(loop,)))
    assert (found.severity is Severity.WARNING) is told


def test_a_client_that_is_served_may_have_nothing_to_say() -> None:
    assert quiet(client(replace(SILENT, accepted=True))).severity is Severity.NOTE


SLEEPS = thread(
    "MainThread", 200, 200, python=[python_frame("answer", 3)],
    syscall=Syscall("clock_nanosleep", sleep=Sleep(30.0, 20.0)),
)  # fmt: skip
AWAKE = thread("MainThread", 200, 200, state="R", still=False, python=[python_frame("answer", 3)])


@pytest.mark.parametrize("peer", [SLEEPS, AWAKE])
def test_a_peer_that_goes_on_by_itself_is_no_reason_to_warn(peer: Thread) -> None:
    found = quiet(client(SILENT, peer=peer))

    assert "(open in process 200)" in found.title
    assert found.severity is Severity.NOTE


@pytest.mark.parametrize(
    ("package", "received_s", "told"),
    [("asyncpg", None, True), ("asyncpg", 9.5, False), ("other", None, False)],
)
def test_native_threads_of_the_package_may_have_its_connection(
    package: str, received_s: float | None, told: bool
) -> None:
    """Which wake the loop when the answer comes. Once it was heard, what they send may ask for
    nothing."""
    module = f"/venv/lib/python3.12/site-packages/{package}/bridge.abi3.so"
    native = replace(
        thread("tokio-rt-worker", 101, native=[native_frame("tokio::park", module)]),
        is_python=False,
    )
    made = client(replace(SILENT, received_s=received_s))
    (own,) = made.processes
    made = replace(
        made,
        processes=(replace(own, threads=(*own.threads, native)),),
        watched=tuple(replace(one, thread=native.id) for one in made.watched),
        event_loops=(replace(made.event_loops[0], watched=1),),
    )
    found = quiet(made)

    assert ("in asyncpg, for an answer over" in found.title) is told
    assert ("whoever has the other end of that is to answer" in found.sentence) is told
    assert found.severity is (Severity.WARNING if told else Severity.NOTE)


@pytest.mark.parametrize(
    ("due_s", "says", "severity"),
    [
        (290.0, ", silent for 9 s, which a timer in 5 min may end", Severity.WARNING),
        (20.0, ", silent for 9 s, which a timer in 20 s may end", Severity.NOTE),
        (None, ", silent for 9 s", Severity.NOTE),
    ],
)
def test_when_a_timer_may_end_it_is_told(
    due_s: float | None, says: str, severity: Severity
) -> None:
    made = client(SILENT)
    loop = replace(made.event_loops[0], timers=1, due_s=due_s)
    found = quiet(replace(made, event_loops=(loop,)))

    assert told_of_wait(found).endswith(f"over the TCP connection to 10.0.0.0:5432{says}")
    assert found.severity is severity
    assert ("whoever has the other end of that is to answer" in found.sentence) is True


def test_who_was_called_and_has_never_said_anything_owes_the_first_word() -> None:
    found = quiet(client(Traffic(None, None, None)))

    assert "for data over the TCP connection to 10.0.0.0:5432" in found.title
    assert found.severity is Severity.WARNING


@pytest.mark.parametrize(
    ("function", "severity"),
    [("AsyncClient.get", Severity.WARNING), ("Response.aiter_lines", Severity.NOTE)],
)
def test_the_rest_of_a_response_is_due_but_not_the_next_piece_of_a_stream(
    function: str, severity: Severity
) -> None:
    half = Traffic(sent_s=9.0, received_s=8.9, sent_last=False)
    site = "/venv/lib/python3.12/site-packages/httpx/_client.py"
    get = replace(python_frame(function, 80, site), package="httpx 0.28.1")
    assert quiet(client(half, stack=(get, OWN))).severity is severity
    comes = replace(half, received_s=0.3)
    assert quiet(client(comes, stack=(get, OWN))).severity is Severity.NOTE


def test_nobody_has_accepted_the_connection() -> None:
    made = client(SILENT)
    (one,) = made.watched
    found = quiet(replace(made, watched=(replace(one, accepted=False, peers=(7,)),)))

    assert told_of_wait(found).endswith(
        "for an answer over the TCP connection to 10.0.0.0:5432, which nobody has accepted, though "
        "process 7 listens there, silent for 9 s"
    )


def test_a_task_that_a_library_has_sleep_between_two_tries_is_told_so() -> None:
    site = "/venv/lib/python3.12/site-packages/nats/aio/client.py"
    tries = replace(python_frame("Client._select_next_server", 1574, site), package="nats-py 2.16")
    made = client(None, stack=(tries, OWN))
    task = replace(made.tasks[0], awaits="sleep (1.5 s left)", sleep=Sleep(2.0, 1.5))
    found = quiet(replace(made, tasks=(task,), waits=(), watched=()))

    assert told_of_wait(found).endswith(
        "task load_users sleeps at main.py:4 (load_users) (1.5 s left) between two tries (nats's "
        "reconnect_time_wait)"
    )
    assert found.severity is Severity.WARNING


@pytest.mark.parametrize(("left_s", "severity"), [(31.0, Severity.NOTE), (90.0, Severity.WARNING)])
def test_a_long_sleep_between_two_tries_of_a_task_ends_by_the_clock(
    left_s: float, severity: Severity
) -> None:
    site = "/venv/lib/python3.12/site-packages/backoff/_async.py"
    made = client(None, stack=(python_frame("retry", 183, site), OWN))
    awaits, sleep = f"sleep ({left_s} s left)", Sleep(left_s + 9, left_s)
    task = replace(made.tasks[0], awaits=awaits, sleep=sleep)
    found = quiet(replace(made, tasks=(task,), waits=(), watched=()))

    assert found.severity is severity


@pytest.mark.parametrize(
    ("name", "traffic", "never"),
    [
        ("name server 10.0.0.2:53 (DNS)", None, True),
        ("TCP connection to 10.0.0.2:1883", SILENT, True),
        ("TCP connection to 10.0.0.2:1883", replace(SILENT, received_s=9.5), False),
        ("TCP connection to 10.0.0.2:1883", replace(SILENT, accepted=True), False),
    ],
)
def test_who_has_never_answered_is_known_by_the_kernel_or_is_a_name_server(
    *, name: str, traffic: Traffic | None, never: bool
) -> None:
    asks = thread("MainThread", 100, 100, python=[OWN])
    link = replace(lock(name, 0x80, NodeKind.SOCKET), name=name, traffic=traffic)
    made = capture(asks, resources=[link], waits=[waits(asks, link, expires=True)])
    seen = Progress(asks.id, 5, 2.0, 2.0, 0.0, same_stack=True, same_line=True)
    made = replace(made, progress=(seen,))

    assert never_heard(asks.id, words_of(made, build(made))) is never


@pytest.mark.parametrize("looks", [1, 5])
def test_a_single_look_without_its_children_does_not_show_that_nobody_answers(looks: int) -> None:
    asks = thread("MainThread", 100, 100, python=[OWN])
    link = replace(lock("TCP connection", 0x80, NodeKind.SOCKET), traffic=SILENT)
    made = capture(asks, resources=[link], waits=[waits(asks, link, expires=True)])
    seen = Progress(asks.id, 5, 2.0, 2.0, 0.0, same_stack=True, same_line=True)
    around = Surroundings(children=(Child(200, "server", "S"),))
    made = replace(
        made,
        progress=(seen,) if looks > 1 else (),
        processes=(replace(made.processes[0], around=around),),
    )

    assert never_heard(asks.id, words_of(made, build(made))) is (looks > 1)


@pytest.mark.parametrize("sent_last", [True, False])
def test_who_waits_for_a_lock_of_a_task_that_asks_the_same_process(*, sent_last: bool) -> None:
    made = client(replace(SILENT, sent_last=sent_last))
    serves = thread("server", 101, python=[python_frame("do_GET", 30)])
    ledger = lock("ledger", 0x90)
    (one,) = made.watched
    made = replace(
        made,
        resources=(*made.resources, ledger),
        waits=(*made.waits, waits(serves, ledger)),
        holds=(replace(holds(ledger, serves), holder=made.tasks[0].id),),
        watched=(replace(one, peers=(100,)),),
    )
    assert asks_itself(serves.id, words_of(made, build(made))) is sent_last


def test_a_task_in_a_try_of_a_library_that_may_try_again_is_not_between_two() -> None:
    site = "/venv/lib/python3.12/site-packages/redis/asyncio/retry.py"
    tries = replace(python_frame("Retry.call_with_retry", 69, site), package="redis 8.1.0")
    made = client(None, stack=(tries, OWN))
    listens = replace(made.tasks[0], awaits="data from 10.0.0.1:6379 (StreamReader)")
    sleeps = replace(made.tasks[0], awaits="sleep", sleep=Sleep(2.0, 1.5))
    made = replace(made, waits=(), watched=())

    assert quiet(replace(made, tasks=(listens,))).severity is Severity.NOTE
    assert quiet(replace(made, tasks=(sleeps,))).severity is Severity.WARNING


@pytest.mark.parametrize(
    ("timeout_ms", "never"), [(30_000, False), (5_000, True), (90_000, True), (None, True)]
)
def test_who_gives_up_within_the_minute_is_not_known_to_wait_in_vain(
    *, timeout_ms: int | None, never: bool
) -> None:
    """Unless its time has been over since it asked, nine seconds before, or is longer than that."""
    call = Syscall("poll", timed=True, timeout_ms=timeout_ms)
    asks = replace(thread("MainThread", 100, 100, python=[OWN]), syscall=call)
    link = replace(lock("TCP connection", 0x80, NodeKind.SOCKET), traffic=SILENT)
    made = capture(asks, resources=[link], waits=[waits(asks, link, expires=True)])
    seen = Progress(asks.id, 5, 2.0, 2.0, 0.0, same_stack=True, same_line=True)
    made = replace(made, progress=(seen,))

    assert never_heard(asks.id, words_of(made, build(made))) is never


@pytest.mark.parametrize(("timeout_ms", "soon"), [(10_000, True), (90_000, False), (None, False)])
def test_who_connects_with_a_short_timeout_gives_up_by_itself(
    *, timeout_ms: int | None, soon: bool
) -> None:
    call = Syscall("poll", timed=True, timeout_ms=timeout_ms)
    asks = replace(thread("MainThread", 100, 100, python=[OWN]), syscall=call)
    port = lock("TCP port", 0x80, NodeKind.SOCKET)
    made = capture(
        asks, resources=[port], waits=[waits(asks, port, operation="connect", expires=True)]
    )
    words = words_of(made, build(made))
    wait = words.graph.wait_of(asks.id)

    assert wait is not None
    assert gives_up(asks, wait, words) is soon
