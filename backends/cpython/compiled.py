"""What the objects of code that Cython has compiled keep: their fields have no names."""

from collections.abc import Iterator

from hangtui.backends.cpython.objects import Objects
from hangtui.backends.memory.damage import MemoryReadError
from hangtui.model import clean

COMPILED_SCOPE = "__pyx_scope_struct_"
"""How the class of a scope is called: that of a coroutine has what lies on its stack while it is
suspended."""
_MOST_WORDS = 128
_NAMES = 3


def compiled_words(objects: Objects, address: int) -> Iterator[int]:
    """What is in the fields of an object. Never raises."""
    header = objects.header
    try:
        count = (objects.basic_size(address) - header) // 8
        if 0 < count <= _MOST_WORDS:
            yield from filter(None, objects.memory.words(address + header, count))
    except MemoryReadError:
        return


def compiled_function(objects: Objects, coroutine: int) -> str:
    """``Connection.connect of asyncmy``, of a coroutine that Cython has compiled: it keeps its
    name, its qualified name and that of its module one behind the other; empty: it does not. Never
    raises."""
    run: list[int] = []
    for word in compiled_words(objects, coroutine):
        run = [*run, word] if objects.kind(word) == "str" else []
        if len(run) == _NAMES:
            try:
                _, function, module = map(objects.text, run)
            except MemoryReadError:
                return ""
            return f"{clean(function, 80)} of {clean(module.partition('.')[0], 80)}"
    return ""
