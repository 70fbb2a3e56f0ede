"""The language of the filter line: ``worker !idle`` means "worker" and not "idle"."""

from collections.abc import Callable


def matcher(query: str) -> Callable[[str], bool]:
    """Whether a text has all words of *query*, in any order and case, and none with a ``!``."""
    words = query.casefold().split()
    wanted = [word for word in words if not word.startswith("!")]
    unwanted = [word[1:] for word in words if len(word) > 1 and word.startswith("!")]

    def matches(text: str) -> bool:
        folded = text.casefold()
        return all(word in folded for word in wanted) and not any(
            word in folded for word in unwanted
        )

    return matches
