"""What each thread has in ``threading.local`` objects, which no other one sees and no frame need
refer to: up to CPython 3.12, where a thread's own dict tells which these are."""

import re
from collections.abc import Iterator

from hangtui.backends.cpython.objects import Objects
from hangtui.backends.cpython.reader import PythonReader
from hangtui.model import clean

_KEY = re.compile(r"thread\.local\.0x([0-9a-f]{1,16})")
"""By which a thread's own dict has its mark in such an object, with that object's address
(Modules/_threadmodule.c: ``local_new``)."""
_HEAD, _SIZE = 16, 96
"""Where the fields of the object begin, and within how many bytes of it they are."""
_MOST = 50
"""Of one thread that are looked at."""


def thread_locals(python: PythonReader) -> Iterator[tuple[str, int]]:
    """The name of each thread with what it has in such an object, one by one.

    Raises:
        MemoryReadError: the memory cannot be read.
    """
    objects = python.objects
    layout, memory = objects.layout, objects.memory
    registered = python.registered()
    for thread in () if layout.since(3, 13) else python.states:
        # Both are fields of every version's PyThreadState, one behind the other.
        own = memory.u64(thread.state + layout["tstate.exc_info"] + 8)
        known = registered.get(thread.ident, 0)
        name = objects.attributes(known).get("_name", 0) if known else 0
        if objects.kind(own) != "dict" or objects.kind(name) != "str":
            continue
        for key, mark in list(objects.named(own).items())[:_MOST]:
            if found := _KEY.fullmatch(key):
                for value in _values(int(found[1], 16), mark, objects):
                    yield clean(objects.text(name), 80), value


def _values(local: int, mark: int, objects: Objects) -> Iterator[int]:
    """What the thread with this *mark* has there: a dict within has it by a weak reference."""
    place = objects.layout["weakref.wr_object"]
    for word in objects.memory.words(local + _HEAD, (_SIZE - _HEAD) // 8):
        if objects.kind(word) != "dict":
            continue
        for key, value in objects.items(word):
            weak = (objects.kind(key) or "").startswith("weakref")
            if weak and objects.memory.u64(key + place) == mark and objects.kind(value) == "dict":
                yield from objects.named(value).values()
