"""Clusters whose processes wait for each other's answers, under several versions of Python.

The programs have the layout of the real library's objects; that this is so is told by
script/check-cases, which runs the real one.
"""

import sys
from pathlib import Path

import pytest

from hangtui import findings
from hangtui.analysis.progress import moment, with_progress
from hangtui.analysis.waitgraph import build
from hangtui.findings.thresholds import STILL_S
from hangtui.findings.wakeups import calls_never_begin, group_incomplete
from hangtui.model import (
    Capture,
    Certainty,
    Finding,
    JobPlace,
    NodeKind,
    RpcWorker,
    Severity,
    Wait,
)
from tests.integration.capturing import Diagnosis, diagnose
from tests.integration.targets import Interpreter, interpreters, running
from tests.waiting import until

VERSIONS = ("3.8", "3.11", "3.12", "3.13")
REMOTE = (NodeKind.ACTOR, NodeKind.CALL, NodeKind.WORKER)
UNPLACEABLE = "never-scheduled"
RING, ITSELF, WAITING = "deadlock", "self-deadlock", "waiting-for-cluster"


def seen(
    mode: str, interpreter: Interpreter, processes: int, waits: int, *, told: str | None = None
) -> Diagnosis:
    """What is said once all processes are where they are to be, and rest there as long as it takes
    for *told*."""
    with running("ray_like", interpreter.path, asleep=False, arguments=(mode,)) as target:

        def there() -> Diagnosis | None:
            found = diagnose(target.pid, children=True)
            remote = [wait for wait in found.capture.waits
                      if wait.target.kind in REMOTE]  # fmt: skip
            enough = len(found.capture.processes) == processes and len(remote) >= waits
            return found if enough and told in (None, *ids(found)) else None

        return until(there)


def loading(mode: str, interpreter: Interpreter) -> tuple[Finding, bool]:
    """What is said of the loop that waits for a batch, and whether its wait lasted and is endless;
    once the worker is where it is to be."""
    with running("loader_like", interpreter.path, asleep=False, arguments=(mode,)) as target:

        def there() -> tuple[Finding, bool] | None:
            found = diagnose(target.pid, children=True)
            waits = [w for w in found.capture.waits if w.target.kind is NodeKind.WORKER]
            locked = any(w.target.kind is NodeKind.FILE_LOCK for w in found.capture.waits)
            if len(found.capture.processes) < 4 or not waits or locked is (mode == "busy"):
                return None
            (wait,) = waits
            return found.finding(WAITING), wait.lasting and not wait.expires

        return until(there)


def ids(found: Diagnosis) -> set[str]:
    return {finding.id for finding in found.findings}


@pytest.fixture(params=interpreters(VERSIONS), ids=lambda one: one.id)
def interpreter(request: pytest.FixtureRequest) -> Interpreter:
    found: Interpreter = request.param
    return found


def test_actors_that_wait_for_each_other(interpreter: Interpreter) -> None:
    finding: Finding = seen("ring", interpreter, 3, 4).finding(RING)
    assert (finding.severity, finding.certainty) == (Severity.ERROR, Certainty.PROVEN)
    assert len({thread.pid for thread in finding.threads}) == 2
    assert len(finding.victims) == 1
    assert "reserve" in finding.sentence
    assert "Cart" in finding.sentence


def test_actors_that_wait_for_each_other_to_be_ready(interpreter: Interpreter) -> None:
    finding = seen("wait", interpreter, 3, 4).finding(RING)
    assert (finding.severity, finding.certainty) == (Severity.ERROR, Certainty.PROVEN)
    assert len({thread.pid for thread in finding.threads}) == 2
    assert len(finding.victims) == 1
    assert any("ray.wait" in line for line in finding.evidence)


@pytest.mark.parametrize("mode", ["choice", "wait_timeout"])
def test_who_may_get_another_answer_is_in_no_deadlock(mode: str, interpreter: Interpreter) -> None:
    found = seen(mode, interpreter, 3, 5 if mode == "choice" else 3)
    assert RING not in ids(found)


