"""Python and native frames side by side, however Python was entered."""

import pytest

from hangtui.analysis.merge import merge
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
