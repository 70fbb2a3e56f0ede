"""Whether a process sees other files than we do, and what its users are called there."""

from pathlib import Path

from hangtui.backends.door import Root

_MAX_PASSWD = 1 << 20


def has_own_files(pid: int) -> bool:
    """Whether process *pid* sees other files than we do: it lives in another mount namespace.

    Raises:
        OSError: it is gone, or it may not be asked.
    """
    place = Path("/proc/self/ns/mnt").readlink()
    return place != Path(f"/proc/{pid}/ns/mnt").readlink()


def user_name(pid: int, uid: int) -> str | None:
    """The name of a user in the list of users that process *pid* sees.

    Raises:
        OSError: there is none, or it may not be read.
    """
    with Root.of_process(pid) as root:
        lines = root.read("/etc/passwd", _MAX_PASSWD).decode("utf-8", "replace").split("\n")
    for line in lines:
        name, *fields = line.split(":", 3)
        if len(fields) > 2 and fields[1] == str(uid):
            return name
    return None
