"""Several captures of different processes as one, also of several machines."""

from collections.abc import Sequence
from dataclasses import fields, replace
from typing import Any

from hangtui.far_ends import with_far_ends
from hangtui.hosts import host_name, moved
from hangtui.model import Capture

_HOSTS_NAMED = 3


def joined(captures: Sequence[Capture], within_s: float | None = None) -> Capture:
    """All that is known of the processes of *captures*, no two of which are the same one.

    A machine tells processes, and what these share, by numbers which another one gives to something
    else: where there are several, all of them get their host's name.

    *within_s*: the time in which all were taken, by one clock; None: it is not known.
    """
    if len({host_name(one) for one in captures}) > 1:
        captures = [moved(one) for one in captures]
    lists = [one.name for one in fields(Capture) if one.default == ()]
    merged: dict[str, Any] = {
        name: tuple(item for one in captures for item in getattr(one, name)) for name in lists
    }
    merged["pending"] = tuple(dict.fromkeys(merged["pending"]))
    merged["networks"] = tuple(dict.fromkeys(merged["networks"]))
    merged["hosts"] = tuple(dict.fromkeys(merged["hosts"]))
    whole = replace(
        captures[0],
        host=_named(captures),
        crash=next((one.crash for one in captures if one.crash), None),
        origin=", ".join(one.origin for one in captures if one.origin) or None,
        **merged,
    )
    return with_far_ends(whole, within_s)


def _named(captures: Sequence[Capture]) -> str:
    names = list(dict.fromkeys(one.host for one in captures if one.host))
    if len(names) <= _HOSTS_NAMED:
        return ", ".join(names)
    return f"{', '.join(names[: _HOSTS_NAMED - 1])} and {len(names) - _HOSTS_NAMED + 1} more"
