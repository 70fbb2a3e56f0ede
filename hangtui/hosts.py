"""Captures of several machines: whose number each process's is, in memory and in files."""

import re
from collections.abc import Callable
from dataclasses import fields, is_dataclass, replace
from functools import cache
from typing import Any, get_args

from hangtui.model import Capture, HostPid, NodeId, host_number
from hangtui.model.pid import NUMBER, PID_BITS, on

_NOT_IN_IDS = re.compile(r"[^!-9;-~]")
_MOST_CHARACTERS = 64
"""Of a host's name in a node id; see ``hangtui/model/node.py``."""


def host_name(capture: Capture) -> str:
    """The host of *capture* as it stands in node ids; empty: not known."""
    return _NOT_IN_IDS.sub("-", capture.host)[:_MOST_CHARACTERS]


def moved(capture: Capture) -> Capture:
    """*capture* with the name of its host in all node ids, and in all numbers of processes and
    threads; as it is if that is known of it already, or no host.
    """
    host = host_name(capture)
    if capture.hosts or not host:
        return capture

    def number(value: int) -> int:
        return on(value, host)

    def node(value: NodeId) -> NodeId:
        return value if value.host else value.on(host)

    result: Capture = _Walk(number, node).of(capture)
    return replace(result, hosts=(host,))


def restored(capture: Capture) -> Capture:
    """*capture*, which was read from a file, with its numbers as they were when it was written."""
    if not capture.hosts:
        return capture
    hosts = {host_number(one): one for one in capture.hosts if one == _NOT_IN_IDS.sub("", one)}

    def number(value: int) -> int:
        host = hosts.get(value >> PID_BITS)
        return HostPid.of(value & (1 << PID_BITS) - 1, host) if host else value

    result: Capture = _Walk(number, lambda node: node).of(capture)
    return result


class _Walk:
    """Changes all numbers of processes and threads, and all node ids, of an object of the model."""

    def __init__(self, number: Callable[[int], int], node: Callable[[NodeId], NodeId]) -> None:
        self._number, self._node = number, node

    def of(self, value: Any) -> Any:
        """*value* with these changed; itself where nothing is."""
        if isinstance(value, NodeId):
            return self._node(value)
        if isinstance(value, tuple):
            return _kept(value, tuple(self.of(item) for item in value))
        if not is_dataclass(value) or isinstance(value, type):
            return value
        changed = {}
        for name, holds_numbers in _names(type(value)):
            old = getattr(value, name)
            new = self._numbers(old) if holds_numbers else self.of(old)
            if new is not old:
                changed[name] = new
        return replace(value, **changed) if changed else value

    def _numbers(self, value: Any) -> Any:
        if isinstance(value, tuple):
            return _kept(value, tuple(map(self._number, value)))
        return value if value is None else self._number(value)


def _kept(old: tuple[Any, ...], new: tuple[Any, ...]) -> tuple[Any, ...]:
    return old if all(map(_same, old, new)) else new


def _same(old: object, new: object) -> bool:
    return new is old


@cache
def _names(kind: type[Any]) -> tuple[tuple[str, bool], ...]:
    """The fields of a class in which something may be changed, and whether these hold numbers of
    processes or threads."""
    types: list[tuple[str, Any]] = [(one.name, one.type) for one in fields(kind)]
    return tuple((name, _is_number(of)) for name, of in types if _matters(of))


@cache
def _matters(kind: Any) -> bool:
    """Whether a value of such a type may hold numbers of processes or threads, or node ids."""
    if kind is NodeId or _is_number(kind):
        return True
    if isinstance(kind, type) and is_dataclass(kind):
        return bool(_names(kind))
    return any(map(_matters, get_args(kind)))


def _is_number(kind: Any) -> bool:
    if NUMBER in getattr(kind, "__metadata__", ()):
        return True
    return any(map(_is_number, get_args(kind)))
