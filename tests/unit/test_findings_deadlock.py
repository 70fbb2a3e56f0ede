"""The deadlock rule: what it claims, in which words, and when it stays silent."""

from dataclasses import replace

import pytest

from hangtui import findings
from hangtui.analysis.waitgraph import build
from hangtui.findings.rings import deadlock
from hangtui.findings.words import words_of
from hangtui.model import (
    Capture,
    Certainty,
    NativeFrame,
    NodeKind,
    PythonInfo,
    Resource,
    Severity,
    ThreadRef,
    shared_id,
    thread_id,
)
from hangtui.older_capture import named
from tests.unit.factories import (
    LIBC,
    abba,
    capture,
    cuda,
    holds,
    lock,
    native_frame,
    only,
    python_frame,
    thread,
    waits,
    with_thread,
)


def test_two_python_locks_in_opposite_orders() -> None:
    finding = only(abba())

    assert finding.id == "deadlock"
    assert finding.severity is Severity.ERROR
    assert finding.certainty is Certainty.PROVEN
    assert finding.title == (
        "Deadlock: worker-a and worker-b wait for each other (Bank.right, Bank.left)"
    )
    assert finding.sentence == (
        "worker-a holds Bank.left (taken at bank.py:30) and waits at bank.py:31 (transfer) for "
        "Bank.right, which worker-b holds (taken at bank.py:40); worker-b waits at bank.py:41 "
        "(audit) for Bank.left. Neither can go on."
    )
    assert finding.threads == (ThreadRef(100, 101, "worker-a"), ThreadRef(100, 102, "worker-b"))
    assert finding.resources == ("lock:100:0xb", "lock:100:0xa")


def test_evidence_has_one_line_per_edge_then_stillness_and_timeouts() -> None:
    assert only(abba()).evidence == (
        "worker-a waits for Bank.right at bank.py:31: the awaited address (certain, cpython)",
        "Bank.right is held by worker-b, taken at bank.py:40: the owner word (certain, cpython)",
        "worker-b waits for Bank.left at bank.py:41: the awaited address (certain, cpython)",
        "Bank.left is held by worker-a, taken at bank.py:30: the owner word (proven, cpython)",
        "none of the 2 threads ran while watched for 250 ms",
        "none of these waits has a timeout",
    )


def test_advice_names_the_lines_to_swap() -> None:
    first, second = only(abba()).advice

    assert first == (
        "Take the locks in one order everywhere. Now worker-a takes Bank.left at bank.py:30, then "
        "Bank.right at bank.py:31; worker-b takes Bank.right at bank.py:40, then Bank.left at "
        "bank.py:41. Swap the two in one of them."
    )
    assert "acquire(timeout=...)" in second
    assert only(abba()).unknown == ()


def test_the_gil_against_a_drivers_lock() -> None:
    finding = only(cuda())

    assert finding.sentence == (
        "MainThread holds the GIL and waits in cuMemcpyAsync, called from main.py:44 "
        "(stage_buffers), to write-lock the rwlock in libfakecuda.so, which launcher holds; "
        "launcher waits in cuOccupancyMaxPotentialBlockSize, called from main.py:29 "
        "(get_max_potential_block_size), for the GIL. Neither can go on. 1 more thread waits "
        "behind them: poller."
    )
    assert finding.unknown == ("the line at which launcher took the rwlock in libfakecuda.so",)


def test_the_gil_against_a_drivers_lock_is_mended_around_the_call_that_python_makes() -> None:
    release, callback = only(cuda()).advice

    assert release.startswith(
        "Release the GIL around uct_put (libfakeucp.so), called from main.py:44 (stage_buffers): "
        "Py_BEGIN_ALLOW_THREADS"
    )
    assert callback == (
        "Or do not call back into Python or take the GIL while the rwlock in libfakecuda.so is "
        "held, as launcher does: in cuOccupancyMaxPotentialBlockSize, called from main.py:29 "
        "(get_max_potential_block_size)."
    )


