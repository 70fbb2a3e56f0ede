"""Command lines without the secrets that people pass on them."""

import re
from collections.abc import Iterable

MASK = "***"

_SECRET_WORDS = frozenset(
    "password passwd passphrase passwort pass pwd pw secret secrets token key apikey auth "
    "authorization credential credentials cookie bearer signature sas".split()
)
_HARMLESS_ENDINGS = frozenset("file path dir name type size length count ttl url uri".split())

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_ASSIGNMENT = re.compile(r"(?P<name>-{0,2}[\w.-]+)=(?P<value>.*)", re.DOTALL)
_HEADER = re.compile(r"(?P<name>[\w-]+):\s*(?P<value>.+)", re.DOTALL)
_INNER = re.compile(
    r"""(?P<name>[\w.-]+)(?P<between>["']?\s*[:=]\s*)"""
    r"""(?P<value>"[^"]*"|'[^']*'|[^\s,;&"'(){}]+)"""
)
_USER_INFO = re.compile(
    r"(?P<scheme>[a-zA-Z][\w+.-]*://)(?P<user>[^\s/:@]*):[^\s/@]*(?:@[^\s/@]*)*@"
)
_LONG_USER = re.compile(r"(?P<scheme>[a-zA-Z][\w+.-]*://)[^\s/:@]{16,}@")
_KNOWN_SHAPES = re.compile(
    r"eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*"  # JSON web tokens
    r"|\b(?:gh[pousr]_|github_pat_|glpat-|xox[abprs]-|sk-|pypi-|hf_)[\w-]{16,}"
    r"|\b(?:AKIA|ASIA)[0-9A-Z]{16}\b"
    r"|(?<=[Bb]earer )\S+|(?<=[Bb]asic )[\w+/=]{8,}"
)


def mask(words: Iterable[str]) -> tuple[str, ...]:
    """*words* of a command line, with ``***`` for what looks like a secret."""
    result: list[str] = []
    value_follows = False
    for word in words:
        if value_follows and not _is_option(word):
            result.append(MASK)
            value_follows = False
        else:
            result.append(mask_word(word))
            value_follows = word.startswith("-") and "=" not in word and names_secret(word)
    return tuple(result)


def mask_word(word: str) -> str:
    """One word, with ``***`` for each secret inside it."""
    for pattern, joint in ((_ASSIGNMENT, "="), (_HEADER, ": ")):
        whole = pattern.fullmatch(word)
        if whole and names_secret(whole["name"]):
            return f"{whole['name']}{joint}{MASK}"
    word = _USER_INFO.sub(rf"\g<scheme>\g<user>:{MASK}@", word)
    word = _LONG_USER.sub(rf"\g<scheme>{MASK}@", word)
    word = _INNER.sub(_mask_inner, word)
    return _KNOWN_SHAPES.sub(MASK, word)


def _mask_inner(match: re.Match[str]) -> str:
    if not names_secret(match["name"]):
        return match[0]
    return f"{match['name']}{match['between']}{MASK}"


def names_secret(name: str) -> bool:
    """Whether what has this name is a secret."""
    words = [word.lower() for word in _WORD.findall(name)]
    if not words or words[-1] in _HARMLESS_ENDINGS:
        return False
    return not _SECRET_WORDS.isdisjoint(words)


def _is_option(word: str) -> bool:
    # A single dash may begin a token, as in base64url; a short or a long option does not look so.
    return word.startswith("--") or (word.startswith("-") and len(word) <= 2)
