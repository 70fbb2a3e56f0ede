"""The broom: a small process that tidies up after whoever started it, however that one ends.

It is started as ``python -I -S -c ...`` and imports little. From standard input it is told, before
they are there, which folders to remove and which processes to end; it does so when that input ends,
which nothing that is done to its other side can prevent. It is in a session of its own, and was
started with the signals blocked that would end it before.
"""

import contextlib
import os
import signal

STARTER = (
    "import sys; sys.path.insert(0, sys.argv[1]); from hangtui.backends.tools.sweep import main; "
    "sys.exit(main())"
)
FOLDER, PROCESS = b"d", b"p"
"""What a message begins with; a path or a PID follows, and a zero byte."""


def main() -> int:
    """Hear what there is to tidy up, wait for the end, tidy up."""
    folders: list[bytes] = []
    processes: list[int] = []
    said = b""
    while part := os.read(0, 1 << 16):
        *messages, said = (said + part).split(b"\0")
        for message in messages:
            if message[:1] == FOLDER:
                folders.append(message[1:])
            else:
                # Now its parent has not yet waited for it: the PID is nobody else's.
                with contextlib.suppress(OSError):
                    processes.append(os.pidfd_open(int(message[1:])))
    for process in processes:
        with contextlib.suppress(OSError):
            signal.pidfd_send_signal(process, signal.SIGKILL)
    for folder in folders:
        remove(folder)
    return 0


def is_broom(pid: int) -> bool:
    """Whether a process is one, which is to end last, and by itself."""
    with contextlib.suppress(OSError), open(f"/proc/{pid}/cmdline", "rb") as file:  # noqa: PTH123
        return STARTER.encode() in file.read().split(b"\0")
    return False


def remove(folder: bytes | str) -> None:
    """Remove a folder of ours with all that is in it; links are not followed."""
    with contextlib.suppress(OSError):
        place = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
        try:
            if os.fstat(place).st_uid == os.geteuid():
                _empty(place)
        finally:
            os.close(place)
        os.rmdir(folder)  # noqa: PTH106  as bytes, and without importing pathlib


def _empty(place: int) -> None:
    with os.scandir(place) as entries:
        found = [(entry.name, entry.is_dir(follow_symlinks=False)) for entry in entries]
    for name, is_folder in found:
        with contextlib.suppress(OSError):
            if not is_folder:
                os.unlink(name, dir_fd=place)
                continue
            flags = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
            below = os.open(name, flags, dir_fd=place)
            try:
                _empty(below)
            finally:
                os.close(below)
            os.rmdir(name, dir_fd=place)
