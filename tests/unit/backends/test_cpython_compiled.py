"""What the objects of code that Cython has compiled tell of it, in literal memory."""

from types import SimpleNamespace
from typing import Any

from hangtui.backends.cpython.aio.below_packages import below_compiled
from hangtui.backends.cpython.aio.coroutines import Chain, CompiledStep

_COROUTINE, _NAME, _FUNCTION, _MODULE, _OTHER = 1 << 12, 2 << 12, 3 << 12, 4 << 12, 5 << 12
_TEXTS = {_NAME: "connect", _FUNCTION: "Connection.connect", _MODULE: "asyncmy.connection"}


def _objects(*words: int) -> Any:
    return SimpleNamespace(
        header=16,
        memory=SimpleNamespace(words=lambda *_: words),
        basic_size=lambda _: 16 + 8 * len(words),
        kind=lambda word: "str" if word in _TEXTS else "dict",
        text=_TEXTS.__getitem__,
    )


def _chain(outer: int) -> Chain:
    frame: Any = SimpleNamespace()
    return Chain((frame,), steps=(CompiledStep(_COROUTINE, outer),))


def test_the_innermost_coroutine_is_named_if_it_is_compiled() -> None:
    objects = _objects(7, _OTHER, 0, _NAME, _FUNCTION, _MODULE, _OTHER)

    assert below_compiled(objects, _chain(1)) == "Connection.connect of asyncmy"
    assert not below_compiled(objects, _chain(0))  # Python code lies inside of it


def test_one_that_keeps_no_three_names_is_not_named() -> None:
    assert not below_compiled(_objects(_NAME, _FUNCTION, _OTHER, _MODULE), _chain(1))
