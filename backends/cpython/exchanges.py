"""Which message a rank waits to send or to receive in PyTorch: the other rank, and the tag."""

from contextlib import suppress

from hangtui.backends.cpython.aio.containers import Containers
from hangtui.backends.cpython.frames import Frame
from hangtui.backends.cpython.reader import PythonReader
from hangtui.backends.facts import Facts
from hangtui.backends.memory.damage import DamagedDataError, MemoryReadError, foreign_data
from hangtui.model import Exchange, NodeId, thread_id

_FILE = "/torch/distributed/distributed_c10d.py"
_CALLS = {"send": "dst", "recv": "src"}
"""Functions that wait until a message is through, and what they call the other rank."""


def add_exchanges(pid: int, python: PythonReader, facts: Facts) -> None:
    """Add those of one process; where no rank talks it costs next to nothing.

    Raises:
        BudgetSpentError: too many objects of this process were looked at.
    """
    containers = Containers(python.objects, python.codes)
    for tid, frames in python.stacks.items():
        for frame in frames:
            if frame.code.bare_name in _CALLS and frame.code.filename.endswith(_FILE):
                with suppress(DamagedDataError, MemoryReadError), foreign_data():
                    facts.exchanges.append(_of(thread_id(pid, tid), frame, python, containers))
                break


def _of(thread: NodeId, frame: Frame, python: PythonReader, containers: Containers) -> Exchange:
    operation, variables = frame.code.bare_name, python.frames.variables(frame)
    peer = containers.integer(variables.get(_CALLS[operation], 0))
    tag = containers.integer(variables.get("tag", 0))
    return Exchange(thread, operation, peer, tag)
