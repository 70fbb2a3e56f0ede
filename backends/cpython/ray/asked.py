"""Which remote method or function the statement calls whose result a frame waits for."""

from collections.abc import Iterator
from contextlib import suppress

from hangtui.backends.cpython.bytecode import Bytecode, Root
from hangtui.backends.cpython.code import Code
from hangtui.backends.cpython.frames import Frame
from hangtui.backends.cpython.reader import PythonReader
from hangtui.backends.cpython.wakers.mentions import Mention, Mentions
from hangtui.backends.memory.damage import MemoryReadError
from hangtui.model import clean

_REMOTE = "remote"
_MOST_TEXT = 80


class Asked:
    """Reads it of one process."""

    def __init__(self, python: PythonReader) -> None:
        spent = python.objects.memory.spent
        self._codes = python.codes
        self._mentions = Mentions(Bytecode(python.objects.layout.version, spent), spent)

    def of(self, frame: Frame) -> tuple[str, ...]:
        """``self.other.add()`` of ``ray.get(self.other.add.remote(1))``, also where a variable has
        its reference, or a list comprehension makes several; empty: none is seen. Never raises."""
        code = frame.code
        with suppress(MemoryReadError):
            texts = [one.text(code) for one in self._calls(code, frame.instruction)]
            inner = self._codes.comprehensions(code)
            texts = texts or [text for one in inner for text in self._all_of(one)]
            asked = [f"{text.removesuffix(f'.{_REMOTE}')}()" for text in dict.fromkeys(texts)]
            return tuple(clean(one, _MOST_TEXT) for one in asked)
        return ()

    def _all_of(self, code: Code) -> Iterator[str]:
        """The remote calls of a comprehension, whose result the function may have at any place."""
        if _REMOTE in code.names:
            for one in self._mentions.of(code):
                if one.name == _REMOTE and one.receiver is not None:
                    yield one.text(code)

    def _calls(self, code: Code, here: int) -> Iterator[Mention]:
        """The remote calls of the statement, and those that its variables are made from."""
        if _REMOTE not in code.names:
            return
        for one in self._mentions.of(code):
            if not one.start < here < one.until:
                continue
            receiver = one.receiver
            if one.name == _REMOTE and receiver is not None:
                yield one
            elif receiver and receiver.root is Root.LOCAL and not (receiver.attributes or one.name):
                for parts in self._mentions.origins(code, receiver.slot) or ():
                    yield from (p for p in parts if p.name == _REMOTE and p.receiver is not None)
