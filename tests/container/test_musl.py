"""An application in an image without glibc, as those of Alpine are: hangtui beside it and in it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.container import images, terminal
from tests.container.conftest import Container, podman, started

DEADLOCK = "Deadlock: forth and back wait for each other"


@pytest.fixture(scope="module")
def alpine(built: None) -> Iterator[Container]:  # noqa: ARG001
    try:
        images.build_musl()
    except images.UnavailableError as error:
        pytest.skip(str(error))
    with started(images.MUSL) as container:
        yield container


def test_it_has_no_glibc(alpine: Container) -> None:
    maps = Path(f"/proc/{alpine.pid}/maps").read_text()
    assert "ld-musl-" in maps
    assert "libc.so.6" not in maps


def test_a_sidecar_reads_it(alpine: Container) -> None:
    done = alpine.sidecar("check", "1")
    assert done.code == 1, done.errors
    assert DEADLOCK in done.output


def test_the_portable_folder_runs_in_it(alpine: Container, portable: Path) -> None:
    copied = podman("cp", str(portable), f"{alpine.name}:/tmp/h")
    assert copied.code == 0, copied.errors
    done = alpine.exec("/tmp/h/hangtui", "check", "1")
    assert done.code == 1, done.errors
    assert DEADLOCK in done.output
    with terminal.opened("exec", "-it", alpine.name, "/tmp/h/hangtui") as screen:
        screen.until("Deadlock", "forth", "back")
        screen.type("q")
        assert screen.end() == 0
