"""Threads that a library runs for itself are no news, and those that hang are no such threads."""

from dataclasses import replace

import pytest

from hangtui import findings
from hangtui.analysis.waitgraph import build
from hangtui.findings.reassurance import Reassures, without_false_comfort
from hangtui.findings.services import is_service
from hangtui.findings.words import words_of
from hangtui.model import (
    Capture,
    Certainty,
    Evidence,
    Finding,
    Hold,
    NodeKind,
    PythonFrame,
    Resource,
    Severity,
    Source,
    Syscall,
    Thread,
    ThreadRef,
    process_id,
    resource_id,
    shared_id,
    thread_id,
)
from tests.unit.factories import PID, capture, python_frame, thread, waits

LIB, SITE = "/usr/lib/python3.12", "/venv/lib/python3.12/site-packages"
BOOT = (
    python_frame("Thread._bootstrap_inner", 1073, f"{LIB}/threading.py"),
    python_frame("Thread._bootstrap", 1030, f"{LIB}/threading.py"),
)
EVENT_WAIT = python_frame("Event.wait", 655, f"{LIB}/threading.py")
GC_RUN = python_frame("PythonGCThread.run", 29, f"{SITE}/ray/_private/gc.py")
FEED = python_frame("Queue._feed", 231, f"{LIB}/multiprocessing/queues.py")
POOL = (
    python_frame("_WorkItem.run", 58, f"{LIB}/concurrent/futures/thread.py"),
    python_frame("_worker", 92, f"{LIB}/concurrent/futures/thread.py"),
)
WATCH = python_frame("watch", 137, f"{SITE}/ray/process_watcher.py")
TAKES = python_frame("DelayedQueue.get", 61, f"{SITE}/watchdog/utils/delayed_queue.py")
EMITS = (
    python_frame("InotifyBuffer.read_event", 51, f"{SITE}/watchdog/observers/inotify_buffer.py"),
    python_frame("InotifyWatchGroup.read_event", 202, f"{SITE}/watchdog/observers/inotify.py"),
    python_frame("InotifyEmitter.queue_events", 470, f"{SITE}/watchdog/observers/inotify.py"),
    python_frame("EventEmitter.run", 189, f"{SITE}/watchdog/observers/api.py"),
)
OWN = python_frame("consume", 9, "/app/main.py")


def of_kind(kind: NodeKind) -> Resource:
    return Resource(resource_id(kind, PID, 16), kind, "it", PID, 16, name="it")


def one(
    stack: tuple[PythonFrame, ...],
    kind: NodeKind | None,
    operation: str | None = None,
    *,
    tid: int = 7,
    call: Syscall | None = None,
) -> tuple[Thread, Capture]:
    made = thread("Thread-1", tid, python=stack, syscall=call)
    sleeps = Syscall("clock_nanosleep")
    line = [python_frame("main", 3, "/app/main.py")]
    main = thread("MainThread", PID, python=line, native=[], syscall=sleeps)
    main = replace(main, only_sleeps=True)
    if kind is None:
        return made, capture(main, made)
    wanted = of_kind(kind)
    wait = replace(waits(made, wanted), operation=operation)
    return made, capture(main, made, resources=(wanted,), waits=(wait,))


def served(made: tuple[Thread, Capture]) -> bool:
    thread_, of = made
    return is_service(thread_, words_of(of, build(of)))


@pytest.mark.parametrize(
    ("stack", "kind", "operation"),
    [
        ((EVENT_WAIT, GC_RUN, *BOOT), NodeKind.EVENT, None),
        ((FEED, *BOOT), NodeKind.CONDITION, None),
        ((WATCH, *BOOT), NodeKind.PIPE, "read"),
        ((WATCH, *BOOT), NodeKind.PROCESS, None),
        ((WATCH, *BOOT), NodeKind.SOCKET, "accept"),
        ((EVENT_WAIT, TAKES, *EMITS, *BOOT), NodeKind.CONDITION, None),
    ],
)
def test_threads_of_libraries_at_rest(
    stack: tuple[PythonFrame, ...], kind: NodeKind, operation: str | None
) -> None:
    assert served(one(stack, kind, operation))


@pytest.mark.parametrize(
    ("stack", "kind", "operation"),
    [
        ((EVENT_WAIT, OWN, *BOOT), NodeKind.EVENT, None),
        ((EVENT_WAIT, GC_RUN, OWN, *BOOT), NodeKind.EVENT, None),
        ((EVENT_WAIT, *BOOT), NodeKind.EVENT, None),
        ((WATCH, *BOOT), NodeKind.LOCK, None),
        ((WATCH, *BOOT), NodeKind.SOCKET, "receive"),
        ((WATCH, *BOOT), NodeKind.PIPE, "write"),
        ((WATCH, WATCH, WATCH, WATCH, *BOOT), NodeKind.EVENT, None),
        ((EVENT_WAIT, WATCH, *POOL, *BOOT), NodeKind.EVENT, None),
        ((EVENT_WAIT, *EMITS, *BOOT), NodeKind.CONDITION, None),
    ],
)
def test_what_may_be_the_work_of_the_application_is_none(
    stack: tuple[PythonFrame, ...], kind: NodeKind, operation: str | None
) -> None:
    assert not served(one(stack, kind, operation))


