"""Placement groups of Ray that a function has in its variables while it waits for a plain task.

``group.ready()`` returns the reference of a task that Ray itself places into the group. What that
task is only Ray knows; but who waits for it has the group at hand.
"""

from collections.abc import Sequence

from hangtui.backends.cpython.aio.containers import Containers
from hangtui.backends.cpython.aio.coroutines import runs
from hangtui.backends.cpython.application import application_frame
from hangtui.backends.cpython.frames import Frame
from hangtui.backends.cpython.reader import PythonReader
from hangtui.model import clean

FILE = "/ray/util/placement_group.py"
_CLASS, _WAIT = "PlacementGroup", "wait"
_DEPTH = 3
"""Frames in which Ray waits for one itself, at most."""
_MOST_KINDS, _MOST_BUNDLES, _MOST_NAME = 5, 10_000, 60


def group_at_hand(
    python: PythonReader, containers: Containers, frame: Frame, asked: str | None
) -> str | None:
    """The placement group that a frame's statement asks whether it is ready, in words; *asked*:
    its variable. Where the code makes no remote calls, the only one in its variables. None: there
    is none, or more than one."""
    names = frame.code.names
    if asked is None and ("ready" not in names or "remote" in names):
        return None
    found = [
        (name, value)
        for name, value in python.frames.variables(frame).items()
        if asked in (None, name) and python.objects.kind(value) == _CLASS
    ]
    if len(found) != 1:
        return None
    return told_group(python, containers, *found[0])


def group_waited(frames: Sequence[Frame], python: PythonReader) -> tuple[int, str] | None:
    """The placement group in whose method ``wait`` a thread is, and the variable that the
    application has it in, if it has: an empty name else."""
    inside = next((f for f in frames[:_DEPTH] if runs(f, _WAIT, FILE)), None)
    group = python.frames.variables(inside).get("self", 0) if inside else 0
    if not group or python.objects.kind(group) != _CLASS:
        return None
    own = application_frame(frames)
    known = python.frames.variables(own) if own is not None else {}
    return group, next((name for name, value in known.items() if value == group), "")


def told_group(python: PythonReader, containers: Containers, name: str, value: int) -> str:
    """``placement group `pg` of 2 bundles (CPU: 4 in all)``"""
    bundles = containers.sequence(python.objects.attributes(value).get("bundle_cache", 0))
    asked = _asked(python, containers, bundles[:_MOST_BUNDLES])
    named = f" `{clean(name, _MOST_NAME)}`" if name else ""
    return f"placement group{named}{f' of {asked}' if asked else ''}"


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
