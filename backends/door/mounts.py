"""Which file systems an open must not go into: those that wait for a stranger's program, and
those whose files are no files but views of the kernel.
"""

import os
import re
import time
from dataclasses import field

from hangtui.backends.door import kernel
from hangtui.backends.procfs.files import PROC
from hangtui.dataclass import dataclass

_MAX_TABLE = 8 << 20
"""Bytes; a node with 5,000 mounts has 1 MB."""
_USER = re.compile(r"(?:^|,)user_id=(\d+)(?:,|$)")
_OCTAL = re.compile(r"\\([0-7]{3})")
_VIEWS = {
    0x9FA0: "proc", 0x62656572: "sysfs", 0x64626720: "debugfs", 0x74726163: "tracefs",
    0x27E0EB: "cgroup", 0x63677270: "cgroup2", 0x73636673: "securityfs", 0xF97CFF8C: "selinux",
    0x43415D53: "smack", 0x62656570: "configfs", 0xCAFE4A11: "bpf", 0x6165676C: "pstore",
    0xDE5E81E4: "efivarfs", 0x42494E4D: "binfmt_misc", 0x6E736673: "nsfs", 0x19800202: "mqueue",
    0x1CD1: "devpts", 0x09041934: "anon_inode", 0x50495045: "pipefs", 0x534F434B: "sockfs",
    0x07655821: "resctrl", 0x6E667364: "nfsd", 0x67596969: "rpc_pipefs", 0xABBA1974: "xenfs",
    0x65735543: "fusectl", 0x9FA2: "usbfs", 0x64646178: "dax",
    0x444D4142: "dmabuf", 0x454D444D: "devmem", 0x50494446: "pidfs", 0x5345434D: "secretmem",
}  # fmt: skip
"""linux/magic.h: reading there may wait for ever, take things away (/proc/kmsg, trace_pipe) or
show what was not meant."""


@dataclass(slots=True)
class Slow:
    """One mount that is served by a program."""

    reason: str
    ready: frozenset[str] = frozenset()
    """Names in its uppermost folder on which something is mounted already: going there asks
    nobody."""


@dataclass(slots=True)
class Mounts:
    """Those that a process sees."""

    slow: dict[int, Slow] = field(default_factory=dict)
    """By number of the mount."""
    slow_names: frozenset[str] = frozenset()
    """The last names of the places where they are mounted; ``""``: the root itself."""

    def refusal(self, mount: int, following: str | None) -> str | None:
        """Why not to go on in a mount, to the name *following* in its uppermost folder."""
        slow = self.slow.get(mount)
        return None if slow is None or following in slow.ready else slow.reason


_OURS_S = 2.0
"""How long ours are taken for what they were, in seconds: hundreds of processes share them."""
_ours: list[tuple[float, Mounts]] = []


def of_process(pid: int | None) -> Mounts:
    """Those of a process; None: ours.

    Raises:
        OSError: it is gone, may not be asked, or has more mounts than anybody needs.
    """
    if pid is None or _same_space(pid):
        now = time.monotonic()
        if not _ours or _ours[0][0] + _OURS_S < now:
            _ours[:] = [(now, _read("self"))]
        return _ours[0][1]
    return _read(pid)


def _same_space(pid: int) -> bool:
    return os.readlink(f"/proc/{pid}/ns/mnt") == os.readlink("/proc/self/ns/mnt")


def _read(pid: int | str) -> Mounts:
    with (PROC / str(pid) / "mountinfo").open("rb") as file:
        raw = file.read(_MAX_TABLE + 1)
    if len(raw) > _MAX_TABLE:
        raise OSError("it has more mounts than can be looked through")
    return parse(raw.decode("utf-8", "surrogateescape"), os.geteuid())


def parse(table: str, us: int) -> Mounts:
    """The mounts of a mountinfo file, proc(5); *us*: our user."""
    mounts = Mounts()
    automatic: dict[int, set[str]] = {}
    names, places = set(), []
    # Not splitlines(): whoever mounts something may put what else breaks lines into its name.
    for line in filter(None, table.split("\n")):
        before, _, after = line.partition(" - ")
        fields, (kind, *_, options) = before.split(" "), after.split(" ")
        number, parent, place = int(fields[0]), int(fields[1]), fields[4]
        name = _OCTAL.sub(lambda found: chr(int(found[1], 8)), place).rpartition("/")[2]
        reason = _reason(kind, options, place, us)
        places.append((parent, name, reason))
        if reason is not None:
            mounts.slow[number] = Slow(reason)
            names.add(name)
            if kind == "autofs":
                automatic[number] = set()
    for parent, name, reason in places:
        if parent in automatic and reason is None:
            automatic[parent].add(name)
    for number, ready in automatic.items():
        mounts.slow[number].ready = frozenset(ready)
    mounts.slow_names = frozenset(names)
    return mounts


def _reason(kind: str, options: str, place: str, us: int) -> str | None:
    """Why an open in a file system may wait for somebody."""
    if kind == "autofs":
        # systemd has one below /proc on every machine, and nothing is opened there anyway.
        below_proc = place.startswith("/proc/")
        return None if below_proc else "it lies where file systems are mounted on demand (autofs)"
    if not is_fuse(kind):
        return None
    owner = _USER.search(options)
    if owner and int(owner[1]) in (0, us):
        return None
    return "it lies in a file system that a program of another user serves (FUSE)"


def is_fuse(kind: str) -> bool:
    """Whether this type of file system is FUSE's; virtiofs has another name, and a hypervisor that
    answers."""
    return kind in ("fuse", "fuseblk") or kind.startswith(("fuse.", "fuseblk."))


def mount_of(descriptor: int) -> int:
    """The number of the mount that a descriptor lies in; asks no file system."""
    with open(f"/proc/self/fdinfo/{descriptor}", "rb") as file:  # noqa: PTH123  it is hot
        for line in file:
            if line.startswith(b"mnt_id:"):
                return int(line[7:])
    raise OSError("the kernel does not tell mounts apart")


def view(descriptor: int) -> str | None:
    """The name of the file system if its files are only views of the kernel."""
    return _VIEWS.get(kernel.file_system(descriptor))
