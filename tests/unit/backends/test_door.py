"""Files below a root, as who lives there sees them."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from hangtui.backends.door import Root
from tests.doors import WAYS, find_paths
from tests.unit.backends.conftest import Spawn


def below(place: Path, path: str) -> bytes:
    with Root.of_folder(str(place)) as root, root.open_file(path) as file:
        return file.read()


@pytest.fixture(autouse=True, params=WAYS)
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """How paths are found."""
    find_paths(request.param, monkeypatch)
    return str(request.param)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Another root, in which /etc/hostname is not ours."""
    (tmp_path / "etc").mkdir()
    (tmp_path / "etc/hostname").write_text("its")
    (tmp_path / "app").mkdir()
    return tmp_path


@pytest.mark.parametrize("path", ["/etc/hostname", "etc//hostname", "/app/.././etc/hostname"])
def test_plain_paths(root: Path, path: str) -> None:
    assert below(root, path) == b"its"


@pytest.mark.parametrize(
    "target", ["/etc/hostname", "../etc/hostname", "../../../../etc/hostname", "/link2/hostname"]
)
def test_links_do_not_lead_out(root: Path, target: str) -> None:
    (root / "app/link").symlink_to(target)
    (root / "link2").symlink_to("/etc")

    assert below(root, "/app/link") == b"its"


def test_links_as_folders(root: Path) -> None:
    (root / "srv").symlink_to("/app")
    (root / "app/code.py").write_text("x = 1")

    assert below(root, "/srv/code.py") == b"x = 1"


def test_a_ring_of_links(root: Path) -> None:
    (root / "a").symlink_to("/b")
    (root / "b").symlink_to("/a")

    with pytest.raises(OSError, match=r"[Tt]oo many"):
        below(root, "/a")


def test_what_is_no_file(root: Path) -> None:
    os.mkfifo(root / "pipe")
    (root / "zero").symlink_to("/dev/zero")

    for path in ("/pipe", "/etc", "/zero", "/missing", "/etc/hostname/x", "/"):
        with pytest.raises(OSError, match=r"\S"):
            below(root, path)


def test_no_descriptor_is_left_open(root: Path) -> None:
    (root / "app/link").symlink_to("/etc/hostname")
    before = set(os.listdir("/proc/self/fd"))

    below(root, "/app/link")
    with pytest.raises(OSError, match="missing"):
        below(root, "/app/missing")

    assert set(os.listdir("/proc/self/fd")) == before


def test_a_process_in_another_mount_namespace(spawn: Spawn, tmp_path: Path) -> None:
    if os.geteuid() != 0 or shutil.which("unshare") is None:
        pytest.skip("needs root and unshare")
    (tmp_path / "own").write_text("its")
    inside = tmp_path / "shown"
    inside.write_text("ours")
    script = f'mount --bind {tmp_path}/own {inside} && exec {shutil.which("python3")} "$@"'
    if subprocess.run(["unshare", "-m", "true"], capture_output=True).returncode != 0:
        pytest.skip("this machine does not let root make mount namespaces")
    wrapper = tmp_path / "python"
    wrapper.write_text(f"#!/bin/sh\nexec unshare -m sh -c '{script}' sh \"$@\"\n")
    wrapper.chmod(0o755)

    process = spawn("print('ready', flush=True); input()", python=str(wrapper))

    with Root.of_process(process.pid) as root:
        assert root.read(str(inside), 100) == b"its"
    assert inside.read_text() == "ours"
