"""What engines record of themselves: pools of actors, rings of messages, a paused scheduler.

The programs have the layout of the real libraries' objects; that this is so is told by
script/check-hangs, which runs the real ones.
"""

import pytest

from hangtui.findings.message_rings import answerer
from hangtui.findings.outside import actors_ended
from hangtui.findings.outside.actor_pools import told_lying
from hangtui.findings.roles import roles_of
from hangtui.findings.words import words_of
from hangtui.model import (
    ActorPool,
    Capture,
    NodeId,
    NodeKind,
    RingEnd,
    Scheduler,
    Severity,
)
from tests.integration.capturing import Diagnosis, diagnose
from tests.integration.targets import Interpreter, interpreters, running
from tests.waiting import until

VERSIONS = ("3.8", "3.11", "3.12", "3.13")


@pytest.fixture(params=interpreters(VERSIONS), ids=lambda one: one.id)
def interpreter(request: pytest.FixtureRequest) -> Interpreter:
    found: Interpreter = request.param
    return found


def of_pool(mode: str, interpreter: Interpreter) -> tuple[Diagnosis, ActorPool | None]:
    """What is known of the pool once somebody waits for it."""
    with running("ray_data_like", interpreter.path, asleep=False, arguments=(mode,)) as target:

        def there() -> Diagnosis | None:
            found = diagnose(target.pid)
            (main,) = found.capture.threads()
            inside = main.python_stack and main.python_stack[0].function.endswith("get_next")
            return found if inside else None

        found = until(there)
    return found, next(iter(found.capture.actor_pools), None)


def test_every_actor_of_a_pool_has_ended(interpreter: Interpreter) -> None:
    found, pool = of_pool("ended", interpreter)
    assert pool is not None
    assert (pool.alive, len(set(pool.ended)), pool.coming, pool.queued) == (0, 2, 0, 5)
    (finding,) = actors_ended.check(found.capture, found.graph)
    assert finding.severity is Severity.NOTE  # by one look
    assert "at ray_data_like.py:23 (score_all)" in finding.title
    assert "all 2 actors of it have ended, and 5 blocks wait for one" in finding.title


@pytest.mark.parametrize(("mode", "alive", "coming"), [("one", 1, 0), ("restarting", 0, 1)])
def test_another_actor_takes_the_work(
    mode: str, alive: int, coming: int, interpreter: Interpreter
) -> None:
    found, pool = of_pool(mode, interpreter)
    assert pool is not None
    assert (pool.alive, len(pool.ended), pool.coming) == (alive, 1, coming)
    assert not actors_ended.check(found.capture, found.graph)


def test_actors_of_a_node_that_is_drained(interpreter: Interpreter) -> None:
    assert of_pool("drained", interpreter)[1] is None


@pytest.mark.parametrize("lie", [0, 1])
def test_what_lies_in_a_pool_that_gives_it_out_as_results_are_taken(
    lie: int, interpreter: Interpreter
) -> None:
    with running("actor_pool_like", interpreter.path, arguments=(str(lie),)) as target:
        found = diagnose(target.pid)
    (pool,) = found.capture.actor_pools
    assert (pool.by_taking, pool.alive, pool.queued) == (True, 2, lie)
    told = told_lying(pool.waiters, words_of(found.capture, found.graph))
    assert told.startswith(" 1 more piece of work lies in the ActorPool of MainThread: ") is bool(
        lie
    )
    assert not actors_ended.check(found.capture, found.graph)


def of_engine(mode: str, interpreter: Interpreter) -> Capture:
    """What is known of an engine and its worker once both are in their loops."""
    with running("vllm_like", interpreter.path, asleep=False, arguments=(mode,)) as target:

        def there() -> Capture | None:
            found = diagnose(target.pid, children=True).capture
            stacks = [one.python_stack or () for one in found.threads()]
            inside = [stack for stack in stacks if any("busy_loop" in f.function for f in stack)]
            return found if len(inside) == 2 else None

        return until(there)


@pytest.mark.parametrize(("mode", "lie"), [("taken", 0), ("left", 2)])
def test_what_lies_in_a_ring_of_messages(mode: str, lie: int, interpreter: Interpreter) -> None:
    found = of_engine(mode, interpreter)
    engine, worker = (one.pid for one in found.processes)
    assert set(found.ring_ends) == {
        RingEnd(engine, "psm_like", writes=True, untaken=lie, places=4, readers=2),
        RingEnd(worker, "psm_like", writes=False, untaken=lie, places=4, readers=2),
        RingEnd(worker, "psm_answers", writes=True, untaken=0, places=4, readers=2),
    }


def test_whose_answer_an_engine_waits_for(interpreter: Interpreter) -> None:
    found = of_engine("asked", interpreter)
    engine, worker = (one.pid for one in found.processes)
    (waits,) = (one for one in found.ring_ends if one.pid == engine and not one.writes)
    assert (waits.ring, waits.asked) == ("psm_answers", "load_weights")
    owed = answerer(engine, found)
    assert owed is not None
    assert (owed.pid, owed.asked) == (worker, "load_weights")


@pytest.mark.parametrize("mode", ["short", "cut"])
def test_a_ring_without_its_memory(mode: str, interpreter: Interpreter) -> None:
    assert not of_engine(mode, interpreter).ring_ends


@pytest.mark.parametrize(("mode", "paused"), [("taken", None), ("paused", "PAUSED_ALL")])
def test_whether_a_scheduler_is_paused(
    mode: str, paused: str | None, interpreter: Interpreter
) -> None:
    found = of_engine(mode, interpreter)
    assert found.schedulers == (
        Scheduler(found.processes[0].pid, paused, 3, (("RUNNING", 2), ("WAITING", 1))),
    )


def test_ranks_that_their_launcher_has_collected(interpreter: Interpreter) -> None:
    with running("launched_like", interpreter.path, asleep=False) as target:
        (process,) = (found := diagnose(target.pid).capture).processes
    assert [(one.parent, one.exit_status) for one in found.collected] == [
        (process.pid, 0),
        (process.pid, 1),
    ]
    alive = {child.pid for child in (process.around and process.around.children) or ()}
    assert alive.isdisjoint(one.pid for one in found.collected)


def test_who_comes_to_have_a_paused_engine_go_on(interpreter: Interpreter) -> None:
    with running("vllm_paused", interpreter.path, asleep=False) as target:
        found = until(lambda: resumers(target.pid))
    ((actor, call, line),) = found
    assert actor.kind is NodeKind.TASK
    assert (call, line) == ("engine.resume_generation()", "vllm_paused.py:22")


def resumers(pid: int) -> list[tuple[NodeId, str, str]]:
    return [(one.actor, one.call, one.line) for one in diagnose(pid).capture.resumers]


@pytest.mark.parametrize("name", ["converter", ""])
def test_what_a_process_is_called(name: str, interpreter: Interpreter) -> None:
    arguments = (name,) if name else ()
    with running("named_process", interpreter.path, asleep=False, arguments=arguments) as target:

        def there() -> Capture | None:
            found = diagnose(target.pid, children=True).capture
            waits = [one for one in found.threads() if one.tid == one.pid and one.blocked]
            return found if len(waits) == 2 else None

        found = until(there)
    parent, child = found.processes
    assert parent.python
    assert child.python
    assert (parent.python.called, child.python.called) == (None, name or None)
    assert roles_of(found) == ({child.pid: name} if name else {})