def test_an_inferred_edge_makes_it_a_possible_deadlock() -> None:
    finding = only(cuda(Certainty.INFERRED))

    assert finding.severity is Severity.WARNING
    assert finding.certainty is Certainty.INFERRED
    assert finding.title.startswith("Possible deadlock: ")
    assert finding.sentence.startswith("Possible deadlock: ")
    assert finding.unknown[0] == (
        "whether the rwlock in libfakecuda.so is held by launcher: that is inferred, not read"
    )


@pytest.mark.parametrize(
    "made",
    [
        capture(thread("MainThread")),
        abba(still=False),
        abba(still=None),
        abba(Certainty.UNKNOWN),
    ],
    ids=["idle", "ran", "not watched", "unknown"],
)
def test_nothing_is_claimed_unless_every_condition_was_read(made: Capture) -> None:
    assert findings.run(made) == ()


def test_a_ring_that_a_timeout_ends_is_no_deadlock() -> None:
    (finding,) = findings.run(abba(expires=True))

    assert (finding.id, finding.severity) == ("ring-with-timeout", Severity.WARNING)
    assert "worker-b" in finding.title
    assert "until a timeout" in finding.sentence


def test_a_ring_of_lock_files_that_are_asked_for_again_and_again() -> None:
    """Two processes read, and both want to write: each has what the other waits for."""
    one, two = (
        thread("MainThread", pid, pid, python=[python_frame("update_index", 17)])
        for pid in (100, 200)
    )
    label = "file lock /srv/i.lock"
    files = [
        named(Resource(shared_id(NodeKind.FILE_LOCK, key), NodeKind.FILE_LOCK, label, 100, 0))
        for key in ("0x9/100", "0x9/200")
    ]
    asks = [
        waits(who, file, Certainty.INFERRED, expires=True, operation="lock")
        for who, file in zip((one, two), files, strict=True)
    ]
    made = capture(
        *(one, two),
        resources=files,
        waits=asks,
        holds=[holds(files[0], two), holds(files[1], one)],
    )
    (finding,) = findings.run(made)

    assert (finding.id, finding.severity) == ("ring-with-timeout", Severity.WARNING)
    assert finding.title == (
        "Possible deadlock: MainThread of process 100 and MainThread of process 200 wait for each "
        "other's lock files, by polling"
    )
    assert "timeout" not in finding.sentence
    assert "one of them gives up" in finding.unknown[0]


@pytest.mark.parametrize("pid", [100, 200], ids=["thread", "child"])
def test_a_child_that_a_thread_has_forked_is_told_with_its_process(pid: int) -> None:
    main, clock = thread("MainThread", 100, 100), thread("clock", 200, pid)
    made = capture(main, clock)
    python = [replace(one, python=PythonInfo("3.12.1")) for one in made.processes]
    made = replace(made, processes=tuple(python))

    said = words_of(made, build(made)).thread_name(clock)
    assert said == ("clock of process 200" if pid == 200 else "clock")


def test_a_lock_whose_holder_is_gone_is_no_deadlock() -> None:
    one, held = thread("a", 101), replace(lock("L", 0x1), orphaned=True)
    made = capture(
        one, resources=[held], waits=[waits(one, held)], holds=[holds(held, thread_id(100, 999))]
    )

    (finding,) = findings.run(made)
    assert finding.id == "orphaned-lock"
    assert findings.run(made, allow={"orphaned-lock"}) == ()


@pytest.mark.parametrize("kind", [NodeKind.MUTEX, NodeKind.PIPE, NodeKind.SOCKET, NodeKind.LOCK])
def test_a_holder_that_is_in_no_list_need_not_have_ended(kind: NodeKind) -> None:
    one, held = thread("a", 101), lock("L", 0x1, kind)
    made = capture(
        one, resources=[held], waits=[waits(one, held)], holds=[holds(held, thread_id(100, 999))]
    )

    assert "orphaned-lock" not in {finding.id for finding in findings.run(made)}


def test_a_reader_outside_the_ring_keeps_it_from_being_one() -> None:
    a, b, outside = thread("a", 101), thread("b", 102), thread("reader", 103)
    rwlock, plain = lock("rwlock", 0x1, NodeKind.RWLOCK), lock("L", 0x2)
    made = capture(
        a, b, outside,
        resources=[rwlock, plain],
        waits=[waits(a, rwlock), waits(b, plain)],
        holds=[holds(rwlock, b), holds(rwlock, outside), holds(plain, a)],
    )  # fmt: skip

    assert findings.run(made) == ()


