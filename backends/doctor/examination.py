"""Finds out what works here, and with a process: the checks behind ``hangtui doctor``.

It needs nothing but the standard library, and parts of that may be missing: in a slim image it is
what tells what else is.
"""

import contextlib
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from hangtui.backends.doctor.checks import core, glance, nvml, sight
from hangtui.backends.permission import access, credentials
from hangtui.backends.process import container, discovery
from hangtui.backends.process.container import Engine
from hangtui.backends.procfs import secrets
from hangtui.backends.procfs.files import PROC, raw_cmdline, status_of
from hangtui.backends.tools import programs
from hangtui.model import TargetError, clean
from hangtui.model.checkup import Ability, Check, Checkup

_START_LIMIT_S = 20
_HIDDEN = re.compile(
    r"^\S++ \S++ \S++ \S++ /proc (?:(?! - ).)*+ - proc (?:(?!hidepid=).)*+hidepid=(?!0|off)(\w++)",
    re.MULTILINE,
)
_VERSION = re.compile(r"\d{1,9}+\.\d{1,9}+(\.\d{1,9}+)?")


def examine(pid: int | None) -> Checkup:
    """Everything about one process, or about all Python processes that are seen.

    Raises:
        TargetError: there is no such process.
    """
    if pid is not None and not (PROC / str(pid)).is_dir():
        fix = "hangtui doctor   (without a PID: all that can be seen)"
        raise TargetError(f"no process {pid}", fix)
    pids = discovery.python_pids() if pid is None else [pid]
    memory = _each(Ability.MEMORY, pids, _memory)
    sighted = _each(Ability.CHECK, pids, glance if pid is None else sight)
    stop = _each(Ability.STOP, pids, _stop)
    return Checkup(
        place=str(container.place()),
        rights=_rights(),
        pid=pid,
        title=_title(pid) if pid is not None else _count(len(pids)),
        checks=(
            _list(pid, pids),
            memory,
            sighted,
            stop,
            _gdb(stop),
            _pyspy(memory),
            _each(Ability.CORE, pids, core),
            nvml(),
        ),
    )


def _title(pid: int) -> str:
    words = ""
    with contextlib.suppress(OSError):
        words = " ".join(map(clean, secrets.mask(raw_cmdline(PROC / str(pid)))[:3]))
    return f"process {pid}" + (f" ({words[:60]})" if words else "")


def _count(number: int) -> str:
    return "1 Python process" if number == 1 else f"{number} Python processes"


def _rights() -> str:
    """Who we are, in words."""
    ours = credentials.read("self")
    user = "root" if ours.uids[1] == 0 else f"user {ours.uids[1]}"
    held = "with" if ours.may(credentials.SYS_PTRACE) else "without"
    said = [f"{user} {held} CAP_SYS_PTRACE"]
    if ours.no_new_privs:
        said.append("no_new_privs (sudo gives nothing)")
    if ours.filtered:
        said.append("a seccomp filter")
    if ours.label:
        said.append(f"confined as {ours.label}")
    scope = access.yama_scope()
    if scope:
        said.append(f"Yama ptrace_scope {scope}")
    if access.is_gvisor():
        said.append("gVisor instead of a Linux kernel")
    return ", ".join(said)


def _each(ability: Ability, pids: list[int], check: Callable[[int], Check]) -> Check:
    """One answer for all processes: yes if it works for some of them; the first that says no
    speaks for those that do."""
    answers: dict[int, Check] = {}
    for pid in pids:
        with contextlib.suppress(OSError, LookupError, ValueError):  # it has ended meanwhile
            if (PROC / str(pid)).is_dir():
                answers[pid] = check(pid)
    if not answers:
        return Check(ability, False, "no Python process can be seen to try it on")
    refused = {pid: answer for pid, answer in answers.items() if not answer.works}
    if len(answers) == 1 or not refused:
        return next(iter((refused or answers).values()))
    pid, first = next(iter(refused.items()))
    able = len(answers) - len(refused)
    reason = f"for {able or 'none'} of {len(answers)} processes; not for {pid}: {first.reason}"
    return Check(ability, able > 0, reason, first.fix)


# -- one ability each -----------------------------------------------------------------------------


