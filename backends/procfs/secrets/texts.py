"""Secrets inside of one text: addresses, names with values in any notation, known shapes."""

import re
from collections.abc import Iterator

from hangtui.backends.procfs.secrets.names import is_harmless, is_strong, names_secret
from hangtui.backends.procfs.secrets.services import KNOWN

MASK = "***"

_ASSIGNMENT = re.compile(r"(?P<name>[-+~/]{0,2}[\w.][\w.-]*+)=(?P<value>.*+)", re.DOTALL)
_HEADER = re.compile(r"(?P<name>[\w-]++):\s*+(?P<value>.++)", re.DOTALL)

_AUTHORITY = re.compile(r"""://(?P<text>[^\s/"'<>]*+)""")
_FURTHER = re.compile(r"""[^\s"'<>]{0,256}+""")
"""A password with a "/" that somebody did not encode; longer ones are no more looked for."""
_LONG_USER = 16
"""A user name without a password that is as long is a token, as in ``https://TOKEN@github.com``."""
_LONG_TOKEN = 20
"""The same before a password, if it has a digit: ``https://TOKEN:x-oauth-basic@github.com``."""

_NAME = re.compile(
    r"""(?<![\w.-])(?P<name>[\w.-]++)"""
    r"""(?P<between>\\*+["']?+\]?+(?:\s*+(?:=>|:=|==?|:(?!:))|(?<=["']),)\s*+)"""
)
_QUERY_NAMES = frozenset("code session sid ticket assertion sig hmac key k pin".split())
"""Names that tell a secret only in the query or fragment of an address."""
_VALUE = re.compile(
    # a text in a text: its quotes have backslashes, and those inside of it have more
    r"""(?P<slashes>\\++)(?P<quote>["'])"""
    r"""(?:(?!(?P=quote))[^\\]|(?!(?P=slashes)(?P=quote))\\++["']?+)*+(?:(?P=slashes)(?P=quote))?+"""
    r'''|[bBrRfFuU]{0,2}+(?:"""(?:[^"\\]|\\.|"(?!""))*+(?:""")?+'''
    r"""|'''(?:[^'\\]|\\.|'(?!''))*+(?:''')?+"""
    r"""|"(?:[^"\\]|\\.)*+"?+|'(?:[^'\\]|\\.)*+'?+)"""
    r"""|\[[^\]]*+\]?+|\{[^{}]*+\}?+"""
    r"""|(?:(?i:bearer|basic|token|digest|negotiate|apikey)\s++)?+[^\s,;&"'(){}\[\]]++"""
    r"""(?:\([^()]*+\)?+)?+|\([^()]*+\)?+""",
    re.DOTALL,
)
"""Each kind goes on to the end of the text if it has no end, as in one that was cut."""
_LINE = re.compile(r"""[^\n,;&"'(){}\[\]\\]++""")
_SHORTEST = 4
"""Digits of a secret in an address: ``code=200`` is an answer's status."""
_SOME = 16
"""Characters of a value in a list after a name that need not be one."""


def mask_whole(word: str) -> str | None:
    """A word that is as a whole a name and its secret, masked; None if it is something else."""
    matches = (_ASSIGNMENT.fullmatch(word), "="), (_HEADER.fullmatch(word), ": ")
    for whole, joint in matches:
        if whole and names_secret(whole["name"]):
            plain = is_harmless(whole["value"]) or _is_folder(whole["name"], whole["value"])
            return word if plain else f"{whole['name']}{joint}{MASK}"
    return None


def mask_text(text: str) -> str:
    """*text* with a mask for each secret in it, in time linear in its length."""
    if "://" in text:
        text = _replaced(text, _user_infos(text))
    return KNOWN.sub(MASK, _replaced(text, _values(text)))


def _replaced(text: str, places: Iterator[tuple[int, int]]) -> str:
    """*text* with a mask for what is between each two offsets, which ascend."""
    pieces = []
    shown = 0
    for start, end in places:
        pieces += [text[shown:start], MASK]
        shown = end
    return "".join(pieces) + text[shown:]


def _user_infos(text: str) -> Iterator[tuple[int, int]]:
    """Where in *text* passwords and tokens before the host of an address are."""
    done = 0
    for found in _AUTHORITY.finditer(text):
        start = found.start("text")
        information, at, _ = found["text"].rpartition("@")
        user, colon, password = information.partition(":")
        if not at:
            user, colon, port = found["text"].partition(":")
            further = _FURTHER.match(text, found.end())
            more, at, _ = (further[0] if further else "").rpartition("@")
            if not at or not colon or port.isdigit() or not port:
                continue
            password = port + more
        if start < done or not {"?", "#"}.isdisjoint(user):
            continue
        done = start + len(user) + len(colon) + len(password)
        if not colon:
            if len(user) >= _LONG_USER:
                yield start, done
        elif len(user) >= _LONG_TOKEN and any(map(str.isdigit, user)):
            yield start, done
        elif not is_harmless(password):
            yield start + len(user) + 1, done


def _values(text: str) -> Iterator[tuple[int, int]]:
    """Where in *text* the values of secret names are."""
    done = 0
    for found in _NAME.finditer(text):
        if found.start() < done or not _is_secret(text, found):
            continue
        value = _value(text, found)
        if value is None or is_harmless(value[0].strip("\\\"'")):
            continue
        if _is_folder(found["name"], value[0]):
            continue
        if "," in found["between"] and not _in_list(found["name"], value[0]):
            continue
        if value[0][0] in "[{" and not is_strong(found["name"]):
            continue
        if value[0].isdigit() and len(value[0]) < _SHORTEST and not names_secret(found["name"]):
            continue
        done = value.end()
        yield value.start(), done


def _is_secret(text: str, found: re.Match[str]) -> bool:
    if names_secret(found["name"]):
        return True
    before = text[found.start() - 1 : found.start()]
    return before in ("?", "&", "#") and found["name"].lower() in _QUERY_NAMES


def _value(text: str, found: re.Match[str]) -> re.Match[str] | None:
    # "password: a few words", as in YAML, goes on to the end of the line.
    if found["between"].startswith(": ") and is_strong(found["name"]):
        line = _LINE.match(text, found.end())
        if line is not None:
            return line
    return _VALUE.match(text, found.end())


def _in_list(name: str, value: str) -> bool:
    """Whether ``"name", "value"`` is a secret: there the next item need not be the value."""
    return value[0] in "\"'\\" and (is_strong(name) or (len(value) >= _SOME and "_" in name))


def _is_folder(name: str, value: str) -> bool:
    return name.lower() in ("pwd", "oldpwd") and value.startswith("/")
