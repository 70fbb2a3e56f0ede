"""The language of the filter line: ``worker !idle`` means "worker" and not "idle"."""

import re
from collections.abc import Callable

REGEX = "re:"
"""What stands behind it is one regular expression."""


def matcher(query: str) -> Callable[[str], bool]:
    """Whether a text has all words of *query*, in any order and case, and none with a ``!``.

    ``re:`` and all behind it is a regular expression; one that is not finished yet is searched for
    as it stands.
    """
    query = query.strip()
    if query.startswith(REGEX):
        return _regex(query.removeprefix(REGEX))
    words = query.casefold().split()
    wanted = [word for word in words if not word.startswith("!")]
    unwanted = [word[1:] for word in words if len(word) > 1 and word.startswith("!")]

    def matches(text: str) -> bool:
        folded = text.casefold()
        return all(word in folded for word in wanted) and not any(
            word in folded for word in unwanted
        )

    return matches


def _regex(pattern: str) -> Callable[[str], bool]:
    try:
        compiled = re.compile(pattern, re.IGNORECASE)
    except re.error:
        compiled = re.compile(re.escape(pattern), re.IGNORECASE)
    return lambda text: compiled.search(text) is not None
