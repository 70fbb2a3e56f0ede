"""A second try for the tests that wait for real processes; which tests run, and in which order.

A busy machine may let such a test miss a moment; what fails twice is a failure. They are those of
some folders and modules, and those marked ``processes``. A test that says itself how often it may
fail keeps that; where the command line says it (``--reruns=0``), that holds for all others.
"""

import functools
import gc
from pathlib import Path

import pytest

from tests.order import in_order
from tests.shares import left_out

_HERE = Path(__file__).parent
_WITH_PROCESSES = frozenset(
    (
        *(_HERE / name for name in ("container", "hostile", "integration")),
        *(_HERE / "tui" / f"test_{name}.py" for name in ("browser", "debugger", "running", "tmux")),
    )
)
_SECOND_TRY = pytest.mark.flaky(reruns=1, reruns_delay=3)


@pytest.hookimpl(tryfirst=True)  # before tests are chosen by their marks
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark them."""
    told = config.getoption("reruns") is not None
    for item in items:
        if _with_processes(item.path):
            item.add_marker(pytest.mark.processes)
        waits = item.get_closest_marker("processes") is not None
        if waits and not told and item.get_closest_marker("flaky") is None:
            item.add_marker(_SECOND_TRY)


@functools.cache
def _with_processes(path: Path) -> bool:
    return not _WITH_PROCESSES.isdisjoint((path, *path.parents))


class _Shares:
    """Comes after what chooses tests by their names and marks."""

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(
        self, config: pytest.Config, items: list[pytest.Item]
    ) -> None:
        """Leave out what ``tests.shares`` says; order for several workers what remains."""
        out = set(left_out(items, named=any("::" in word for word in config.args)))
        config.hook.pytest_deselected(items=[item for item in items if item in out])
        items[:] = [item for item in items if item not in out]
        workers = getattr(config, "workerinput", {"workercount": 1})["workercount"]
        if workers > 1:
            items[:] = in_order(items, workers)


def pytest_configure(config: pytest.Config) -> None:
    """Have tests chosen twice: first by what was asked for."""
    config.pluginmanager.register(_Shares())


def pytest_collection_finish() -> None:
    """What was imported and collected stays: to search it for garbage took a fifth of the time.

    Nor is what an application makes garbage before it has ended.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000)
