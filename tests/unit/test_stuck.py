"""Who is stuck: the largest set of which each member waits for the set alone."""

from collections.abc import Mapping

import pytest

from hangtui.model import largest_stuck


@pytest.mark.parametrize(
    ("ways", "expected"),
    [
        ({}, ""),
        ({"a": "b", "b": "a"}, "ab"),
        ({"a": "b", "b": "a", "c": "a"}, "abc"),  # who waits for the stuck is stuck as well
        ({"a": "b", "b": "c"}, ""),  # c can go on
        ({"a": "bc", "b": "a"}, ""),  # a has another way out
        ({"a": "bc", "b": "a", "c": "a"}, "abc"),
        ({"a": ""}, "a"),  # nothing could set it going
        ({"a": "a"}, "a"),
    ],
)
def test_who_is_stuck(ways: Mapping[str, str], expected: str) -> None:
    assert largest_stuck(ways) == set(expected)


def test_who_rests_stays_whatever_it_waits_for() -> None:
    ways = {"a": "b", "b": "c"}

    assert largest_stuck(ways, resting={"b"}) == {"a", "b"}
    assert largest_stuck(ways, resting={"c"}) == {"a", "b", "c"}


def test_a_chain_of_many_is_followed_once_each() -> None:
    length = 100_000
    chain = {number: [number + 1] for number in range(length)}

    assert largest_stuck(chain) == set()
    assert len(largest_stuck({**chain, length: [0]})) == length + 1


@pytest.mark.parametrize(
    ("ways", "expected"),
    [
        ({"a": "bc", "b": "a"}, "ab"),  # that c can go on is not enough
        ({"a": "bcd", "b": "a"}, "ab"),
        ({"a": "cc", "b": "a"}, ""),
        ({"a": "bc", "b": "d", "d": "e"}, ""),  # both can go on, one after the other
        ({"a": "ba", "b": "d"}, "a"),
    ],
)
def test_who_needs_all_of_them_is_stuck_with_one(ways: Mapping[str, str], expected: str) -> None:
    assert largest_stuck(ways, together="a") == set(expected)
