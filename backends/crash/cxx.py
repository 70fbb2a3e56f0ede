"""The C++ exception that nobody caught, from the stack of the thread that threw it.

The runtime (libstdc++, Itanium C++ ABI) keeps a header before the thrown object, and pointers to it
lie in the frames of ``__cxa_throw`` and ``std::terminate``.
"""

import re

from hangtui.backends.elf.demangle import demangle
from hangtui.backends.elf.images import Images
from hangtui.backends.memory.damage import MemoryReadError
from hangtui.backends.memory.reader import Memory
from hangtui.backends.unwind.unwinder import RawStack
from hangtui.dataclass import dataclass
from hangtui.model import clean

_CLASSES = (0x474E5543432B2B00, 0x474E5543432B2B01)
""""GNUCC++" and a zero; with 1 a dependent exception (rethrow_exception)."""
_OBJECT = 32
"""sizeof(_Unwind_Exception): the thrown object follows it."""
_TYPE = -80
"""offsetof(__cxa_exception, exceptionType) - offsetof(__cxa_exception, unwindHeader)."""
_NAME = 8
"""type_info's name."""
_BASE = 16
"""__si_class_type_info's base type."""
_MAX_WORDS = 1024
_MAX_BASES = 8
_WITH_TEXT = ("St13runtime_error", "St11logic_error")
"""Their text is the first thing behind the vtable pointer."""
_MANGLED = re.compile(r"[\w*]{1,400}")
_TERMINATES = ("terminate", "__cxa_throw", "__cxa_rethrow", "__cxa_call_terminate")


@dataclass(frozen=True, slots=True)
class CxxException:
    """An exception that ended the process."""

    type: str
    text: str | None


def uncaught(memory: Memory, images: Images, stack: RawStack) -> CxxException | None:
    """The exception if the stack shows that the runtime gave up over one."""
    ends = [index for index, frame in enumerate(stack.frames[:16]) if _terminates(images, frame)]
    if not ends:
        return None
    first, last = stack.frames[max(ends[0] - 2, 0)], stack.frames[ends[-1]]
    start = stack.frames[0].cfa or first.cfa
    end = (last.cfa or 0) + 512
    if not start or end <= start:
        return None
    words = memory.words_upward(start - 128, min(end - start + 128, 8 * _MAX_WORDS))
    for word in words:
        for header in (word, word - _OBJECT, word + _TYPE * -1):
            found = _exception(memory, header)
            if found is not None:
                return found
    return None


def _terminates(images: Images, frame: object) -> bool:
    address = getattr(frame, "lookup_address", 0)
    image = images.at(address)
    name = image.symbol_at(address) if image else None
    return name is not None and any(word in name for word in _TERMINATES)


def _exception(memory: Memory, header: int) -> CxxException | None:
    try:
        if header & 7 or memory.u64(header) not in _CLASSES:
            return None
        kind = memory.u64(header + _TYPE)
        name = _type_name(memory, kind)
        if name is None:
            return None
        return CxxException(_readable(name), _text(memory, kind, header + _OBJECT))
    except MemoryReadError:
        return None


def _type_name(memory: Memory, kind: int) -> str | None:
    name = memory.c_string(memory.u64(kind + _NAME), 400).removeprefix("*")
    return name if _MANGLED.fullmatch(name) else None


def _readable(name: str) -> str:
    return clean(demangle(f"_ZTS{name}").removeprefix("typeinfo name for "))


def _text(memory: Memory, kind: int, thrown: int) -> str | None:
    for _ in range(_MAX_BASES):
        name = _type_name(memory, kind)
        if name is None:
            return None
        if name in _WITH_TEXT:
            return clean(memory.c_string(memory.u64(thrown + 8), 400)) or None
        kind = memory.u64(kind + _BASE)
    return None
