"""The images of these tests, built once and kept in .images/.

python -m tests.container.images        builds what is missing; script/test does it beforehand
"""

import fcntl
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / ".images"
MUSL_PYTHON = ROOT / ".pythons" / "musl" / "3.13"
APP, DEBUG, SIDECAR, NO_SHELL = (
    f"localhost/hangtui-test-{name}" for name in ("app", "debug", "sidecar", "no-shell")
)
MUSL = "localhost/hangtui-test-musl"
"""As an image of Alpine: a shell of busybox, musl, a CPython that uses it; no glibc, no Python's
packages."""
TOOLS_SUITE, APP_SUITE = "bookworm", "bullseye"
"""bullseye has glibc 2.31, and Python 3.9: not hangtui's, and none that it could use."""
TOOLS = ("podman", "buildah", "runc", "debootstrap")
_BUILD_LIMIT_S = 900
_TOOLS = f"--build-arg=TOOLS_IMAGE=localhost/hangtui-test-{TOOLS_SUITE}"

# Works on any kernel: with cgroups of both versions mounted, and without the right to raise limits.
_ENGINE = """\
[containers]
default_ulimits = ["nofile=1024:16384", "nproc=8192:8192"]
[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
"""
_STORAGE = """\
[storage]
driver = "overlay"
graphroot = "{folder}/storage"
runroot = "{folder}/run"
"""

_APP = f"""\
FROM localhost/hangtui-test-{APP_SUITE} AS app
RUN useradd --uid 1000 --create-home clerk \\
 && mkdir -p /srv/shop /usr/local/lib/python3.9/dist-packages
COPY abba.py ready.py rlock_abba.py /srv/shop/
RUN echo 'price = 5' > /usr/local/lib/python3.9/dist-packages/shop.py
ENV PATH=/srv/shop/bin:$PATH HANGTUI_TARGET_LIMIT=1800 PYTHONPATH=/srv/shop \\
    PYTHONDONTWRITEBYTECODE=1
CMD ["python3", "/srv/shop/abba.py"]

FROM app AS no-shell
RUN ["python3", "-c", "import os; [os.remove('/bin/' + n) for n in ('sh', 'dash', 'bash')]"]
"""


class UnavailableError(Exception):
    """Containers cannot be made here; the message says what is missing."""


def environment() -> dict[str, str]:
    """For the engine's programs: their storage lies in our folder."""
    return {
        **os.environ,
        "CONTAINERS_CONF": str(FOLDER / "containers.conf"),
        "CONTAINERS_STORAGE_CONF": str(FOLDER / "storage.conf"),
    }


def prepare() -> None:
    """Make the folder, with what the engine's programs want to know.

    Raises:
        UnavailableError: containers cannot be made here.
    """
    missing = [tool for tool in TOOLS if shutil.which(tool) is None]
    if missing:
        raise UnavailableError(f"{', '.join(missing)} missing: script/packages containers")
    if os.geteuid() != 0:
        raise UnavailableError("debootstrap needs root")
    FOLDER.mkdir(exist_ok=True)
    (FOLDER / "containers.conf").write_text(_ENGINE)
    (FOLDER / "storage.conf").write_text(_STORAGE.format(folder=FOLDER))


def build_all() -> None:
    """Build what is missing.

    Raises:
        UnavailableError: it is not possible here.
    """
    prepare()
    with _alone():
        with ThreadPoolExecutor(2) as pool:  # they wait for the network most of the time
            list(pool.map(_base, (TOOLS_SUITE, APP_SUITE)))
        recipe = FOLDER / "app.Dockerfile"
        recipe.write_text(_APP)
        targets = ROOT / "tests" / "targets"
        _build(recipe, targets, APP, "--target", "app")
        _build(recipe, targets, NO_SHELL, "--target", "no-shell")
        _build(ROOT / "Dockerfile.debug", ROOT, DEBUG, _TOOLS, f"--build-arg=BASE_IMAGE={APP}")
        build_sidecar(ROOT, SIDECAR)


def build_sidecar(context: Path, tag: str, *options: str) -> None:
    """From the sources in *context*, by an order to date all files alike."""
    dated = ("--timestamp", "1700000000", "--target", "sidecar")
    _build(context / "Dockerfile.debug", context, tag, _TOOLS, *dated, *options)


