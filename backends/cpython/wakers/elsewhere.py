"""Modules of the program that no stack runs, as far as they lead to what is waited for: one has it
among its global variables, or imports a module that does."""

import sys
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import islice

from hangtui.backends.cpython.application import file_of_application
from hangtui.backends.cpython.frames import Frame
from hangtui.backends.cpython.objects import Objects
from hangtui.backends.cpython.wakers.near import Near
from hangtui.backends.cpython.wakers.values import Values
from hangtui.backends.memory.damage import MemoryReadError

_MOST_MODULES = 120
"""Of the program, in one process."""
_MOST_VALUES = 1_500
"""Global variables that are followed, in sum: what else is read of the process needs most of the
objects that may be looked at."""
_SYS = ("sys", "_sys")
"""As what modules import `sys`."""
_LEAD_NOWHERE = frozenset({"function", "type", "builtin_function_or_method"})


class Elsewhere:
    """Looks through the modules of one interpreter that are loaded."""

    def __init__(self, objects: Objects, values: Values, near: Near) -> None:
        self._objects = objects
        self._values = values
        self._near = near

    def of(
        self, frames: Iterable[Frame], known: Collection[int]
    ) -> Iterator[tuple[Mapping[str, int], list[int]]]:
        """The global variables of each such module, and those objects among them that lead to what
        is waited for.

        *frames*: any of the interpreter, which tell where its modules are; *known*: the namespaces
        of those that were looked through already.

        Raises:
            BudgetSpentError: too many objects of this process were looked at.
        """
        loaded = dict(islice(self._loaded(frames), _MOST_MODULES))
        own: dict[int, dict[str, int]] = {}
        left = _MOST_VALUES
        leading: dict[int, list[int]] = {}
        for module, namespace in loaded.items():
            with suppress(MemoryReadError):
                own[module] = names = self._values.namespace(namespace)
                left -= len(names)
                if left > 0:
                    leading[module] = [one for one in names.values() if self._leads(one)]
        for module, names in own.items():
            owners = leading.get(module, [])
            imports = (one for one in names.values() if leading.get(one))
            if loaded[module] not in known and (owners or any(imports)):
                yield names, owners

    def _leads(self, value: int) -> bool:
        """Whether an object is what is waited for, or has it."""
        return self._objects.kind(value) not in _LEAD_NOWHERE and bool(self._near.targets(value, 1))

    def _loaded(self, frames: Iterable[Frame]) -> Iterator[tuple[int, int]]:
        """The modules of the program, by its `sys.modules`, and their namespaces."""
        programs: dict[str, bool] = {}
        for name, module in self._registry(frames).items():
            package = name.partition(".")[0]
            if package in sys.stdlib_module_names or programs.get(package) is False:
                continue
            with suppress(MemoryReadError):
                if self._objects.kind(module) == "module":
                    namespace = self._objects.module_namespace(module)
                    if package not in programs:
                        programs[package] = self._is_program(namespace)
                    if programs[package]:
                        yield module, namespace

    def _registry(self, frames: Iterable[Frame]) -> Mapping[str, int]:
        """`sys.modules`, by a module on a stack that has imported `sys`; empty: none has."""
        for namespace in dict.fromkeys(frame.namespace for frame in frames):
            with suppress(MemoryReadError):
                names = self._values.namespace(namespace)
                for module in filter(None, map(names.get, _SYS)):
                    if self._objects.kind(module) == "module":
                        found = self._values.namespace(self._objects.module_namespace(module))
                        return self._values.namespace(found.get("modules", 0))
        return {}

    def _is_program(self, namespace: int) -> bool:
        """Whether a module's file is neither of the standard library nor installed."""
        file = self._values.namespace(namespace).get("__file__", 0)
        if not file or self._objects.kind(file) != "str":
            return False  # in C, or a package without a file of its own
        return file_of_application(self._objects.text(file))
