"""What the kernel says of a process or thread, for tests that look at them from outside.

*who* is a PID, or the folder of a process or thread in /proc. All raise OSError where it is gone.
"""

from pathlib import Path


def stat_of(who: int | Path) -> list[str]:
    """The fields of ``stat`` behind the name, which may hold anything: state, parent, ..."""
    return (_folder(who) / "stat").read_text().rpartition(")")[2].split()


def state_of(who: int | Path) -> str:
    """The kernel's letter for its state."""
    return stat_of(who)[0]


def status_of(who: int | Path) -> dict[str, str]:
    """The lines of ``status``: ``State``, ``TracerPid``, ..."""
    lines = (_folder(who) / "status").read_text().splitlines()
    return {key: value.strip() for key, _, value in (line.partition(":") for line in lines)}


def tracer_of(who: int | Path) -> int:
    """The PID of its tracer; 0: nobody traces it."""
    return int(status_of(who)["TracerPid"])


def has_ended(pid: int) -> bool:
    """Whether a process has ended, even if its parent has not asked for it yet. Never raises."""
    try:
        return state_of(pid) in "ZX"
    except OSError:
        return True


def _folder(who: int | Path) -> Path:
    return Path(f"/proc/{who}") if isinstance(who, int) else who
