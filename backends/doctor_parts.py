"""Two checks of ``hangtui doctor`` that ask the kernel and the GPU's driver."""

import re

from hangtui.backends import container, credentials
from hangtui.backends.container import Engine
from hangtui.backends.nvml import NoAnswerError, Question
from hangtui.backends.procfile import PROC, link
from hangtui.model import clean
from hangtui.model.checkup import Ability, Check

_CORE_LIMIT = re.compile(r"^Max core file size\s+(\S+)\s+(\S+)", re.MULTILINE)
_PATTERN = PROC / "sys/kernel/core_pattern"
_NVML_LIMIT_S = 10


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
    """Whether the library answers that tells who uses an NVIDIA GPU."""
    try:
        with Question() as question:
            answer = question.answer(_NVML_LIMIT_S)
    except NoAnswerError as error:
        return Check(Ability.NVML, False, error.reason, error.fix)
    count = len(answer.gpus)
    reason = f"{count} GPU{'' if count == 1 else 's'}, driver {answer.driver}"
    if answer.lost:
        reason += f"; it cannot reach {', '.join(answer.lost)}"
    return Check(Ability.NVML, True, reason)
