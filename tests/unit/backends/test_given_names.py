"""Names that a program gave its processes, and those by which multiprocessing counts them."""

import pytest

from hangtui.backends.cpython.own_name import given


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("branch north", "branch north"),
        ("ForkProcess-1:2", None),
        ("SpawnPoolWorker-3", None),
        ("MainProcess", None),
        ("", None),
    ],
)
def test_a_number_is_no_name(name: str, expected: str | None) -> None:
    assert given(name) == expected
