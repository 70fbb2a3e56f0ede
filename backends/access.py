"""Whether a target may be looked into, and what to type where it may not."""

import os
from pathlib import Path

from hangtui.backends.procfile import PROC, status_of

_YAMA = Path("/proc/sys/kernel/yama/ptrace_scope")
_CONTAINER_FIX = (
    "docker run --cap-add SYS_PTRACE ...   (a running container: docker exec --privileged -u 0; "
    "Kubernetes: securityContext.capabilities.add: [SYS_PTRACE])"
)


def may_trace(pid: int) -> bool:
    """Whether the kernel lets us trace the process: the same check guards its memory file."""
    try:
        with (PROC / str(pid) / "mem").open("rb"):
            return True
    except OSError:
        return False


def fix(pid: int) -> str:
    """What gives us the right to look into the process."""
    if os.geteuid() == 0:
        return _CONTAINER_FIX
    owner = _owner(pid)
    if owner is not None and owner != os.geteuid():
        return f"sudo hangtui {pid}   (the process runs as another user)"
    scope = yama_scope()
    if scope == 3:
        return "Yama forbids tracing until the next boot: set kernel.yama.ptrace_scope=0 and reboot"
    if scope:
        return f"sudo sysctl kernel.yama.ptrace_scope=0   (or: sudo hangtui {pid})"
    return f"sudo hangtui {pid}   (in a container: {_CONTAINER_FIX})"


def yama_scope() -> int:
    """Yama's restriction; 0 where it is off or absent."""
    try:
        return int(_YAMA.read_text())
    except (OSError, ValueError):
        return 0


def _owner(pid: int) -> int | None:
    try:
        return int(status_of(PROC / str(pid))["Uid"].split()[0])
    except (OSError, KeyError):
        return None
