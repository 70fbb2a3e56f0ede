"""Global variables of the program's modules that may keep an object."""

from collections.abc import Iterable, Iterator

from hangtui.backends.cpython.application import of_application
from hangtui.backends.cpython.frames import Frame
from hangtui.backends.cpython.objects import Objects
from hangtui.model import clean

_MOST_MODULES = 50
NO_KEEPERS = ("module", "function", "type", "str", "int", "NoneType")
"""Types of what keeps nothing for others."""


def program_globals(frames: Iterable[Frame], objects: Objects) -> Iterator[tuple[str, int]]:
    """Of the modules whose code *frames* run: ``open_reports (main.py)``, and what it refers to."""
    modules = {one.namespace: one.code.filename for one in frames if of_application(one)}
    for namespace, filename in list(modules.items())[:_MOST_MODULES]:
        for name, value in objects.named(namespace).items():
            if objects.kind(value) not in NO_KEEPERS:
                yield clean(f"{name} ({filename.rpartition('/')[2]})", 80), value
