"""Where greenlet keeps what, in each of its versions.

1.x is one C struct. From 2.0 on a greenlet is a small object that points to one of C++, whose parts
have another size on each CPython and, on one CPython, in each version of greenlet. Which of the
known ones it is, the main greenlet of a thread shows: it contains its own address at a place that
no other layout puts it at.
"""

from collections.abc import Iterable

from hangtui.backends.cpython.layouts import Layout, LayoutError
from hangtui.backends.cpython.objects import Objects
from hangtui.backends.memory.damage import MemoryReadError
from hangtui.dataclass import dataclass

MAIN_STOP = 2**64 - 1
"""``stack_stop`` of the main greenlet of a thread."""
_SMALL = 40
"""sizeof(PyGreenlet) from 2.0 on."""
_DICT, _IMPL = 24, 32
_ARGUMENTS, _STACK = 16, 40
"""sizeof args and kwargs, and of StackState: start, stop, copy, saved, prev."""
_PYTHON_STATES: tuple[tuple[tuple[int, int], tuple[int, ...]], ...] = (
    ((3, 14), (72, 80, 88)),
    ((3, 13), (64, 72)),
    ((3, 11), (72,)),
    ((3, 10), (40,)),
    ((3, 7), (24,)),
)
"""sizeof(PythonState) in the versions of greenlet from 2.0 to 3.5, from a CPython on."""


@dataclass(frozen=True, slots=True)
class Fields:
    """The addresses of one greenlet's fields; 0: it has no such field."""

    stack_start: int
    stack_stop: int
    saved: int
    parent: int
    run: int
    top_frame: int
    dictionary: int
    main: int = 0
    """Where a greenlet names the main one of its thread (2.0 on)."""
    thread_state: int = 0
    """Of a main greenlet: where it names what greenlet knows of its thread (2.0 on)."""


class GreenletLayout:
    """The layout that one process uses; *base*: the address of the type ``greenlet.greenlet``."""

    def __init__(self, objects: Objects, base: int) -> None:
        self._memory = objects.memory
        self._layout = objects.layout
        self._dict = self._memory.i64(base + objects.layout["type.tp_dictoffset"])
        self.size = self._memory.u64(base + objects.layout["type.tp_basicsize"])
        self.in_c = self.size > _SMALL
        """It is one C struct: 1.x, and older ones."""
        self._python_state = 0

    def settle(self, greenlets: Iterable[int]) -> None:
        """Find out by a main greenlet among *greenlets* which layout it is.

        Raises:
            LayoutError: none of the known ones.
        """
        for greenlet in greenlets:
            try:
                if self._settled(greenlet):
                    return
            except MemoryReadError:
                continue
        raise LayoutError("an unknown layout of greenlets")

    def _settled(self, greenlet: int) -> bool:
        u64 = self._memory.u64
        if self.in_c:
            fields = self._struct(greenlet)
            return u64(fields.stack_stop) == MAIN_STOP and not u64(fields.parent)
        impl = u64(greenlet + _IMPL)
        python = self._python(greenlet, impl)
        if u64(python - _STACK + 8) != MAIN_STOP:
            return False
        for size in _sizes(self._layout):
            if u64(impl + (python - impl) + size) == greenlet:
                self._python_state = size
                return True
        return False

    def fields(self, greenlet: int) -> Fields:
        """The fields of the greenlet at an address, once the layout is settled."""
        if self.in_c:
            return self._struct(greenlet)
        impl = self._memory.u64(greenlet + _IMPL)
        python = self._python(greenlet, impl)
        stack, own = python - _STACK, python + self._python_state
        # Until 3.0 a greenlet of the program's begins with its own address, as a main one does.
        first = own if self._knows_itself(greenlet, impl) else own + 8
        return Fields(
            stack_start=stack,
            stack_stop=stack + 8,
            saved=stack + 24,
            parent=first + 16,
            run=first + 8,
            top_frame=python + 8,
            dictionary=greenlet + _DICT,
            main=first,
            thread_state=own + 8,
        )

    def _knows_itself(self, greenlet: int, impl: int) -> bool:
        """Whether ``Greenlet`` has a ``_self`` (3.1 on)."""
        return self._memory.u64(impl + 8) == greenlet

    def _python(self, greenlet: int, impl: int) -> int:
        """The address of ``Greenlet::python_state``."""
        exceptions = 24 if self._layout.since(3, 11) else 40
        before = 16 if self._knows_itself(greenlet, impl) else 8
        return impl + before + exceptions + _ARGUMENTS + _STACK

    def _struct(self, greenlet: int) -> Fields:
        """``struct _greenlet`` of 1.x."""
        return Fields(
            stack_start=greenlet + 16,
            stack_stop=greenlet + 24,
            saved=greenlet + 40,
            parent=greenlet + 56,
            run=greenlet + 64,
            top_frame=greenlet + 72,
            dictionary=greenlet + self._dict,
        )


def _sizes(layout: Layout) -> tuple[int, ...]:
    return next((sizes for since, sizes in _PYTHON_STATES if layout.since(*since)), ())
