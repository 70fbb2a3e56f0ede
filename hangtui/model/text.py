"""Text from a target is untrusted: what may reach a terminal of it."""

import unicodedata

_REPLACED = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}


def clean(text: str, limit: int = 2000) -> str:
    """*text* on one line without control, format or surrogate characters, at most *limit* long.

    Each such character becomes U+FFFD, so that its presence stays visible; tabs and newlines
    become a space.
    """
    if text.isascii() and text.isprintable():
        return text if len(text) <= limit else text[: limit - 1] + "…"
    cut = text[:limit]
    result = "".join(
        " " if char in "\t\n\r" else "\ufffd" if unicodedata.category(char) in _REPLACED else char
        for char in cut
    )
    return result if len(text) <= limit else result[:-1] + "…"