def test_an_actor_that_waits_for_itself(interpreter: Interpreter) -> None:
    finding = seen("itself", interpreter, 2, 2).finding(ITSELF)
    assert finding.severity is Severity.ERROR
    assert len(finding.threads) == 1


def test_async_methods_that_await_each_others_results(interpreter: Interpreter) -> None:
    finding = seen("async", interpreter, 3, 3, told=RING).finding(RING)
    assert (finding.severity, finding.certainty) == (Severity.ERROR, Certainty.PROVEN)
    assert len({task.pid for task in finding.tasks}) == 2
    assert len(finding.victims) == 1
    assert "price)" in finding.sentence
    assert "for the result of the call " in finding.sentence


def test_an_async_method_that_blocks_the_loop_of_the_call_it_waits_for(
    interpreter: Interpreter,
) -> None:
    finding = seen("blocked", interpreter, 2, 2, told=ITSELF).finding(ITSELF)
    assert finding.severity is Severity.ERROR
    assert "close)" in finding.sentence
    assert "a call of the actor Cart that has not begun" in finding.sentence
    assert "queued in the event loop of this very thread" in finding.sentence
    assert "await" in " ".join(finding.advice)


def test_an_async_method_that_awaits_who_computes_is_in_no_deadlock(
    interpreter: Interpreter,
) -> None:
    found = seen("awaits", interpreter, 3, 2)
    assert not ids(found) & {RING, ITSELF}
    finding = found.finding(WAITING)
    assert finding.severity is Severity.NOTE
    assert "price) for an answer of the actor Cart" in finding.sentence


def test_waits_that_end_are_no_deadlock(interpreter: Interpreter) -> None:
    found = seen("timeout", interpreter, 3, 3)
    assert RING not in ids(found)


def test_an_actor_at_work_is_waited_for(interpreter: Interpreter) -> None:
    found = seen("busy", interpreter, 2, 1)
    assert RING not in ids(found)
    finding = found.finding(WAITING)
    assert (finding.severity, finding.certainty) == (Severity.NOTE, Certainty.CERTAIN)
    assert "count" in finding.sentence


@pytest.mark.parametrize(("mode", "others"), [("next", True), ("busy", False)])
def test_who_waits_for_one_answer_after_another_gets_on(
    mode: str, others: bool, interpreter: Interpreter
) -> None:
    with running("ray_like", interpreter.path, asleep=False, arguments=(mode,)) as target:

        def told() -> tuple[Finding, Wait] | None:
            found = diagnose(target.pid, children=True)
            waits = [one for one in found.capture.waits if one.target.kind is NodeKind.ACTOR]
            return (found.finding(WAITING), waits[0]) if waits else None

        looks = [until(told) for _ in range(3)]
    assert len({wait.turn for _, wait in looks}) == (3 if others else 1)
    assert all(finding.certainty is Certainty.CERTAIN for finding, _ in looks)
    assert all(wait.lasting for _, wait in looks) or others


def test_nobody_waits_where_there_is_nothing_to_do(interpreter: Interpreter) -> None:
    found = seen("idle", interpreter, 2, 0)
    assert not ids(found) & {RING, WAITING}


@pytest.mark.parametrize(("mode", "says"), [("unplaced", True), ("placed", False)])
def test_tasks_that_no_worker_runs(mode: str, says: bool, interpreter: Interpreter) -> None:
    finding = seen(mode, interpreter, 2, 1).finding(WAITING)
    assert ("which no worker here runs" in finding.title) is says
    # One look is too short to tell it from a start.
    assert finding.severity is Severity.NOTE


def test_tasks_that_no_node_can_take(interpreter: Interpreter) -> None:
    finding = seen("infeasible", interpreter, 4, 1, told=UNPLACEABLE).finding(UNPLACEABLE)
    assert "in ray.get, for tasks, which no node of its cluster can run" in finding.title
    assert "{'CPU': 1.0, 'GPU': 1.0}: 2+ pending tasks/actors" in finding.sentence
    assert "has 1 CPU." in finding.sentence
    # One look is too short to tell it from a start.
    assert finding.severity is Severity.NOTE


