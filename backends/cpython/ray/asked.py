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
        self._mentions = Mentions(Bytecode(python.objects.layout.version, spent), spent)

    def of(self, frame: Frame) -> str | None:
        """``self.other.add()`` of ``ray.get(self.other.add.remote(1))``, also where a variable has
        its reference; None: it is none alone, or not seen. Never raises."""
        code = frame.code
        if _REMOTE not in code.names:
            return None
        with suppress(MemoryReadError):
            texts = {one.text(code) for one in self._calls(code, frame.instruction)}
            if len(texts) == 1:
                return clean(f"{texts.pop().removesuffix(f'.{_REMOTE}')}()", _MOST_TEXT)
        return None

    def _calls(self, code: Code, here: int) -> Iterator[Mention]:
        """The remote calls of the statement, and those that its variables are made from."""
        for one in self._mentions.of(code):
            if not one.start < here < one.until:
                continue
            receiver = one.receiver
            if one.name == _REMOTE and receiver is not None:
                yield one
            elif receiver and receiver.root is Root.LOCAL and not (receiver.attributes or one.name):
                for parts in self._mentions.origins(code, receiver.slot) or ():
                    yield from (p for p in parts if p.name == _REMOTE and p.receiver is not None)
