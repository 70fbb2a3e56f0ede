"""Plain data out of a pickle of a stranger's: nothing else can come out of it.

The standard library's unpickler is made to build whatever a pickle says. Told to build no classes
it still lets a few bytes ask for gigabytes (the index of a memo) or for ages (tuples within tuples
as keys). This one knows the operations that torch's pickler writes, and those of its likes.
"""

import struct
from collections.abc import Callable
from typing import Any

from hangtui.model import InputError

_MARK = object()
_MOST_VALUES = 2_000_000
_LONGEST = 1 << 20
"""Bytes of one text."""


class _Reader:
    """Goes through the operations one by one (pickletools, CPython 3.13)."""

    def __init__(self, data: bytes) -> None:
        self._data, self._at = data, 0
        self._stack: list[Any] = []
        self._memo: dict[int, Any] = {}
        self._operations = self._table()

    def read(self) -> Any:
        """What the pickle holds."""
        for _ in range(_MOST_VALUES):
            code = self._bytes(1)[0]
            if code == ord("."):
                return self._pop()
            operation = self._operations.get(code)
            if operation is None:
                raise InputError(f"a pickle that is more than data (operation {code:#04x})")
            operation()
        raise InputError("it holds more values than any record")

    def _table(self) -> dict[int, Callable[[], None]]:
        push, number = self._stack.append, self._number
        named: dict[str, Callable[[], None]] = {
            "\x80": lambda: self._skip(1),  # the protocol
            "\x95": lambda: self._skip(8),  # the size of a frame
            "(": lambda: push(_MARK),
            "N": lambda: push(None),
            "\x88": lambda: push(True),
            "\x89": lambda: push(False),
            "J": lambda: push(number("<i")),
            "K": lambda: push(number("<B")),
            "M": lambda: push(number("<H")),
            "\x8a": lambda: push(int.from_bytes(self._sized("<B"), "little", signed=True)),
            "G": lambda: push(number(">d")),
            "X": lambda: push(self._text("<I")),
            "\x8c": lambda: push(self._text("<B")),
            "]": lambda: push([]),
            "}": lambda: push({}),
            ")": lambda: push(()),
            "\x85": lambda: self._tuple(1),
            "\x86": lambda: self._tuple(2),
            "\x87": lambda: self._tuple(3),
            "t": lambda: push(tuple(self._marked())),
            "a": lambda: self._append([self._pop()]),
            "e": lambda: self._append(self._marked()),
            "s": lambda: self._set([*reversed([self._pop(), self._pop()])]),
            "u": lambda: self._set(self._marked()),
            "q": lambda: self._remember(number("<B")),
            "r": lambda: self._remember(number("<I")),
            "\x94": lambda: self._remember(len(self._memo)),
            "h": lambda: push(self._recalled(number("<B"))),
            "j": lambda: push(self._recalled(number("<I"))),
        }
        return {ord(name): operation for name, operation in named.items()}

    def _bytes(self, count: int) -> bytes:
        piece = self._data[self._at : self._at + count]
        if len(piece) < count:
            raise InputError("damaged or cut off: it ends in the middle")
        self._at += count
        return piece

    def _skip(self, count: int) -> None:
        self._bytes(count)

    def _number(self, layout: str) -> Any:
        return struct.unpack(layout, self._bytes(struct.calcsize(layout)))[0]

    def _sized(self, layout: str) -> bytes:
        size = self._number(layout)
        if size > _LONGEST:
            raise InputError("damaged: a text in it is too long")
        return self._bytes(size)

    def _text(self, layout: str) -> str:
        return self._sized(layout).decode("utf-8", "replace")

    def _pop(self) -> Any:
        if not self._stack or self._stack[-1] is _MARK:
            raise InputError("damaged: a value in it is missing")
        return self._stack.pop()

    def _marked(self) -> list[Any]:
        """What was put on the stack since the last mark."""
        for index in range(len(self._stack) - 1, -1, -1):
            if self._stack[index] is _MARK:
                items = self._stack[index + 1 :]
                del self._stack[index:]
                return items
        raise InputError("damaged: a mark in it is missing")

    def _tuple(self, count: int) -> None:
        self._stack.append(tuple(reversed([self._pop() for _ in range(count)])))

    def _append(self, items: list[Any]) -> None:
        target = self._stack[-1] if self._stack else None
        if not isinstance(target, list):
            raise InputError("damaged: something in it is no list")
        target += items

    def _set(self, items: list[Any]) -> None:
        target = self._stack[-1] if self._stack else None
        keys, values = items[::2], items[1::2]
        if not isinstance(target, dict) or len(keys) != len(values):
            raise InputError("damaged: something in it is no dictionary")
        if not all(type(key) in (str, int) for key in keys):
            raise InputError("damaged: a key in it is neither a text nor a number")
        target.update(zip(keys, values, strict=True))

    def _remember(self, index: int) -> None:
        if not self._stack or self._stack[-1] is _MARK:
            raise InputError("damaged: a value in it is missing")
        self._memo[index] = self._stack[-1]

    def _recalled(self, index: int) -> Any:
        if index not in self._memo:
            raise InputError("damaged: it refers to what it does not hold")
        return self._memo[index]


def plain(data: bytes) -> Any:
    """The data in a pickle: dictionaries by text or number, lists, tuples, texts, numbers, None.

    Raises:
        InputError: it is damaged, too large, or would build something else.
    """
    return _Reader(data).read()