@pytest.mark.parametrize(
    ("mode", "severity"),
    [
        ("infeasible", Severity.ERROR),
        ("coming", Severity.WARNING),
        ("kept_all", Severity.ERROR),
        ("in_library", Severity.ERROR),
    ],
)
def test_a_node_that_has_what_is_asked_for_may_be_on_its_way(mode: str, severity: Severity) -> None:
    with running("ray_like", Path(sys.executable), asleep=False, arguments=(mode,)) as target:
        captures = [diagnose(target.pid, children=True).capture]
        while moment(captures[-1]) - moment(captures[0]) < 2 * STILL_S:
            captures.append(diagnose(target.pid, children=True).capture)
    found = findings.run(with_progress(captures))[0]
    assert (found.id, found.severity) == (UNPLACEABLE, severity)
    assert found.never_ends is (severity is Severity.ERROR)
    assert ("all are in use (1.0/1.0 CPU)" in found.sentence) is (mode == "kept_all")
    assert ("1 task of summarize keeps it, and waits" in found.title) is (mode == "in_library")


@pytest.mark.parametrize(
    ("mode", "severity"), [("taken", Severity.ERROR), ("taken_by_nobody", Severity.WARNING)]
)
def test_an_actor_in_a_method_that_waits_for_another_one_of_its_methods(
    mode: str, severity: Severity, interpreter: Interpreter
) -> None:
    if interpreter.version == "3.8":
        pytest.skip("code does not have the names of its classes")
    kinds = {NodeKind.CONDITION, *([NodeKind.ACTOR] if mode == "taken" else [])}
    with running("ray_like", interpreter.path, asleep=False, arguments=(mode,)) as target:

        def there() -> Capture | None:
            found = diagnose(target.pid, children=True).capture
            return found if kinds <= {wait.target.kind for wait in found.waits} else None

        captures = [until(there)]
        while moment(captures[-1]) - moment(captures[0]) < 2 * STILL_S:
            captures.append(until(there))
    seen = with_progress(captures)
    (found,) = calls_never_begin.check(seen, build(seen))
    assert found.severity is severity
    assert "only a call of Cart.put (ray_like.py:" in found.title
    assert ("in ray.get, for the actor Cart" in found.title) is (mode == "taken")


@pytest.mark.parametrize("mode", ["asks", "asks_at_once"])
def test_which_method_is_waited_for(mode: str, interpreter: Interpreter) -> None:
    finding = seen(mode, interpreter, 2, 1).finding(WAITING)
    assert " to run cart.add()" in finding.title


def test_who_waits_for_the_future_of_a_reference_waits_for_its_actor(
    interpreter: Interpreter,
) -> None:
    finding = seen("future", interpreter, 2, 1).finding(WAITING)
    assert ", in Future.result, for the actor Cart of process " in finding.title
    assert "runs at ray_like.py" in finding.sentence


def test_a_placement_group_that_is_not_placed_is_named(interpreter: Interpreter) -> None:
    finding = seen("group", interpreter, 2, 1).finding(WAITING)
    group = "the placement group `group` of 2 bundles (CPU: 3.5, GPU: 1 in all)"
    assert f"(reserve), in ray.get, for {group}" in finding.title
    assert (finding.severity, finding.certainty) == (Severity.NOTE, Certainty.INFERRED)
    assert any("asks it whether it is ready" in line for line in finding.evidence)


def test_a_task_is_waited_for_beside_a_placement_group(interpreter: Interpreter) -> None:
    finding = seen("in_group", interpreter, 2, 1).finding(WAITING)
    assert "(use), in ray.get, for tasks (price())" in finding.title


def test_tasks_that_wait_for_cpus_of_those_who_wait_for_them(interpreter: Interpreter) -> None:
    found = seen("kept", interpreter, 2, 2)
    sentences = [one.sentence for one in found.findings if one.id == WAITING]
    assert any("1 actor keeps its CPUs while it waits for tasks itself" in s for s in sentences)


