"""The words for those who are seen on the way to the call that would end a wait."""

from collections.abc import Sequence

from hangtui.findings.english import joined
from hangtui.model import CouldWake, Nearness


def only(who: str, wakers: Sequence[CouldWake]) -> str:
    """``Only feeder is seen on the way to jobs.put() (app.py:20), which would end that``."""
    if all(one.nearness is Nearness.IN for one in wakers):
        return f"Only {who} is seen doing what it waits for"
    calls = joined(list(dict.fromkeys(map(_call, wakers))))
    return f"Only {who} is seen on the way to {calls}, which would end that"


def _call(one: CouldWake) -> str:
    """``jobs.put() (app.py:20)``."""
    line = f" ({one.call_line})" if one.call_line else ""
    return f"{one.call or one.complement}(){line}"
