"""A small dose of tests/endurance/watch_hangs.py."""

from tests.endurance import watch_hangs


def test_each_hang_is_told_once_and_no_healthy_process() -> None:
    result = watch_hangs.batch(0, hung=3, rings=2, healthy=2, hang_after_s=1, periods=4)

    assert result.good, (str(result), result.false)
    assert result.periods >= 8