def test_all_holders_of_a_shared_lock_are_named() -> None:
    a, b, c = thread("a", 101), thread("b", 102), thread("c", 103)
    rwlock, plain = lock("rwlock", 0x1, NodeKind.RWLOCK), lock("L", 0x2)
    made = capture(
        a, b, c,
        resources=[rwlock, plain],
        waits=[waits(a, rwlock, operation="write"), waits(b, plain), waits(c, plain)],
        holds=[holds(rwlock, b), holds(rwlock, c), holds(plain, a)],
    )  # fmt: skip
    finding = only(made)

    assert finding.sentence == (
        "a holds L and waits to write-lock the rwlock, which b and c hold; b waits for L; "
        "c waits for L. None of them can go on."
    )


def test_each_of_two_rings_is_its_own_finding() -> None:
    one = abba()
    x, y = thread("x", 201, pid=200), thread("y", 202, pid=200)
    p, q = lock("p", 0x1, pid=200), lock("q", 0x2, pid=200)
    both = replace(
        one,
        processes=(*one.processes, *capture(x, y).processes),
        resources=(*one.resources, p, q),
        waits=(*one.waits, waits(x, p), waits(y, q)),
        holds=(*one.holds, holds(p, y, Certainty.INFERRED), holds(q, x)),
    )
    first, second = findings.run(both)

    assert [ref.name for ref in first.threads] == ["worker-a", "worker-b"]
    assert [ref.name for ref in second.threads] == ["x", "y"]
    assert (first.severity, second.severity) == (Severity.ERROR, Severity.WARNING)


def test_victims_are_counted_and_listed_up_to_a_few() -> None:
    crowd = [thread(f"v{n}", 200 + n) for n in range(8)]
    made = with_thread(abba(), *crowd, waits=[waits(v, "lock:100:0xa") for v in crowd])

    assert only(made).sentence.endswith(
        "8 more threads wait behind them: v0, v1, v2, v3, v4 and 3 more."
    )


def test_who_waits_in_another_process_is_told_with_its_line() -> None:
    driver = thread("MainThread", 200, pid=200, python=[python_frame("drive", 25, "/app/main.py")])
    tracker = thread(
        *("MainThread", 300, 300),
        python=[python_frame("main", 9, "/usr/lib/python3.12/multiprocessing/resource_tracker.py")],
    )
    one, held = abba(), "lock:100:0xa"
    made = replace(
        one,
        processes=(*one.processes, *capture(driver).processes, *capture(tracker).processes),
        waits=(*one.waits, waits(driver, held), waits(tracker, held)),
    )
    finding = next(found for found in findings.run(made) if found.id == "deadlock")

    assert finding.sentence.endswith(
        "1 more thread waits behind them: MainThread of process 200 at main.py:25 (drive)."
    )


def test_threads_of_one_name_are_told_apart() -> None:
    made = abba()
    (process,) = made.processes
    same = tuple(replace(t, name="Thread-1") for t in process.threads)
    finding = only(replace(made, processes=(replace(process, threads=same),)))

    assert "Thread-1 (TID 101) and Thread-1 (TID 102)" in finding.title


def test_a_join_under_a_lock() -> None:
    a = thread("MainThread", python=[python_frame("join", 1112, "/usr/lib/python3.11/threading.py"),
                                     python_frame("stop", 12)])  # fmt: skip
    b = thread("worker", 101, python=[python_frame("run", 20)])
    state = lock("State.lock (threading.Lock)", 0x1)
    made = capture(
        a, b, resources=[state],
        waits=[waits(a, b), waits(b, state, where="/app/main.py:20")],
        holds=[holds(state, a, where="/app/main.py:11")],
    )  # fmt: skip
    finding = only(made)

    assert finding.sentence == (
        "MainThread holds State.lock (taken at main.py:11) and waits at main.py:12 (stop), in join "
        "(threading.py:1112), for worker to end; worker waits at main.py:20 (run) for State.lock. "
        "Neither can go on."
    )
    (advice,) = finding.advice
    assert advice == (
        "Release State.lock before waiting for worker to end at main.py:12 (stop), in join "
        "(threading.py:1112)."
    )


