"""Parameters of the tests against real processes."""

import shutil
import sys
from pathlib import Path

import pytest

from tests.integration.targets import interpreters

_FOUND = interpreters()


@pytest.fixture(
    params=_FOUND or [pytest.param(None, marks=pytest.mark.skip("no CPython 3.8-3.13 found"))],
    ids=lambda found: found.id if found else "none",
)
def python(request: pytest.FixtureRequest) -> Path:
    """Every CPython on this machine that the reader knows."""
    path: Path = request.param.path
    return path


@pytest.fixture
def any_python() -> Path:
    """One CPython to run targets with."""
    return _FOUND[-1].path if _FOUND else Path(sys.executable)


@pytest.fixture
def compiler() -> None:
    """Skips a test whose target has a native half that cannot be built here."""
    if shutil.which("gcc") is None:
        pytest.skip("no gcc to build the native half of the target")
