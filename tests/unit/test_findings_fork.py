"""Native threads of a library that a fork left behind, told by comparing both processes."""

from collections.abc import Iterable
from dataclasses import replace

import pytest

from hangtui import findings
from hangtui.model import (
    Capture,
    Certainty,
    NativeFrame,
    NodeId,
    NodeKind,
    NoHolder,
    Progress,
    Severity,
    Surroundings,
    Syscall,
    Thread,
)
from tests.unit.factories import (
    LIBC,
    PID,
    capture,
    lock,
    native_frame,
    python_frame,
    stood,
    thread,
    waits,
)

CHILD = 200
RAYON = "/venv/lib/python3.12/site-packages/_polars_runtime.abi3.so"
OTHER = "/venv/lib/python3.12/site-packages/_zmq.so"


def native(name: str, tid: int, pid: int, module: str) -> Thread:
    frames = [native_frame("syscall", LIBC), native_frame("worker", module)]
    return replace(thread(name, tid, pid, native=frames), is_python=False)


def forked(
    *more: Thread,
    frames: Iterable[NativeFrame] = (native_frame("wait", RAYON),),
    parents: Iterable[Thread] = (native("polars-0", 101, PID, RAYON),),
    forked_from: int | None = PID,
) -> Capture:
    """A child whose main thread sleeps in a library of which its parent has threads."""
    waiting = thread(
        "MainThread",
        CHILD,
        CHILD,
        python=[python_frame("summarise", 18)],
        native=[native_frame("syscall", LIBC), *frames, native_frame("_PyEval_EvalFrameDefault")],
        syscall=Syscall("futex"),
    )
    made = capture(thread("MainThread", native=[native_frame("wait4", LIBC)]), *parents, waiting,
                   *more)  # fmt: skip
    parent, child = made.processes
    around = Surroundings(forked_from=forked_from)
    return replace(made, processes=(parent, replace(child, around=around)))


def ids(made: Capture) -> set[str]:
    return {one.id for one in findings.run(made)}


def test_threads_of_its_library_exist_in_the_parent_alone() -> None:
    (finding,) = (one for one in findings.run(forked()) if one.id == "threads-lost-in-fork")

    assert (finding.severity, finding.certainty) == (Severity.WARNING, Certainty.INFERRED)
    assert "MainThread of process 200 waits in _polars_runtime.abi3.so at main.py:18 (summarise)" \
        in finding.sentence  # fmt: skip
    assert any("1 native thread of process 100" in line for line in finding.evidence)
    assert any("polars-0" in line for line in finding.evidence)


@pytest.mark.parametrize(
    ("signals", "more", "expected"),
    [
        ((), (), Severity.ERROR),
        (("SIGUSR1",), (), Severity.ERROR),
        ((), (native("other", 201, CHILD, OTHER),), Severity.WARNING),
    ],
)
def test_the_only_thread_of_the_child_waits_for_ever(
    signals: tuple[str, ...], more: tuple[Thread, ...], expected: Severity
) -> None:
    """What it sleeps at is in its own memory; a thread that does something else may change it. No
    handler in Python runs before that wait of C code has ended."""
    made = forked(*more)
    _, child = made.processes
    waiting = replace(child.threads[0], syscall=Syscall("futex", timed=False))
    word = replace(lock("the futex in polars", 0x10, NodeKind.FUTEX), pid=CHILD)
    word = replace(word, id=NodeId(f"futex:{CHILD}:0x10"))
    child = replace(child, threads=(waiting, *child.threads[1:]))
    made = replace(
        made,
        processes=(made.processes[0], child),
        resources=(word,),
        waits=(waits(waiting, word),),
    )
    found = (one for one in findings.run(stood(made, *signals)) if one.id == "threads-lost-in-fork")
    assert [one.severity for one in found] == [expected]


def test_where_the_child_has_such_threads_or_the_parent_has_none_it_is_not_told() -> None:
    for made in (
        forked(native("polars-0", 201, CHILD, RAYON)),
        forked(parents=[native("zmq", 101, PID, OTHER)]),
        forked(parents=[]),
        forked(forked_from=None),
        forked(replace(native("other", 201, CHILD, OTHER), native_stack=None)),
        forked(frames=[]),
    ):
        assert "threads-lost-in-fork" not in ids(made)