def test_tasks_that_wait_for_tasks_are_no_ring(interpreter: Interpreter) -> None:
    """Which task waits for which, only Ray knows: another worker may be about to run it."""
    found = seen("nested", interpreter, 4, 3)
    assert not ids(found) & {RING, ITSELF}
    titles = [one.title for one in found.findings if one.id == WAITING]
    assert sum("as all workers here do that run one" in title for title in titles) == 2
    assert len(titles) == 3


def test_a_loop_waits_for_the_worker_whose_turn_it_is(interpreter: Interpreter) -> None:
    finding, endless = loading("lock", interpreter)
    assert endless
    assert "DataLoader worker 1" in finding.title
    assert "for the file lock" in finding.sentence
    assert "make" in finding.sentence


def test_a_worker_at_work_is_waited_for(interpreter: Interpreter) -> None:
    finding, endless = loading("busy", interpreter)
    assert endless
    assert finding.severity is Severity.NOTE
    assert "runs at loader_like.py" in finding.sentence


def ring_of_a_loader(mode: str, interpreter: Interpreter) -> Diagnosis:
    """Of a loop that has the lock which the worker waits for, whose turn it is."""
    with running("loader_like", interpreter.path, asleep=False, arguments=(mode,)) as target:

        def there() -> Diagnosis | None:
            found = diagnose(target.pid, children=True)
            kinds = {
                wait.target.kind for wait in found.capture.waits if wait.waiter.pid != target.pid
            }
            turn = any(w.target.kind is NodeKind.WORKER and w.lasting for w in found.capture.waits)
            return found if NodeKind.LOCK in kinds and turn else None

        return until(there)


def test_a_worker_that_needs_a_lock_of_who_waits_for_its_batch(interpreter: Interpreter) -> None:
    found = ring_of_a_loader("ring", interpreter)
    finding = found.finding(RING)
    assert (finding.severity, finding.certainty) == (Severity.ERROR, Certainty.PROVEN)
    assert "cache_lock" in finding.sentence
    assert "DataLoader worker 1" in finding.sentence
    assert finding.advice[0].startswith("Give cache_lock back before you wait at loader_like.py:")


def test_a_loader_that_gives_up_waiting_is_in_no_deadlock(interpreter: Interpreter) -> None:
    assert RING not in ids(ring_of_a_loader("ring_timeout", interpreter))


def test_a_loader_may_wait_for_so_long_only(interpreter: Interpreter) -> None:
    assert not loading("timeout", interpreter)[1]


@pytest.mark.parametrize(
    ("mode", "place"),
    [
        ("member", JobPlace(5, 1, 6)),
        ("joining", JobPlace(2, None, 4)),
        ("told", JobPlace(3, 1, 8)),
        ("alone", JobPlace(3, 1, 8)),
        ("none", None),
    ],
)
def test_the_place_that_a_process_knows_of_itself(
    mode: str, place: JobPlace | None, interpreter: Interpreter
) -> None:
    with running("rank_like", interpreter.path, arguments=(mode,)) as target:
        (process,) = diagnose(target.pid).capture.processes
    assert process.job == place
    assert mode in ("member", "joining") or not (process.job and process.job.member)


@pytest.mark.parametrize(
    ("mode", "found"),
    [
        ("sends", ("send", 1, 7)),
        ("receives", ("recv", None, 0)),
        ("takes", ("recv", 2, 0)),
    ],
)
def test_which_message_a_rank_waits_in(
    mode: str, found: tuple[str, int | None, int], interpreter: Interpreter
) -> None:
    with running("rank_like", interpreter.path, arguments=(mode,)) as target:
        (one,) = diagnose(target.pid).capture.exchanges
    assert (one.operation, one.peer, one.tag) == found


@pytest.mark.parametrize(
    ("mode", "keys"), [("awaits", ("epoch/1", "epoch/2")), ("gets", ("prices",)), ("told", None)]
)
def test_which_keys_of_a_store_are_waited_for(
    mode: str, keys: tuple[str, ...] | None, interpreter: Interpreter
) -> None:
    with running("rank_like", interpreter.path, arguments=(mode,)) as target:
        found = diagnose(target.pid).capture.store_keys
    assert [one.keys for one in found] == ([keys] if keys else [])


