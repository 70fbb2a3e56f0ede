"""What the debug image changes in an application's image: nothing but two names."""

import json
import shutil
import tarfile
from pathlib import Path

import pytest

from tests.container import images, terminal
from tests.container.conftest import Container, podman, started
from tests.container.test_inside import CYCLE

ROOT = images.ROOT
_FOLDERS = ("backends", "hangtui", "tui")
_FILES = (
    *(".dockerignore", "Dockerfile.debug", "LICENSE"),
    *("requirements/runtime.lock", "script/portable"),
)
ADDED = ("/opt/hangtui", "/usr/local/bin/hangtui")
LIST = (
    "find / -xdev ( -path /proc -o -path /sys -o -path /dev -o -path /run ) -prune -o "
    "! -type d -printf %p|%s|%m|%U|%T@|%l\\n"
).split()
OF_THE_ENGINE = {"/etc/hosts", "/etc/hostname", "/etc/resolv.conf", "/etc/mtab"}
PYTHON = """
import json, os, shutil, site, sys
import shop
print(json.dumps({
    "version": sys.version, "executable": sys.executable, "path": sys.path, "prefix": sys.prefix,
    "sites": site.getsitepackages(), "PATH": os.environ["PATH"], "shop": shop.__file__,
    "programs": [shutil.which(name) for name in ("python3", "pip", "gdb", "py-spy")],
}))
"""


def files(container: Container) -> dict[str, str]:
    lines = container.exec(*LIST).output.splitlines()
    listed = dict(line.split("|", 1) for line in lines)
    return {path: facts for path, facts in listed.items() if path not in OF_THE_ENGINE}


def test_every_file_of_the_application_is_as_it_was(hung: Container, untouched: Container) -> None:
    before, after = files(untouched), files(hung)

    assert len(before) > 1000
    kept = {path: facts for path, facts in after.items() if not path.startswith(ADDED)}
    assert kept == before
    assert {path for path in after if path.startswith("/usr/local/")} - before.keys() == {ADDED[1]}


def test_its_python_is_as_it_was(hung: Container, untouched: Container) -> None:
    before, after = (c.exec("python3", "-c", PYTHON).json() for c in (untouched, hung))

    assert before == after
    assert before["version"].startswith("3.9.")
    assert before["programs"] == ["/usr/bin/python3", None, None, None]
    ours = hung.exec("/opt/hangtui/bin/python3", "-c", "import sys; print(sys.version_info[:2])")
    assert ours.output.strip() != "(3, 9)"


def test_the_image_starts_as_it_did() -> None:
    def configuration(image: str) -> object:
        answer = json.loads(podman("image", "inspect", image).output)[0]["Config"]
        answer.pop("Labels", None)
        return answer

    assert configuration(images.DEBUG) == configuration(images.APP)


def test_two_builds_are_the_same_image(built: None, tmp_path: Path) -> None:  # noqa: ARG001
    """From another folder, with other modes and times of the files, and nothing cached."""
    tag, context = "localhost/hangtui-test-again", tmp_path / "clone"
    for name in _FOLDERS:
        bare = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / name, context / name, ignore=bare, copy_function=shutil.copyfile)
    for name in _FILES:
        (context / name).parent.mkdir(exist_ok=True)
        shutil.copyfile(ROOT / name, context / name)
    for path in context.rglob("*"):
        path.chmod(0o700 if path.is_dir() else 0o600)
    try:
        images.build_sidecar(context, tag, "--no-cache")
        inspected = [podman("image", "inspect", name).output for name in (images.SIDECAR, tag)]
    finally:
        podman("image", "rm", tag)

    one, two = (json.loads(text)[0] for text in inspected)
    assert one["RootFS"] == two["RootFS"]
    assert (one["Id"], one["Digest"]) == (two["Id"], two["Digest"])


HOSTILE = (
    "LD_PRELOAD=/nonexistent.so",
    "LD_LIBRARY_PATH=/lib/x86_64-linux-gnu",
    "PYTHONHOME=/nonexistent",
    "PYTHONPATH=/srv/shop",
)
"""What applications set for their own interpreter."""


# -- the portable folder ---------------------------------------------------------------------------


def test_copied_into_a_running_container(portable: Path) -> None:
    """``docker cp hangtui-portable CONTAINER:/tmp/h``; its C library is older than the folder's."""
    with started(images.APP) as container:
        copied = podman("cp", str(portable), f"{container.name}:/tmp/h")
        assert copied.code == 0, copied.errors
        done = container.exec("/tmp/h/hangtui", "check", "1")
        with terminal.opened("exec", "-it", container.name, "/tmp/h/hangtui") as screen:
            screen.until(CYCLE)
            screen.type("q")
            code = screen.end()
        libc = container.exec("ldd", "--version").output

    assert "2.31" in libc
    assert done.code == 1, done.errors
    assert code == 0


@pytest.mark.parametrize("name", ["with space", "Ünïcode"])
def test_it_runs_wherever_it_lies(portable: Path, name: str) -> None:
    with started(images.APP, "--volume", f"{portable}:/mnt/{name}:ro") as container:
        hostile = [f"--env={setting}" for setting in HOSTILE]
        done = container.exec(f"/mnt/{name}/hangtui", "check", "1", options=tuple(hostile))

    assert done.code == 1, done.errors
    assert CYCLE in done.output


def test_nothing_in_it_names_the_place_where_it_was_made(portable: Path) -> None:
    for name in ("hangtui", "bin/python3", "bin/gdb"):
        assert "/opt/hangtui" not in (portable / name).read_text()
    links = [path for path in portable.rglob("*") if path.is_symlink()]
    assert links == []
    with tarfile.open(portable.with_suffix(".tar"), "w") as archive:
        archive.add(portable, arcname="h")
    size_mb = portable.with_suffix(".tar").stat().st_size / 1e6
    assert size_mb < 160, f"the folder has grown to {size_mb:.0f} MB"
