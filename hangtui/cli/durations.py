"""Times as people type them."""

import re

from hangtui.model import UsageError, clean

_UNITS = {"": 1.0, "s": 1.0, "m": 60.0, "h": 3600.0}
_DURATION = re.compile(r"(\d{1,9}(?:\.\d{1,3})?)([smh]?)", re.ASCII)


def seconds(text: str) -> float:
    """``30``, ``30s``, ``5m`` or ``1h`` in seconds.

    Raises:
        UsageError: it is none of these, or no time at all.
    """
    found = _DURATION.fullmatch(text)
    value = float(found[1]) * _UNITS[found[2]] if found else 0.0
    if value <= 0:
        raise UsageError(f"{clean(text, 40)!r} is not a time", "30s, 5m, 1h")
    return value
