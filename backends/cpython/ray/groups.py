"""Placement groups of Ray that a function has in its variables while it waits for a plain task.

``group.ready()`` returns the reference of a task that Ray itself places into the group. What that
task is only Ray knows; but who waits for it has the group at hand.
"""

from hangtui.backends.cpython.aio.containers import Containers
from hangtui.backends.cpython.frames import Frame
from hangtui.backends.cpython.reader import PythonReader
from hangtui.model import clean

_CLASS = "PlacementGroup"
_READY = "ready"
_MOST_KINDS, _MOST_BUNDLES, _MOST_NAME = 5, 10_000, 60


def group_at_hand(python: PythonReader, containers: Containers, frame: Frame) -> str | None:
    """The placement group in the variables of a frame whose code asks one whether it is ready, in
    words; None: there is none, or more than one."""
    if _READY not in frame.code.names:
        return None
    found = [
        (name, value)
        for name, value in python.frames.variables(frame).items()
        if python.objects.kind(value) == _CLASS
    ]
    if len(found) != 1:
        return None
    ((name, value),) = found
    bundles = containers.sequence(python.objects.attributes(value).get("bundle_cache", 0))
    asked = _asked(python, containers, bundles[:_MOST_BUNDLES])
    return f"placement group `{clean(name, _MOST_NAME)}`{f' of {asked}' if asked else ''}"


def _asked(python: PythonReader, containers: Containers, bundles: list[int]) -> str:
    """``2 bundles, in all CPU: 4, GPU: 2``; empty: these are no bundles any more, as where their
    memory has become another object's."""
    total: dict[str, float] = {}
    for bundle in bundles:
        if python.objects.kind(bundle) != "dict":
            return ""
        for key, value in python.objects.items(bundle):
            amount = containers.number(value)
            if amount is None and (amount := containers.integer(value)) is None:
                return ""
            name = clean(python.objects.text(key), _MOST_NAME)
            total[name] = total.get(name, 0) + amount
    if not total:
        return ""
    plural = "s" if len(bundles) > 1 else ""
    resources = ", ".join(f"{name}: {total[name]:g}" for name in list(total)[:_MOST_KINDS])
    return f"{len(bundles)} bundle{plural} ({resources} in all)"
