"""Locks that coroutines hold in code that Cython has compiled."""

from types import SimpleNamespace
from typing import Any

from hangtui.backends.cpython.aio.compiled_blocks import CompiledBlocks, CompiledStack
from hangtui.backends.cpython.aio.coroutines import CompiledStep
from hangtui.model import Certainty, NodeKind

_COROUTINE, _SCOPE, _EXIT, _LOCK, _TASK = 1 << 12, 2 << 12, 3 << 12, 4 << 12, 5 << 12


def _frame(name: str, file: str) -> Any:
    code = SimpleNamespace(bare_name=name, filename=file)
    return SimpleNamespace(code=code, place=f"{file}:1")


def _blocks(*, locked: bool = True) -> CompiledBlocks:
    words = {_COROUTINE + 16: (7, _SCOPE), _SCOPE + 16: (0, _EXIT)}
    objects: Any = SimpleNamespace(
        header=16,
        memory=SimpleNamespace(words=lambda address, _: words[address]),
        basic_size=lambda _: 32,
        kind={_SCOPE: "shop.core.__pyx_scope_struct_1_run", _EXIT: "method"}.get,
        function_name=lambda word: "__aexit__" if word == _EXIT else None,
        bound_to=lambda word: _LOCK if word == _EXIT else 0,
    )
    containers: Any = SimpleNamespace(type_title=lambda _: "asyncio.Lock")
    blocks = CompiledBlocks(objects, containers)
    states: Any = SimpleNamespace(kind=lambda _: NodeKind.LOCK, locked=lambda _: locked)
    blocks._states = states
    return blocks


def _stack(*frames: Any) -> CompiledStack:
    return CompiledStack(_TASK, frames, (CompiledStep(_COROUTINE, 1),))


def test_the_way_out_that_a_compiled_coroutine_keeps_tells_what_its_task_holds() -> None:
    stack = _stack(_frame("book", "shop.py"), _frame("receive", "api.py"))
    (hold,) = _blocks().holds([stack], {_LOCK})

    assert (hold.lock, hold.task, hold.certainty) == (_LOCK, _TASK, Certainty.PROVEN)
    assert hold.where == "api.py:1"
    assert not list(_blocks().holds([stack], set()))
    assert not list(_blocks(locked=False).holds([stack], {_LOCK}))


def test_who_is_about_to_take_it_does_not_hold_it() -> None:
    entering = _stack(_frame("__aenter__", "locks.py"), _frame("receive", "api.py"))
    waiting = _stack(_frame("wait", "lib/asyncio/locks.py"), _frame("receive", "api.py"))

    assert not list(_blocks().holds([entering, waiting], {_LOCK}))


def test_of_two_that_seem_to_hold_it_neither_is_proven() -> None:
    stack = _stack(_frame("book", "shop.py"), _frame("receive", "api.py"))
    other = CompiledStack(_TASK + 64, stack.frames, stack.steps)

    found = list(_blocks().holds([stack, other], {_LOCK}))
    assert [one.certainty for one in found] == [Certainty.INFERRED] * 2
