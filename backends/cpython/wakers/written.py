"""Functions of the program whose code calls what would end a wait, looked up by their names: where
no stack comes to such a call, these tell who would have to be called for it."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from typing import NamedTuple

from hangtui.backends.cpython.code import CodeReader
from hangtui.backends.cpython.frames import Frame, installed_file, library_file
from hangtui.backends.cpython.wakers.callees import Callees
from hangtui.backends.cpython.wakers.elsewhere import Elsewhere
from hangtui.backends.cpython.wakers.values import Function, Values
from hangtui.backends.memory.damage import MemoryReadError
from hangtui.model import NodeId, clean

_MOST, _MOST_NAMES, _MOST_OBJECTS = 3, 1000, 500
"""Functions that are told of one wait, names of one module that are looked at, and modules,
objects and waits of one process."""
_MAKES = "__init__"


class Lines(NamedTuple):
    """The functions whose code would end one wait."""

    enders: tuple[str, ...]
    called_back: tuple[str, ...]
    """Those that a package calls back itself, once something has come."""
    alike: tuple[str, ...] = ()
    """Those of the program that would do so to others of the same name, which they take out of
    something that does not lead to this one. Those that who waits is inside of, if there are no
    others."""
    loops: bool = False
    """Each of *enders* takes items in a loop, from what is waited for."""


class _Call(NamedTuple):
    """A line in the code of a function that would end the wait for *target*."""

    target: int
    name: str
    """The function's."""
    line: str
    itself: bool
    """A package calls the function back itself, so that it is on no stack: a coroutine is run by
    somebody."""
    takes: bool
    """It takes items in a loop."""
    cancels: bool
    """It only calls off what is waited for."""


class _Found:
    """The functions that would end waits, by what is waited for."""

    def __init__(self) -> None:
        self.idle: dict[int, list[str]] = defaultdict(list)
        """Those that nobody is in."""
        self.alike: dict[int, list[str]] = defaultdict(list)
        self.alike_inside: dict[int, list[str]] = defaultdict(list)
        """Those that who waits is inside of."""
        self._inner: dict[int, list[str]] = defaultdict(list)
        """Those that only who waits is in."""
        self._ahead: dict[int, list[str]] = defaultdict(list)
        """Those of them that do it further on."""
        self._called_back: dict[int, list[str]] = defaultdict(list)
        self._loops: set[str] = set()
        """Those of all that take items in a loop."""

    def add(self, call: _Call, met_at: int | None) -> None:
        """*met_at*: the last line at which one of those who wait is met in that function; None:
        none of them is in there."""
        # Who calls off what it has waited for itself ends no wait by that.
        if met_at is not None and (call.itself or call.cancels):
            return
        told = f"{call.name} ({call.line})"
        self._loops.update((told,) if call.takes else ())
        kind = self._called_back if call.itself else self.idle if met_at is None else self._inner
        known = kind[call.target]
        # A package's function is told once, wherever in it that is.
        again = call.itself and _tells(call.name, known)
        new = not again and _note(told, known)
        if new and met_at is not None and _number(call.line) > met_at > 0:
            self._ahead[call.target].append(told)

    def lines(self) -> dict[int, Lines]:
        """What is told of each."""
        found = {target: lines for target, lines in self._inner.items() if lines}
        for target, lines in self.idle.items():
            if lines:
                found[target] = [*lines, *self._ahead.get(target, ())]
        alike = {**self.alike_inside, **self.alike}
        every = (found.keys(), self._called_back.keys(), alike.keys())
        return {
            target: Lines(
                tuple(found.get(target, ())),
                tuple(self._called_back.get(target, ())),
                tuple(alike.get(target, ())),
                loops=target in found and self._loops.issuperset(found[target]),
            )
            for target in set().union(*every)
        }


