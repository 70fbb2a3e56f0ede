"""What was found in a capture or in a stack of it, kept as long as rules ask of the same ones."""

from collections.abc import Callable, Sequence
from functools import wraps
from operator import is_
from typing import Any, ParamSpec, TypeVar

from hangtui.model import PythonFrame

_MOST_STACKS = 100_000
_KEPT: list[dict[int, Any]] = []
_P = ParamSpec("_P")
_T = TypeVar("_T")


def of_latest(function: Callable[_P, _T]) -> Callable[_P, _T]:
    """*function*, which asks no second time of one and the same capture, or whatever it is given;
    nobody changes what it returns. What is given by name is not remembered."""
    last: list[tuple[tuple[object, ...], _T]] = []

    @wraps(function)
    def answered(*args: _P.args, **kwargs: _P.kwargs) -> _T:
        if kwargs:
            return function(*args, **kwargs)
        known = last[0] if last else None  # another thread may ask of another capture meanwhile
        if known is None or len(known[0]) != len(args) or not all(map(is_, known[0], args)):
            known = args, function(*args, **kwargs)
            last[:] = [known]
        return known[1]

    return answered


def of_stack(
    function: Callable[[Sequence[PythonFrame]], _T],
) -> Callable[[Sequence[PythonFrame]], _T]:
    """The same of stacks, which thousands of threads have alike, until `forget_stacks`."""
    known: dict[int, tuple[Sequence[PythonFrame], _T]] = {}
    _KEPT.append(known)

    @wraps(function)
    def answered(stack: Sequence[PythonFrame]) -> _T:
        if not isinstance(stack, tuple):  # it may change
            return function(stack)
        found = known.get(id(stack))
        if found is None:
            if len(known) >= _MOST_STACKS:
                known.clear()
            found = known[id(stack)] = stack, function(stack)  # which keeps its identity
        return found[1]

    return answered


def forget_stacks() -> None:
    """Let go of all stacks: another capture is judged."""
    for known in _KEPT:
        known.clear()
