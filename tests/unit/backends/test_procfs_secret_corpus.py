"""How many secrets are masked in command lines of all kinds, and how many harmless words stay."""

import hashlib
import re
import shlex
import string
from itertools import count
from pathlib import Path

import pytest

from hangtui.backends.procfs.secrets import mask

_CORPUS = Path(__file__).parent / "secret_corpus"
_PLACE = re.compile(r"<(pw|alnum|hex|upper|digits|b64_)(\d*)>")
_ALPHABETS = {
    "alnum": string.ascii_letters + string.digits,
    "hex": "0123456789abcdef",
    "upper": string.ascii_uppercase + "234567",
    "digits": string.digits,
    "b64_": string.ascii_letters + string.digits + "+/",
}
_PASSWORDS = ("hunter2x", "Kr0kod1l", "plumtree", "s3cr=tPa$5", "q1w2e3r4t5")
_PIECE = 5
"""So many characters of a secret must not be left in a row."""


def _lines(name: str) -> list[str]:
    lines = (_CORPUS / name).read_text().splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def _secret(kind: str, length: str, salt: str) -> str:
    if kind == "pw":
        return _PASSWORDS[hashlib.sha256(salt.encode()).digest()[0] % len(_PASSWORDS)]
    alphabet = _ALPHABETS[kind]
    numbers = (n for i in count() for n in hashlib.sha256(f"{salt}{i}".encode()).digest())
    return "".join(alphabet[next(numbers) % len(alphabet)] for _ in range(int(length)))


def _shape(line: str) -> tuple[list[str], list[str]]:
    """The words of a command line, and the secrets in them."""
    secrets: list[str] = []

    def filled(place: re.Match[str]) -> str:
        secrets.append(_secret(place[1], place[2], line + str(len(secrets))))
        return secrets[-1]

    words = shlex.split(line)
    return [_PLACE.sub(filled, word).replace("\\n", "\n") for word in words], secrets


def _shown(words: list[str], secrets: list[str]) -> bool:
    """Whether a piece of one of the secrets is left after masking."""
    text = "\n".join(mask(words))
    pieces = (s[i : i + _PIECE] for s in secrets for i in range(len(s) - _PIECE + 1))
    return any(piece in text for piece in pieces)


def _leaks(name: str) -> list[str]:
    return [line for line in _lines(name) if _shown(*_shape(line))]


def _changed(name: str) -> list[str]:
    lines = [(line, tuple(shlex.split(line))) for line in _lines(name)]
    return [
        f"{line}   ->   {shlex.join(mask(words))}" for line, words in lines if mask(words) != words
    ]


@pytest.mark.parametrize("half", ["shapes_first", "shapes_later"])
def test_secrets_of_all_shapes_are_masked(half: str) -> None:
    assert _leaks(half) == []


@pytest.mark.parametrize("half", ["harmless_first", "harmless_later"])
def test_harmless_arguments_stay_readable(half: str) -> None:
    assert _changed(half) == []


def test_the_corpus_is_as_large_as_promised() -> None:
    assert len(_lines("shapes_first")) >= 100
    assert len(_lines("harmless_first")) >= 100
    assert len(_lines("shapes_first") + _lines("shapes_later")) >= 200
    assert len(_lines("harmless_first") + _lines("harmless_later")) >= 200
