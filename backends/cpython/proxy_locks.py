"""Locks of a manager of multiprocessing that threads have taken through a proxy.

The lock lies in the manager's process, where no stack shows who has it: a thread there took it for
a client, and serves on. The client is inside a ``with`` on the proxy, which names the lock by its
address there (Lib/multiprocessing/managers.py).
"""

from collections.abc import Iterator

from hangtui.backends.cpython.frames import Frame
from hangtui.backends.cpython.reader import PythonReader
from hangtui.backends.cpython.with_blocks import WithBlock
from hangtui.backends.ipc.peer import ProxyLock
from hangtui.backends.limits import BudgetSpentError
from hangtui.backends.memory.damage import DamagedDataError, MemoryReadError, foreign_data

_PROXIES = frozenset({"AcquirerProxy", "ConditionProxy"})
_MODULE = "multiprocessing.managers."


def proxy_locks(python: PythonReader) -> tuple[ProxyLock, ...]:
    """Those that threads are inside of a ``with`` on. Never raises."""
    try:
        with foreign_data():
            return tuple(_entered(python))
    except (BudgetSpentError, DamagedDataError):
        return ()


def _entered(python: PythonReader) -> Iterator[ProxyLock]:
    for tid, frames in python.stacks.items():
        for frame in frames:
            for block in python.blocks.of(frame):
                if python.objects.kind(block.manager) in _PROXIES:
                    yield from _of(tid, frame, block, python)


def _of(
    tid: int, frame: Frame, block: WithBlock, python: PythonReader
) -> Iterator[ProxyLock]:  # fmt: skip
    objects = python.objects
    try:
        if not objects.qualified_type(block.manager).startswith(_MODULE):
            return
        known = objects.attributes(block.manager)
        texts = [
            objects.text(value)
            for _, value in python.references.referents(known.get("_token", 0))
            if objects.kind(value) == "str"
        ]
        address = int(objects.text(known["_id"]), 16)
    except (KeyError, ValueError, MemoryReadError):
        return
    line = f"{frame.code.file}:{block.line}" if block.line else frame.place
    path = next((text for text in texts if text.startswith("/")), None)
    if path is not None:
        yield ProxyLock(tid, address, path, line, frame.code.function)