def test_one_that_wakes_up_by_the_clock_to_look_again_stays_in_its_call() -> None:
    made = forked()
    parent, child = made.processes
    waiting = replace(child.threads[0], still=False)
    made = replace(made, processes=(parent, replace(child, threads=(waiting,))))
    assert "threads-lost-in-fork" not in ids(made)

    def watched(looks: int, line: bool = True) -> set[str]:
        seen = Progress(waiting.id, looks, 4.0, 0.0, 0.0, same_line=line)
        return ids(replace(made, progress=(seen,)))

    assert "threads-lost-in-fork" in watched(5)
    assert "threads-lost-in-fork" not in watched(2)
    assert "threads-lost-in-fork" not in watched(5, line=False)


def test_one_that_another_library_waits_in_is_told_of_that_one() -> None:
    made = forked(frames=[native_frame("wait", OTHER), native_frame("collect", RAYON)])

    assert "threads-lost-in-fork" not in ids(made)


GOMP = "/venv/lib/python3.12/site-packages/torch/lib/libgomp.so.1"
TORCH = "/venv/lib/python3.12/site-packages/torch/lib/libtorch_cpu.so"


def spinning(*more: Thread, innermost: str = "sched_yield") -> Capture:
    """A child that runs: MKL's part of a team's work waits by giving up its turn."""
    frames = [
        native_frame(innermost, LIBC),
        native_frame("omp_parallel_acopy", TORCH),
        native_frame("GOMP_parallel", GOMP),
        native_frame("_PyEval_EvalFrameDefault"),
    ]
    made = forked(*more)
    parent, child = made.processes
    (main,) = (one for one in child.threads if one.tid == CHILD)
    runs = replace(main, state="R", still=False, syscall=None, native_stack=tuple(frames))
    threads = tuple(runs if one is main else one for one in child.threads)
    return replace(made, processes=(parent, replace(child, threads=threads)))


def test_one_that_gives_up_its_turn_for_the_others_of_its_team() -> None:
    (finding,) = (one for one in findings.run(spinning()) if one.id == "threads-lost-in-fork")

    assert finding.title.startswith("OpenMP (libgomp) after a fork: MainThread of process 200")
    assert "gives up its turn (sched_yield)" in finding.evidence[0]


def test_one_that_computes_or_has_a_team_is_left_alone() -> None:
    team = native("worker", 201, CHILD, GOMP)
    for made in (spinning(team), spinning(innermost="memcpy")):
        assert "threads-lost-in-fork" not in ids(made)


def test_a_lock_of_an_import_that_a_thread_of_the_parent_made_is_never_released() -> None:
    waiting = thread("MainThread", python=[python_frame("convert", 18)])
    held = replace(lock("import lock of module rates", 7, NodeKind.IMPORT_LOCK), orphaned=True)
    made = capture(waiting, resources=[held], waits=[waits(waiting, held)])
    forked_from = Surroundings(forked_from=50)
    made = replace(made, processes=(replace(made.processes[0], around=forked_from),))

    (finding,) = (one for one in findings.run(made) if one.id == "lock-held-across-fork")

    assert (finding.severity, finding.certainty) == (Severity.ERROR, Certainty.PROVEN)
    assert finding.advice[0].startswith("Import what the child needs before")


def test_a_semaphore_that_nobody_gives_back_may_have_been_used_up_after_the_fork() -> None:
    waiting = thread("MainThread", python=[python_frame("allocate", 18)])
    helper = native("io", 101, PID, OTHER)
    blocks = replace(
        lock("Blocks.free (threading.Semaphore)", 7, NodeKind.SEMAPHORE),
        no_holder=NoHolder.GONE,
        enders=("Blocks.release (main.py:21)",),
    )
    made = capture(waiting, helper, resources=[blocks], waits=[waits(waiting, blocks)])
    around = Surroundings(forked_from=50)
    made = replace(made, processes=(replace(made.processes[0], around=around),))

    (finding,) = (one for one in findings.run(made) if one.id == "lock-held-across-fork")

    assert finding.title.endswith("left locked by an earlier call, or inherited through fork")
    assert "Blocks.release (main.py:21), which nobody runs" in finding.sentence
