"""Texts that make a regular expression slow if anything does, and a judge of how its time grows."""

import math
import re
import re._constants as code  # type: ignore[import-not-found]
import re._parser as parser  # type: ignore[import-not-found]
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import product
from typing import Any

_REPEATS = (code.MAX_REPEAT, code.MIN_REPEAT, code.POSSESSIVE_REPEAT)
_ALL = [chr(n) for n in range(32, 127)] + ["\n", "\t", "\x00", "é"]
_PER_CLASS = 3
_ATOMS = 8
_SMALL, _SCREEN = 1 << 8, 2 << 10
_SHORT, _FULL = 4 << 10, 64 << 10
_CLOSER = 40
"""Times as long for 16 times as much text: 16 if linear, 256 if quadratic."""
_SCREENED = 24
"""The same for 8 times as much; 64 if quadratic."""
_FLOOR_S, _SCREEN_FLOOR_S = 0.006, 0.0002
_ENDLESS_S = 0.5
"""For a text of the size that is tried first, which takes a millisecond if it is linear."""
_BOUNDED_S = 0.05
"""For one text of the greatest length that an expression sees."""
_ATTEMPTS = 4
_END = "\x01\n\x01"
"""What hardly any expression goes on with, on the line and on the next one."""
_BEGINNINGS = 6

Use = Callable[[str], object]
Text = tuple[str, str, str]
"""A beginning, what is repeated after it, and an end."""


@dataclass(frozen=True, slots=True)
class Growth:
    """How long the slowest text took."""

    text: str
    """What was repeated, and after which beginning."""
    sizes: tuple[int, int]
    short_s: float
    long_s: float


class _TookTooLongError(Exception):
    pass


def uses(pattern: re.Pattern[Any], methods: frozenset[str]) -> Use:
    """All of *methods* of a pattern, as one function of a text."""

    def use(text: str) -> None:
        subject: Any = text.encode("latin-1") if isinstance(pattern.pattern, bytes) else text
        for method in methods:
            if method in ("match", "fullmatch", "search"):
                getattr(pattern, method)(subject)
            else:
                for _ in pattern.finditer(subject):
                    pass

    return use


def superlinear(pattern: re.Pattern[Any], use: Use, bound: int = _FULL) -> Growth | None:
    """A text on which *use* grows faster than the text; None if there is none.

    *bound*: the longest text that there can be; then it is one on which *use* takes long.
    """
    if bound < _FULL:
        slow = (_growth(use, text, (0, bound), _BOUNDED_S, 0) for text in _texts(pattern))
        return next((growth for growth in slow if growth), None)
    timed = []
    sizes, floor_s = (_SMALL, _SCREEN), _SCREENED * _SCREEN_FLOOR_S / 8
    for text in _texts(pattern):
        long_s = _time(use, text, _SCREEN, _ENDLESS_S)
        if long_s >= _ENDLESS_S:
            return Growth(repr(text), (0, _SCREEN), 0.0, long_s)
        timed.append((long_s, text))
        if long_s > _SCREEN_FLOOR_S:
            growth = _growth(use, text, sizes, floor_s, _SCREENED)
            if growth is not None:
                return growth
    timed.sort(key=lambda row: row[0], reverse=True)
    slowest = [text for _, text in timed[:2]]
    for text in [*slowest, *(("", char, "") for char in _alone(pattern))]:
        growth = _growth(use, text, (_SHORT, _FULL), _FLOOR_S, _CLOSER)
        if growth is not None:
            return growth
    return None


def _growth(
    use: Use, text: Text, sizes: tuple[int, int], floor_s: float, limit: int
) -> Growth | None:
    """How *use* grows from one size to the other, if that is above the limit each time."""
    short_s = long_s = math.inf
    for _ in range(_ATTEMPTS):
        short_s = min(short_s, _time(use, text, sizes[0], _ENDLESS_S))
        allowed_s = max(limit * short_s, floor_s)
        long_s = min(long_s, _time(use, text, sizes[1], 2 * allowed_s))
        if long_s <= allowed_s:
            return None
    return Growth(repr(text), sizes, short_s, long_s)


