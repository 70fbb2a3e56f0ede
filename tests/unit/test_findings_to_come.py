"""What is to end a wait later on: a call by its name, a timer, a signal, another process."""

from dataclasses import replace

import pytest

from hangtui import findings
from hangtui.analysis import waitgraph
from hangtui.findings.database_sessions import goes_on
from hangtui.findings.outside.calm_waits import takes_first, told_by_hub
from hangtui.findings.package_queries import server_in_c
from hangtui.findings.rest.unanswered import goes_through_messages
from hangtui.findings.to_come import by_signal, by_timer, short_by_name, told_by_name
from hangtui.findings.words import Words, words_of
from hangtui.findings.written import nobody_comes, told_written
from hangtui.model import (
    DatabaseSession,
    EventLoop,
    LoopState,
    NodeKind,
    Resource,
    Severity,
    Task,
    TaskState,
    Thread,
)
from tests.unit.factories import (
    capture,
    holds,
    lock,
    native_frame,
    python_frame,
    stood,
    thread,
    waits,
)

SITE = "/app/.venv/lib/python3.12/site-packages"
SETS = "Job.finish (jobs.py:12)"
WAITER = thread("client", 101, python=[python_frame("ask", 20)])
ENGINE = thread("engine", 102, python=[python_frame("step", 40)])
MAIN = thread("MainThread", 100)


def done(*, engine: bool = False, timer_s: float | None = None, signals: str = "") -> Resource:
    made = lock("Job.done (threading.Event)", 0xE, NodeKind.EVENT)
    named = (ENGINE.id,) if engine else ()
    return replace(
        made,
        enders=(SETS,),
        wakers_known=True,
        named_by=named,
        timer_s=timer_s,
        signals=tuple(signals.split()),
    )


def words(resource: Resource) -> Words:
    made = capture(MAIN, WAITER, ENGINE, resources=[resource], waits=[waits(WAITER, resource)])
    return words_of(made, waitgraph.build(made))


def test_who_comes_to_a_call_of_that_name_is_told() -> None:
    resource = done(engine=True)
    known = words(resource)
    told = told_written(resource, WAITER, known)

    assert told.startswith(f" The program does so in {SETS}, which nobody runs. engine may come to")
    assert short_by_name(resource, known) == "engine is on the way to a call of that name"
    assert told_by_name(done(), known) == short_by_name(done(), known) == ""


@pytest.mark.parametrize(("left_s", "span"), [(42.7, "42 s"), (150.0, "2 min")])
def test_a_timer_that_ends_a_wait_is_told(left_s: float, span: str) -> None:
    resource = done(timer_s=left_s)
    known = words(resource)
    (wait,) = known.graph.waits_of(WAITER.id)

    assert by_timer(resource) == f"a timer of its event loop calls what would end that, in {span}"
    assert not nobody_comes(wait, known)
    assert nobody_comes(wait, words(done()))
    assert by_timer(done()) == by_timer(None) == ""


@pytest.mark.parametrize("signals", ["", "SIGUSR1"])
def test_who_waits_for_what_a_signal_s_handler_sets_is_parked(signals: str) -> None:
    resource = done(signals=signals)
    made = capture(
        MAIN, WAITER, resources=[resource], waits=[waits(WAITER, resource), waits(MAIN, WAITER)]
    )
    first = findings.run(stood(made))[0]

    assert bool(by_signal(resource)) is bool(signals)
    assert ("is parked: only a signal ends" in first.title) is bool(signals)
    assert (first.severity is Severity.NOTE) is bool(signals)


@pytest.mark.parametrize(
    ("other", "calm"),
    [("SELECT", True), ("idle in transaction", False), ("idle", False), ("UPDATE waiting", False)],
)
def test_a_lock_of_a_session_at_work_is_given_back(other: str, *, calm: bool) -> None:
    waiting = DatabaseSession(1, 2, "shop", "UPDATE waiting", waiters=(WAITER.id,))
    made = replace(
        capture(MAIN, WAITER), database_sessions=(waiting, DatabaseSession(1, 3, "shop", other))
    )
    elsewhere = replace(made, database_sessions=(waiting, DatabaseSession(1, 3, "web", other)))

    assert goes_on(waiting, made) is calm
    assert not goes_on(waiting, elsewhere)


def reading(package: str, *, takes: bool) -> Thread:
    inside = python_frame("Serial.read", 565, f"{SITE}/{package}/posix.py")
    return replace(thread("meter", 101, python=[inside, python_frame("run", 27)]), takes_next=takes)


FEED = replace(
    thread("feed", 101, python=[python_frame("recv", 429, f"{SITE}/websocket/_core.py")]),
    subscribes=True,
)
LINE = lock("TCP connection to 127.0.0.1:9", 9, NodeKind.SOCKET)
HUB = 200


@pytest.mark.parametrize("hub", [True, False])
@pytest.mark.parametrize("subscribes", [True, False])
def test_who_has_subscribed_to_a_hub_is_owed_nothing(*, hub: bool, subscribes: bool) -> None:
    feed, serves = replace(FEED, subscribes=subscribes), thread("serves", HUB, pid=HUB)
    made = capture(
        MAIN,
        feed,
        serves,
        resources=[LINE],
        waits=[waits(feed, LINE)],
        holds=[holds(LINE, serves)],
    )
    loop = EventLoop(HUB, 1, "Loop", LoopState.IDLE, accepting=1 if hub else 0)
    made = replace(made, event_loops=(loop,))
    known = words_of(made, waitgraph.build(made))
    (wait,) = known.graph.waits_of(feed.id)

    assert told_by_hub(feed, wait, known) is (hub and subscribes)


@pytest.mark.parametrize(
    ("function", "file", "subscribes", "rests"),
    [
        ("__aiter__", "websockets/asyncio/connection.py", True, True),
        ("__anext__", "aiohttp/client_ws.py", True, True),
        ("__aiter__", "websockets/asyncio/connection.py", False, False),
        ("recv", "websockets/asyncio/connection.py", True, False),
        ("__anext__", "aiohttp/streams.py", True, False),
    ],
)
def test_a_task_that_goes_through_messages_waits_for_no_answer(
    function: str, file: str, *, subscribes: bool, rests: bool
) -> None:
    inside = python_frame(function, 5, f"{SITE}/{file}")
    task = replace(
        Task(
            100,
            0x7,
            "feed",
            "follow",
            TaskState.WAITING,
            0x1,
            100,
            (inside, python_frame("follow", 9)),
        ),
        subscribes=subscribes,
    )

    assert goes_through_messages(task) is rests


def test_who_reads_what_a_device_sends_owes_nothing() -> None:
    assert takes_first(reading("serial", takes=True))
    assert not takes_first(reading("serial", takes=False))  # it may have asked
    assert not takes_first(reading("somerpc", takes=True))


@pytest.mark.parametrize(("function", "serves"), [("zmq_proxy", True), ("zmq_msg_recv", False)])
def test_a_proxy_of_zeromq_serves(function: str, *, serves: bool) -> None:
    called = native_frame(function, f"{SITE}/pyzmq.libs/libzmq-2f02442c.so.5.2.5")
    broker = thread(
        "broker",
        101,
        python=[python_frame("run", 38)],
        native=[called, native_frame("_PyEval_EvalFrameDefault")],
    )

    assert (server_in_c(broker) is not None) is serves
