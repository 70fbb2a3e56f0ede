"""Which findings count: ``--allow`` and ``--only``."""

import argparse
import difflib
from collections.abc import Collection

from hangtui import findings
from hangtui.diagnosis import Choice
from hangtui.model import UsageError, clean

_NEAR = 3
"""How many ids are proposed for one that does not exist."""


def chosen(args: argparse.Namespace) -> Choice:
    """What the arguments ask for.

    Raises:
        UsageError: there is no finding with such an id.
    """
    known = findings.ids()
    for word in (*args.allow, *args.only):
        if word not in known:
            near = ", ".join(_near(word, known))
            raise UsageError(
                f"no finding is called {clean(word, 60)!r}"
                + (f"; near it are: {near}" if near else ""),
                None if near else f"one of: {', '.join(known)}",
            )
    return Choice(tuple(args.allow), tuple(args.only))


def _near(word: str, known: Collection[str]) -> list[str]:
    """Ids that are spelled alike, or have the word in them."""
    alike = difflib.get_close_matches(word.lower(), known, _NEAR)
    parts = [one for one in known if len(word) > 2 and word.lower() in one]
    return list(dict.fromkeys([*alike, *parts]))[:_NEAR]
