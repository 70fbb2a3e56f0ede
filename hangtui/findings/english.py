"""Lists, articles, numbers and times, as sentences have them."""

from collections.abc import Iterable, Sequence

from hangtui.findings.thresholds import NAMES_LISTED
from hangtui.model import Thread


def joined(names: Sequence[str]) -> str:
    """``a``, ``a and b``, ``a, b and c``; of none, nothing."""
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} and {names[-1]}"


def either(names: Sequence[str]) -> str:
    """``a``, ``a or b``, ``a, b or c``; of none, nothing."""
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} or {names[-1]}"


def listed(names: Sequence[str]) -> str:
    """The first few names, and how many more there are."""
    rest = len(names) - NAMES_LISTED
    return ", ".join(names) if rest <= 0 else f"{', '.join(names[:NAMES_LISTED])} and {rest} more"


def clauses(told: Sequence[str], total: int = 0, most: int = NAMES_LISTED) -> str:
    """The first *most* of these, parted by semicolons, and how many more there are: of *total*,
    where only some were put into words."""
    shown = told[:most]
    more = max(total, len(told)) - len(shown)
    return "; ".join(shown) + (f"; and {more} more" if more > 0 else "")


def runs(numbers: Iterable[int]) -> list[str]:
    """``0-2``, ``4``: *numbers* in order, those in a row as one."""
    found: list[list[int]] = []
    for number in sorted(numbers):
        if found and number == found[-1][-1] + 1:
            found[-1][1:] = [number]
        else:
            found.append([number])
    return ["-".join(map(str, run)) for run in found]


def lasting(seconds: float) -> str:
    """``0.4 s``, ``40 s``, ``5 min``, ``3 h``."""
    if seconds < 1:
        return f"{seconds:.1f} s"
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.0f} h"


def article(noun: str) -> str:
    """``an event``, ``a queue``."""
    vowel = noun[:1].lower() in "aeiou" and not noun.startswith("uni")
    return f"{'an' if vowel else 'a'} {noun}"


def counted(count: int, noun: str) -> str:
    """``1 task``, ``2 tasks``."""
    return f"{count} {noun}{'' if count == 1 else 's'}"


def stillness(threads: Sequence[Thread], *, loop: bool = False) -> str:
    """How long none of *threads* ran; *loop*: the only one runs an event loop."""
    times = [thread.still_ms for thread in threads]
    known = [time for time in times if time is not None]
    subject = "the thread of the event loop never" if loop else "it never"
    if len(threads) > 1:
        subject = f"none of the {len(threads)} threads"
    if len(known) < len(times) or not known:
        return f"{subject} ran while it was read"
    return f"{subject} ran while watched for {min(known):.0f} ms"
