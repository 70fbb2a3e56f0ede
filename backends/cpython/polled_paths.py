"""Which file a loop that sleeps asks for in between: whether it is there, or is there no more."""

from collections.abc import Iterator, Sequence

from hangtui.backends.cpython.bytecode import Bytecode, reachable
from hangtui.backends.cpython.code import Code
from hangtui.backends.cpython.frames import Frame
from hangtui.backends.cpython.objects import Objects
from hangtui.backends.cpython.references import References
from hangtui.backends.cpython.wakers.mentions import Mention
from hangtui.backends.cpython.wakers.values import Scope, Values
from hangtui.backends.door import RefusedError

_EXISTS = frozenset({"exists", "lexists", "isfile", "is_file", "isdir", "is_dir"})
"""Functions that ask whether there is a file, of ``os.path`` and of paths."""
_PUTS_TOGETHER = ("BINARY_", "BUILD_", "FORMAT_", "CONVERT_", "LOAD_CONST")
"""How instructions begin that make a name out of several."""
_MAX_PATH = 1000
_NOT = "UNARY_NOT"
_ANSWERS = ("_IF_TRUE", "_IF_FALSE")


class PolledPaths:
    """Finds them in one process."""

    def __init__(
        self, objects: Objects, bytecode: Bytecode, values: Values, references: References
    ) -> None:
        self._objects = objects
        self._bytecode = bytecode
        self._values = values
        self._references = references

    def of(self, mentions: Sequence[Mention], frame: Frame) -> str | None:
        """The only path that is named where code asks whether there is such a file; None: it asks
        for none, or which one is not known."""
        if not self._asks(mentions, frame.code):
            return None
        found: set[str] = set()
        scope = self._values.frame(frame)
        for one in mentions:
            if one.name not in _EXISTS:
                value = self._attribute(one, scope)
            else:
                value = (self._values.of(one.receiver, scope) if one.receiver else None) or 0
                if not value or not self._is_of_files(value):
                    return None
            found.update(self._paths(value) if value else ())
        return found.pop() if len(found) == 1 else None

    def is_there(self, path: str) -> bool | None:
        """Whether the process sees such a file; None: that cannot be told."""
        try:
            self._objects.memory.root.facts(path)
        except FileNotFoundError:
            return False
        except (OSError, RefusedError):
            return None
        return True

    def ends_if(self, mentions: Sequence[Mention], frame: Frame) -> bool | None:
        """Which answer the loop is left with in which a frame stands, and asks for a file by these:
        that it is there, or is not; None: the code does not tell."""
        asked, decided = max(one.called for one in mentions), mentions[0].until
        instructions = self._bytecode.instructions(frame.code)
        flow = {one.start: self._bytecode.following(one) for one in instructions}
        here = max((start for start in flow if start <= frame.instruction), default=0)
        branch = next((one for one in instructions if one.start == decided), None)
        if branch is None or not any(one in branch.name for one in _ANSWERS):
            return None
        on, away = (here in reachable(flow, at, (decided,)) for at in flow[decided])
        between = (one.name for one in instructions if asked <= one.start < decided)
        jumps_if = ("IF_TRUE" in branch.name) != (sum(one == _NOT for one in between) % 2 == 1)
        return None if on == away else jumps_if != away

    def _asks(self, mentions: Sequence[Mention], code: Code) -> bool:
        """Whether code asks whether there is the file that a variable names: not one whose name it
        puts together there."""
        calls = {one.called for one in mentions}
        if len(calls) != 1 or not any(one.name in _EXISTS for one in mentions):
            return False
        first, last = min(one.start for one in mentions), calls.pop()
        between = (i for i in self._bytecode.instructions(code) if first <= i.start < last)
        return not any(one.name.startswith(_PUTS_TOGETHER) for one in between)

    def _is_of_files(self, asked: int) -> bool:
        """Whether it is ``os.path`` or a path itself: a database or a cache has such functions,
        too."""
        kind = self._objects.kind(asked) or ""
        if kind.rpartition(".")[2].endswith("Path"):
            return True
        name = self._values.attribute(asked, "__name__") if kind == "module" else None
        return name is not None and self._objects.text(name) == "posixpath"

    def _attribute(self, mention: Mention, scope: Scope) -> int:
        owner = self._values.of(mention.receiver, scope) if mention.receiver else None
        if owner is None or not mention.name:
            return owner or 0
        return self._values.attribute(owner, mention.name) or 0

    def _paths(self, value: int) -> Iterator[str]:
        """A text that is a path from the root on, or that of a ``pathlib.Path``."""
        kind = (self._objects.kind(value) or "").rpartition(".")[2]
        if kind == "str":
            within = [value]
        elif kind.endswith("Path"):
            within = [one for _, one in self._references.walk(value, 1)]
        else:
            return
        for one in within:
            if self._objects.kind(one) == "str" and self._objects.size(one) < _MAX_PATH:
                text = self._objects.text(one)
                if text.startswith("/") and text != "/" and "\0" not in text:
                    yield text
