"""Files that become others while they are opened, and those whose opening waits for somebody."""

import contextlib
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from hangtui.backends.door import RefusedError, Root, mounts
from tests.doors import WAYS, find_paths
from tests.hostile.attacks import needs_root, opens

SWAPS = 10_000
SOON_S = 60
SWAPPER = f"""
import os, sys
os.chdir(sys.argv[1])
print("ready", flush=True)
for number in range({SWAPS}):
    kind = ("pipe", "absolute", "relative", "device", "folder")[number // 2 % 5]
    kind = "good" if number % 2 else kind
    os.rename("root/in/folder", "away") if number % 7 == 0 else None
    os.symlink({{"good": "kept", "pipe": "pipe", "absolute": sys.argv[1] + "/secret",
        "relative": "../../../../secret", "device": "/dev/zero", "folder": ".."}}[kind], "new")
    os.rename("new", "root/in/name")
    if kind in ("good", "pipe"):
        os.link("root/in/" + {{"good": "kept", "pipe": "pipe"}}[kind], "new")
        os.rename("new", "root/in/name")
        if os.path.lexists("new"): os.unlink("new")
    os.rename("away", "root/in/folder") if number % 7 == 0 else None
"""


@pytest.fixture(params=WAYS)
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """How paths are found."""
    find_paths(request.param, monkeypatch)
    return str(request.param)


