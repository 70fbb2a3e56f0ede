"""What the objects of code that Cython has compiled keep: their fields have no names."""

from collections.abc import Iterator

from hangtui.backends.cpython.objects import Objects
from hangtui.backends.memory.damage import MemoryReadError

COMPILED_SCOPE = "__pyx_scope_struct_"
"""How the class of a scope is called: that of a coroutine has what lies on its stack while it is
suspended."""
_MOST_WORDS = 128


def compiled_words(objects: Objects, address: int) -> Iterator[int]:
    """What is in the fields of an object. Never raises."""
    header = objects.header
    try:
        count = (objects.basic_size(address) - header) // 8
        if 0 < count <= _MOST_WORDS:
            yield from filter(None, objects.memory.words(address + header, count))
    except MemoryReadError:
        return
