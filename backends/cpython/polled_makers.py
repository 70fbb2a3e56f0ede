"""Which functions of the program make, or delete, a file that a loop asks for: those whose code
names the last part of its path where it does so."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress

from hangtui.backends.cpython.bytecode import Bytecode, Root
from hangtui.backends.cpython.changing_code import is_of_program
from hangtui.backends.cpython.code import Code, CodeReader
from hangtui.backends.cpython.frames import Frame
from hangtui.backends.cpython.objects import Objects
from hangtui.backends.cpython.wakers.mentions import Mention, Mentions
from hangtui.backends.cpython.wakers.values import Values
from hangtui.backends.cpython.wakers.written import functions_of
from hangtui.backends.memory.damage import MemoryReadError

_MOVES = frozenset({"rename", "replace"})
_MAKES = _MOVES | {"touch", "write_text", "write_bytes", "mkdir", "symlink_to", "symlink", "link"}
_DELETES = _MOVES | {"unlink", "remove", "rmdir", "rmtree"}
_OPEN, _TO_WRITE = "open", ("w", "a", "x")
_MIN_PART, _MAX_TEXT = 4, 200
"""Letters of an ending, such as ``.done``, that is believed to be of the file; of a constant."""


class PolledMakers:
    """Finds them in one process."""

    def __init__(
        self, codes: CodeReader, bytecode: Bytecode, mentions: Mentions, values: Values,
        objects: Objects,
    ) -> None:  # fmt: skip
        self._codes = codes
        self._bytecode = bytecode
        self._mentions = mentions
        self._values = values
        self._objects = objects

    def of(
        self, path: str, stacks: Iterable[Iterable[Frame]], *, is_there: bool, most: int
    ) -> tuple[str, ...]:
        """``update (sync.py:31)``, of the modules that the frames run: no more than *most*.

        Raises:
            BudgetSpentError: too many objects of this process were looked at.
        """
        name = path.rpartition("/")[2]
        found: dict[str, None] = {}
        for function in functions_of(stacks, self._values, self._counts(name, is_there)):
            if len(found) == most:
                break
            with suppress(MemoryReadError):
                code = self._codes.code(function.code)
                for mention in self._places(code, name, is_there):
                    found.setdefault(self._codes.place(code, mention.offset))
        return tuple(found)[:most]

    def _counts(self, name: str, is_there: bool) -> Callable[[int], bool]:
        def counts(address: int) -> bool:
            with suppress(MemoryReadError):
                return any(self._places(self._codes.code(address), name, is_there))
            return False

        return counts

    def _places(self, code: Code, name: str, is_there: bool) -> Iterator[Mention]:
        """Where code makes or deletes a file of this name."""
        if not is_of_program(code.filename):
            return
        mentions = self._mentions.of(code)
        for one in mentions:
            opens = not is_there and _called(one) == _OPEN
            if not opens and one.name not in (_DELETES if is_there else _MAKES):
                continue
            begin = max((other.until for other in mentions if other.until <= one.start), default=0)
            texts = list(self._texts(code, begin, one.until))
            mode = not opens or any(text.startswith(_TO_WRITE) for text in texts if len(text) < 4)
            if mode and any(_names(text, name) for text in texts):
                yield one

    def _texts(self, code: Code, begin: int, until: int) -> Iterator[str]:
        """The texts among the constants that a statement uses."""
        place = self._objects.memory.u64(code.address + self._objects.layout["code.co_consts"])
        constants = self._objects.tuple_items(place)
        for one in self._bytecode.instructions(code):
            if begin <= one.start < until and one.name == "LOAD_CONST":
                address = constants[one.argument] if one.argument < len(constants) else 0
                text = address and self._objects.kind(address) == "str"
                if text and self._objects.size(address) <= _MAX_TEXT:
                    yield self._objects.text(address)


def _called(mention: Mention) -> str:
    """The function of a module, or the method, that a mention may call."""
    root = mention.receiver
    plain = root is not None and root.root is Root.GLOBAL and not root.attributes
    return root.name if root is not None and plain and not mention.name else mention.name


def _names(text: str, name: str) -> bool:
    """Whether a constant is the last part of a path, or how that ends."""
    part = text.rpartition("/")[2]
    return part == name or (len(part) >= _MIN_PART and name.endswith(part))
