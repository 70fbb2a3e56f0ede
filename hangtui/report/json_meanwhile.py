"""What those who wait handle and look at meanwhile, as plain values."""

from typing import Any

from hangtui.model import Handled, Polled

Json = dict[str, Any]


def handled_to_dict(one: Handled) -> Json:
    """An error that is being handled as plain values."""
    return {
        "actor": one.actor,
        "error": one.error,
        "where": one.where,
        "inner": one.inner,
        "peer": one.peer,
        "cause": one.cause,
        "file": one.file,
    }


def polled_to_dict(one: Polled) -> Json:
    """What a loop looks at between its sleeps as plain values."""
    return {
        "waiter": one.waiter,
        "looks_at": list(one.looks_at),
        "values": list(one.values),
        "where": one.where,
        "changers": [{"actor": c.actor, "place": c.place} for c in one.changers],
        "written": list(one.written),
        "file": one.file,
        "is_there": one.is_there,
        "makers": list(one.makers),
        "past": list(one.past),
        "memory": None
        if one.memory is None
        else {
            "name": one.memory.name,
            "removed": one.memory.removed,
            "again": one.memory.again,
            "others": list(one.memory.others),
        },
        "common": None
        if one.common is None
        else {"name": one.common.name, "others": list(one.common.others)},
    }