@contextmanager
def _alone() -> Iterator[None]:
    """Several test processes may ask at the same time."""
    with (FOLDER / "lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _base(suite: str) -> None:
    """An image of a minimal Debian; the application's has its Python."""
    name = f"localhost/hangtui-test-{suite}"
    if _succeeds("podman", "image", "exists", name):
        return
    with tempfile.TemporaryDirectory(dir=FOLDER) as folder:
        include = ["--include=python3"] if suite == APP_SUITE else []
        _run("debootstrap", "--variant=minbase", *include, suite, folder)
        shutil.rmtree(f"{folder}/var/cache/apt", ignore_errors=True)
        shutil.rmtree(f"{folder}/var/lib/apt/lists", ignore_errors=True)
        archive = FOLDER / f"{suite}.tar"
        _run("tar", "-C", folder, "-cf", str(archive), ".")
        _run("podman", "import", str(archive), name)
        archive.unlink()


def build_musl() -> None:
    """Build the image with musl, if it is missing.

    Raises:
        UnavailableError: it is not possible here.
    """
    if not MUSL_PYTHON.exists():
        raise UnavailableError(f"no {MUSL_PYTHON.relative_to(ROOT)}: script/build-musl")
    with _alone(), tempfile.TemporaryDirectory(dir=FOLDER) as name:
        if _succeeds("podman", "image", "exists", MUSL):
            return
        root, packages = Path(name, "root"), Path(name, "packages")
        machine, debian = os.uname().machine, "amd64" if os.uname().machine == "x86_64" else "arm64"
        fetch = (str(ROOT / "script" / "debian-packages"), TOOLS_SUITE, debian)
        _run(*fetch, str(packages), "busybox-static", "musl")
        for archive in [*packages.glob("busybox-static*.deb"), *packages.glob("musl_*.deb")]:
            _run("dpkg-deb", "-x", str(archive), name + "/unpacked")
        unpacked = Path(name, "unpacked")
        for folder in ("bin", "lib", "proc", "dev", "sys", "tmp", "opt"):
            (root / folder).mkdir(parents=True)
        shutil.copy(unpacked / "bin" / "busybox", root / "bin")
        for tool in ("sh", "readlink"):
            (root / "bin" / tool).symlink_to("busybox")
        library = next(unpacked.glob("**/*-linux-musl/libc.so"))
        shutil.copy(library, root / "lib" / f"ld-musl-{machine}.so.1")
        unused = shutil.ignore_patterns("__pycache__", "idlelib", "test", "config-*", "*.a")
        shutil.copytree(MUSL_PYTHON, root / "opt" / "python", symlinks=True, ignore=unused)
        shutil.copy(ROOT / "tests" / "targets" / "other_machines.py", root / "opt")
        _run("tar", "-C", str(root), "-cf", f"{name}/musl.tar", ".")
        change = '--change=CMD ["/opt/python/bin/python3.13", "/opt/other_machines.py", "ring"]'
        _run("podman", "import", change, f"{name}/musl.tar", MUSL)


def _build(recipe: Path, context: Path, tag: str, *options: str) -> None:
    certificates = "/etc/ssl/certs/ca-certificates.crt"
    secret = [f"--secret=id=ca,src={certificates}"] if Path(certificates).exists() else []
    command = ("buildah", "build", "--layers", "--isolation", "chroot", *secret, *options)
    _run(*command, "-f", str(recipe), "-t", tag, str(context))


def _succeeds(*command: str) -> bool:
    return subprocess.run(command, env=environment(), capture_output=True).returncode == 0


def _run(*command: str) -> None:
    try:
        done = subprocess.run(
            command,
            env=environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=_BUILD_LIMIT_S,
        )
    except subprocess.TimeoutExpired as error:
        message = f"{' '.join(command[:3])} did not end within {_BUILD_LIMIT_S} s"
        raise UnavailableError(message) from error
    if done.returncode != 0:
        last = " | ".join(done.stdout.strip().splitlines()[-3:])
        raise UnavailableError(f"{' '.join(command[:3])} failed: {last}")


if __name__ == "__main__":
    try:
        build_all()
    except UnavailableError as error:
        sys.exit(f"no containers: {error}")
