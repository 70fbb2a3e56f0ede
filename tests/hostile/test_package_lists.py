"""Lists of packages that are pipes, devices, links out of the target's root, or endless."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from hangtui.backends.door import Budget, Root
from hangtui.backends.packages.debian import debian_packages
from hangtui.backends.packages.python import package_of
from tests.hostile.attacks import (
    ROOT,
    SYSTEM_PYTHON,
    hangtui,
    need_namespaces,
    needs_root,
    needs_system_python,
    nobodys,
    open_folder,
    opens,
)

READY = "print('ready', flush=True)"
WAIT = f"import threading; lock = threading.Lock(); lock.acquire(); {READY}; lock.acquire()"
LIBC = "/usr/lib/x86_64-linux-gnu/libc.so.6"


def _in_own_space(commands: str, watched: Path | None = None) -> str:
    """The report on nobody's process that has laid lists of dpkg as *commands* say."""
    need_namespaces()
    if not Path("/var/lib/dpkg/status").exists():
        pytest.skip("no system with dpkg: its folder is where the attack mounts something")
    mounts = "mount -t tmpfs x /var/lib/dpkg && mkdir /var/lib/dpkg/info && cd /var/lib/dpkg/info"
    script = f'{mounts} && touch ../status && {commands} && exec {SYSTEM_PYTHON} -c "$0"'
    secrets = [watched] if watched else []
    with nobodys("unshare", "-Urm", "sh", "-c", script, WAIT) as process, opens(secrets) as seen:
        done = hangtui("dump", "--json", str(process.pid), timeout=30)
    assert done.returncode in (0, 1), done.stderr
    assert not seen
    assert json.loads(done.stdout)["processes"]
    return done.stdout


@needs_root
@needs_system_python
@pytest.mark.parametrize(
    ("commands", "told"),
    [
        ("mkfifo libc.list", "it is a pipe"),
        ("for i in $(seq 300); do ln -s /dev/zero libc$i.list; done", "it is a device"),
        ("ln -s /proc/kmsg libc.list", "which shows the kernel"),
    ],
)
def test_lists_that_are_no_files(commands: str, told: str) -> None:
    assert told in _in_own_space(commands)


