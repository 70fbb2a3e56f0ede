"""Checks of ``hangtui doctor``: what the kernel, the GPU's driver and a process itself let see."""

import re

from hangtui.backends.capture.visibility import Visibility
from hangtui.backends.elf.images import Images
from hangtui.backends.gpu.nvml import NoAnswerError, Question
from hangtui.backends.limits import ASKED, MANY, Limits
from hangtui.backends.memory.process_memory import ProcessMemory
from hangtui.backends.permission import access, credentials
from hangtui.backends.process import container
from hangtui.backends.process.container import Engine
from hangtui.backends.process.processes import counters
from hangtui.backends.procfs.files import PROC, link, tids_inside
from hangtui.model import Gap, TargetError, clean
from hangtui.model.checkup import Ability, Check

_CORE_LIMIT = re.compile(r"^Max core file size\s+(\S+)\s+(\S+)", re.MULTILINE)
_PATTERN = PROC / "sys/kernel/core_pattern"
_NVML_LIMIT_S = 10


def sight(pid: int) -> Check:
    """Whether all is read of the process that an all-clear needs."""
    return _visibility(pid, ASKED, thorough=True)


def glance(pid: int) -> Check:
    """The same of one of many, of which the interpreter is found, and not read."""
    return _visibility(pid, MANY, thorough=False)


def _visibility(pid: int, limits: Limits, *, thorough: bool) -> Check:
    refused = access.refusal(pid)
    if refused:
        return Check(Ability.CHECK, False, "the same right as memory", refused.fix)
    try:
        with ProcessMemory(pid, limits) as memory, memory.spent.clock():
            gaps = _gaps(pid, memory, thorough=thorough)
    except TargetError as error:
        return Check(Ability.CHECK, False, f"not read: {error.message}", error.fix)
    if not gaps:
        reason = "Python stacks, locks and the GIL are read: an all-clear can be given"
        return Check(Ability.CHECK, True, reason)
    said = "; ".join(f"{gap.what} ({gap.reason})" for gap in gaps)
    return Check(Ability.CHECK, False, f"not read: {said}")


def _gaps(pid: int, memory: ProcessMemory, *, thorough: bool) -> list[Gap]:
    seen = Visibility(pid)
    if not seen.is_foreign(memory):
        seen.is_emulated(memory)
        images = Images(memory)
        if thorough:
            seen.python(memory, images, tids_inside(pid))
        else:
            seen.find_python(memory, images)
        seen.knows_library(memory)
        seen.counts_runs(counters(pid, (pid,)).values())  # one tells what the kernel counts
    bounds = (Gap(what, said) for what, (_, said) in memory.spent.reached.items())
    return [*seen.gaps, *bounds]


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
        reason = "it is not dumpable, so the kernel writes no core file for it"
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
