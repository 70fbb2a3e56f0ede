"""Functions of the program whose code calls what would end a wait, looked up by their names: where
no stack comes to such a call, these tell who would have to be called for it."""

from collections.abc import Iterable, Iterator

from hangtui.backends.cpython.code import Code, CodeReader
from hangtui.backends.cpython.frames import Frame
from hangtui.backends.cpython.wakers.callees import Wanted
from hangtui.backends.cpython.wakers.mentions import Mentions
from hangtui.backends.cpython.wakers.values import Function, Values
from hangtui.backends.memory.damage import MemoryReadError
from hangtui.model import clean

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

    def of(self, frames: Iterable[Frame]) -> dict[int, tuple[str, ...]]:
        """By what is waited for: ``fetch (crawl.py:19)``, of the modules that *frames* run; without
        the functions of these frames, which are in that code or past it.

        Raises:
            BudgetSpentError: too many objects of this process were looked at.
        """
        found: dict[int, list[str]] = {}
        frames, seen = list(frames), set[int]()
        begun = {frame.code.address for frame in frames}
        for frame in frames:
            if frame.in_library or frame.installed or frame.namespace in seen:
                continue
            seen.add(frame.namespace)
            idle = (one for one in self._functions(frame) if one.code not in begun)
            for function in idle:
                for target, line in self._calls(function):
                    known = found.setdefault(target, [])
                    if line not in known and len(known) < _MOST:
                        known.append(line)
        return {target: tuple(lines) for target, lines in found.items()}

    def _functions(self, frame: Frame) -> Iterator[Function]:
        try:
            names = self._values.frame(frame).namespace
        except MemoryReadError:
            return
        for value in list(names.values())[:_MOST_NAMES]:
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
        return f"{clean(code.bare_name, 80)} ({file}:{line})"
