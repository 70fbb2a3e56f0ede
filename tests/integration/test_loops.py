"""Tasks of asyncio that really hang on loops of others, and such as do not: uvloop, tornado, anyio
on asyncio, nest_asyncio, kernels of Jupyter, tasks that are started eagerly; and jobs of dask.

The environments are made by script/libraries.
"""

import re

import pytest

from hangtui import findings
from hangtui.cli import series
from hangtui.model import Capture, Certainty, Finding, NodeKind, Severity
from hangtui.provider import CaptureRequest
from tests.integration.capturing import diagnose
from tests.integration.results import record_scheduler
from tests.integration.targets import Interpreter, interpreters, running
from tests.integration.test_pools import VENVS, having, worst
from tests.shares import captures
from tests.waiting import until

ERROR, WARNING = Severity.ERROR, Severity.WARNING
CAPTURES = captures(20)
PACKAGES = {
    "uvloop": "uvloop",
    "tornado": "tornado",
    "anyio": "anyio",
    "nested": "nest_asyncio.py",
    "jupyter": "ipykernel",
}
"""What shows that an environment has the library of a loop."""
SAID = {
    "anyio": "anyio on asyncio",
    "eager": "asyncio, eager tasks",
    "nested": "nest_asyncio",
    "jupyter": "Jupyter",
}
"""What a table calls a loop."""
HUNG = {
    "ring": ("deadlock", ERROR, ("tasks move", "left", "right", "loop_tasks.py", "(move)")),
    "limiter": (None, None, ("crawl", "fetch", "units")),
    "blocked": ("event-loop-blocked", WARNING, ("loop_tasks.py", "(blocked)", "MainThread")),
    "executor": ("deadlock", ERROR, ("2 threads and 2 tasks", "read_template()", "(render)")),
    "across": ("deadlock", ERROR, ("MainThread and", "ledger", "(across)", "(close_books)")),
    "own_result": ("self-deadlock", ERROR, ("MainThread", "(own_result)", "event loop")),
    "after": ("mutual-wait", WARNING, ("task consume", "started", "(after)")),
    "queues": ("mutual-wait", WARNING, ("task pump", "left", "right", "(pump)")),
}
"""The first finding of each, how severe it is, and what it says; None: as the library has it."""


def loops() -> list[tuple[str, Interpreter]]:
    """Every loop with the interpreters that have it."""
    found = [("asyncio", one) for one in interpreters(("3.8", "3.12", "3.14", "3.13t"))]
    found += [("eager", one) for one in interpreters(("3.12", "3.13", "3.14"))]
    found += [(loop, one) for loop, package in PACKAGES.items() for one in having(package)]
    return found


EACH = pytest.mark.parametrize(
    ("loop", "interpreter"), loops(), ids=lambda one: getattr(one, "id", one)
)


def test_which_loops_are_tried() -> None:
    missing = [loop for loop, package in PACKAGES.items() if not having(package)]
    if missing:
        pytest.skip(f"no {', '.join(missing)} in {VENVS} (script/libraries)")


@EACH
@pytest.mark.parametrize("name", HUNG)
def test_what_hangs_is_told_first(name: str, loop: str, interpreter: Interpreter) -> None:
    identifier, severity, words = HUNG[name]
    arguments = (loop, name)
    with running("loop_tasks", interpreter.path, asleep=False, arguments=arguments) as target:
        first = worst(target.pid, identifier) if identifier else first_alarm(target.pid)

    assert first.severity in ((severity,) if severity else (ERROR, WARNING))
    assert [word for word in words if word not in said(first)] == []
    record_scheduler(SAID.get(loop, loop), name, interpreter.version, first)


@pytest.mark.flaky(reruns=0)  # a false alarm is one, however rare
@EACH
@pytest.mark.parametrize("name", [*HUNG, "clients"])
def test_what_gets_on_is_no_alarm(name: str, loop: str, interpreter: Interpreter) -> None:
    arguments = (loop, name, "healthy")
    with running("loop_tasks", interpreter.path, asleep=False, arguments=arguments) as target:
        found = [one for _ in range(CAPTURES) for one in diagnose(target.pid).findings]

    assert [one.title for one in found if one.severity is not Severity.NOTE] == []


@EACH
def test_a_wait_that_a_scope_ends_is_no_deadlock(loop: str, interpreter: Interpreter) -> None:
    if loop != "anyio":
        pytest.skip("only anyio has cancel scopes")
    with running("loop_tasks", interpreter.path, asleep=False, arguments=(loop, "timed")) as target:
        found = [one for _ in range(CAPTURES) for one in diagnose(target.pid).findings]

    assert [one.title for one in found if one.severity is not Severity.NOTE] == []


