"""Several captures of different processes as one, also of several machines."""

import re
from collections.abc import Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any

from hangtui.model import Capture, NodeId

_NOT_IN_IDS = re.compile(r"[^!-9;-~]")
_MOST_CHARACTERS = 64
"""Of a host's name in a node id; see ``hangtui/model/node.py``."""


def joined(captures: Sequence[Capture]) -> Capture:
    """All that is known of the processes of *captures*, no two of which have the same PID.

    What all processes of a machine share (a pipe, a file's lock) is told by a number, which another
    machine gives to something else: such nodes of other hosts than the first get the host's name.
    """
    first = captures[0]
    moved = [one if one.host == first.host else _of_host(one) for one in captures]
    lists = [one.name for one in fields(Capture) if one.default == ()]
    merged: dict[str, Any] = {
        name: tuple(item for one in moved for item in getattr(one, name)) for name in lists
    }
    merged["pending"] = tuple(dict.fromkeys(merged["pending"]))
    return replace(
        first,
        host=", ".join(dict.fromkeys(one.host for one in captures if one.host)),
        crash=next((one.crash for one in captures if one.crash), None),
        origin=", ".join(one.origin for one in captures if one.origin) or None,
        **merged,
    )


def _of_host(capture: Capture) -> Capture:
    host = _NOT_IN_IDS.sub("-", capture.host)[:_MOST_CHARACTERS]
    moved: Capture = _moved(capture, host) if host else capture
    return moved


def _moved(value: Any, host: str) -> Any:
    """*value* with the name of *host* in all ids of what processes share."""
    if isinstance(value, NodeId):
        return value.on(host) if value.shared and not value.host else value
    if isinstance(value, tuple):
        items = tuple(_moved(item, host) for item in value)
        return value if all(map(_same, items, value)) else items
    if not is_dataclass(value) or isinstance(value, type):
        return value
    old = {one.name: getattr(value, one.name) for one in fields(value)}
    new = {name: _moved(item, host) for name, item in old.items()}
    return value if all(map(_same, new.values(), old.values())) else replace(value, **new)


def _same(new: object, old: object) -> bool:
    return new is old
