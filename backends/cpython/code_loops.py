"""Loops in a function's code, by what may follow each of its instructions."""

from collections.abc import Mapping
from typing import NamedTuple

from hangtui.backends.cpython.bytecode import reachable

Flow = Mapping[int, tuple[int, ...]]
"""What may follow, by the start of each instruction."""


class Loop(NamedTuple):
    """A loop in a function."""

    here: int
    """Where the instruction starts on which the frame stands."""
    inside: frozenset[int]
    """Where its instructions start; empty: there is none, if nothing is raised."""
    ends: bool
    """The function goes on after it."""
    retries: bool = False
    """It comes back here only if something was raised: by what it tries again."""

    @property
    def endless(self) -> bool:
        """Whether it is never left, if nothing is raised."""
        return bool(self.inside) and not self.ends

    @property
    def repeats(self) -> bool:
        """Whether the frame may come back to where it stands."""
        return bool(self.inside) or self.retries


def after(flow: Flow, here: int) -> set[int]:
    """The instructions that are reached from *here*."""
    return set[int]().union(*(reachable(flow, start) for start in flow.get(here, ())))


def cycle(flow: Flow, here: int) -> set[int]:
    """The instructions that are reached from *here* and lead back to it."""
    coming = after(flow, here)
    return coming & reachable(backwards(flow), here) if here in coming else set()


def innermost(flow: Flow, here: int) -> Loop:
    """The innermost loop around *here*: what lies between the ends of one jump back."""
    jumps = [
        (start - back, back, start)
        for start, following in flow.items()
        for back in following
        if back <= here <= start
    ]
    if not jumps:
        return Loop(here, frozenset(), ends=True)
    _, first, last = min(jumps)
    between = {
        start: tuple(one for one in following if first <= one <= last)
        for start, following in flow.items()
        if first <= start <= last
    }
    return Loop(here, frozenset(cycle(between, here)), ends=True)


def backwards(flow: Flow) -> Flow:
    """What may come before, by the start of each instruction."""
    back: dict[int, tuple[int, ...]] = {}
    for start, following in flow.items():
        for at in following:
            back[at] = (*back.get(at, ()), start)
    return back
