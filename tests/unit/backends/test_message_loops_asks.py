"""Whether somebody has given something to others in the round of a loop in which it waits."""

from typing import Any

import pytest

from hangtui.backends.cpython.message_loops import MessageLoops, _Stands


def stands(*, loops: bool = False, sends: bool = False, again: bool = False) -> _Stands:
    return _Stands(loops, sends or again, again, calls=False, reads=True, given=False)


class _Known(MessageLoops):
    """Of each frame it is known how it stands."""

    def __init__(self) -> None:
        """Nothing is read."""

    def _stands(self, frame: Any) -> _Stands:
        known: _Stands = frame
        return known


@pytest.mark.parametrize(
    ("own", "asks"),
    [
        ((stands(sends=True), stands(loops=True)), True),
        ((stands(), stands(loops=True, again=True)), True),
        ((stands(loops=True, again=True),), True),
        ((stands(loops=True, sends=True),), False),
        ((stands(loops=True), stands(sends=True)), False),
        ((stands(sends=True), stands()), False),
        ((), False),
    ],
)
def test_what_it_has_sent_before_counts_within_the_round(
    own: tuple[Any, ...], *, asks: bool
) -> None:
    assert _Known()._asks(own) is asks
