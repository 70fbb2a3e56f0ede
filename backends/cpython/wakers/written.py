"""Functions of the program whose code calls what would end a wait, looked up by their names: where
no stack comes to such a call, these tell who would have to be called for it."""

from collections.abc import Collection, Iterable, Iterator, Mapping

from hangtui.backends.cpython.code import Code, CodeReader
from hangtui.backends.cpython.frames import Frame, library_file
from hangtui.backends.cpython.wakers.callees import Wanted
from hangtui.backends.cpython.wakers.mentions import Mentions
from hangtui.backends.cpython.wakers.values import Function, Values
from hangtui.backends.memory.damage import MemoryReadError
from hangtui.model import NodeId, clean

_MOST, _MOST_NAMES = 3, 1000
"""Functions that are told of one wait, and names of one module that are looked at."""


class Written:
    """Looks through the modules of one interpreter whose functions are on its stacks."""

    def __init__(
        self, values: Values, codes: CodeReader, mentions: Mentions, wanted: Wanted
    ) -> None:
        self._values = values
        self._codes = codes
        self._mentions = mentions
        self._wanted = wanted

    def of(
        self,
        stacks: Mapping[NodeId, Iterable[Frame]],
        waiting: Collection[tuple[NodeId, int]],
    ) -> dict[int, tuple[str, ...]]:
        """By what is waited for: ``fetch (crawl.py:19)``, of the modules that the frames run, and
        of the methods of those objects whose methods they run; without the functions of these
        frames, which are in that code or past it. Where there are no others, those that only who
        waits is in.

        *waiting*: who waits for what.

        Raises:
            BudgetSpentError: too many objects of this process were looked at.
        """
        idle: dict[int, list[str]] = {}
        inner: dict[int, list[str]] = {}
        begun: dict[int, set[NodeId]] = {}
        for node, stack in stacks.items():
            for frame in stack:
                begun.setdefault(frame.code.address, set()).add(node)
        seen: set[int] = set()
        for frame in (frame for stack in stacks.values() for frame in stack):
            if frame.in_library or frame.installed:
                continue
            for function in self._functions(frame, seen):
                inside = begun.get(function.code, ())
                for target, line in self._calls(function):
                    known = (inner if inside else idle).setdefault(target, [])
                    own = all((node, target) in waiting for node in inside)
                    if own and line not in known and len(known) < _MOST:
                        known.append(line)
        found = {**inner, **idle}
        return {target: tuple(lines) for target, lines in found.items() if lines}

    def _functions(self, frame: Frame, seen: set[int]) -> Iterator[Function]:
        """The functions of a frame's module, and the methods of its ``self``, each once."""
        try:
            scope = self._values.frame(frame)
            owner = scope.slots.get(0, 0) if frame.code.variables[:1] == ("self",) else 0
            if owner and owner not in seen:
                seen.add(owner)
                yield from self._values.methods(owner)[:_MOST_NAMES]
        except MemoryReadError:
            return
        if frame.namespace in seen:
            return
        seen.add(frame.namespace)
        for value in list(scope.namespace.values())[:_MOST_NAMES]:
            try:
                function = self._values.function(value)
            except MemoryReadError:
                continue
            if function is not None:
                yield function

    def _calls(self, function: Function) -> Iterator[tuple[int, str]]:
        """What a function's code would end, and where it does."""
        try:
            code = self._codes.code(function.code)
            if library_file(code.filename):
                return
            scope = self._values.call(function, code.variables)
            for mention in self._mentions.of(code):
                if mention.receiver is None or not self._is_wanted(mention.name):
                    continue
                value = self._values.of(mention.receiver, scope)
                if value and mention.name in self._wanted.get(value, {}):
                    yield value, self._told(code, mention.offset)
        except MemoryReadError:
            return

    def _is_wanted(self, name: str) -> bool:
        return any(name in names for names in self._wanted.values())

    def _told(self, code: Code, offset: int) -> str:
        line = self._codes.line(code, offset)
        file = clean(code.filename.rpartition("/")[2], 80)
        return f"{clean(code.function, 80)} ({file}:{line})"
