"""PyTorch's remote calls: which worker a thread waits for that is inside of ``rpc_sync``, and which
function that is to run. Both are arguments of torch's own function. The names of all workers are in
its module; its own one a worker has in the function in which it waits until all are through."""

from contextlib import suppress

from hangtui.backends.cpython.aio.containers import Containers
from hangtui.backends.cpython.application import application_place
from hangtui.backends.cpython.frames import Frame
from hangtui.backends.cpython.objects import Objects
from hangtui.backends.cpython.reader import PythonReader
from hangtui.backends.cpython.torch_stores import text_at
from hangtui.backends.facts import Facts
from hangtui.backends.memory.damage import DamagedDataError, MemoryReadError, foreign_data
from hangtui.model import RemoteCall, RpcWorker, clean, thread_id

_CALL, _FILE = "rpc_sync", "/torch/distributed/rpc/api.py"
_MODULE, _NAMES = "torch.distributed.rpc.api", "_ALL_WORKER_NAMES"
_ROOM = "/torch/distributed/rpc/"
_GATHERS, _OWN_NAME = "_all_gather", "self_name"
_WORKER, _FIELDS = "WorkerInfo", range(16, 48, 8)
"""Where it may have its name: behind the table of its functions, and one or two counts."""
_MOST_NAME, _MOST_WORKERS = 100, 10_000


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
            to = _asked(python.objects, variables.get("to", 0))
            name = python.objects.function_name(variables.get("func", 0))
            if to is None or name is None:
                continue
            timeout = variables.get("timeout", 0)
            endless = 0 in (containers.number(timeout), containers.integer(timeout))
            known = clean(to, _MOST_NAME), clean(name, _MOST_NAME)
            facts.remote_calls.append(
                RemoteCall(thread_id(pid, tid), *known, place, expires=not endless)
            )


def add_rpc_worker(pid: int, python: PythonReader, facts: Facts) -> None:
    """Add what the process is in its job, if a thread is in a function of these calls.

    Raises:
        BudgetSpentError: too many objects of this process were looked at.
    """
    inside = [frame for frames in python.stacks.values() for frame in frames if _is_of_rpc(frame)]
    if not inside:
        return
    objects = python.objects
    containers = Containers(objects, python.codes)
    with suppress(DamagedDataError, MemoryReadError), foreign_data():
        known = containers.set_items(python.module(_MODULE).get(_NAMES, 0))
        names = tuple(sorted({_name(python, one) for one in known[:_MOST_WORKERS]}))
        own = next((frame for frame in inside if frame.code.bare_name == _GATHERS), None)
        value = python.frames.variables(own).get(_OWN_NAME, 0) if own else 0
        name = _name(python, value) if value else None
        if names:
            facts.rpc_workers.append(RpcWorker(pid, name if name in names else None, names))


def _asked(objects: Objects, to: int) -> str | None:
    """The name of the worker that a call is given, be it as an object of C++ that has it."""
    kind = objects.kind(to) or ""
    if kind == "str":
        return objects.text(to)
    if kind.rpartition(".")[2] != _WORKER:
        return None
    worker = objects.memory.u64(to + objects.layout.header)
    if not worker or worker & 7:
        return None
    return next(filter(None, (text_at(objects, worker + one) for one in _FIELDS)), None)


def _name(python: PythonReader, address: int) -> str:
    if python.objects.kind(address) != "str":
        raise MemoryReadError("no name")
    return clean(python.objects.text(address), _MOST_NAME)


def _is_of_rpc(frame: Frame) -> bool:
    return _ROOM in frame.code.filename


def _calls(frame: Frame) -> bool:
    return frame.code.bare_name == _CALL and frame.code.filename.endswith(_FILE)
