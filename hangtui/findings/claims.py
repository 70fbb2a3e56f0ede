"""How a finding calls a deadlock that is certain, and one that is only possible."""

_SURE, _POSSIBLE = "Deadlock", "Possible deadlock"


def claim(*, sure: bool) -> str:
    """What a title begins with."""
    return _SURE if sure else _POSSIBLE


def reserve(*, sure: bool) -> str:
    """What a sentence begins with; empty: it needs no reserve."""
    return "" if sure else f"{_POSSIBLE}: "


def without_reserve(told: str) -> str:
    """A title or a sentence that began with one."""
    return told.removeprefix(reserve(sure=False))


def made_sure(title: str) -> str:
    """The title of what turned out to be certain."""
    rest = without_reserve(title)
    return title if rest == title else f"{_SURE}: {rest}"
