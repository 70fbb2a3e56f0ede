"""A small dose of tests/endurance/crash_input.py."""

from tests.endurance import crash_input


def test_damaged_files_end_in_one_line() -> None:
    assert crash_input.main(1, 8) == 0