def _list(pid: int | None, pids: list[int]) -> Check:
    seen = pids if pid is None else discovery.python_pids()
    hidden = _HIDDEN.search(_mounts())
    if hidden and os.geteuid() != 0:
        reason = f"/proc hides the processes of other users (hidepid={hidden[1]})"
        return Check(Ability.LIST, False, reason, "sudo hangtui")
    if seen:
        return Check(Ability.LIST, True, f"{_count(len(seen))} can be seen")
    if pid is not None:
        return Check(Ability.LIST, True, "it can be seen, though its program is not called python")
    here = container.place()
    reason = "no Python process can be seen but this one"
    fixes = {
        None: None,
        Engine.KUBERNETES: f"kubectl debug -it {here.name} --image=hangtui --target=CONTAINER "
        "--profile=general   (or in the pod's YAML: shareProcessNamespace: true)",
        Engine.PODMAN: "podman run --rm -it --pid container:NAME hangtui",
    }
    fallback = "docker run --rm -it --pid container:NAME hangtui"
    return Check(Ability.LIST, False, reason, fixes.get(here.engine, fallback))


def _mounts() -> str:
    try:
        return (PROC / "self" / "mountinfo").read_text(errors="replace")
    except OSError:
        return ""


def _memory(pid: int) -> Check:
    refused = access.refusal(pid)
    if refused:
        return Check(Ability.MEMORY, False, refused.reason, refused.fix)
    return Check(Ability.MEMORY, True, "it can be read, without stopping it")


def _stop(pid: int) -> Check:
    tracer = access.tracer(pid)
    if tracer is not None:
        name = clean(_comm(tracer))
        reason = f"process {tracer}{f' ({name})' if name else ''} already traces it"
        return Check(Ability.STOP, False, reason, f"end that debugger: kill {tracer}")
    refused = access.refusal(pid)
    if refused:
        return Check(Ability.STOP, False, "the same right as memory", refused.fix)
    filtered = access.filtered()
    if filtered:
        return Check(Ability.STOP, False, filtered.reason, filtered.fix)
    if status_of(PROC / str(pid)).get("State", "?").startswith("T"):
        reason = "it is stopped by a signal, until it is continued"
        return Check(Ability.STOP, False, reason, f"kill -CONT {pid}")
    return Check(Ability.STOP, True, "done only on request: --native stop or gdb, the debugger")


def _comm(pid: int) -> str:
    try:
        return (PROC / str(pid) / "comm").read_text(errors="replace").strip()
    except OSError:
        return ""


def _gdb(stop: Check) -> Check:
    found = programs.find("gdb")
    if found is None:
        return Check(Ability.GDB, False, "it is not installed", "apt-get install gdb-minimal")
    version = _version([found, "-nx", "--batch", "-ex", "show version"])
    if version is None:
        return Check(Ability.GDB, False, f"{found} does not start", "apt-get install gdb-minimal")
    if int(version.partition(".")[0]) < programs.OLDEST_GDB:
        return Check(Ability.GDB, False, f"{found} {version} is too old", programs.NEWER_GDB)
    if not stop.works:
        return Check(Ability.GDB, False, f"{found} is there, but it needs stop", stop.fix)
    return Check(Ability.GDB, True, f"{found} {version}")


def _pyspy(memory: Check) -> Check:
    found = programs.find("py-spy")
    fix = f"{sys.executable} -m pip install py-spy"
    if found is None:
        return Check(Ability.PYSPY, False, "it is not installed", fix)
    version = _version([found, "--version"])
    if version is None:
        return Check(Ability.PYSPY, False, f"{found} does not start", fix)
    if not memory.works:
        return Check(Ability.PYSPY, False, f"{found} is there, but it needs memory", memory.fix)
    return Check(Ability.PYSPY, True, f"{found} {version}")


def _version(command: list[str]) -> str | None:
    """The first number of that form that the program prints; None: it does not start."""
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_START_LIMIT_S,
            start_new_session=True,
            cwd=Path("/"),
            env=programs.environment(),
        )
    except (OSError, subprocess.SubprocessError):
        return None
    number = _VERSION.search(done.stdout.decode(errors="replace"))
    return number[0] if done.returncode == 0 and number else None
