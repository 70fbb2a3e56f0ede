"""Which tasks without a number are the same in two looks."""

from collections.abc import Mapping

from hangtui.analysis.nested_tasks import Wait, made_anew_by_nobody
from hangtui.model import NodeId, NodeKind, PythonFrame, resource_id

MIDDLEWARE, WRAPPER = "/site-packages/starlette/base.py", "/site-packages/anyio/_tasks.py"
CALL = "Middleware.__call__.<locals>.call_next"


def task(number: int) -> NodeId:
    return resource_id(NodeKind.TASK, 7, number)


def wait(*functions: str, name: str = "Task-8", target: int = 90) -> Wait:
    frames = (PythonFrame(one, WRAPPER if one == "run" else MIDDLEWARE, 3) for one in functions)
    targets = frozenset({resource_id(NodeKind.QUEUE, 7, target)} if target else ())
    return name, tuple(frames), targets


REQUEST, INNER = task(1), task(2)
MAKER = wait(CALL, "run_asgi")
MADE = wait("handler", f"{CALL}.<locals>.coro", "run", name="coro", target=91)


def same(before: Mapping[NodeId, Wait], after: Mapping[NodeId, Wait] | None = None) -> set[NodeId]:
    after = before if after is None else after
    known = {one for one, it in after.items() if it[0] == "Task-8" and before.get(one) == it}
    return made_anew_by_nobody(before, after, known)


def test_who_was_made_by_one_that_has_not_moved_is_the_same() -> None:
    assert same({REQUEST: MAKER, INNER: MADE}) == {INNER}


def test_tasks_within_each_other_are_the_same_down_from_the_numbered_one() -> None:
    between = wait(CALL, "dispatch", f"{CALL}.<locals>.coro", "run", name="coro", target=92)
    look = {REQUEST: MAKER, task(3): between, INNER: MADE}
    assert same(look) == {task(3), INNER}


def test_who_may_have_been_made_by_one_that_came_is_not_known() -> None:
    assert same({REQUEST: MAKER, INNER: MADE}, {task(4): MAKER, INNER: MADE}) == set()
    arrived = {REQUEST: MAKER, task(4): MAKER, INNER: MADE}
    assert same({REQUEST: MAKER, INNER: MADE}, arrived) == set()


def test_who_may_have_made_several_tells_of_none() -> None:
    assert same({REQUEST: MAKER, INNER: MADE, task(5): MADE}) == set()


def test_a_maker_that_has_gone_or_moved_tells_of_none() -> None:
    assert same({INNER: MADE}) == set()
    moved = wait(CALL, "run_asgi", target=99)
    assert same({REQUEST: MAKER, INNER: MADE}, {REQUEST: moved, INNER: MADE}) == set()


def test_only_the_outermost_function_tells_who_made_a_task() -> None:
    deep = wait("handler", "work", "more", f"{CALL}.<locals>.coro", "start", "run", name="coro")
    assert same({REQUEST: MAKER, INNER: deep}) == set()
