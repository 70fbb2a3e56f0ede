"""Python and native frames side by side, however Python was entered."""

import shutil

import pytest

from hangtui.analysis.merge import merge
from tests.endurance.fleet import VENVS
from tests.integration.capturing import diagnose
from tests.integration.targets import Interpreter, interpreters, running

VERSIONS = ("3.6", "3.9", "3.11", "3.12", "3.14", "3.15")


@pytest.mark.parametrize("interpreter", interpreters(VERSIONS), ids=lambda i: i.id)
def test_callbacks_lie_between_the_frames_that_call_them(interpreter: Interpreter) -> None:
    with running("callbacks", interpreter.path) as target:
        found = diagnose(target.pid)
    merged = {thread.name: merge(thread) for thread in found.capture.threads()}
    assert len(merged) == 8
    assert {name: stack.reason for name, stack in merged.items() if not stack.aligned} == {}
    rows = merged["by_ctypes"].rows
    callback = next(i for i, row in enumerate(rows) if row.python and row.python.function == "wait")
    caller = next(
        i for i, row in enumerate(rows) if row.python and row.python.function == "by_ctypes"
    )
    modules = {str(row.native.module) for row in rows[callback:caller] if row.native}
    assert any("libc.so" in module for module in modules), modules  # qsort
    assert any("_ctypes" in module or "libffi" in module for module in modules), modules


def having(package: str) -> list[Interpreter]:
    """The interpreters of the fleet (``script/healthy-fleet --packages``) that have a package."""
    found = sorted(VENVS.glob(f"*/lib/*/site-packages/{package}-*.dist-info"))
    versions = dict.fromkeys(place.parents[3].name for place in found)
    return [Interpreter(VENVS / name / "bin" / "python", name, "fleet") for name in versions]


@pytest.mark.parametrize("package", ["cffi", "cython", "pybind11"])
def test_callbacks_of_packages_lie_between_the_frames_that_call_them(package: str) -> None:
    if not (found := having(package)) or shutil.which("g++") is None:
        pytest.skip(f"no {package} here, or no g++")
    for interpreter in found:
        with running("callbacks_packages", interpreter.path, arguments=(package,)) as target:
            thread = diagnose(target.pid).thread(f"by_{package}")
        merged = merge(thread)
        assert (merged.aligned, merged.reason) == (True, None), interpreter.id
        python = [(at, row.python.function) for at, row in enumerate(merged.rows) if row.python]
        inner = next(at for at, name in python if name == "wait")
        outer = next(at for at, name in python if name == f"by_{package}")
        called = [row.native.function for row in merged.rows[inner:outer] if row.native]
        assert "qsort_r" in called, (interpreter.id, called)
