"""Which remote method or function the statement calls whose result a frame waits for, and which
variable it asks whether it is ready."""

from collections.abc import Iterator
from contextlib import suppress

from hangtui.backends.cpython.bytecode import Bytecode, Root
from hangtui.backends.cpython.code import Code
from hangtui.backends.cpython.frames import Frame
from hangtui.backends.cpython.reader import PythonReader
from hangtui.backends.cpython.wakers.mentions import Mention, Mentions
from hangtui.backends.memory.damage import MemoryReadError
from hangtui.model import clean

_REMOTE, _OPTIONS, _READY = "remote", "options", "ready"
_WAITING = frozenset({"get", "wait"})
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
            texts = self._remote_calls(code, frame.instruction) or self._of_comprehension(frame)
            return tuple(clean(f"{one}()", _MOST_TEXT) for one in dict.fromkeys(texts))
        return ()

    def _remote_calls(self, code: Code, here: int) -> list[str]:
        """``self.other.add`` of ``self.other.add.remote(1)``; where each has options of its own,
        also of ``self.other.add.options(num_cpus=1).remote(1)``."""
        made = list(self._made(code, here))
        calls = [one for one in made if one.name == _REMOTE]
        options = [one for one in made if one.name == _OPTIONS and one.receiver is not None]
        known = [one for one in calls if one.receiver is not None]
        if len(known) + len(options) == len(calls):
            known += options
        return [_without(one.text(code), one.name) for one in known]

    def ready(self, frame: Frame) -> str | None:
        """``group`` of ``ray.get(group.ready())``, also where a variable has that reference. Never
        raises."""
        code = frame.code
        with suppress(MemoryReadError):
            for one in self._made(code, frame.instruction):
                if one.name == _READY and one.receiver is not None and not one.receiver.attributes:
                    return _without(one.text(code), _READY)
        return None

    def _of_comprehension(self, frame: Frame) -> list[str]:
        """The remote calls of the only comprehension that makes some, or of the one in the
        statement's line; nothing if the statement calls something else for what it waits for."""
        code = frame.code
        others = {one.name for one in self._mentions.of(code)
                  if one.start < frame.instruction < one.until}  # fmt: skip
        if others - _WAITING - {""}:
            return []
        calls = [(one, list(self._all_of(one))) for one in self._codes.comprehensions(code)]
        calls = [(one, texts) for one, texts in calls if texts]
        if len(calls) > 1:
            line = self._codes.line(code, frame.instruction)
            calls = [(one, texts) for one, texts in calls if one.first_line == line]
        return calls[0][1] if len(calls) == 1 else []

    def _all_of(self, code: Code) -> Iterator[str]:
        """The remote calls of a comprehension, whose result the function may have at any place."""
        if _REMOTE in code.names:
            for one in self._mentions.of(code):
                if one.name == _REMOTE and one.receiver is not None:
                    yield _without(one.text(code), _REMOTE)

    def _made(self, code: Code, here: int) -> Iterator[Mention]:
        """What the statement mentions, and what its variables are made from."""
        if not {_REMOTE, _READY}.intersection(code.names):
            return
        for one in self._mentions.of(code):
            if not one.start < here < one.until:
                continue
            receiver = one.receiver
            if receiver and receiver.root is Root.LOCAL and not (receiver.attributes or one.name):
                for parts in self._mentions.origins(code, receiver.slot) or ():
                    yield from parts
            else:
                yield one


def _without(text: str, name: str) -> str:
    return text.removesuffix(f".{name}")
