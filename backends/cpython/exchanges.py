"""Which message a rank waits to send or to receive in PyTorch: the other rank, and the tag; which
rank it takes for the root of a collective operation that has one; and of which group that is."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace

from hangtui.backends.cpython.aio.containers import Containers
from hangtui.backends.cpython.frames import Frame
from hangtui.backends.cpython.reader import PythonReader
from hangtui.backends.facts import Facts
from hangtui.backends.memory.damage import DamagedDataError, MemoryReadError, foreign_data
from hangtui.model import Exchange, NodeId, thread_id

_MODULE, _FILE = "torch.distributed.distributed_c10d", "/torch/distributed/distributed_c10d.py"
_MESSAGES = {"send": "dst", "recv": "src"}
"""Functions that wait until a message is through, and what they call the other rank."""
_ROOTED = {"broadcast": "src", "scatter": "src", "gather": "dst", "reduce": "dst"}
"""Those that wait until all have taken part, and what they call the root."""
_CALLS = _MESSAGES | _ROOTED
_GROUP = "group"
"""What all functions call the process group in which they work."""
_MOST_RANKS = 10_000


def add_exchanges(pid: int, python: PythonReader, facts: Facts) -> None:
    """Add those of one process; where no rank talks it costs next to nothing.

    Raises:
        BudgetSpentError: too many objects of this process were looked at.
    """
    containers = Containers(python.objects, python.codes)
    for tid, frames in python.stacks.items():
        inside = [frame for frame in frames if frame.code.filename.endswith(_FILE)]
        start = next((i for i, one in enumerate(inside) if one.code.bare_name in _CALLS), None)
        if start is None and not any(map(_is_call, inside)):
            continue
        with suppress(DamagedDataError, MemoryReadError), foreign_data():
            if start is None:
                name = next(filter(_is_call, inside)).code.bare_name
                found = Exchange(thread_id(pid, tid), name, None, None)
            else:
                found = _of(thread_id(pid, tid), inside[start:], python, containers)
            facts.exchanges.append(_in_its_group(found, inside, python, containers))


def _is_call(frame: Frame) -> bool:
    return not frame.code.bare_name.startswith("_") and _GROUP in frame.code.variables


def _in_its_group(
    found: Exchange, frames: Sequence[Frame], python: PythonReader, containers: Containers
) -> Exchange:
    """The same with the group that the call was given, or the job's own."""
    frame, module = next(filter(_is_call, frames), None), python.module(_MODULE)
    if frame is None or not module:
        return found
    objects = python.objects
    group = python.frames.variables(frame).get(_GROUP, 0)
    if objects.kind(group) in (None, "NoneType"):
        group = objects.attributes(module.get("_world", 0)).get("_default_pg", 0)
    ranks, name = (
        _of_group(module, kept, group, python) for kept in ("_pg_group_ranks", "_pg_names")
    )
    if not ranks or not name or containers.dict_size(ranks) > _MOST_RANKS:
        return found
    numbers = [containers.integer(key) for key, _ in objects.items(ranks)]
    members = tuple(sorted(number for number in numbers if number is not None))
    if objects.kind(name) != "str" or len(members) < len(numbers):
        return found
    return replace(found, group=objects.text(name), members=members)


def _of_group(module: Mapping[str, int], kept: str, group: int, python: PythonReader) -> int:
    """What torch keeps of a group under the name of a dictionary; 0: nothing."""
    known, objects = module.get(kept, 0), python.objects
    if objects.kind(known) != "dict":
        return 0
    return next((value for key, value in objects.items(known) if key == group), 0)


def _of(
    thread: NodeId, frames: Sequence[Frame], python: PythonReader, containers: Containers
) -> Exchange:
    operation, variables = frames[0].code.bare_name, python.frames.variables(frames[0])
    named = _CALLS[operation]
    peer = containers.integer(variables.get(named, 0))
    tag = containers.integer(variables.get("tag", 0)) if operation in _MESSAGES else None
    if peer is None:
        # What sends objects gives its own operations the number within their group.
        others = (python.frames.variables(frame).get(named, 0) for frame in frames[1:])
        peer = next((n for one in others if (n := containers.integer(one)) is not None), None)
    return Exchange(thread, operation, peer, tag)
