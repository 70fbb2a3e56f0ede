"""Which message a rank waits to send or to receive in PyTorch: the other rank, and the tag; and
which rank it takes for the root of a collective operation that has one."""

from collections.abc import Sequence
from contextlib import suppress

from hangtui.backends.cpython.aio.containers import Containers
from hangtui.backends.cpython.frames import Frame
from hangtui.backends.cpython.reader import PythonReader
from hangtui.backends.facts import Facts
from hangtui.backends.memory.damage import DamagedDataError, MemoryReadError, foreign_data
from hangtui.model import Exchange, NodeId, thread_id

_FILE = "/torch/distributed/distributed_c10d.py"
_MESSAGES = {"send": "dst", "recv": "src"}
"""Functions that wait until a message is through, and what they call the other rank."""
_ROOTED = {"broadcast": "src", "scatter": "src", "gather": "dst", "reduce": "dst"}
"""Those that wait until all have taken part, and what they call the root."""
_CALLS = _MESSAGES | _ROOTED


def add_exchanges(pid: int, python: PythonReader, facts: Facts) -> None:
    """Add those of one process; where no rank talks it costs next to nothing.

    Raises:
        BudgetSpentError: too many objects of this process were looked at.
    """
    containers = Containers(python.objects, python.codes)
    for tid, frames in python.stacks.items():
        inside = [frame for frame in frames if frame.code.filename.endswith(_FILE)]
        start = next((i for i, one in enumerate(inside) if one.code.bare_name in _CALLS), None)
        if start is not None:
            with suppress(DamagedDataError, MemoryReadError), foreign_data():
                facts.exchanges.append(_of(thread_id(pid, tid), inside[start:], python, containers))


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
