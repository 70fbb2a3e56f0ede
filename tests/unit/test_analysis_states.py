"""Each state word comes from the facts that it claims."""

import pytest

from hangtui.analysis.state_words import STATE_WORDS
from hangtui.analysis.states import ThreadState, state_of
from hangtui.analysis.waitgraph import build
from hangtui.model import GilState, NodeKind, Syscall, Thread
from tests.unit.factories import (
    LIBCUDA,
    abba,
    capture,
    holds,
    lock,
    native_frame,
    process,
    python_frame,
    thread,
    waits,
)


def alone(subject: Thread) -> ThreadState:
    return state_of(subject, build(capture(subject)))


def waiting_on(kind: NodeKind, *, held: bool = False) -> ThreadState:
    waiter, owner = thread("waiter", 101), thread("owner", 102)
    resource = lock("thing", 0x1, kind)
    made = capture(
        waiter,
        owner,
        resources=[resource],
        waits=[waits(waiter, resource)],
        holds=[holds(resource, owner)] if held else [],
    )
    return state_of(waiter, build(made))


def test_members_of_a_cycle_are_deadlocked_and_others_are_not() -> None:
    made = abba()
    graph = build(made)

    assert [state_of(t, graph) for t in made.threads()] == [
        ThreadState.RUN,
        ThreadState.DEADLOCK,
        ThreadState.DEADLOCK,
    ]


@pytest.mark.parametrize("kind", [NodeKind.MUTEX, NodeKind.LOCK, NodeKind.IMPORT_LOCK])
def test_a_lock_is_a_lock_even_if_its_owner_is_unknown(kind: NodeKind) -> None:
    assert waiting_on(kind) is ThreadState.LOCK


@pytest.mark.parametrize("kind", [NodeKind.CONDITION, NodeKind.SEMAPHORE, NodeKind.FUTEX])
def test_a_wait_without_owner_is_a_wait_until_somebody_holds_it(kind: NodeKind) -> None:
    assert waiting_on(kind) is ThreadState.WAIT
    assert waiting_on(kind, held=True) is ThreadState.LOCK


def test_waiting_for_the_gil() -> None:
    assert waiting_on(NodeKind.GIL, held=True) is ThreadState.GIL
    assert alone(thread("t", gil=GilState.WAITS)) is ThreadState.GIL


def test_waiting_for_a_thread_or_a_process_is_a_wait() -> None:
    waiter, other, child = thread("waiter", 101), thread("other", 102), process(300)
    join = capture(waiter, other, waits=[waits(waiter, other)])
    waitpid = capture(waiter, waits=[waits(waiter, child)], processes=[child])

    assert state_of(waiter, build(join)) is ThreadState.WAIT
    assert state_of(waiter, build(waitpid)) is ThreadState.WAIT


@pytest.mark.parametrize(
    ("syscall", "expected"),
    [
        ("clock_nanosleep", ThreadState.SLEEP),
        ("futex", ThreadState.WAIT),
        ("wait4", ThreadState.WAIT),
        ("epoll_wait", ThreadState.IO),
        ("read", ThreadState.IO),
        ("syscall 999", ThreadState.IO),
    ],
)
def test_a_system_call_tells_sleep_wait_and_io_apart(syscall: str, expected: ThreadState) -> None:
    assert alone(thread("t", syscall=Syscall(syscall))) is expected


@pytest.mark.parametrize(
    ("wchan", "expected"),
    [
        ("hrtimer_nanosleep", ThreadState.SLEEP),
        ("futex_wait_queue", ThreadState.WAIT),
        ("do_poll", ThreadState.IO),
        ("0", ThreadState.UNKNOWN),
        (None, ThreadState.UNKNOWN),
    ],
)
def test_without_a_system_call_the_kernel_function_tells(
    wchan: str | None, expected: ThreadState
) -> None:
    assert alone(Thread(1, 1, "t", "S", wchan=wchan)) is expected


@pytest.mark.parametrize(
    ("letter", "expected"),
    [
        ("D", ThreadState.DISK),
        ("T", ThreadState.STOPPED),
        ("t", ThreadState.STOPPED),
        ("Z", ThreadState.ZOMBIE),
        ("R", ThreadState.RUN),
        ("?", ThreadState.UNKNOWN),
    ],
)
def test_the_kernels_letter_decides_where_nothing_else_is_known(
    letter: str, expected: ThreadState
) -> None:
    assert alone(thread("t", state=letter)) is expected


def test_a_running_thread_is_told_by_what_it_runs() -> None:
    kernel = [native_frame("gemm", LIBCUDA)]
    collecting = [native_frame("visit_decref"), native_frame("gc_collect_main.isra.0")]

    assert alone(thread("t", state="R", native=kernel)) is ThreadState.NATIVE
    assert alone(thread("t", state="R", native=kernel, gil=GilState.HOLDS)) is ThreadState.RUN
    assert alone(thread("t", state="R", native=collecting)) is ThreadState.GC


def test_an_idle_pool_worker_sleeps() -> None:
    frame = python_frame("_worker", 81, "/usr/lib/python3.11/concurrent/futures/thread.py")
    waiter, queue = thread("pool-0", python=[frame]), lock("queue", 0x1)
    made = capture(waiter, resources=[queue], waits=[waits(waiter, queue)])

    assert state_of(waiter, build(made)) is ThreadState.SLEEP
    assert alone(waiter) is ThreadState.SLEEP


def test_letters_are_unique_and_ranks_follow_the_order() -> None:
    letters = [state.letter for state in ThreadState]

    assert "".join(letters) == "!XLGWDINCRTSZ?"
    assert len(set(letters)) == len(letters)
    assert [state.rank for state in ThreadState] == list(range(len(letters)))


def test_every_state_has_words_that_fit_their_column() -> None:
    assert set(STATE_WORDS) == set(ThreadState)
    assert max(len(words.word) for words in STATE_WORDS.values()) == 8
