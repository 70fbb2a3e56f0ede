"""Which keys a call of a store of PyTorch was given: they lie on the value stack of the Python
frame that made it, behind the store."""

from collections.abc import Sequence
from contextlib import suppress
from itertools import pairwise

from hangtui.backends.cpython.aio.containers import Containers
from hangtui.backends.cpython.reader import PythonReader
from hangtui.backends.facts import Facts
from hangtui.backends.memory.damage import DamagedDataError, MemoryReadError, foreign_data
from hangtui.model import StoreKeys, clean, thread_id

_TORCH = "torch.distributed.distributed_c10d"
_STORES = frozenset({"TCPStore", "PrefixStore", "FileStore", "HashStore"})
_WAITING = frozenset({"get", "multi_get", "wait"})
"""Methods that wait until a key is set."""
_MOST_KEYS, _MOST_TEXT = 20, 200


def add_store_keys(pid: int, python: PythonReader, facts: Facts) -> None:
    """Add those of one process; where no thread is in such a call it costs next to nothing.

    Raises:
        BudgetSpentError: too many objects of this process were looked at.
    """
    if not python.module(_TORCH):
        return
    containers = Containers(python.objects, python.codes)
    for tid, frames in python.stacks.items():
        if not frames or _WAITING.isdisjoint(frames[0].code.names):
            continue
        with suppress(DamagedDataError, MemoryReadError), foreign_data():
            keys = _keys(python.frames.stack_slots(frames[0]), python, containers)
            if keys:
                facts.store_keys.append(StoreKeys(thread_id(pid, tid), keys))


def _keys(slots: Sequence[int], python: PythonReader, containers: Containers) -> tuple[str, ...]:
    """What lies behind the lowest store, or method of one: what is above may be left from earlier
    calls."""
    objects = python.objects
    for slot, given in pairwise(slots):
        if not slot or not given:
            continue
        owners = (slot, objects.bound_to(slot))
        if not any(one and _is_store(objects.kind(one) or "") for one in owners):
            continue
        texts = [given] if objects.kind(given) == "str" else containers.sequence(given)
        if texts and all(objects.kind(one) == "str" for one in texts[:_MOST_KEYS]):
            return tuple(clean(objects.text(one), _MOST_TEXT) for one in texts[:_MOST_KEYS])
    return ()


def _is_store(kind: str) -> bool:
    return kind.rpartition(".")[2] in _STORES