class Written:
    """Looks through the modules of one interpreter whose functions are on its stacks."""

    def __init__(
        self, values: Values, codes: CodeReader, callees: Callees, elsewhere: Elsewhere
    ) -> None:
        self._values = values
        self._elsewhere = elsewhere
        self._codes = codes
        self._callees = callees
        self._known: dict[int, bool] = {}
        """By code, what `_counts` says."""

    def of(
        self,
        stacks: Mapping[NodeId, Iterable[Frame]],
        waiting: Collection[tuple[NodeId, int]],
        attributes: Mapping[int, str],
    ) -> dict[int, Lines]:
        """By what is waited for: ``fetch (crawl.py:19)``, of the modules that the frames run, and
        of the methods of those objects that their variables have; if there are none for something,
        of the other modules of the program that lead to it. Without the functions of these
        frames, which are in that code or past it. Of those that only who waits is in, those that
        do it further on; where there are no others, each.

        *waiting*: who waits for what; *attributes*: of what object's attribute that is, by name.

        Raises:
            BudgetSpentError: too many objects of this process were looked at.
        """
        found = _Found()
        begun: dict[int, dict[NodeId, int]] = {}
        for node, stack in stacks.items():
            for frame in stack:
                begun.setdefault(frame.code.address, {}).setdefault(node, frame.line or 0)
        wanted = {target for _, target in waiting}
        for function in self._functions(stacks.values(), wanted, found.idle):
            inside = begun.get(function.code, {})
            for target, told in self._alike(function, attributes):
                # Who waits comes to it no sooner than the wait is over.
                met = any((node, target) in waiting for node in inside)
                _note(told, (found.alike_inside if met else found.alike)[target])
            for call in self._calls(function):
                # A package's own method of what is waited for is there for others to call.
                own = call.itself and call.target == function.bound
                if not own and all((node, call.target) in waiting for node in inside):
                    found.add(call, max(inside.values()) if inside else None)
        left = [(node, target) for node, target in waiting if target not in found.idle]
        for call in self._nested(stacks, left[:_MOST_OBJECTS]):
            found.add(call, None)
        return found.lines()

    def _nested(
        self,
        stacks: Mapping[NodeId, Iterable[Frame]],
        waiting: Iterable[tuple[NodeId, int]],
    ) -> Iterator[_Call]:
        """What functions would end that are defined where somebody waits for that, whether they
        are there or not."""
        for node, target in waiting:
            for frame in stacks.get(node, ()):
                if library_file(frame.code.filename) or installed_file(frame.code.filename):
                    continue
                for code, reach in self._callees.nested(frame):
                    if reach.target == target:
                        name = clean(code.function.rpartition("<locals>.")[2], 80)
                        yield _Call(target, name, clean(reach.line, 80), False, False, False)

    def _functions(
        self, stacks: Collection[Iterable[Frame]], wanted: Collection[int], found: Collection[int]
    ) -> Iterator[Function]:
        """Those of the modules that the frames run, and as long as not all of what is *wanted* is
        among what was *found* so far, those of others."""
        yield from functions_of(stacks, self._values, self._counts)
        if all(one in found for one in wanted):
            return
        frames = [frame for stack in stacks for frame in stack]
        known = {frame.namespace for frame in frames if not frame.installed}
        classes: dict[int, list[tuple[Function, bool]]] = {}
        for names, owners in self._elsewhere.of(frames, known):
            for owner in owners:
                yield from _methods(owner, classes, self._values, self._counts)
            yield from _of_module(names.values(), self._values, self._counts)

    def _counts(self, code: int) -> bool:
        """Whether code uses the name of a method that would end a wait."""
        known = self._known.get(code)
        if known is None:
            names: Iterable[str] = ()
            with suppress(MemoryReadError):
                names = self._codes.code(code).names
            known = self._known[code] = not self._callees.names.isdisjoint(names)
        return known

    def _alike(
        self, function: Function, attributes: Mapping[int, str]
    ) -> Iterator[tuple[int, str]]:
        """What a function of the program does so to others by that name, and where."""
        with suppress(MemoryReadError):
            code = self._codes.code(function.code)
            if attributes and not (library_file(code.filename) or installed_file(code.filename)):
                name = clean(code.function.rpartition("<locals>.")[2], 80)
                for target, line in self._callees.alike(code, attributes):
                    yield target, f"{name} ({clean(line, 80)})"

    def _calls(self, function: Function) -> Iterator[_Call]:
        """What a function's code would end."""
        with suppress(MemoryReadError):
            code = self._codes.code(function.code)
            # What makes an object sets nothing that is waited for: that object is new then.
            if library_file(code.filename) or (function.bound and code.bare_name == _MAKES):
                return
            name, itself = clean(code.function.rpartition("<locals>.")[2], 80), False
            if installed_file(code.filename):
                itself = not self._codes.is_coroutine(code)
                name = f"{_package(code.filename)}'s {name}"
            for reach in self._callees.written(function, code):
                cancels = reach.text.endswith("cancel")
                yield _Call(reach.target, name, clean(reach.line, 80), itself, reach.takes, cancels)