def test_native_locks_without_module_name_the_extension_that_waits() -> None:
    def stack(function: str) -> list[NativeFrame]:
        return [native_frame("__lll_lock_wait", LIBC), native_frame(function, "/opt/bus.so")]

    a = thread("MainThread", native=stack("subscribe"), python=[python_frame("main_loop", 9)])
    b = thread("bus", 101, native=stack("deliver"))
    m1 = lock("mutex at 0x1", 0x1, NodeKind.MUTEX)
    m2 = lock("mutex at 0x2", 0x2, NodeKind.MUTEX)
    made = capture(
        a, b, resources=[m1, m2],
        waits=[waits(a, m1), waits(b, m2)],
        holds=[holds(m1, b), holds(m2, a)],
    )  # fmt: skip
    finding = only(made)

    assert finding.sentence == (
        "MainThread holds the mutex at 0x2 and waits in subscribe (bus.so), called from main.py:9 "
        "(main_loop), for the mutex at 0x1, which bus holds; bus waits in deliver (bus.so) for the "
        "mutex at 0x2. Neither can go on."
    )


def test_a_thread_on_its_own_is_left_to_the_other_rule() -> None:
    a, plain = thread("a", 101), lock("L", 0x1)
    made = capture(a, resources=[plain], waits=[waits(a, plain)], holds=[holds(plain, a)])

    assert deadlock.check(made, build(made)) == []


def test_locks_taken_on_the_same_lines_need_a_fixed_order_not_a_swap() -> None:
    made = abba()
    same = replace(
        made,
        waits=tuple(
            replace(w, evidence=replace(w.evidence, where="/app/bank.py:20")) for w in made.waits
        ),
        holds=tuple(
            replace(h, evidence=replace(h.evidence, where="/app/bank.py:18")) for h in made.holds
        ),
    )

    first, second = only(same).advice
    assert first == (
        "All take the locks on the same lines, in an order that depends on the data: worker-a "
        "takes "
        "Bank.left at bank.py:18, then Bank.right at bank.py:20; worker-b takes Bank.right at "
        "bank.py:18, then Bank.left at bank.py:20. Take them in a fixed order there, sorted by "
        "id() or by name."
    )
    assert "acquire(timeout=...)" in second


def test_a_thread_that_python_does_not_know_is_called_native() -> None:
    made = cuda()
    (process,) = made.processes
    main, launcher, other = process.threads
    launcher = replace(launcher, name="python3.11", is_python=False, python_stack=None)
    made = replace(made, processes=(replace(process, threads=(main, launcher, other)),))

    assert "; the native thread python3.11 (TID 101) waits in cuOccupancy" in only(made).sentence


def test_a_stripped_extension_is_named_by_its_file() -> None:
    made = cuda()
    (process,) = made.processes
    main, *others = process.threads
    nameless = tuple(
        replace(f, function=None) if f.module and "fake" in f.module else f
        for f in main.native_stack or ()
    )
    main = replace(main, native_stack=nameless)
    finding = only(replace(made, processes=(replace(process, threads=(main, *others)),)))

    assert "MainThread holds the GIL and waits in libfakecuda.so, called from" in finding.sentence
    assert finding.advice[0].startswith("Release the GIL around the call into libfakecuda.so, ")


def test_a_huge_ring_is_told_by_its_beginning() -> None:
    ring = [thread(f"t{n}", 100 + n) for n in range(50)]
    locks = [lock(f"L{n}", n) for n in range(50)]
    made = capture(
        *ring,
        resources=locks,
        waits=[waits(ring[n], locks[(n + 1) % 50]) for n in range(50)],
        holds=[holds(locks[n], ring[n]) for n in range(50)],
    )
    finding = only(made)

    assert finding.title == (
        "Deadlock: 50 threads wait for each other (L1, L2, L3, L4, L5 and 45 more)"
    )
    assert "t4 waits for L5, which t5 holds; and so on, 50 threads in all. None" in finding.sentence
    assert "t6" not in finding.sentence + finding.advice[0]
    assert len(finding.threads) == 50
    assert len(finding.evidence) == 102
