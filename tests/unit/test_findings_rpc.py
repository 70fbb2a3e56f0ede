"""Remote calls of torch for which no thread is left."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from hangtui.analysis.waitgraph import build
from hangtui.findings.outside import rank_elsewhere, waiting_in_library
from hangtui.findings.wakeups.rpc_threads_taken import check
from hangtui.model import (
    Capture,
    Certainty,
    Progress,
    RemoteCall,
    RpcWorker,
    Severity,
    Syscall,
    Thread,
)
from tests.unit.factories import capture, native_frame, process, python_frame, thread

TORCH = "/venv/lib/python3.11/site-packages/torch/distributed/rpc/"


def _waits(pid: int, tid: int, function: str) -> Thread:
    """A thread that runs *function*, for another worker if it is not the main thread."""
    stack = [python_frame("rpc_sync", 842, f"{TORCH}api.py"), python_frame(function, 20)]
    if tid != pid:
        stack.append(python_frame("_run_function", 209, f"{TORCH}internal.py"))
    comm = "python" if tid == pid else "pt_thread_pool"
    return replace(thread(function, tid, python=stack), pid=pid, comm=comm)


def _nested(*more: Thread, back: str = "stage1") -> Capture:
    first, loss = _waits(100, 100, "train_step"), _waits(100, 101, "loss")
    forward = _waits(200, 201, "forward")
    made = replace(capture(), processes=(process(100, first, loss), process(200, forward, *more)))
    calls = (
        RemoteCall(first.id, "stage1", "forward", "main.py:24", expires=False),
        RemoteCall(forward.id, "stage0", "loss", "main.py:20", expires=False),
        RemoteCall(loss.id, back, "backward", "main.py:15", expires=False),
    )
    seen = tuple(Progress(one.id, 5, 4.0, 4.0, 0.0) for one in (first, loss, forward))
    return replace(made, remote_calls=calls, progress=seen)


def test_a_call_needs_the_thread_that_waits_for_it() -> None:
    made = _nested()
    (finding,) = check(made, build(made))
    assert finding.severity is Severity.WARNING
    assert "for the remote call backward, for which process 200 has no thread" in finding.title
    assert "So backward never begins." in finding.sentence


ALL = ("stage0", "stage1")


def _named(*workers: RpcWorker, made: Capture) -> Capture:
    return replace(made, rpc_workers=workers)


def test_it_is_proven_if_the_names_of_all_workers_are_known() -> None:
    made = _named(RpcWorker(100, None, ALL), RpcWorker(200, "stage1", ALL), made=_nested())
    (finding,) = check(made, build(made))
    assert (finding.severity, finding.certainty) == (Severity.ERROR, Certainty.PROVEN)
    assert not finding.unknown
    expires = replace(made.remote_calls[1], expires=True)
    calls = (made.remote_calls[0], expires, made.remote_calls[2])
    (finding,) = check(replace(made, remote_calls=calls), build(made))
    assert finding.severity is Severity.WARNING


@pytest.mark.parametrize(
    "workers",
    [
        pytest.param((RpcWorker(200, "stage1", ALL),), id="one was not looked at"),
        pytest.param((RpcWorker(100, None, ALL), RpcWorker(200, None, ALL)), id="none says it"),
        pytest.param(
            (RpcWorker(100, "stage0", ALL), RpcWorker(200, "stage1", ("stage1",))), id="two jobs"
        ),
    ],
)
def test_names_that_are_not_all_known(workers: tuple[RpcWorker, ...]) -> None:
    made = _named(*workers, made=_nested())
    (finding,) = check(made, build(made))
    assert finding.severity is Severity.WARNING


def test_another_thread_of_the_pool_may_run_it() -> None:
    rests = replace(thread("pt_thread_pool", 202, python=[]), pid=200, comm="pt_thread_pool")
    made = _nested(rests)
    assert not check(made, build(made))


def test_it_is_to_run_elsewhere() -> None:
    made = _nested(back="stage2")
    assert not check(made, build(made))


SHUTS = (
    python_frame("_all_gather", 257, f"{TORCH}api.py"),
    python_frame("_wait_all_workers", 320, f"{TORCH}api.py"),
    python_frame("shutdown", 382, f"{TORCH}api.py"),
    python_frame("run", 40),
)


def _shut_down(*more: Thread) -> Capture:
    """One worker waits for the other to shut down as well; *more*: threads of the first."""
    main = replace(thread("MainThread", 100, python=SHUTS), pid=100)
    other = replace(thread("MainThread", 200, python=[python_frame("work_off", 18)]), pid=200)
    pools = [
        replace(thread("pool", pid + 9, python=None), pid=pid, comm="pt_thread_pool")
        for pid in (100, 200)
    ]
    workers = process(100, main, pools[0], *more), process(200, other, pools[1])
    stranger = process(300, replace(thread("MainThread", 300), pid=300))
    made = replace(capture(), processes=(*workers, stranger))
    return replace(made, rpc_workers=(RpcWorker(100, "trainer", ("trainer", "worker")),))


def test_who_shuts_down_waits_for_the_worker_that_is_elsewhere() -> None:
    made = _shut_down()
    (finding,) = rank_elsewhere.check(made, build(made))
    assert "RPC worker trainer (process 100) waits in the shutdown of remote" in finding.sentence
    assert "RPC worker worker (process 200) is elsewhere at main.py:18" in finding.sentence
    assert not finding.unknown
    assert len(finding.advice) == 1


def test_who_shuts_down_and_still_runs_calls_waits_for_nobody_yet() -> None:
    made = _shut_down(_waits(100, 105, "score"))
    assert rank_elsewhere.check(made, build(made)) == []


def _asked(*there: Thread, through: str = "stage1") -> Capture:
    asker = _waits(100, 100, "train_step")
    made = replace(capture(), processes=(process(100, asker), process(200, *there)))
    call = RemoteCall(asker.id, "stage1", "price", "main.py:24", expires=False)
    workers = RpcWorker(100, "stage0", ALL), RpcWorker(200, through, ALL)
    seen = tuple(Progress(one.id, 5, 4.0, 4.0, 0.0, same_line=True) for one in made.threads())
    return replace(made, remote_calls=(call,), rpc_workers=workers, progress=seen)


def _pool(*functions: str) -> Thread:
    stack = [python_frame(name, 20) for name in functions]
    stack.append(python_frame("_run_function", 209, f"{TORCH}internal.py"))
    made = replace(thread("pt_thread_pool", 201, python=stack), pid=200)
    return replace(made, comm="pt_thread_pool", syscall=Syscall("clock_nanosleep"))


@pytest.mark.parametrize(
    ("functions", "told"),
    [
        (("rest", "price"), "RPC worker stage1 (process 200) runs price in pt_thread_pool, which"),
        (("rest",), "No thread of RPC worker stage1 (process 200) is inside of price: it has not"),
    ],
)
def test_what_the_worker_does_whose_answer_is_awaited(functions: Sequence[str], told: str) -> None:
    made = _asked(_pool(*functions))
    (finding,) = waiting_in_library.check(made, build(made))
    assert "for the answer of price at stage1 (rpc_sync)" in finding.title
    assert told in finding.sentence


def test_what_others_run_while_a_worker_waits_for_its_futures() -> None:
    made = _asked(_pool("rest", "price"))
    futures = "/venv/lib/python3.11/site-packages/torch/futures/__init__.py"
    stack = [python_frame("wait_all", 334, futures), python_frame("serve", 20)]
    asker = replace(thread("MainThread", 100, python=stack), pid=100)
    first, second = made.processes
    made = replace(made, processes=(replace(first, threads=(asker,)), second), remote_calls=())
    (finding,) = waiting_in_library.check(made, build(made))
    assert "for its futures" in finding.title
    assert "RPC worker stage1 (process 200) runs price in pt_thread_pool" in finding.sentence


@pytest.mark.parametrize(
    ("function", "goal"),
    [
        (
            "torch::distributed::rpc::UserRRef::toHere(float) const",
            "for the value of a remote reference (RRef.to_here)",
        ),
        ("torch::jit::PythonFutureWrapper::wait()", "for its futures"),
    ],
)
def test_what_others_run_while_a_worker_waits_in_code_of_cpp(function: str, goal: str) -> None:
    made = _asked(_pool("rest", "price"))
    torch = "/venv/lib/python3.11/site-packages/torch/lib/libtorch_python.so"
    inside = (
        native_frame("pthread_cond_wait", "/lib/libc.so.6"),
        native_frame(function, torch),
    )
    asker = thread("MainThread", 100, python=[python_frame("serve", 20)], native=inside)
    first, second = made.processes
    waits = replace(first, threads=(replace(asker, pid=100),))
    made = replace(made, processes=(waits, second), remote_calls=())
    (finding,) = waiting_in_library.check(made, build(made))
    assert goal in finding.title
    assert "RPC worker stage1 (process 200) runs price in pt_thread_pool" in finding.sentence