def test_the_main_thread_is_none() -> None:
    assert not served(one((EVENT_WAIT, GC_RUN), NodeKind.EVENT, tid=PID))


def test_who_watches_for_the_end_of_its_parent_in_a_pool_is_one() -> None:
    call = Syscall("read")
    stack = (WATCH, *POOL, *BOOT)
    assert served(one(stack, NodeKind.PIPE, "read", call=replace(call, fd=0)))
    assert not served(one(stack, NodeKind.PIPE, "read", call=replace(call, fd=5)))


def test_its_rest_is_not_told_beside_something_else() -> None:
    made, of = one((EVENT_WAIT, GC_RUN, *BOOT), NodeKind.EVENT)
    told = findings.run(of)
    assert told
    assert all({ref.tid for ref in finding.threads} != {made.tid} for finding in told)


def test_the_same_wait_of_the_application_is_told() -> None:
    made, of = one((EVENT_WAIT, OWN, *BOOT), NodeKind.EVENT)
    assert any(made.tid in {ref.tid for ref in finding.threads} for finding in findings.run(of))


def with_native(holder: int) -> Capture:
    """A program that sleeps; a native thread of it reads from a pipe into which *holder* writes."""
    _, of = one((GC_RUN, *BOOT), None, call=Syscall("clock_nanosleep"))
    pipe = Resource(shared_id(NodeKind.PIPE, "0x1/read"), NodeKind.PIPE, "pipe", PID, 0)
    native = replace(thread("reader", 9, syscall=Syscall("read")), is_python=False)
    wait = replace(waits(native, pipe), operation="read")
    hold = Hold(pipe.id, process_id(holder), Evidence(Source.PROCFS, Certainty.CERTAIN, "open"))
    (process,) = of.processes
    process = replace(process, threads=(*process.threads, native))
    return replace(of, processes=(process,), resources=(pipe,), waits=(wait,), holds=(hold,))


@pytest.mark.parametrize(("holder", "rests"), [(PID, True), (555, False)])
def test_a_native_thread_that_its_own_process_wakes_is_at_rest(holder: int, rests: bool) -> None:
    found = [finding.id for finding in findings.run(with_native(holder))]
    assert ("idle" in found) is rests


def test_nobody_is_idle_one_of_whose_grandchildren_hangs() -> None:
    idle = Finding("idle", Severity.NOTE, Certainty.INFERRED, "idle", "", (ThreadRef(1, 1, "m"),))
    bad = Finding("deadlock", Severity.ERROR, Certainty.PROVEN, "d", "", (ThreadRef(3, 3, "m"),))
    ids = {"idle": Reassures.PROCESS}
    assert without_false_comfort([bad, idle], ids, {3: 2, 2: 1}) == [bad]
    stands = replace(idle, tasks=(thread_id(1, 1),))
    assert without_false_comfort([bad, stands], ids, {3: 2, 2: 1}) == [bad, stands]
    assert without_false_comfort([bad, idle], ids, {3: 2}) == [bad, idle]
    assert without_false_comfort([bad, idle], ids, {3: 2, 2: 3}) == [bad, idle]


def test_workers_of_one_who_waits_for_nobody_knows_what_are_not_said_to_be_well() -> None:
    idle = Finding("idle", Severity.NOTE, Certainty.INFERRED, "idle", "", (ThreadRef(3, 3, "m"),))
    quiet = replace(idle, id="quiet", threads=(ThreadRef(1, 1, "m"),), processes=(1,))
    ids = {"idle": Reassures.PROCESS, "quiet": Reassures.NO_MORE}
    assert without_false_comfort([quiet, idle], ids, {3: 2, 2: 1}) == [quiet]
    assert without_false_comfort([quiet, idle], ids, {3: 2}) == [quiet, idle]


@pytest.mark.parametrize("alone", [True, False])
def test_a_process_of_multiprocessings_own_is_no_news_beside_others(alone: bool) -> None:
    tracks = python_frame("main", 240, f"{LIB}/multiprocessing/resource_tracker.py")
    text = python_frame("<module>", 1, "<string>")
    tracker = thread("MainThread", 300, 300, python=(tracks, text))
    main = thread("MainThread", python=(OWN,))
    pipe = Resource(shared_id(NodeKind.PIPE, "7"), NodeKind.PIPE, "a pipe", 0, 7, name="a pipe")
    holder = Hold(
        pipe.id, process_id(PID), Evidence(Source.PROCFS, Certainty.CERTAIN, "it is open")
    )
    made = capture(*([tracker] if alone else [tracker, main]), resources=[pipe],
                   waits=[waits(tracker, pipe)])  # fmt: skip
    found = findings.run(replace(made, holds=(holder,)))
    assert (300 in {ref.pid for one in found for ref in one.threads}) is alone