@needs_root
@needs_system_python
def test_a_link_to_a_file_that_only_root_may_read(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("Package: libc\nStatus: install ok installed\nVersion: SECRET-OF-HOST\n")
    secret.chmod(0o600)
    for above in tmp_path.parents:
        if above != Path("/"):
            above.chmod(above.stat().st_mode | 0o011)
    tmp_path.chmod(0o755)
    link = f"rm ../status && ln -s {secret} ../status && printf '\\n{LIBC}\\n' > libc.list"

    assert "SECRET-OF-HOST" not in _in_own_space(link, secret)


def test_an_absolute_link_stays_below_the_root(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.write_text("Package: libc\nVersion: SECRET\n")
    info = tmp_path / "root/var/lib/dpkg/info"
    info.mkdir(parents=True)
    (info.parent / "status").symlink_to(outside)
    (info / "libc.list").write_text(f"/\n{LIBC}\n")

    with opens([outside]) as seen, Root.of_folder(str(tmp_path / "root")) as root:
        assert debian_packages([LIBC], root) == {}
    assert not seen


def test_lists_are_bounded_in_sum(tmp_path: Path) -> None:
    info = tmp_path / "var/lib/dpkg/info"
    info.mkdir(parents=True)
    (info.parent / "status").write_text("")
    with (info / "libc.list").open("wb") as file:
        file.truncate(16 << 20)
    for number in range(100):
        os.link(info / "libc.list", info / f"libc{number}.list")

    with Root.of_folder(str(tmp_path), Budget(max_bytes=64 << 20)) as root:
        assert debian_packages([LIBC], root) == {}
        assert root.budget.bytes <= (64 + 16) << 20
        (notice,) = root.budget.notices(1)
    assert "64 MB of files" in notice.message


@needs_root
@needs_system_python
def test_packages_that_only_the_host_has(tmp_path: Path) -> None:
    need_namespaces()
    record = tmp_path / "hostonly/site-packages/evil-9.9.SECRETHOST.dist-info/RECORD"
    record.parent.mkdir(parents=True)
    record.write_text("evil.so,,\n")
    library = tmp_path / "evil.so"
    source = (
        '#include <unistd.h>\nint hold(void) { write(1, "ready\\n", 6); return pause() + 1; }\n'
    )
    built = subprocess.run(
        ["cc", "-shared", "-fPIC", "-x", "c", "-", "-o", library], input=source, text=True
    )
    if built.returncode != 0:
        pytest.skip("no compiler")
    for path in (tmp_path, *tmp_path.parents):
        if path != Path("/"):
            path.chmod(path.stat().st_mode | 0o011)
    place = "/opt/site-packages"
    inside = f"mount -t tmpfs x /opt && mkdir {place} && cp {library} {place}/evil.so"
    swap = f"mv {place} /opt/real; ln -s {tmp_path}/hostonly/site-packages {place}"
    code = (
        f"import ctypes, os; lib = ctypes.CDLL('{place}/evil.so');"
        f"os.system('''{swap}'''); lib.hold()"
    )
    # The folder is there for us alone: nothing but the host's view has it.
    (tmp_path / "hostonly").chmod(0o700)
    script = f'{inside} && exec {SYSTEM_PYTHON} -c "$0"'
    with nobodys("unshare", "-Urm", "sh", "-c", script, code) as process, opens([record]) as seen:
        done = hangtui("dump", "--json", str(process.pid), timeout=30)
    assert done.returncode in (0, 1), done.stderr
    assert "evil" in done.stdout
    assert "SECRETHOST" not in done.stdout
    assert not seen


MEASURE = """
import resource, sys
from hangtui.backends.door import Root
from hangtui.backends.packages.python import package_of
with Root.of_folder(sys.argv[1]) as root:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    found = package_of("/lib/site-packages/zz.so", root)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(found, root.budget.bytes, (peak - before) * 1024)
"""


@pytest.mark.parametrize("linked", [True, False])
def test_records_that_are_bombs(tmp_path: Path, linked: bool) -> None:
    site = tmp_path / "lib/site-packages"
    size, count = 31 << 20, 44
    first = tmp_path / "record"
    line = b"".join(b"%07d,,\n" % number for number in range(10_000))
    first.write_bytes(line * (size // len(line)))
    for number in range(count):
        info = site / f"p{number}-1.{number}.dist-info"
        info.mkdir(parents=True)
        if linked or number == 0:
            os.link(first, info / "RECORD")
        else:
            with (info / "RECORD").open("wb") as file:
                file.truncate(size)  # with a hole it takes no room
    done = subprocess.run(
        [sys.executable, "-c", MEASURE, tmp_path],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
        timeout=30,
    )
    found, read, peak = done.stdout.split()
    assert found == "None"
    assert int(read) <= (32 if linked else 128) << 20
    assert int(peak) <= 160 << 20


def test_a_record_that_is_a_pipe(tmp_path: Path) -> None:
    info = tmp_path / "lib/site-packages/zz-1.0.dist-info"
    info.mkdir(parents=True)
    os.mkfifo(info / "RECORD")

    with opens([info / "RECORD"]) as seen, Root.of_folder(str(tmp_path)) as root:
        assert package_of("/lib/site-packages/zz.so", root) == "zz 1.0"
        (notice,) = root.budget.notices(1)
    assert notice.message.endswith("it is a pipe")
    assert not seen


def test_a_folder_with_very_many_names(tmp_path: Path) -> None:
    folder = open_folder(tmp_path / "many")
    for number in range(3000):
        (folder / str(number)).touch()

    budget = Budget(max_entries=2000)
    with Root.of_folder(str(tmp_path), budget) as root, root.folder("/many") as listed:
        assert len(listed.names(1500)) == 1500
        with pytest.raises(OSError, match="2000 names"):
            listed.names(1500)
