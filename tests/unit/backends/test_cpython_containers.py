"""What a call that is kept for later reaches."""

from types import SimpleNamespace
from typing import cast

from hangtui.backends.cpython.aio.containers import Containers
from hangtui.backends.cpython.code import CodeReader
from hangtui.backends.cpython.objects import Objects

METHOD, OWNER = 1, 2
"""A bound method, and what it is bound to."""
_OUTER, _INNER, _ITSELF = 10, 11, 12
_CALLS = {_OUTER: (_INNER, [20, 21]), _INNER: (METHOD, [30]), _ITSELF: (_ITSELF, [40])}
"""Partial calls: of what, and with which arguments."""
_NAMED = {1000 + _OUTER: {"function": 22}}
"""And with which by name."""


class _Kept(Containers):
    """Reads these."""

    def field(self, address: int, index: int = 0) -> int:
        return (_CALLS[address][0], -address, 1000 + address)[index]

    def sequence(self, address: int) -> list[int]:
        return _CALLS[-address][1]


def _mentioned(call: int) -> list[int]:
    objects = SimpleNamespace(
        memory=None,
        layout=None,
        kind=lambda one: (
            "functools.partial" if one in _CALLS else "dict" if one in _NAMED else "method"
        ),
        named=_NAMED.get,
        bound_to=lambda one: OWNER if one == METHOD else 0,
    )
    return _Kept(cast(Objects, objects), cast(CodeReader, None)).mentioned(call)


def test_partial_calls_reach_what_each_was_given_and_what_is_called_is_bound_to() -> None:
    assert _mentioned(_OUTER) == [20, 21, 22, 30, OWNER]


def test_a_partial_call_of_itself_comes_to_an_end() -> None:
    assert set(_mentioned(_ITSELF)) == {40}
