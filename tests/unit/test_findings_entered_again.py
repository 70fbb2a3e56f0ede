"""Calls of a package within each other, of which the inner one waits."""

from dataclasses import replace

import pytest

from hangtui.findings.package_queries import entered_again
from hangtui.model import PythonFrame
from tests.unit.factories import python_frame, thread

SITE = "/venv/lib/python3.12/site-packages/cache"


def of_package(function: str, line: int) -> PythonFrame:
    return replace(python_frame(function, line, f"{SITE}/locked.py"), package="cache 1.0")


INNER, OUTER = of_package("wrap", 62), of_package("wrap", 63)
OTHER = of_package("run", 9)
FARE, MAIN = python_frame("fare", 29, "/app/main.py"), python_frame("main", 45, "/app/main.py")


@pytest.mark.parametrize(
    ("stack", "told"),
    [
        (
            (of_package("Lock.enter", 169), INNER, FARE, OUTER, MAIN),
            ", in a call of wrap within an earlier one, which has come to main.py:29 (fare)",
        ),
        ((INNER, FARE, OTHER, MAIN), ""),
        ((INNER, OUTER, MAIN), ""),
        ((INNER, FARE), ""),
        ((INNER,), ""),
    ],
    ids=["within", "another function", "calls itself", "once", "no application"],
)
def test_an_earlier_call_that_has_come_back(stack: tuple[PythonFrame, ...], told: str) -> None:
    assert entered_again(thread("MainThread", python=stack)) == told
