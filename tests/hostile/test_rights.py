"""What a process's user may not read is not read for it, in whatever way that is said."""

import os
import struct
from pathlib import Path

import pytest

from hangtui.backends.door import RefusedError, Root
from tests.hostile.attacks import NOBODY, needs_root, nobodys

pytestmark = needs_root
_ACCESS = "system.posix_acl_access"
_USER, _GROUP = 2, 8
"""ACL_USER and ACL_GROUP, linux/posix_acl.h."""


def access_list(kind: int, name: int) -> bytes:
    """All may read but one user or group (linux/posix_acl_xattr.h)."""
    nobody_in_particular = 0xFFFFFFFF
    owner, group, mask, other = ((tag, 4, nobody_in_particular) for tag in (0x01, 0x04, 0x10, 0x20))
    entries = sorted((owner, (kind, 0, name), group, mask, other))
    return struct.pack("<I", 2) + b"".join(struct.pack("<HHI", *entry) for entry in entries)


@pytest.mark.parametrize("kind", [_USER, _GROUP])
def test_a_file_that_an_access_list_keeps_from_its_user(kind: int, shared: Path) -> None:
    secret, plain = shared / "secret", shared / "plain"
    for path in (secret, plain):
        path.write_text("x")
        path.chmod(0o644)
    try:
        os.setxattr(secret, _ACCESS, access_list(kind, NOBODY))
    except OSError:
        pytest.skip("no access lists in this file system")
    with nobodys("sh", "-c", "echo ready; exec sleep 60") as process:
        with Root.of_process(process.pid) as root:
            assert root.read(str(plain), 10) == b"x"
            with pytest.raises(RefusedError, match="may not read it"):
                root.read(str(secret), 10)
        with Root.of_everybody(str(shared)) as root:
            assert root.read("plain", 10) == b"x"
            with pytest.raises(RefusedError, match="not everybody may read it"):
                root.read("secret", 10)
