"""Captures as plain lists for the pipe from the process that reads to the one that asked.

Values of the model become ``[number of the class, field, ...]``, tuples ``[-1, item, ...]``; all
else is what JSON knows. Nothing but classes of the model can come out of it. Loading a library that
does this would take longer than a capture.
"""

import dataclasses
import functools
import json
from enum import Enum
from typing import Any

import hangtui.model
from hangtui.model import Capture, NodeId

_TUPLE = -1


@functools.cache
def _classes() -> tuple[type[Any], ...]:
    """The classes of the model, in an order that both sides know."""
    values = (getattr(hangtui.model, name) for name in sorted(dir(hangtui.model)))
    return tuple(
        value
        for value in values
        if isinstance(value, type)
        and (dataclasses.is_dataclass(value) or issubclass(value, Enum | NodeId))
    )


@functools.cache
def _shape(kind: type[Any]) -> tuple[int, tuple[str, ...]]:
    """The number of a class, and the names of its fields; none for what is one value."""
    fields = dataclasses.fields(kind) if dataclasses.is_dataclass(kind) else ()
    return _classes().index(kind), tuple(field.name for field in fields)


def encode(capture: Capture) -> bytes:
    """*capture* as one line."""
    return json.dumps(_flat(capture), separators=(",", ":")).encode()


def decode(data: bytes) -> Capture:
    """The capture in *data*.

    Raises:
        ValueError, TypeError, LookupError: `encode` did not make it.
    """
    value = _full(json.loads(data))
    if isinstance(value, Capture):
        return value
    raise ValueError("no capture")


def _flat(value: Any) -> Any:
    if value is None or type(value) in (str, int, float, bool):
        return value
    if type(value) is tuple:
        return [_TUPLE, *map(_flat, value)]
    kind: Any = type(value)
    number, names = _shape(kind)
    if isinstance(value, Enum):
        return [number, value.value]
    if kind is NodeId:
        return [number, str(value)]
    return [number, *(_flat(field) for field in map(value.__getattribute__, names))]


def _full(value: Any) -> Any:
    if type(value) is not list:
        return value
    number, *parts = value
    if number == _TUPLE:
        return tuple(map(_full, parts))
    return _classes()[number](*map(_full, parts))
