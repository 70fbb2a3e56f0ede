"""What the name of a file in a lock folder says of its maker."""

import pytest

from hangtui.backends.ipc.lockfiles import _named_by


@pytest.mark.parametrize(
    ("name", "pids"),
    [
        ("vm.-ce2ddb8014137", [14137]),
        ("vm.4711", [4711]),
        ("other.-ce2ddb8014137", []),
        ("vm.archiver-17", []),
        ("archiver-17", []),
    ],
)
def test_a_name_that_begins_with_the_machines_may_end_with_a_pid(
    name: str, pids: list[int]
) -> None:
    assert _named_by(name, "vm")[:1] == pids[:1]


def test_several_pids_may_be_meant() -> None:
    assert _named_by("vm.-1234567812", "vm") == [12, 812, 7812]