@pytest.mark.parametrize("interpreter", having(PACKAGES["anyio"]), ids=lambda one: one.id)
def test_a_lock_of_a_task_that_has_ended_is_an_orphan(interpreter: Interpreter) -> None:
    arguments = ("anyio", "orphan")
    with running("loop_tasks", interpreter.path, asleep=False, arguments=arguments) as target:
        first = worst(target.pid, "orphaned-lock")

    assert first.severity is ERROR
    assert "task borrow" in said(first) or "task Task-" in said(first)
    with running(
        "loop_tasks", interpreter.path, asleep=False, arguments=(*arguments, "healthy")
    ) as target:
        found = [one for _ in range(CAPTURES) for one in diagnose(target.pid).findings]
    assert [one.title for one in found if one.severity is not Severity.NOTE] == []


# -- dask -----------------------------------------------------------------------------------------

WITH_DASK = having("distributed")
EACH_WITH_DASK = pytest.mark.parametrize("interpreter", WITH_DASK, ids=lambda one: one.id)
HUNG_JOBS = {
    "ring": ("deadlock", ERROR, ("Dask-Default-Threads", "left", "right", "(move)")),
    "across": ("deadlock", ERROR, ("Dask-Default-Threads", "ledger", "(book)", "(close_books)")),
    "blocked": ("event-loop-blocked", WARNING, ("IO loop", "(stop)", "task stop")),
}
HEALTHY_JOBS = [*HUNG_JOBS, "pool", "seceded", "busy"]


@EACH_WITH_DASK
@pytest.mark.parametrize("name", HUNG_JOBS)
def test_what_hangs_in_dask_is_told_first(name: str, interpreter: Interpreter) -> None:
    identifier, severity, words = HUNG_JOBS[name]
    with running("dask_jobs", interpreter.path, asleep=False, arguments=(name,)) as target:
        first = worst(target.pid, identifier)

    assert first.severity is severity
    assert [word for word in words if word not in said(first)] == []
    record_scheduler("dask", name, interpreter.version, first)


@EACH_WITH_DASK
def test_a_worker_of_dask_whose_threads_all_wait_is_told_first(interpreter: Interpreter) -> None:
    """One look does not tell it: other workers may run what they wait for."""
    with running("dask_jobs", interpreter.path, asleep=False, arguments=("pool",)) as target:
        first = until(lambda: _first_of_looks(target.pid, "pool-starvation"))
        line = target.line("needs a thread of the pool")

    assert (first.severity, first.certainty) == (WARNING, Certainty.INFERRED)
    assert first.sentence.startswith("All 2 threads of the Dask worker (")
    assert f"wait in Future.result() at dask_jobs.py:{line} (" in first.sentence
    assert "MainThread waits for a result, too" in first.sentence
    assert "worker_client()" in said(first)
    record_scheduler("dask", "pool", interpreter.version, first)


@pytest.mark.flaky(reruns=0)  # a false alarm is one, however rare
@EACH_WITH_DASK
@pytest.mark.parametrize("name", ["pool", "seceded"])
def test_several_looks_at_jobs_of_dask_that_get_on_are_no_alarm(
    name: str, interpreter: Interpreter
) -> None:
    arguments = (name, "healthy")
    with running("dask_jobs", interpreter.path, asleep=False, arguments=arguments) as target:
        found = [one for _ in range(3) for one in _of_looks(target.pid)]

    assert [one.title for one in found if one.severity is not Severity.NOTE] == []


def _of_looks(pid: int) -> tuple[Finding, ...]:
    return findings.run(series.take(CaptureRequest((pid,)), series.Looks(5, 1.0)))


def _first_of_looks(pid: int, identifier: str) -> Finding | None:
    found = _of_looks(pid)
    return found[0] if found and found[0].id == identifier else None


@pytest.mark.flaky(reruns=0)  # a false alarm is one, however rare
@EACH_WITH_DASK
@pytest.mark.parametrize("name", HEALTHY_JOBS)
def test_what_gets_on_in_dask_is_no_alarm(name: str, interpreter: Interpreter) -> None:
    arguments = (name, "healthy")
    with running("dask_jobs", interpreter.path, asleep=False, arguments=arguments) as target:
        found = [one for _ in range(CAPTURES) for one in diagnose(target.pid).findings]

    assert [one.title for one in found if one.severity is not Severity.NOTE] == []


