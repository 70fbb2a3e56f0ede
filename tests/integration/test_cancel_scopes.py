"""Tasks in cancel scopes of anyio that were cancelled, on the CPythons of this machine."""

from pathlib import Path

import pytest

from tests.integration.capturing import Captured


@pytest.mark.every_python
def test_where_tasks_entered_a_scope_that_was_cancelled(python: Path, captured: Captured) -> None:
    if python.name == "python3.6":
        pytest.skip("the target needs asyncio of 3.7")
    found, target = captured("cancel_scopes", python)
    places = {one.function: one.cancelled_at for one in found.capture.tasks}

    def place(text: str) -> str:
        return f"cancel_scopes.py:{target.line(text)}"

    assert str(places["in_group"]).endswith(place("async with TaskGroup(CancelScope(True))"))
    assert str(places["in_function"]).endswith(place("with fail_after(CancelScope(True))"))
    assert places["in_scope"] is not None
    assert places["further_out"] is not None
    assert places["not_cancelled"] is None
    assert places["main"] is None
