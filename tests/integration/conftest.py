"""Parameters of the tests against real processes."""

import shutil
import sys
from pathlib import Path

import pytest

from tests.integration.capturing import Captured, Diagnosis
from tests.integration.targets import Interpreter, Target, interpreters

_FOUND = interpreters() or [Interpreter(Path(sys.executable), "3", "own")]


@pytest.fixture(
    params=_FOUND,
    ids=lambda found: found.id,
)
def python(request: pytest.FixtureRequest) -> Path:
    """Every CPython on this machine that the reader knows."""
    path: Path = request.param.path
    return path


@pytest.fixture(
    params=[found for found in _FOUND if found.origin != "fetched"],
    ids=lambda found: found.id,
)
def python_with_eval_symbol(request: pytest.FixtureRequest) -> Path:
    """Those whose interpreter loop can be told by its name.

    Debian's 3.14 and 3.15 split it into parts that have none.
    """
    path: Path = request.param.path
    return path


@pytest.fixture
def python_version(python: Path) -> str:
    """Its version: ``3.12``; ``3.13t`` where it is free-threaded."""
    return next(found.version for found in _FOUND if found.path == python)


@pytest.fixture
def python_minor(python_version: str) -> int:
    """Its minor version."""
    return int(python_version.removesuffix("t").split(".")[1])


@pytest.fixture
def with_gil(request: pytest.FixtureRequest) -> None:
    """Skips a test that is about the GIL where there is none."""
    names = {"python", "python_with_eval_symbol"} & set(request.fixturenames)
    if any(request.getfixturevalue(name).name.endswith("t") for name in names):
        pytest.skip("a free-threaded CPython has no GIL")


@pytest.fixture
def any_python() -> Path:
    """One CPython to run targets with, the newest that is installed and starts by itself."""
    installed = [one.path for one in _FOUND if one.origin in ("pyenv", "system")]
    return (installed or [one.path for one in _FOUND])[-1]


@pytest.fixture(scope="module")
def _kept() -> dict[object, tuple[Diagnosis, Target]]:
    return {}


@pytest.fixture
def captured(
    request: pytest.FixtureRequest, _kept: dict[object, tuple[Diagnosis, Target]]
) -> Captured:
    """Captures a target once for all tests of a module; a second try sees another process."""
    if getattr(request.node, "execution_count", 1) > 1:
        _kept.clear()
    return Captured(_kept)


@pytest.fixture
def compiler() -> None:
    """Skips a test whose target has a native half that cannot be built here."""
    if shutil.which("gcc") is None:
        pytest.skip("no gcc to build the native half of the target")


def _some() -> list[Interpreter]:
    """The oldest, a middle and a new CPython: enough where only the kernel is asked."""
    found = {one.version: one for one in interpreters(("3.6", "3.11", "3.13"))}
    return list(found.values()) or interpreters()[:1]


@pytest.fixture(params=_some(), ids=lambda found: found.id)
def some_python(request: pytest.FixtureRequest) -> Path:
    path: Path = request.param.path
    return path


@pytest.fixture
def new_python() -> Path:
    """One that has everything that is asked of it here."""
    return interpreters(("3.11", "3.12", "3.13"))[-1].path