def _note(told: str, known: list[str]) -> bool:
    """Adds it to those that are *known*, unless it is among them or they are enough."""
    new = told not in known and len(known) < _MOST
    known.extend((told,) if new else ())
    return new


def _tells(name: str, known: Iterable[str]) -> bool:
    """Whether one of the places that are *known* is in a function of that name."""
    return any(one.startswith(f"{name} (") for one in known)


def _number(line: str) -> int:
    """12, of ``main.py:12``; 0: it has none."""
    number = line.rpartition(":")[2]
    return int(number) if number.isdigit() else 0


def _package(filename: str) -> str:
    """``asyncpg``, of ``/venv/lib/python3.12/site-packages/asyncpg/pool.py``."""
    inside = filename.rpartition("-packages/")[2]
    return clean(inside.partition("/")[0].removesuffix(".py"), 80)


def functions_of(
    stacks: Iterable[Iterable[Frame]], values: Values, counts: Callable[[int], bool]
) -> Iterator[Function]:
    """The functions of the modules that the program's frames run, the methods of the objects that
    the variables of these have, or globals that they name, and those of what methods of installed
    packages run on; and the functions that variables have; each once.

    *counts*: whether the code at some address is of interest; it is asked once for each class.

    Raises:
        BudgetSpentError: too many objects of this process were looked at.
    """
    seen: set[int] = set()
    classes: dict[int, list[tuple[Function, bool]]] = {}
    for frame in (frame for stack in stacks for frame in stack):
        if frame.in_library:
            continue
        with suppress(MemoryReadError):
            scope = values.frame(frame)
            installed = frame.installed
            owners = [scope.slots.get(0, 0)] if installed else list(scope.slots.values())
            if not installed:
                # ``gun.shot.wait()``: a global that its code names, as a variable of its own.
                owners += [scope.namespace.get(name, 0) for name in frame.code.names]
            for owner in filter(None, owners):
                if owner not in seen and len(seen) < _MOST_OBJECTS:
                    seen.add(owner)
                    yield from _methods(owner, classes, values, counts)
                    # A function that was defined within another one.
                    yield from _of_module((owner,), values, counts)
            if not installed and frame.namespace not in seen:
                seen.add(frame.namespace)
                yield from _of_module(scope.namespace.values(), values, counts)


def _methods(
    owner: int,
    classes: dict[int, list[tuple[Function, bool]]],
    values: Values,
    counts: Callable[[int], bool],
) -> list[Function]:
    """Those of an object's class that count, bound to it."""
    kind = values.type_of(owner)
    if kind not in classes:
        classes[kind] = []
        with suppress(MemoryReadError):
            found = values.methods(owner)[:_MOST_NAMES]
            classes[kind] = [(one, one.bound == owner) for one in found if counts(one.code)]
    return [replace(one, bound=owner) if own else one for one, own in classes[kind]]


def _of_module(
    named: Iterable[int], values: Values, counts: Callable[[int], bool]
) -> Iterator[Function]:
    for value in islice(named, _MOST_NAMES):
        with suppress(MemoryReadError):
            if values.is_class(value):
                # What they do with a global variable needs no object of the class.
                yield from (one for one in values.defined(value) if counts(one.code))
                continue
            function = values.function(value)
            if function is not None and counts(function.code):
                yield function
