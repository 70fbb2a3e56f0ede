"""PyTorch's remote calls: which worker a thread waits for that is inside of ``rpc_sync``, and which
function that is to run. Both are arguments of torch's own function."""

from contextlib import suppress

from hangtui.backends.cpython.aio.containers import Containers
from hangtui.backends.cpython.application import application_place
from hangtui.backends.cpython.frames import Frame
from hangtui.backends.cpython.reader import PythonReader
from hangtui.backends.facts import Facts
from hangtui.backends.memory.damage import DamagedDataError, MemoryReadError, foreign_data
from hangtui.model import RemoteCall, clean, thread_id

_CALL, _FILE = "rpc_sync", "/torch/distributed/rpc/api.py"
_MOST_NAME = 100


def add_remote_calls(pid: int, python: PythonReader, facts: Facts) -> None:
    """Add the calls that threads wait for.

    Raises:
        BudgetSpentError: too many objects of this process were looked at.
    """
    containers = Containers(python.objects, python.codes)
    for tid, frames in python.stacks.items():
        frame = next((frame for frame in frames if _calls(frame)), None)
        place = application_place(frames)
        if frame is None or place is None:
            continue
        with suppress(DamagedDataError, MemoryReadError), foreign_data():
            variables = python.frames.variables(frame)
            to, function = variables.get("to", 0), variables.get("func", 0)
            name = python.objects.function_name(function)
            if python.objects.kind(to) != "str" or name is None:
                continue
            timeout = variables.get("timeout", 0)
            endless = 0 in (containers.number(timeout), containers.integer(timeout))
            known = clean(python.objects.text(to), _MOST_NAME), clean(name, _MOST_NAME)
            facts.remote_calls.append(
                RemoteCall(thread_id(pid, tid), *known, place, expires=not endless)
            )


def _calls(frame: Frame) -> bool:
    return frame.code.bare_name == _CALL and frame.code.filename.endswith(_FILE)
