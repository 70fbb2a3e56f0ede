"""What the library of NVIDIA's driver (NVML) says of its GPUs and of the processes on them.

It needs nothing but the standard library, because ``hangtui doctor`` uses it too.
"""

import json
import os
import subprocess
import time
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, Self

from hangtui.backends.gpu import nvml_query
from hangtui.backends.procfs.files import PROC, numbers, text
from hangtui.backends.tools import programs
from hangtui.dataclass import dataclass
from hangtui.model import GpuUse, Notice, Process, Source, clean

_DRIVER = Path("/proc/driver/nvidia/version")
_LIBRARY = "libnvidia-ml.so.1"
_FIX = "docker run --gpus all -e NVIDIA_DRIVER_CAPABILITIES=compute,utility ..."
_DEVICE = "/dev/nvidia"
_INITIAL_PIDS = 0xEFFFFFFC
"""The inode number of the first PID namespace: ``PROC_PID_INIT_INO`` of linux/proc_ns.h."""
_REAP_S = 0.2


@dataclass(frozen=True, slots=True)
class Gpu:
    """One GPU."""

    use: GpuUse
    """What is known of it, whoever uses it."""
    users: Mapping[int, int | None] | None
    """By PID, as the host numbers them: bytes of its memory; None: it is not told who uses it."""
    shares: Mapping[int, float]
    """By PID: how much of the time its code ran there lately; who is not there ran none, or it is
    not told."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What the library says."""

    driver: str
    gpus: tuple[Gpu, ...]
    lost: tuple[str, ...] = ()
    """In words: the GPUs that it cannot reach."""


class NoAnswerError(Exception):
    """There is none; in words, and what to type for one."""

    def __init__(self, reason: str, fix: str | None = None) -> None:
        super().__init__(reason)
        self.reason, self.fix = reason, fix


class Question:
    """A question to the library, asked from here on; a context manager that ends it.

    It is asked in a process of its own: behind a hung driver it may never answer, nor end.

    Raises:
        NoAnswerError: it cannot be asked, or an earlier process still hangs in the driver.
    """

    def __init__(self) -> None:
        stuck = _stuck()
        if stuck is not None:
            raise NoAnswerError(f"process {stuck} asked before and hangs inside the driver")
        self._started = time.monotonic()
        command = programs.small_python(nvml_query.STARTER, str(os.getpid()), _LIBRARY)
        try:
            self._asked = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                cwd="/",
                env=programs.python_environment(),
                start_new_session=True,
            )
        except OSError as error:
            raise NoAnswerError(f"it cannot be asked: {error.strerror}") from error

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._asked.kill()
        if self._asked.stdout:
            self._asked.stdout.close()
        # Not for ever: one that hangs inside of the driver does not even die.
        with suppress(subprocess.TimeoutExpired):
            self._asked.wait(_REAP_S)

    def answer(self, limit_s: float) -> Answer:
        """The answer, at the latest *limit_s* seconds after the question.

        Raises:
            NoAnswerError: there is none.
        """
        try:
            rest = self._started + limit_s - time.monotonic()
            output, _ = self._asked.communicate(timeout=max(0.0, rest))
        except subprocess.TimeoutExpired as error:
            reason = f"the driver gave no answer within {limit_s:g} s: it may hang"
            raise NoAnswerError(reason) from error
        try:
            return _answer(json.loads(output))
        except (ValueError, TypeError, LookupError, AttributeError) as error:
            raise NoAnswerError(f"{_LIBRARY} ended before it had answered") from error


def _stuck() -> int | None:
    """A process that asked and cannot end: one more of them with each capture would do harm."""
    for pid in numbers(PROC):
        with suppress(OSError):
            if f"({nvml_query.NAME}) D " not in (text(PROC / str(pid) / "stat") or ""):
                continue
            # Anybody may call a process so, and let it sleep like that.
            if (PROC / str(pid)).stat().st_uid == os.geteuid():
                return pid
    return None


def _answer(raw: dict[str, Any]) -> Answer:
    status = raw["status"]
    if status == 0:
        lost = (gpu for gpu in raw["gpus"] if gpu["status"] != 0)
        return Answer(
            driver=clean(raw["driver"]),
            gpus=tuple(_gpu(gpu) for gpu in raw["gpus"] if gpu["status"] == 0),
            lost=tuple(f"GPU {int(gpu['index'])} (status {int(gpu['status'])})" for gpu in lost),
        )
    if not _DRIVER.exists():
        raise NoAnswerError("there is no NVIDIA GPU here")
    if status is not None:
        raise NoAnswerError(f"{_LIBRARY} fails with status {int(status)}")
    raise NoAnswerError(f"the GPU's driver is there, but not its {_LIBRARY}", _FIX)


def _gpu(raw: dict[str, Any]) -> Gpu:
    minor, percent, users = raw["minor"], raw["percent"], raw["users"]
    use = GpuUse(
        index=int(raw["index"]),
        name=clean(raw["name"], 60),
        path=None if minor is None else f"{_DEVICE}{int(minor)}",
        busy=None if percent is None else min(int(percent), 100) / 100,
    )
    shares = {pid: min(int(share), 100) / 100 for pid, share in raw.get("shares") or ()}
    return Gpu(use, None if users is None else dict(users), shares)


# -- for a capture --------------------------------------------------------------------------------


def concerns(processes: Iterable[Process]) -> bool:
    """Whether one of *processes* has a GPU open that the library knows."""
    return any(_open_gpus(process) for process in processes)


def with_use(process: Process, answer: Answer) -> Process:
    """*process* with what it uses of the GPUs."""
    if process.around is None or not _open_gpus(process):
        return process
    gpus = tuple(use for gpu in answer.gpus if (use := _use(process, gpu)) is not None)
    return replace(process, around=replace(process.around, gpus=gpus))


def notices(answer: Answer) -> list[Notice]:
    """What the answer leaves open."""
    found = []
    if answer.lost:
        message = f"NVML cannot reach {', '.join(answer.lost)}: its driver or the device may hang"
        found.append(Notice(Source.NVML, message, "dmesg | grep Xid"))
    if answer.gpus and not _same_pids():
        message = (
            "NVML numbers processes as the host does, and hangtui runs in another PID namespace: "
            "how much of a GPU's memory is whose is not known"
        )
        fix = "docker run --pid=host ..., or hostPID: true in the pod's spec"
        found.append(Notice(Source.NVML, message, fix))
    return found


def _open_gpus(process: Process) -> list[str]:
    devices = (process.around.devices if process.around else None) or ()
    return [path for path in devices if path.startswith(_DEVICE)]


def _use(process: Process, gpu: Gpu) -> GpuUse | None:
    """What the process uses of one GPU; None: nothing."""
    if gpu.users is not None and _same_pids():
        if process.pid not in gpu.users:
            return None
        pid = process.pid
        return replace(gpu.use, memory_bytes=gpu.users[pid], own_busy=gpu.shares.get(pid))
    # CUDA opens all GPUs that it sees: that one is open does not say that it is used.
    return gpu.use if gpu.use.path in (None, *_open_gpus(process)) else None


def _same_pids() -> bool:
    """Whether PIDs here are those of the host, which are the driver's."""
    from hangtui.backends.permission import access

    if access.is_gvisor():  # it has PIDs of its own, in what it calls the first namespace
        return False
    try:
        return Path("/proc/self/ns/pid").stat().st_ino == _INITIAL_PIDS
    except OSError:
        return False