def _time(use: Use, text: Text, size: int, limit_s: float) -> float:
    """How long it takes, or the limit if it takes longer."""
    begin, pump, end = text
    whole = begin + pump * (size // len(pump)) + end
    started = time.thread_time()
    try:
        with _deadline(limit_s):
            use(whole)
    except _TookTooLongError:
        return max(limit_s, time.thread_time() - started)
    return time.thread_time() - started


@contextmanager
def _deadline(seconds: float) -> Iterator[None]:
    """Raises in the block after so much processor time; ``re`` looks for signals as it goes."""

    def stop(*_: object) -> None:
        raise _TookTooLongError

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


# -- what to repeat -------------------------------------------------------------------------------


def _texts(pattern: re.Pattern[Any]) -> Iterator[Text]:
    atoms = _atoms(pattern)
    pumps = list(dict.fromkeys([*atoms, *("".join(pair) for pair in product(atoms, atoms))]))
    yield from (("", pump, _END) for pump in pumps)
    for begin in _beginnings(_tree(pattern)):
        yield ("", begin, _END)
        yield from ((begin, atom, _END) for atom in atoms)
        yield from ((begin, begin + atom, _END) for atom in atoms)
        yield from (("", begin + atom * 3, _END) for atom in atoms[:3])


def _tree(pattern: re.Pattern[Any]) -> Any:
    source = pattern.pattern
    text = source.decode("latin-1") if isinstance(source, bytes) else source
    return parser.parse(text, pattern.flags & ~re.UNICODE & ~re.DEBUG)


def _atoms(pattern: re.Pattern[Any]) -> list[str]:
    """Characters of each of its classes, its literals, and a sample of what it repeats."""
    tree = _tree(pattern)
    chars = list(dict.fromkeys(char for some in _classes(tree) for char in some))
    words = list(
        dict.fromkeys(word for word in [*_literals(tree), *_repeated(tree)] if len(word) > 1)
    )
    half = _ATOMS // 2
    spare = max(0, half - len(words))
    return [*chars[: half + spare], *words[: _ATOMS - min(len(chars), half + spare)]]


def _alone(pattern: re.Pattern[Any]) -> list[str]:
    """One character of each of its classes."""
    return list(dict.fromkeys(chars[0] for chars in _classes(_tree(pattern)) if chars))[:_ATOMS]


def _parts(tree: Any) -> Iterator[tuple[Any, Any]]:
    """Every node of a parsed expression."""
    for operator, argument in tree:
        yield operator, argument
        yield from _inside(argument)


def _inside(argument: Any) -> Iterator[tuple[Any, Any]]:
    if isinstance(argument, parser.SubPattern):
        yield from _parts(argument)
    elif isinstance(argument, (tuple, list)):
        for one in argument:
            yield from _inside(one)


def _classes(tree: Any) -> Iterator[list[str]]:
    for operator, argument in _parts(tree):
        if operator in (code.LITERAL, code.NOT_LITERAL, code.IN, code.ANY):
            yield _chars(operator, argument)


def _chars(operator: Any, argument: Any) -> list[str]:
    """Some characters that a node takes, of every kind that it takes."""
    if operator is code.LITERAL:
        return [chr(argument)]
    if operator is code.NOT_LITERAL:
        return [char for char in ("a", "0", " ") if ord(char) != argument][:_PER_CLASS]
    if operator is code.ANY:
        return ["a", " "]
    negated = argument[0][0] is code.NEGATE
    taken = [c for c in _ALL if any(_takes(item, c) for item in argument)]
    shown = [c for c in _ALL if c not in taken] if negated else taken
    kinds: dict[str, str] = {}
    for char in shown:
        kind = "d" if char.isdigit() else "w" if char.isalpha() else "s" if char.isspace() else char
        kinds.setdefault(kind, char)
    ordered = sorted(kinds, key=lambda kind: (len(kind) == 1 and not kind.isalpha(), kind))
    return [kinds[kind] for kind in ordered][:_PER_CLASS]


def _takes(item: tuple[Any, Any], char: str) -> bool:
    operator, argument = item
    if operator is code.LITERAL:
        return ord(char) == int(argument)
    if operator is code.RANGE:
        return bool(argument[0] <= ord(char) <= argument[1])
    if operator is code.CATEGORY:
        letter = {code.CATEGORY_DIGIT: r"\d", code.CATEGORY_NOT_DIGIT: r"\D"}
        letter |= {code.CATEGORY_SPACE: r"\s", code.CATEGORY_NOT_SPACE: r"\S"}
        letter |= {code.CATEGORY_WORD: r"\w", code.CATEGORY_NOT_WORD: r"\W"}
        return re.fullmatch(letter[argument], char) is not None
    return False


def _literals(tree: Any) -> Iterator[str]:
    """Runs of literal characters."""
    run = ""
    for operator, argument in tree:
        if operator is code.LITERAL:
            run += chr(argument)
            continue
        if run:
            yield run
        run = ""
        yield from _literals_inside(argument)
    if run:
        yield run


def _literals_inside(argument: Any) -> Iterator[str]:
    if isinstance(argument, parser.SubPattern):
        yield from _literals(argument)
    elif isinstance(argument, (tuple, list)):
        for one in argument:
            yield from _literals_inside(one)


def _repeated(tree: Any) -> Iterator[str]:
    for operator, argument in _parts(tree):
        if operator in _REPEATS:
            yield sample(argument[2])


def _beginnings(tree: Any) -> list[str]:
    """What it takes before each of its repetitions, by every way to get there, and all of it."""
    result = list(dict.fromkeys(one for one in _before_repetitions(tree, "") if one))
    step = max(1, -(-len(result) // _BEGINNINGS))
    return result[::step]


def _before_repetitions(tree: Any, before: str) -> Iterator[str]:
    for operator, argument in tree:
        if operator in _REPEATS:
            yield before
            yield from _before_repetitions(argument[2], before)
        elif operator is code.BRANCH:
            for way in argument[1]:
                yield from _before_repetitions(way, before)
        elif operator in (code.SUBPATTERN, code.ATOMIC_GROUP):
            inner = argument[-1] if operator is code.SUBPATTERN else argument
            yield from _before_repetitions(inner, before)
        before += _sample(operator, argument)
    yield before


def sample(tree: Any) -> str:
    """A text that an expression takes, more or less."""
    return "".join(_sample(operator, argument) for operator, argument in tree)


def _sample(operator: Any, argument: Any) -> str:
    if operator in (code.LITERAL, code.NOT_LITERAL, code.IN, code.ANY):
        return (_chars(operator, argument) or [""])[0]
    if operator in _REPEATS:
        least, most, inner = argument
        text = sample(inner)
        return text * int(min(max(least, 1), most, 20))
    if operator is code.SUBPATTERN:
        return sample(argument[-1])
    if operator is code.ATOMIC_GROUP:
        return sample(argument)
    if operator is code.BRANCH:
        return sample(argument[1][0])
    return ""