EACH_WITH_TORNADO = pytest.mark.parametrize(
    "interpreter", having("tornado"), ids=lambda one: one.id
)


@EACH_WITH_TORNADO
def test_generators_of_tornado_are_not_called_idle(interpreter: Interpreter) -> None:
    with running("tornado_generators", interpreter.path, asleep=False) as target:
        found = [one for _ in range(5) for one in diagnose(target.pid).findings]

    assert [one.sentence for one in found if one.id == "idle" or "no task" in said(one)] == []


@EACH_WITH_TORNADO
def test_a_queue_of_tornado_whose_items_are_not_all_done(interpreter: Interpreter) -> None:
    with running("tornado_waits", interpreter.path, asleep=False, arguments=("join",)) as target:
        first = worst(target.pid, "event-loop-stalled")
        lines = [target.line(text) for text in ("await jobs.join()", "await jobs.get()")]

    assert first.sentence.startswith(
        "task join awaits task_done() for every item of jobs (tornado.Queue), 1 is left at "
        f"tornado_waits.py:{lines[0]} (join); 2 tasks work await an item of jobs"
    )
    assert f"jobs.task_done() for every item taken at tornado_waits.py:{lines[1]}" in said(first)


def _resting(pid: int, function: str) -> Capture | None:
    """A capture in which the task of this function was read in its wait: a callback keeps its loop
    awake now and then."""
    capture = diagnose(pid).capture
    waiters = {one.waiter for one in capture.waits}
    known = any(one.function == function and one.id in waiters for one in capture.tasks)
    return capture if known else None


@EACH_WITH_TORNADO
def test_gen_multi_leads_to_the_tasks_that_it_waits_for(interpreter: Interpreter) -> None:
    with running("tornado_waits", interpreter.path, asleep=False, arguments=("multi",)) as target:
        first = worst(target.pid, "quiet")
        found = until(lambda: _resting(target.pid, "multi"))
        line = target.line("await news.wait()")

    tasks = {one.function: one for one in found.tasks}
    (edge,) = (one for one in found.waits if one.waiter == tasks["multi"].id)
    assert edge.target == tasks["show"].id
    waits = f"task show waits at tornado_waits.py:{line} (show) for a notification of the Condition"
    assert f"{waits} news" in first.title


@EACH_WITH_TORNADO
def test_who_takes_results_as_they_come_waits_for_the_tasks_that_are_left(
    interpreter: Interpreter,
) -> None:
    arguments = ("iterate",)
    with running("tornado_waits", interpreter.path, asleep=False, arguments=arguments) as target:
        first = worst(target.pid, "quiet")
        found = until(lambda: _resting(target.pid, "iterate"))
        line = target.line("await news.wait()")

    tasks = {one.function: one for one in found.tasks}
    (edge,) = (one for one in found.waits if one.waiter == tasks["iterate"].id)
    assert edge.target == tasks["show"].id
    assert "gen.WaitIterator: it waits until the next one" in (tasks["iterate"].awaits or "")
    assert f"task show waits at tornado_waits.py:{line} (show) for news" in first.title


@pytest.mark.flaky(reruns=0)  # a false alarm is one, however rare
@EACH_WITH_TORNADO
def test_who_takes_results_as_they_come_needs_one_of_them(interpreter: Interpreter) -> None:
    arguments = ("iterate_by_turns",)
    awaited = set[str | None]()
    with running("tornado_waits", interpreter.path, asleep=False, arguments=arguments) as target:
        for taken in range(20 * CAPTURES):
            # Its turns are so short that many a capture meets two of them.
            if taken >= CAPTURES and any("gen.WaitIterator" in (one or "") for one in awaited):
                break
            found = diagnose(target.pid)
            assert [f.title for f in found.findings if f.severity is not Severity.NOTE] == []
            awaited |= {task.awaits for task in found.capture.tasks}
        else:
            pytest.fail(f"the iterator was never met: {awaited}")


@EACH_WITH_TORNADO
def test_run_sync_of_no_task_is_told_by_the_line_that_called_it(interpreter: Interpreter) -> None:
    with running("tornado_waits", interpreter.path, asleep=False, arguments=("bare",)) as target:
        first = worst(target.pid, "quiet")
        line = target.line("# runs it")

    called = f"waits in run_sync() at tornado_waits.py:{line} (<module>) for what that runs to end"
    assert called in first.title
    assert f"MainThread {called}" in first.sentence
    assert "both of its ends" not in first.sentence


