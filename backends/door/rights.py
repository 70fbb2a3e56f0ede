"""Whether a target's own user could read a file, by its owner, group and mode.

We may often read more than the target may, and it chooses names and links: without this check it
would show itself, through us, what it must not see.
"""

import contextlib
import functools
import os
import stat

from hangtui.backends.procfs.files import PROC, status_of
from hangtui.dataclass import dataclass

READ, SEARCH = 4, 1
"""Bits of a mode: of a file, and of a folder on the way to it."""
_OVERRIDES = 1 << 1 | 1 << 2
"""CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH, linux/capability.h."""


@dataclass(frozen=True, slots=True)
class Rights:
    """Of a process: its user and groups, as we count them.

    A process that runs with another user's rights is taken for the weakest of its users.
    """

    users: frozenset[int] = frozenset()
    """None at all: only what everybody may read."""
    groups: frozenset[int] = frozenset()
    unsure: frozenset[int] = frozenset()
    """Groups that it may not have for every purpose: they take rights away and give none."""

    @property
    def whose_not(self) -> str:
        """Beginning of the sentence that says what may not be done."""
        return "the process's user may not" if self.users else "not everybody may"

    def may(self, found: os.stat_result, bit: int, descriptor: int) -> bool:
        """Whether it could use the file or folder that *descriptor* leads to; *bit*: for what."""
        if not self.users:
            return bool(found.st_mode & bit) and not _has_access_list(descriptor)
        return all(self._user_may(user, found, bit, descriptor) for user in self.users)

    def _user_may(self, user: int, found: os.stat_result, bit: int, descriptor: int) -> bool:
        if user == 0:
            return True
        if user == found.st_uid:
            return bool(found.st_mode & bit << 6)
        if found.st_gid in self.groups:
            # With an access list these bits are its mask, and tell nothing of the group.
            return bool(found.st_mode & bit << 3) and not _has_access_list(descriptor)
        if found.st_gid in self.unsure and not found.st_mode & bit << 3:
            return False
        # An access list may take from one user, or one group, what all others have.
        return bool(found.st_mode & bit) and not _has_access_list(descriptor)


def of_process(pid: int) -> Rights | None:
    """Those of a process; None: the kernel gives us no more than it has.

    Raises:
        OSError: it is gone.
    """
    if not _may_override():
        return None
    status = status_of(PROC / str(pid))
    try:
        real, effective, _, files = (int(word) for word in status["Uid"].split())
        groups = frozenset(int(word) for word in status["Gid"].split())
        more = frozenset(int(word) for word in status.get("Groups", "").split())
    except (KeyError, ValueError):
        return Rights()
    users = frozenset((real, effective, files))
    if users == {0}:
        return None
    sure = groups if len(groups) == 1 else frozenset[int]()
    return Rights(users, sure | more, groups)


@functools.cache
def _may_override() -> bool:
    """Whether we may read what belongs to others."""
    if os.geteuid() == 0:
        return True
    with contextlib.suppress(OSError, ValueError):
        return bool(int(status_of(PROC / "self").get("CapEff", "0"), 16) & _OVERRIDES)
    return True


def _has_access_list(descriptor: int) -> bool:
    try:
        os.getxattr(f"/proc/self/fd/{descriptor}", "system.posix_acl_access")
    except OSError:
        return False
    return True


def kind_of(mode: int) -> str:
    """What a file is that is no regular one."""
    names = {
        stat.S_IFIFO: "a pipe", stat.S_IFSOCK: "a socket", stat.S_IFCHR: "a device",
        stat.S_IFBLK: "a device", stat.S_IFDIR: "a folder", stat.S_IFLNK: "a link",
    }  # fmt: skip
    return names.get(stat.S_IFMT(mode), "no regular file")
