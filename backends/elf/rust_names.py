"""Rust's symbol names as their authors wrote them (RFC 2603, the "v0" scheme: ``_R...``).

A name can refer to its own parts, so that one of 300 letters may stand for gigabytes: what it reads
and what it writes are both bounded. Hashes of crates, lifetimes and values of constants are left
out, as ``rustc`` does in the backtraces that people know.
"""

import re
from collections.abc import Callable

_BASIC = {
    "a": "i8", "b": "bool", "c": "char", "d": "f64", "e": "str", "f": "f32", "h": "u8",
    "i": "isize", "j": "usize", "l": "i32", "m": "u32", "n": "i128", "o": "u128", "s": "i16",
    "t": "u16", "u": "()", "v": "...", "x": "i64", "y": "u64", "z": "!", "p": "_",
}  # fmt: skip
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_MOST_STEPS, _MOST_LETTERS, _DEEPEST = 2000, 4096, 60
_SIGNS = {"LT": "<", "GT": ">", "RF": "&", "BP": "*", "LP": "(", "RP": ")", "C": ","}
_SPELT = re.compile(r"\$(LT|GT|RF|BP|LP|RP|C|u([2-7][0-9a-f]))\$")
"""A sign in a name of the older scheme: by its name, or by its number."""
_LEGACY_HASH = re.compile(r"::h[0-9a-f]{16}$")


def of_older_scheme(name: str) -> str:
    """*name* without the hash that Rust's older scheme, a dialect of C++'s, puts at its end, and
    with the signs that it spells out: ``$LT$impl$u20$a..B$GT$`` is ``<impl a::B>``; other names
    unchanged."""
    plain = _LEGACY_HASH.sub("", name)
    if plain == name:
        return name
    plain = _SPELT.sub(lambda found: _SIGNS.get(found[1]) or chr(int(found[2] or "3f", 16)), plain)
    plain = plain.replace("..", "::").replace("::_<", "::<")
    return plain.removeprefix("_") if plain.startswith("_<") else plain


def demangle_rust(name: str) -> str:
    """*name* demangled, or unchanged where it is no such name, or stands for too much."""
    if not name.startswith("_R"):
        return name
    reader = _Reader(name[2:])
    try:
        return reader.path()
    except (_NotRustError, RecursionError):
        return name


class _NotRustError(Exception):
    """It does not follow the scheme, or is too much."""


class _Reader:
    """Reads one name; positions count from behind ``_R``."""

    def __init__(self, text: str) -> None:
        self._text, self._at = text, 0
        self._steps = self._letters = self._depth = 0

    def _next(self) -> str:
        self._steps += 1
        if self._at >= len(self._text) or self._steps > _MOST_STEPS:
            raise _NotRustError
        self._at += 1
        return self._text[self._at - 1]

    def _is(self, letter: str) -> bool:
        """Whether *letter* comes next; then it is read."""
        found = self._text.startswith(letter, self._at)
        self._at += found
        return found

    def _said(self, text: str) -> str:
        self._letters += len(text)
        if self._letters > _MOST_LETTERS:
            raise _NotRustError
        return text

    def _base62(self) -> int:
        if self._is("_"):
            return 0
        value = 0
        while (letter := self._next()) != "_":
            value = value * 62 + _DIGITS.find(letter)
            if letter not in _DIGITS or value >> 64:
                raise _NotRustError
        return value + 1

    def _identifier(self) -> str:
        if self._is("s"):
            self._base62()  # tells crates, or closures, of the same name apart
        puny = self._is("u")
        count = 0
        while self._text[self._at : self._at + 1].isdecimal() and count <= len(self._text):
            count = count * 10 + int(self._next())
        self._is("_")
        name = self._text[self._at : self._at + count]
        if len(name) < count:
            raise _NotRustError
        self._at += count
        return self._said(f"punycode{{{name}}}" if puny else name)

    def _back(self, read: str) -> str:
        """What was read at an earlier position, read once more."""
        start = self._at - 1
        target = self._base62()
        if target >= start:
            raise _NotRustError
        there, self._at = self._at, target
        found: str = getattr(self, read)()
        self._at = there
        return found

    def path(self) -> str:
        """``tokio::runtime::park``."""
        self._depth += 1
        if self._depth > _DEEPEST:
            raise _NotRustError
        found = self._path(self._next())
        self._depth -= 1
        return found

    def _path(self, kind: str) -> str:
        match kind:
            case "C":
                return self._identifier()
            case "N":
                return self._nested(self._next())
            case "M" | "X":
                self._impl()
                type_ = self._type()
                return f"<{type_}>" if kind == "M" else f"<{type_} as {self.path()}>"
            case "Y":
                return f"<{self._type()} as {self.path()}>"
            case "I":
                return f"{self.path()}::<{self._list(self._argument)}>"
            case "B":
                return self._back("path")
        raise _NotRustError

    def _impl(self) -> None:
        if self._is("s"):
            self._base62()
        self.path()

    def _nested(self, space: str) -> str:
        outer = self.path()
        name = self._identifier()
        if space == "C":
            return f"{outer}::{{closure}}"
        if space == "S":
            return f"{outer}::{{shim:{name}}}"
        return f"{outer}::{name}" if name else outer

    def _list(self, read: Callable[[], str]) -> str:
        found = []
        while not self._is("E"):
            found.append(read())
        return ", ".join(found)

    def _argument(self) -> str:
        if self._is("L"):
            self._base62()
            return "'_"
        return self._constant() if self._is("K") else self._type()

    def _type(self) -> str:
        self._depth += 1
        letter = self._next()
        if self._depth > _DEEPEST:
            raise _NotRustError
        found = self._said(_BASIC[letter]) if letter in _BASIC else self._compound(letter)
        self._depth -= 1
        return found

    def _compound(self, letter: str) -> str:
        match letter:
            case "R" | "Q":
                if self._is("L"):
                    self._base62()
                return f"&{'mut ' if letter == 'Q' else ''}{self._type()}"
            case "P" | "O":
                return f"*{'const' if letter == 'P' else 'mut'} {self._type()}"
            case "A":
                return f"[{self._type()}; {self._constant()}]"
            case "S":
                return f"[{self._type()}]"
            case "T":
                return f"({self._list(self._type)})"
            case "F" | "D":
                return self._function() if letter == "F" else self._dyn()
            case "B":
                return self._back("_type")
        self._at -= 1
        return self.path()

    def _function(self) -> str:
        if self._is("G"):
            self._base62()
        unsafe = "unsafe " if self._is("U") else ""
        if self._is("K") and not self._is("C"):
            self._identifier()
        arguments = self._list(self._type)
        result = self._type()
        return f"{unsafe}fn({arguments}){'' if result == '()' else f' -> {result}'}"

    def _dyn(self) -> str:
        if self._is("G"):
            self._base62()
        traits = []
        while not self._is("E"):
            trait = self.path()
            while self._is("p"):
                trait += f"<{self._identifier()} = {self._type()}>"
            traits.append(trait)
        if self._is("L"):
            self._base62()
        return f"dyn {' + '.join(traits)}"

    def _constant(self) -> str:
        if self._is("B"):
            return self._back("_constant")
        if self._is("p"):
            return "_"
        self._type()
        minus = "-" if self._is("n") else ""
        digits = ""
        while (letter := self._next()) != "_":
            digits += letter
        if digits.strip("0123456789abcdef"):
            raise _NotRustError
        return self._said(f"{minus}{int(digits or '0', 16)}")
