"""Containers with a program in them, and hangtui beside or inside."""

import contextlib
import json
import subprocess
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.container import images
from tests.waiting import until

_HERE = Path(__file__).parent
_LIMIT_S = 100
_BUILD_LIMIT_S = 1200


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The first one may wait for the images: script/test has them built meanwhile."""
    for item in items:
        if item.path.parent == _HERE:
            item.add_marker(pytest.mark.timeout(_BUILD_LIMIT_S))


@dataclass(frozen=True, slots=True)
class Done:
    """A command that has ended."""

    code: int
    output: str
    errors: str

    def json(self) -> dict[str, Any]:
        """Its output, which is one JSON object."""
        assert self.output, self.errors
        answer: dict[str, Any] = json.loads(self.output)
        return answer


def podman(*words: str) -> Done:
    """Run it to its end."""
    done = subprocess.run(
        ["podman", *words],
        env=images.environment(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=_LIMIT_S,
    )
    return Done(done.returncode, done.stdout, done.stderr)


@dataclass(frozen=True, slots=True)
class Container:
    """A running container."""

    name: str

    def exec(self, *command: str, options: tuple[str, ...] = ()) -> Done:
        """Run a command inside."""
        return podman("exec", *options, self.name, *command)

    def inspect(self, field: str) -> str:
        """What the engine says of it."""
        return podman("inspect", "--format", f"{{{{{field}}}}}", self.name).output.strip()

    @property
    def pid(self) -> int:
        """Its first process, as the host numbers it."""
        return int(self.inspect(".State.Pid"))

    def sidecar(
        self, *command: str, options: tuple[str, ...] = ("--cap-add", "SYS_PTRACE")
    ) -> Done:
        """hangtui in a container of its own that shares nothing but the processes."""
        return podman("run", *self.beside(*options), images.SIDECAR, *command)

    def beside(self, *options: str) -> tuple[str, ...]:
        """The options of such a container."""
        return (
            *("--rm", "--pull", "never", "--network", "none"),
            *("--pid", f"container:{self.name}", *options),
        )


@contextlib.contextmanager
def started(
    image: str, *options: str, command: tuple[str, ...] = (), feature: str = ""
) -> Iterator[Container]:
    """A container whose program has said that it is ready.

    *feature*: what *options* want of the kernel that it may lack.
    """
    container = Container(f"hangtui-test-{uuid.uuid4().hex[:12]}")
    words = ("--detach", "--pull", "never", "--network", "none", "--name", container.name)
    begun = podman("run", *words, *options, image, *command)
    try:
        if begun.code != 0 and feature:
            pytest.skip(f"no {feature} on this machine: {begun.errors.strip()[-200:]}")
        assert begun.code == 0, begun.errors
        until(
            lambda: "ready" in podman("logs", container.name).output,
            lambda: podman("logs", container.name),
        )
        yield container
    finally:
        podman("rm", "--force", "--time", "0", container.name)


@pytest.fixture(scope="session", autouse=True)
def built() -> None:
    """The images; where they cannot be built, the reason is told and nothing is claimed."""
    try:
        images.build_all()
    except images.UnavailableError as error:
        pytest.skip(str(error))


@pytest.fixture(scope="session")
def hung(built: None) -> Iterator[Container]:  # noqa: ARG001
    """The debug image; its application has deadlocked, as root with the usual rights."""
    with started(images.DEBUG) as container:
        yield container


@pytest.fixture(scope="session")
def untouched(built: None) -> Iterator[Container]:  # noqa: ARG001
    """The application's own image, deadlocked too."""
    with started(images.APP) as container:
        yield container


@pytest.fixture(scope="session")
def portable(built: None, tmp_path_factory: pytest.TempPathFactory) -> Path:  # noqa: ARG001
    """The folder that script/portable made in the image, packed to be copied."""
    folder = tmp_path_factory.mktemp("portable")
    name = f"hangtui-test-{folder.parent.name}"
    podman("rm", "--force", name)
    podman("create", "--pull", "never", "--name", name, images.SIDECAR)
    copied = podman("cp", f"{name}:/opt/hangtui", str(folder / "hangtui-portable"))
    podman("rm", name)
    assert copied.code == 0, copied.errors
    return folder / "hangtui-portable"
