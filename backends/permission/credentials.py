"""What the kernel compares when one process wants to look into another."""

from pathlib import Path

from hangtui.backends.procfs.files import PROC, status_of, text
from hangtui.dataclass import dataclass
from hangtui.model import clean

SYS_PTRACE = 19
"""Number of the capability, linux/capability.h."""
_NAMES = (
    "CHOWN DAC_OVERRIDE DAC_READ_SEARCH FOWNER FSETID KILL SETGID SETUID SETPCAP LINUX_IMMUTABLE "
    "NET_BIND_SERVICE NET_BROADCAST NET_ADMIN NET_RAW IPC_LOCK IPC_OWNER SYS_MODULE SYS_RAWIO "
    "SYS_CHROOT SYS_PTRACE SYS_PACCT SYS_ADMIN SYS_BOOT SYS_NICE SYS_RESOURCE SYS_TIME "
    "SYS_TTY_CONFIG MKNOD LEASE AUDIT_WRITE AUDIT_CONTROL SETFCAP MAC_OVERRIDE MAC_ADMIN SYSLOG "
    "WAKE_ALARM BLOCK_SUSPEND AUDIT_READ PERFMON BPF CHECKPOINT_RESTORE"
).split()


@dataclass(frozen=True, slots=True)
class Credentials:
    """Who a process is, and what it may."""

    uids: tuple[int, ...]
    """Real, effective, saved."""
    gids: tuple[int, ...]
    """The same."""
    effective: int
    """Its capabilities, one bit each."""
    permitted: int
    dumpable: bool
    """Whether it is open to its own user: it is not after it changed its user or its rights
    without ``exec``, nor after prctl(PR_SET_DUMPABLE, 0)."""
    no_new_privs: bool
    """Whether programs like sudo give it nothing."""
    filtered: bool
    """Whether a seccomp filter judges its system calls."""
    user_map: str
    """The users of its user namespace, as we see them; the same in the same namespace."""
    groups: str
    """Its cgroups, as we see them; the same in the same container."""
    label: str | None
    """What a security module (AppArmor, SELinux) calls it; None where there is none."""

    def may(self, capability: int) -> bool:
        """Whether it has a capability, in its own user namespace."""
        return bool(self.effective >> capability & 1)


def read(pid: int | str) -> Credentials:
    """Those of a process, or of ``"self"``.

    Raises:
        FileNotFoundError, ProcessLookupError, KeyError: it is gone.
    """
    root = PROC / str(pid)
    status = status_of(root)
    uids, gids = _ids(status["Uid"]), _ids(status["Gid"])
    # The kernel gives the files of a process that is not dumpable to root.
    open_to_its_user = (root / "status").stat().st_uid == uids[1]
    return Credentials(
        uids=uids,
        gids=gids,
        effective=int(status["CapEff"], 16),
        permitted=int(status["CapPrm"], 16),
        dumpable=open_to_its_user,
        no_new_privs=status.get("NoNewPrivs") == "1",
        filtered=status.get("Seccomp") == "2",
        user_map=" ".join(_text(root / "uid_map").split()),
        groups=_text(root / "cgroup"),
        label=_label(root),
    )


def capability_names(bits: int) -> list[str]:
    """``SYS_PTRACE``, ... for each bit."""
    return [
        _NAMES[number] if number < len(_NAMES) else str(number)
        for number in range(bits.bit_length())
        if bits >> number & 1
    ]


def _ids(line: str) -> tuple[int, ...]:
    return tuple(map(int, line.split()[:3]))


def _text(path: Path) -> str:
    try:
        return text(path) or ""
    except OSError:
        return ""


def _label(root: Path) -> str | None:
    """An AppArmor profile or SELinux context that confines it."""
    label = clean(_text(root / "attr" / "current").strip("\0\n "))
    return None if label in ("", "unconfined") else label
