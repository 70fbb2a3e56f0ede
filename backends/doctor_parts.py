"""Two checks of ``hangtui doctor`` that ask the kernel and the GPU's driver."""

import re
import subprocess
import sys
from pathlib import Path

from hangtui.backends import container, credentials
from hangtui.backends.container import Engine
from hangtui.backends.procfile import PROC, link
from hangtui.model import clean
from hangtui.model.checkup import Ability, Check

_CORE_LIMIT = re.compile(r"^Max core file size\s+(\S+)\s+(\S+)", re.MULTILINE)
_PATTERN = PROC / "sys/kernel/core_pattern"
_NVIDIA = Path("/proc/driver/nvidia/version")
_NVML_LIMIT_S = 10
_NVML = """
import ctypes
library = ctypes.CDLL("libnvidia-ml.so.1")
status = library.nvmlInit_v2()
count = ctypes.c_uint()
version = ctypes.create_string_buffer(96)
if not status:
    library.nvmlDeviceGetCount_v2(ctypes.byref(count))
    library.nvmlSystemGetDriverVersion(version, 96)
print(status, count.value, version.value.decode())
"""


def core(pid: int) -> Check:
    """Whether a crash of the process leaves a core file, and where."""
    try:
        limits = (PROC / str(pid) / "limits").read_text(errors="replace")
        pattern = _PATTERN.read_text(errors="replace").strip()
        dumpable = credentials.read(pid).dumpable
    except (OSError, KeyError, ValueError):
        return Check(Ability.CORE, False, "its limits cannot be read")
    found = _CORE_LIMIT.search(limits)
    soft, hard = (found[1], found[2]) if found else ("?", "?")
    if not dumpable:
        reason = "it is not dumpable, so the kernel writes no core of it"
        return Check(Ability.CORE, False, reason, "sysctl fs.suid_dumpable=2   (on the host)")
    if pattern.startswith("|"):
        return _piped(pattern)
    if soft == "0":
        return Check(Ability.CORE, False, "its core file size limit is 0", _raise_limit(pid, hard))
    place = pattern if pattern.startswith("/") else f"{link(PROC / str(pid) / 'cwd')}/{pattern}"
    size = "" if soft == "unlimited" else f", cut off at {soft} bytes"
    return Check(Ability.CORE, True, f"a crash writes {clean(place)}{size}")


def _piped(pattern: str) -> Check:
    """A program on the host takes the core, whatever the limit says."""
    program = clean(pattern[1:].partition(" ")[0])
    fix = "on the host: coredumpctl dump" if "systemd" in program else None
    return Check(Ability.CORE, True, f"a crash is handed to {program} on the host", fix)


def _raise_limit(pid: int, hard: str) -> str:
    if hard != "0":
        return f"prlimit --pid {pid} --core={hard}"
    if container.place().engine in (Engine.DOCKER, Engine.PODMAN, Engine.OTHER):
        return "start it with: docker run --ulimit core=-1"
    return f"sudo prlimit --pid {pid} --core=unlimited"


def nvml() -> Check:
    """Whether the library answers that tells who uses an NVIDIA GPU.

    It is asked in a process of its own: behind a hung driver it may never answer.
    """
    try:
        done = subprocess.run(
            [sys.executable, "-c", _NVML],
            capture_output=True,
            text=True,
            timeout=_NVML_LIMIT_S,
            start_new_session=True,
        )
    except subprocess.TimeoutExpired:
        return _no_nvml(f"the driver gave no answer within {_NVML_LIMIT_S} s: it may hang")
    except OSError as error:
        return _no_nvml(f"it cannot be asked: {error.strerror}")
    words = done.stdout.split(None, 2)
    if done.returncode == 0 and len(words) == 3 and words[0] == "0":
        plural = "" if words[1] == "1" else "s"
        return Check(
            Ability.NVML, True, f"{words[1]} GPU{plural}, driver {clean(words[2].strip())}"
        )
    if not _NVIDIA.exists():
        return _no_nvml("there is no NVIDIA GPU here")
    if words:
        return _no_nvml(f"libnvidia-ml.so.1 fails with status {clean(words[0])}")
    fix = "docker run --gpus all -e NVIDIA_DRIVER_CAPABILITIES=compute,utility ..."
    return _no_nvml("the GPU's driver is there, but not its libnvidia-ml.so.1", fix)


def _no_nvml(reason: str, fix: str | None = None) -> Check:
    return Check(Ability.NVML, False, reason, fix)
