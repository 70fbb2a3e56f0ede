"""Whether a target may be looked into, what forbids it, and what to type where something does."""

import errno
import os
from pathlib import Path

from hangtui.backends.permission import credentials, fixes
from hangtui.backends.permission.credentials import SYS_PTRACE, Credentials
from hangtui.backends.permission.fixes import Obstacle
from hangtui.backends.process import container
from hangtui.backends.procfs.files import PROC, status_of
from hangtui.dataclass import dataclass

_YAMA = Path("/proc/sys/kernel/yama/ptrace_scope")
_PTRACE_DETACH = 17
_GVISOR = "#1 SMP Sun Jan 10 15:06:54 PST 2016"
"""The kernel version that gVisor gives itself (pkg/sentry/syscalls/linux)."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why the kernel keeps us out of a process."""

    obstacle: Obstacle
    reason: str
    fix: str


def may_trace(pid: int) -> bool:
    """Whether the kernel lets us trace the process: the same check guards its memory file."""
    try:
        with (PROC / str(pid) / "mem").open("rb"):
            return True
    except OSError:
        return False


def fix(pid: int) -> str | None:
    """What gives us the right to stop the process and to look into it; None: we have it."""
    found = refusal(pid) or filtered()
    return found.fix if found else None


def explain(pid: int, message: str) -> tuple[str, str | None]:
    """*message*, with why the kernel refused if it did, and the fix."""
    found = refusal(pid)
    return (f"{message}: {found.reason}", found.fix) if found else (message, None)


def refusal(pid: int) -> Refusal | None:
    """Why we may not look into the process; None: we may, or it is gone."""
    if may_trace(pid):
        return None
    try:
        its, ours = credentials.read(pid), credentials.read("self")
    except (OSError, KeyError, ValueError):
        return None
    obstacle, reason = judge(ours, its, yama_scope())
    if is_gvisor():
        reason += "; this kernel is gVisor's, which emulates Linux and has limits of its own"
    place = container.place()
    here = container.number(its.groups) == container.number(ours.groups)
    return Refusal(obstacle, reason, fixes.fix(obstacle, pid, its, place, same_container=here))


def filtered() -> Refusal | None:
    """Why no process can be stopped from here at all: a seccomp filter forbids the system call.

    It asks to let go of a process that is not traced, ourselves: the kernel's own answer is that
    there is none, a filter's is that the call is forbidden.
    """
    try:
        import ctypes
    except ImportError:  # a slim Python
        return None
    library = ctypes.CDLL(None, use_errno=True)
    library.ptrace(_PTRACE_DETACH, os.getpid(), None, None)
    if ctypes.get_errno() in (0, errno.ESRCH):
        return None
    reason = "a seccomp filter forbids ptrace (reading memory does not need it)"
    return Refusal(Obstacle.FILTER, reason, fixes.unfiltered(container.place()))


def judge(ours: Credentials, its: Credentials, scope: int) -> tuple[Obstacle, str]:
    """What forbids us to trace a process, in the order in which the kernel asks (ptrace(2)).

    *scope*: Yama's restriction.
    """
    who = _name(ours)
    capable = ours.may(SYS_PTRACE)
    if ours.user_map != its.user_map:
        return Obstacle.NAMESPACE, (
            f"it belongs to another user namespace, in which the capabilities of {who} do not count"
        )
    if not capable:
        obstacle = _without_capability(ours, its, who)
        if obstacle is not None:
            return obstacle
    if scope == 3:
        return Obstacle.YAMA_OFF, "Yama forbids all tracing until the next boot (ptrace_scope 3)"
    if scope and not capable:
        allowed = "only parents may trace" if scope == 1 else "only CAP_SYS_PTRACE may trace"
        return Obstacle.YAMA, f"Yama restricts tracing: {allowed} (ptrace_scope {scope})"
    if ours.label or its.label:
        labels = f"hangtui runs as {ours.label or 'unconfined'}, it as {its.label or 'unconfined'}"
        return Obstacle.MODULE, f"a security module forbids it: {labels}"
    return Obstacle.UNKNOWN, f"the kernel refuses {who}, and does not say why"


def _without_capability(
    ours: Credentials, its: Credentials, who: str
) -> tuple[Obstacle, str] | None:
    """What forbids it to everybody but the holders of CAP_SYS_PTRACE."""
    user, group = ours.uids[1], ours.gids[1]
    if set(its.uids) != {user} or set(its.gids) != {group}:
        runs_as = _ids(its.uids, "user")
        if set(its.uids) == {user}:
            runs_as = _ids(its.gids, "group")
        return Obstacle.USER, f"it runs as {runs_as}, and hangtui as {who} without CAP_SYS_PTRACE"
    if not its.dumpable:
        return Obstacle.DUMPABLE, (
            "it is not dumpable, since it changed its user or asked for it (PR_SET_DUMPABLE), and "
            f"hangtui runs as {who} without CAP_SYS_PTRACE"
        )
    more = its.permitted & ~ours.permitted
    if more:
        names = ", ".join(credentials.capability_names(more))
        return Obstacle.CAPABILITIES, f"it has capabilities that hangtui lacks: {names}"
    return None


def _name(ours: Credentials) -> str:
    return "root" if ours.uids[1] == 0 else f"user {ours.uids[1]}"


def _ids(ids: tuple[int, ...], kind: str) -> str:
    if len(set(ids)) == 1:
        return "root" if ids[0] == 0 and kind == "user" else f"{kind} {ids[0]}"
    return f"{kind} {ids[1]} (real {ids[0]}, saved {ids[2]})"


def yama_scope() -> int:
    """Yama's restriction; 0 where it is off or absent."""
    try:
        return int(_YAMA.read_text())
    except (OSError, ValueError):
        return 0


def is_gvisor() -> bool:
    """Whether gVisor stands in for the kernel."""
    return os.uname().version == _GVISOR


def tracer(pid: int) -> int | None:
    """Who traces the process, as a PID; 0 if it is outside of our PID namespace."""
    try:
        status = status_of(PROC / str(pid))
    except OSError:
        return None
    return int(status.get("TracerPid", "0")) or None