@pytest.fixture
def swapping(tmp_path: Path) -> Iterator["subprocess.Popen[str]"]:
    """A process that swaps a name between files, links, a pipe and a device."""
    inside = tmp_path / "root/in"
    (inside / "folder").mkdir(parents=True)
    (inside / "kept").write_text("good")
    os.mkfifo(inside / "pipe")
    (inside / "name").write_text("good")
    (tmp_path / "secret").write_text("foreign")
    (tmp_path / "name").write_text("foreign")
    process = subprocess.Popen(
        [sys.executable, "-c", SWAPPER, tmp_path], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    yield process
    process.kill()
    process.communicate()


def test_ten_thousand_swaps(swapping: "subprocess.Popen[str]", tmp_path: Path, way: str) -> None:
    foreign = [tmp_path / "secret", tmp_path / "name", tmp_path / "root/in/pipe"]
    good = refused = 0
    begun = time.monotonic()
    with opens(foreign) as seen, Root.of_folder(str(tmp_path / "root")) as root:
        root.budget.max_files = 1 << 60
        while swapping.poll() is None:
            for name in ("/in/name", "/in/folder/../name", "/in/folder/../../in/name"):
                try:
                    assert root.read(name, 100) == b"good", way
                    good += 1
                except OSError:
                    refused += 1
            assert time.monotonic() - begun < SOON_S, "it hangs"
    assert swapping.returncode == 0
    assert good > 10
    assert refused > 10
    assert not seen


@contextlib.contextmanager
def _prepared(words: list[str], otherwise: str) -> Iterator["subprocess.Popen[str]"]:
    """A program that says it is ready; *otherwise*: why the test is skipped if it does not."""
    process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        if process.stdout.readline() != "ready\n":
            pytest.skip(otherwise)
        yield process
    finally:
        process.kill()
        process.communicate()


LEASE = """
import fcntl, os, signal, sys
signal.signal(signal.SIGIO, signal.SIG_IGN)
owner = os.open(sys.argv[1], os.O_WRONLY)
try:
    fcntl.fcntl(owner, fcntl.F_SETLEASE, fcntl.F_WRLCK)
    print("ready", flush=True)
except OSError:
    print("no", flush=True)
sys.stdin.read()
"""


def test_a_file_that_somebody_has_a_lease_on(tmp_path: Path) -> None:
    path = tmp_path / "leased"
    path.write_text("x")
    with _prepared([sys.executable, "-c", LEASE, str(path)], "no leases on this file system"):
        begun = time.monotonic()
        with Root.of_folder("/") as root, pytest.raises(BlockingIOError):
            root.read(str(path), 10)
        assert time.monotonic() - begun < 5  # the owner may keep others waiting for 45 s


FUSE = """
import ctypes, os, sys
library = ctypes.CDLL(None, use_errno=True)
device = os.open("/dev/fuse", os.O_RDWR)
options = f"fd={device},rootmode=40000,user_id=1000,group_id=1000,allow_other".encode()
if library.mount(b"x", sys.argv[1].encode(), b"fuse", 0, options) != 0:
    print("no", flush=True)
    sys.exit()
print("ready", flush=True)
sys.stdin.read()
"""


@needs_root
def test_a_file_system_that_never_answers(tmp_path: Path) -> None:
    if not os.access("/dev/fuse", os.R_OK | os.W_OK) or shutil.which("unshare") is None:
        pytest.skip("no /dev/fuse, or no unshare")
    (tmp_path / "mount").mkdir()
    (tmp_path / "beside").write_text("x")
    (tmp_path / "link").symlink_to("mount/file")
    words = ["unshare", "-m", sys.executable, "-c", FUSE, str(tmp_path / "mount")]
    with _prepared(words, "no FUSE can be mounted here") as process:
        # In a process of its own: what hangs there cannot even be killed before the other ends.
        read = "\n".join(
            (
                "import sys",
                "from hangtui.backends.door import RefusedError, Root",
                f"root = Root.of_process({process.pid})",
                f"assert root.read('{tmp_path}/beside', 10) == b'x'",
                f"for path in ('{tmp_path}/mount', '{tmp_path}/mount/a/b', '{tmp_path}/link'):",
                "    try:",
                "        root.read(path, 10)",
                "        sys.exit('read')",
                "    except RefusedError as error:",
                "        assert 'FUSE' in str(error), error",
            )
        )
        reader = subprocess.Popen([sys.executable, "-c", read])
        try:
            assert reader.wait(20) == 0
        except subprocess.TimeoutExpired:
            pytest.fail("it waits for a program of the target's")
        finally:
            reader.kill()
    reader.wait()


TABLE = """\
21 1 8:1 / / rw - ext4 /dev/sda rw
22 21 0:30 / /home rw - autofs ldap rw,fd=7
23 22 0:31 / /home/ann rw - nfs server:/ann rw
24 21 0:32 / /run/user/1000/gvfs rw - fuse.gvfsd-fuse gvfsd-fuse rw,user_id=1000,group_id=1000
25 21 0:33 / /mnt/pool rw - fuse.mergerfs pool rw,user_id=0,group_id=0,allow_other
26 21 0:34 / /proc/sys/fs/binfmt_misc rw - autofs systemd-1 rw,fd=29
27 21 0:35 / /mnt/with\\040space rw - fuse x rw,user_id=7,group_id=7
"""


def test_which_mounts_wait_for_somebody() -> None:
    found = mounts.parse(TABLE, 0)

    assert set(found.slow) == {22, 24, 27}
    assert found.slow_names == {"home", "gvfs", "with space"}
    assert found.refusal(24, "x")
    assert found.refusal(22, "bob")
    assert found.refusal(22, None)
    assert found.refusal(22, "ann") is None
    assert found.refusal(21, "x") is None
    assert not mounts.parse(TABLE, 1000).slow.keys() & {24}


def test_errors_of_the_kernel_are_said(tmp_path: Path) -> None:
    with Root.of_folder(str(tmp_path)) as root:
        for path in ("/a\0b", "/" + "x" * 300, "/missing/x", "x/" * 3000):
            with pytest.raises(OSError, match=r"\S") as caught:
                root.open_file(path)
            assert not isinstance(caught.value, RefusedError)


_HIDDEN = """
import sys
from pathlib import Path
from hangtui.backends.gdb import trusted
hidden = (Path(sys.argv[1]) / "file").open("rb")
sys.stdin = open("/dev/null")
exec(sys.argv[2])
sys.exit(trusted.is_ours(hidden.fileno()))
"""


@needs_root
def test_a_name_that_leads_into_a_file_system_that_never_answers(tmp_path: Path) -> None:
    """The file is another one, of which the process says the same name."""
    if not os.access("/dev/fuse", os.R_OK | os.W_OK) or shutil.which("unshare") is None:
        pytest.skip("no /dev/fuse, or no unshare")
    (tmp_path / "file").write_text("x")
    words = ["unshare", "-m", sys.executable, "-c", _HIDDEN, str(tmp_path), FUSE]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            if process.stdout.readline() != "ready\n":
                pytest.skip("no FUSE can be mounted here")
            assert process.wait(20) == 0
        except subprocess.TimeoutExpired:
            pytest.fail("it waits for a program of the target's")
        finally:
            process.kill()