@EACH_WITH_TORNADO
def test_an_event_of_tornado_in_no_variable_is_told_as_one(interpreter: Interpreter) -> None:
    with running("tornado_waits", interpreter.path, asleep=False, arguments=("serve",)) as target:
        found = diagnose(target.pid)

    (task,) = found.capture.tasks
    (edge,) = (one for one in found.capture.waits if one.waiter == task.id)
    assert edge.target.kind is NodeKind.EVENT
    assert re.fullmatch(r"tornado\.Event at 0x[0-9a-f]+ to be set", task.awaits or "")


@EACH_WITH_TORNADO
@pytest.mark.parametrize(
    ("name", "rests"),
    [("serve", True), ("serve_kept", False), ("serve_one", False)],
)
def test_who_waits_for_ever_beside_a_server_rests(
    name: str, rests: bool, interpreter: Interpreter
) -> None:
    with running("tornado_waits", interpreter.path, asleep=False, arguments=(name,)) as target:
        found = diagnose(target.pid)

    (loop,) = found.capture.event_loops
    assert loop.accepting == 1
    assert any(one.id == "idle" for one in found.findings) is rests


@EACH_WITH_TORNADO
def test_a_task_waits_where_its_generators_of_tornado_wait(interpreter: Interpreter) -> None:
    with running("tornado_mixed", interpreter.path, asleep=False, arguments=("ring",)) as target:
        first = worst(target.pid, "deadlock")
        found = diagnose(target.pid).capture
        lines = [target.line(f"# {text}") for text in ("takes the first", "wants the second")]

    assert first.severity is ERROR
    assert f"(taken at tornado_mixed.py:{lines[0]})" in first.sentence
    assert f"waits at tornado_mixed.py:{lines[1]} (second) for" in first.sentence
    stacks = [task.python_stack or () for task in found.tasks if task.function == "move"]
    names = [[frame.function for frame in stack] for stack in stacks]
    assert names == [["second", "first", "move"]] * 2


@pytest.mark.flaky(reruns=0)  # a false alarm is one, however rare
@EACH_WITH_TORNADO
def test_generators_of_tornado_that_get_on_are_no_alarm(interpreter: Interpreter) -> None:
    arguments = ("ring", "healthy")
    with running("tornado_mixed", interpreter.path, asleep=False, arguments=arguments) as target:
        found = [one for _ in range(CAPTURES) for one in diagnose(target.pid).findings]

    assert [one.title for one in found if one.severity is not Severity.NOTE] == []


EACH_NESTED = pytest.mark.parametrize(
    "interpreter", having("nest_asyncio.py"), ids=lambda one: one.id
)


@EACH_NESTED
def test_a_nested_run_that_waits_for_who_lies_below_it(interpreter: Interpreter) -> None:
    with running("nested_runs", interpreter.path, asleep=False) as target:
        first = worst(target.pid, "mutual-wait")
        lines = [target.line(text) for text in ("event.wait()", "asyncio.sleep(0.02)")]
        found = diagnose(target.pid)

    assert first.severity is ERROR
    for word in ("task quick and task wait", f"nested_runs.py:{lines[1]} (warm_up)", "event.set()"):
        assert word in said(first)
    assert "above it on the same stack" in " ".join(first.evidence)
    waiting = {one.function: one for one in found.capture.tasks}
    assert waiting["slow"].awaits == waiting["quick"].awaits
    top, call = (waiting["slow"].python_stack or ())[:2]
    assert (top.function.rpartition(".")[2], call.line) == ("run_until_complete", lines[0])


@pytest.mark.flaky(reruns=0)  # a false alarm is one, however rare
@EACH_NESTED
def test_nested_runs_that_end_are_no_alarm(interpreter: Interpreter) -> None:
    with running("nested_runs", interpreter.path, asleep=False, arguments=("healthy",)) as target:
        found = [one for _ in range(CAPTURES) for one in diagnose(target.pid).findings]

    assert [one.title for one in found if one.severity is not Severity.NOTE] == []


def said(found: Finding) -> str:
    return f"{found.title} {found.sentence} {' '.join(found.advice)}"


def first_alarm(pid: int) -> Finding:
    """The first finding, once it is more than a note."""

    def told() -> Finding | None:
        (first, *_) = diagnose(pid).findings or (None,)
        return first if first is not None and first.severity is not Severity.NOTE else None

    return until(told)