_RANKS = {
    "away": (
        "rank-elsewhere",
        "rank 0 waits in send at ranks_like.py:",
        (
            "(train) until rank 1 receives it.",
            "(export), waiting for process",
            "(sleep) to end",
        ),
    ),
    "joint": (
        "collective-mismatch",
        "The ranks of a job wait in different operations: recv and all_reduce",
        ("in recv at ranks_like.py:", "for a message of rank 1", "takes part in no message"),
    ),
    "ended": (
        "rank-elsewhere",
        "rank 1 at the end of its program, with a thread at ranks_like.py:",
        (
            "where its thread exporter is still at ranks_like.py:",
            "only exporter could still call that",
        ),
    ),
    "saves": (
        "rank-elsewhere",
        "rank 0 waits in all_reduce in its thread saver_0, with its main thread at ranks_like.py:",
        ("(export), waiting for process", "MainThread of rank 0 (process"),
    ),
    "awaits": (
        "rank-elsewhere",
        "rank 0 waits in all_reduce in its thread ",
        ("(export), waiting for process", "task reduce at ranks_like.py:"),
    ),
}


@pytest.mark.parametrize("mode", _RANKS)
def test_a_rank_waits_for_another_that_is_not_there(mode: str, interpreter: Interpreter) -> None:
    told, title, parts = _RANKS[mode]
    with running("ranks_like", interpreter.path, asleep=False, arguments=(mode,)) as target:

        def there() -> Finding | None:
            found = diagnose(target.pid, children=True)
            ranks = [one for one in found.capture.processes if one.job]
            rules = [one for one in found.findings if one.id == told]
            return rules[0] if len(ranks) == 2 and rules else None

        finding = until(there)
    assert title in finding.title
    for part in parts:
        assert part in finding.sentence


def test_members_of_a_group_wait_for_who_waits_for_them(interpreter: Interpreter) -> None:
    with running("group_like", interpreter.path, asleep=False) as target:

        def there() -> Diagnosis | None:
            found = diagnose(target.pid, children=True)
            here = [one for one in found.capture.joinings if one.here]
            return found if len(here) == 2 and len(found.capture.joinings) == 3 else None

        found = until(there)
    members = [one for one in found.capture.joinings if one.here]
    assert {(one.call, one.store, one.size, one.opens) for one in members} == {
        ("TCPStore", "127.0.0.1:4711", 3, False)
    }
    assert {one.rank for one in members} == {1, 2}
    # What the classes of C++ wait in is no store here, and tells more.
    (finding,) = group_incomplete.check(found.capture, found.graph)
    assert "for rank 0 of 3" in finding.title
    assert "comes to join() at group_like.py:" in finding.sentence


def test_threads_that_do_not_run_and_whose_objects_are_kept(interpreter: Interpreter) -> None:
    with running("ended_threads", interpreter.path) as target:
        (process,) = diagnose(target.pid).capture.processes
    assert process.python
    assert process.python.ended == ("lookup-server",)
    assert process.python.unstarted == ("Thread-late (Late)", "never-started")


@pytest.mark.parametrize("timeout", ["0", "-1.0", "owner"])
def test_what_a_remote_call_was_given(timeout: str, interpreter: Interpreter) -> None:
    with running("remote_call", interpreter.path, arguments=(timeout,)) as target:
        (call,) = diagnose(target.pid).capture.remote_calls
    assert (call.to, call.function, call.expires) == ("stage1", "forward", timeout == "-1.0")
    assert call.line.startswith("remote_call.py:")


@pytest.mark.parametrize(("mode", "name"), [("0", None), ("through", "stage0")])
def test_what_a_worker_is_called(mode: str, name: str | None, interpreter: Interpreter) -> None:
    with running("remote_call", interpreter.path, arguments=(mode,)) as target:
        capture = diagnose(target.pid).capture
    assert capture.rpc_workers == (RpcWorker(target.pid, name, ("stage0", "stage1")),)
