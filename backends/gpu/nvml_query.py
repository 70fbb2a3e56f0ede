"""Asks the NVIDIA driver who uses which GPU, and prints it as JSON: a program of its own.

`hangtui.backends.gpu.nvml` starts it as ``python -I -S -c ...``. It imports little, so that it
starts quickly. Names, numbers and layouts are those of nvml.h, which comes with the driver.
"""

import ctypes
import json
import signal
import time
from ctypes import byref, c_uint, c_ulonglong, c_void_p
from typing import Any

from hangtui.backends.linux import die_with_parent

STARTER = (
    "import sys; sys.path.insert(0, sys.argv[1]); "
    "from hangtui.backends.gpu.nvml_query import main; "
    "main(int(sys.argv[2]), sys.argv[3])"
)
NAME = "hangtui-nvml"
"""What the kernel calls a process that asks."""
_PR_SET_NAME = 15
"""linux/prctl.h"""
_MISSING_FUNCTION = 13
"""``NVML_ERROR_FUNCTION_NOT_FOUND``."""
_NOT_AVAILABLE = 2**64 - 1
"""``NVML_VALUE_NOT_AVAILABLE``: the driver does not know how much memory it is."""
_MOST_PROCESSES = 4096
_LATELY_S = 2.0
"""The driver takes a sample of each process about six times a second, or once."""
_TEXT = 96
"""``NVML_DEVICE_NAME_V2_BUFFER_SIZE``; enough for the driver's version as well."""
_VERSIONS = ("_v2", "_v3")
"""Both fill `_ProcessInfo`, but early drivers 535 gave entries of ``_v3`` a field more."""


class _ProcessInfo(ctypes.Structure):
    _fields_ = (
        ("pid", c_uint),
        ("memory", c_ulonglong),
        ("gpu_instance", c_uint),
        ("compute_instance", c_uint),
    )


class _Utilisation(ctypes.Structure):
    _fields_ = (("gpu", c_uint), ("memory", c_uint))


class _Sample(ctypes.Structure):
    """``nvmlProcessUtilizationSample_t``"""

    _fields_ = (
        ("pid", c_uint),
        ("time", c_ulonglong),
        ("multiprocessors", c_uint),
        ("memory", c_uint),
        ("encoder", c_uint),
        ("decoder", c_uint),
    )


class _Library:
    """The driver's library; a function that it does not have fails like the others do."""

    def __init__(self, name: str) -> None:
        self._library = ctypes.CDLL(name)

    def call(self, function: str, *arguments: Any) -> int:
        """The function's status; 0: it succeeded."""
        found = getattr(self._library, function, None)
        return _MISSING_FUNCTION if found is None else int(found(*arguments))

    def text(self, function: str, *arguments: Any) -> str:
        """What a function writes into a buffer; empty if it fails."""
        buffer = ctypes.create_string_buffer(_TEXT)
        failed = self.call(function, *arguments, buffer, c_uint(_TEXT))
        return "" if failed else buffer.value.decode("utf-8", "replace")

    def number(self, function: str, *arguments: Any) -> int | None:
        """What a function writes into an ``unsigned int``; None if it fails."""
        found = c_uint()
        return None if self.call(function, *arguments, byref(found)) else found.value


def answer(name: str) -> dict[str, Any]:
    """All that is asked of the library *name*.

    ``status`` is that of the start, null where there is no library; behind 0 there are ``driver``
    and ``gpus``, each of which has its own ``status``.
    """
    try:
        library = _Library(name)
    except OSError:
        return {"status": None}
    status = library.call("nvmlInit_v2")
    if status:
        return {"status": status}
    count = library.number("nvmlDeviceGetCount_v2") or 0
    return {
        "status": 0,
        "driver": library.text("nvmlSystemGetDriverVersion"),
        "gpus": [_gpu(library, index) for index in range(count)],
    }


def _gpu(library: _Library, index: int) -> dict[str, Any]:
    device = c_void_p()
    status = library.call("nvmlDeviceGetHandleByIndex_v2", c_uint(index), byref(device))
    if status:
        return {"index": index, "status": status}
    rates = _Utilisation()
    unknown = library.call("nvmlDeviceGetUtilizationRates", device, byref(rates))
    return {
        "index": index,
        "status": 0,
        "name": library.text("nvmlDeviceGetName", device),
        "minor": library.number("nvmlDeviceGetMinorNumber", device),
        "percent": None if unknown else rates.gpu,
        "users": _users(library, device),
        "shares": _shares(library, device),
    }


def _shares(library: _Library, device: c_void_p) -> list[tuple[int, int]] | None:
    """PID and percentage of the time in which its code ran, of processes that ran some lately."""
    samples, count = (_Sample * _MOST_PROCESSES)(), c_uint(_MOST_PROCESSES)
    since = c_ulonglong(int((time.time() - _LATELY_S) * 1e6))
    if library.call("nvmlDeviceGetProcessUtilization", device, samples, byref(count), since):
        return None
    latest = sorted(samples[: min(count.value, _MOST_PROCESSES)], key=lambda one: one.time)
    return list({one.pid: one.multiprocessors for one in latest if one.time}.items())


def _users(library: _Library, device: c_void_p) -> list[tuple[int, int | None]] | None:
    """PID and bytes of memory of each process that uses the device; None if nothing tells."""
    compute, graphics = (_listed(library, device, kind) for kind in ("Compute", "Graphics"))
    if compute is None and graphics is None:
        return None
    # A process that does both is in both lists, with the same memory.
    return list({**(graphics or {}), **(compute or {})}.items())


def _listed(library: _Library, device: c_void_p, kind: str) -> dict[int, int | None] | None:
    for version in _VERSIONS:
        entries, count = (_ProcessInfo * _MOST_PROCESSES)(), c_uint(_MOST_PROCESSES)
        function = f"nvmlDeviceGet{kind}RunningProcesses{version}"
        if library.call(function, device, byref(count), entries) == 0:
            return _by_pid(entries[: count.value])
    return None


def _by_pid(entries: list[_ProcessInfo]) -> dict[int, int | None]:
    """The memory of each; a process has an entry for each part of a divided GPU that it uses."""
    found: dict[int, int | None] = {}
    for entry in entries:
        if entry.memory == _NOT_AVAILABLE:
            found[entry.pid] = None
        else:
            found[entry.pid] = (found.get(entry.pid, 0) or 0) + entry.memory
    return found


def main(parent: int, library: str) -> None:
    """Print what *library* answers; *parent*: the PID of the process that asks."""
    if not die_with_parent(parent, signal.SIGKILL):
        return
    ctypes.CDLL(None).prctl(_PR_SET_NAME, NAME.encode())
    print(json.dumps(answer(library)))  # noqa: T201  the answer
