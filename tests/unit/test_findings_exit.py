"""A program that has ended, and a package's handler of its exit that joins a thread."""

from dataclasses import replace

import pytest

from hangtui import findings
from hangtui.model import Finding, NodeKind, Progress, Severity, Sleep, Syscall, Thread
from tests.unit.factories import capture, lock, native_frame, python_frame, thread, waits

PACKAGES = "/app/.venv/lib/python3.12/site-packages"
POOL = "/usr/lib/python3.12/multiprocessing/pool.py"
AT_EXIT = [native_frame("atexit_callfuncs"), native_frame("Py_FinalizeEx")]


def ended(*, native: bool = True, own: bool = False) -> Thread:
    """The main thread in a package's handler; *own*: which calls a line of the application."""
    called = [python_frame("stop_all", 12)] if own else []
    handler = python_frame("ApiClient.close", 141, f"{PACKAGES}/kubernetes/client/api_client.py")
    stack = [python_frame("Thread.join", 9, "/usr/lib/python3.12/threading.py"), *called, handler]
    return thread("MainThread", python=stack, native=AT_EXIT if native else ())


def found(main: Thread, joined: Thread, *others: Thread) -> dict[str, Finding]:
    answer = lock("the TCP connection to 10.0.0.1:443", 1, NodeKind.SOCKET)
    worker = others[0] if others else joined
    made = capture(
        main,
        joined,
        *others,
        resources=[answer],
        waits=[waits(main, joined), waits(worker, answer)],
    )
    seen = tuple(Progress(one.id, 5, 2.0, 2.0, 0.0, same_stack=True) for one in (main, worker))
    return {one.id: one for one in findings.run(replace(made, progress=seen))}


def test_a_handler_that_joins_a_thread_is_named_with_its_package() -> None:
    sender = thread("sender", 101, python=[python_frame("send", 7)])
    finding = found(ended(), sender)["exit-waits-for-thread"]
    assert "in kubernetes's handler ApiClient.close" in finding.title
    assert "joins the thread sender, which is blocked at main.py:7 (send)" in finding.sentence
    assert "the handlers of atexit" not in finding.sentence


def test_of_a_pool_it_is_the_thread_with_a_task_that_it_waits_for() -> None:
    watcher = thread("watcher", 101, python=[python_frame("Pool._handle_workers", 522, POOL)])
    busy = thread("busy", 102, python=[python_frame("ask", 5), python_frame("worker", 125, POOL)])
    idle = thread("idle", 103, python=[python_frame("worker", 114, POOL)])
    finding = found(ended(), watcher, busy, idle)["exit-waits-for-thread"]
    assert "waits for the thread busy at main.py:5 (ask)" in finding.title
    assert "joins watcher, which waits for the pool's thread busy" in finding.sentence


@pytest.mark.parametrize(("native", "own"), [(False, False), (True, True)])
def test_without_the_interpreter_at_its_end_or_with_a_line_of_its_own_it_goes_on(
    native: bool, own: bool
) -> None:
    sender = thread("sender", 101, python=[python_frame("send", 7)])
    assert "exit-waits-for-thread" not in found(ended(native=native, own=own), sender)


@pytest.mark.parametrize(("only_sleeps", "warns"), [(False, False), (True, True)])
def test_a_thread_that_does_its_rounds_is_waited_for(only_sleeps: bool, warns: bool) -> None:
    rounds = replace(
        thread("rounds", 101, python=[python_frame("do_rounds", 7)]),
        syscall=Syscall("clock_nanosleep"),
        only_sleeps=only_sleeps,
    )
    main = ended()
    made = capture(main, rounds, waits=[waits(main, rounds)])
    seen = (
        Progress(main.id, 5, 2.0, 2.0, 0.0, same_stack=True),
        Progress(rounds.id, 5, 2.0, 0.0, 0.0, wakes=10, same_stack=True, same_line=True),
    )
    told = {one.id: one for one in findings.run(replace(made, progress=seen))}

    finding = told["exit-waits-for-thread"]
    assert (finding.severity is not Severity.NOTE) is warns


@pytest.mark.parametrize(("wakes", "looks"), [(40, True), (1, False)])
def test_a_packages_thread_that_is_met_awake_between_two_looks_does_not_rest(
    wakes: int, looks: bool
) -> None:
    stack = [python_frame("_compress", 354, f"{PACKAGES}/zlib_ng/gzip_ng_threaded.py")]
    awake = replace(thread("compress", 101, python=stack, state="R"), syscall=None, busy=0.01)
    shutdown = python_frame("_shutdown", 1590, "/usr/lib/python3.12/threading.py")
    main = thread("MainThread", python=[shutdown])
    made = capture(main, awake, waits=[waits(main, awake)])
    seen = (
        Progress(main.id, 5, 2.0, 2.0, 0.0, same_stack=True),
        Progress(awake.id, 5, 2.0, 0.0, 0.0, wakes=wakes, same_stack=True, same_line=True),
    )
    told = {one.id for one in findings.run(replace(made, progress=seen))}

    assert ("exit-waits-for-thread" in told, "idle" in told) == (looks, not looks)


@pytest.mark.parametrize(("left_s", "warns"), [(9.0, False), (90.0, True)])
def test_who_comes_to_a_call_of_the_name_that_would_end_the_wait_may_do_so(
    left_s: float, warns: bool
) -> None:
    main, reader = ended(), thread("reader", 101, python=[python_frame("read", 78)])
    nap = Syscall("clock_nanosleep", sleep=Sleep(left_s, left_s))
    postman = thread("postman", 102, python=[python_frame("deliver", 90)], syscall=nap)
    box = lock("Mailbox.lock", 5, NodeKind.CONDITION)
    box = replace(box, wakers_known=True, named_by=(postman.id,))
    made = capture(
        *(main, reader, postman), resources=[box], waits=[waits(main, reader), waits(reader, box)]
    )
    told = {one.id: one for one in findings.run(made)}

    assert (told["exit-waits-for-thread"].severity is not Severity.NOTE) is warns


def test_a_handler_that_joins_with_a_timeout_is_told_and_no_process_at_rest() -> None:
    main, shutdown = ended(), f"{PACKAGES}/opentelemetry/exporter.py"
    exporter = thread("exporter", 101, python=[python_frame("Exporter.export", 234, shutdown)])
    stop = lock("Exporter._shutdown", 5, NodeKind.EVENT)
    made = capture(
        *(main, exporter),
        resources=[stop],
        waits=[waits(main, exporter, expires=True), waits(exporter, stop, expires=True)],
    )
    told = {one.id: one for one in findings.run(made)}

    assert "idle" not in told
    assert told["exit-waits-for-thread"].severity is Severity.NOTE
    assert "or that is over" in told["exit-waits-for-thread"].sentence
