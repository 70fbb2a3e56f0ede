"""How much a thread has read and written: proc_pid_io(5), of one thread."""

from pathlib import Path

from hangtui.backends.procfs.files import text
from hangtui.model import Transfers

_FIELDS = ("syscr", "rchar", "syscw", "wchar")


def transfers_of(task: Path) -> Transfers | None:
    """The counters of the thread with this folder in ``/proc``. None: it is gone, they are not to
    be read, or the kernel was built without them (CONFIG_TASK_IO_ACCOUNTING)."""
    try:
        lines = (text(task / "io") or "").splitlines()
        known = {key: int(count) for key, _, count in (line.partition(": ") for line in lines)}
        return Transfers(*(known[name] for name in _FIELDS))
    except (OSError, ValueError, KeyError):
        return None
