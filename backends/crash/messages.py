"""The last words of a process, as they lie in its memory."""

import re
from collections.abc import Iterable

from hangtui.backends.arch import X86_64
from hangtui.backends.elf.images import Images
from hangtui.backends.memory.damage import MemoryReadError
from hangtui.backends.memory.reader import Memory
from hangtui.backends.unwind.native_stacks import NativeStacks
from hangtui.backends.unwind.unwinder import RawStack
from hangtui.model import clean

_MAX_MESSAGE = 1024
_C_LIBRARY = ("libc.so", "libc-")
_FATAL = frozenset(
    (
        "Py_FatalError",
        "_Py_FatalErrorFunc",
        "_Py_FatalErrorFormat",
        "_Py_FatalError_TstateNULL",
    )
)
_LOOKED_BACK = 80
"""Bytes of code before a call in which its arguments are set."""
_ERRNO = re.compile(rb"\x48\x8b\x05(....)\x64\x48\x03\x04\x25\x00\x00\x00\x00", re.DOTALL)
"""__errno_location: ``mov rax, [rip + offset]; add rax, fs:0``."""
_READABLE = re.compile(r"[\x20-\x7e\t\n]{4,}")


def abort_message(memory: Memory, images: Images) -> str | None:
    """What glibc said before it aborted: it keeps that in ``__abort_msg`` for debuggers."""
    for image in images.matching(_C_LIBRARY):
        variable = image.exported("__abort_msg")
        if variable is None:
            continue
        try:
            text = memory.u64(variable)
            if text:  # struct abort_msg_s: its size, then the text
                return clean(memory.c_string(text + 4, _MAX_MESSAGE).strip()) or None
        except MemoryReadError:
            continue
    return None


def fatal_error(memory: Memory, native: NativeStacks, stack: RawStack) -> str | None:
    """What ``Py_FatalError`` was told, by the code that calls it."""
    frames = native.exported_names(stack, limit=24)
    for index, frame in enumerate(frames[:-1]):
        if not frame.names & _FATAL:
            continue
        words = list(_arguments(memory, frames[index + 1].raw.address))
        if words and "%s" in words[-1] and index + 2 < len(frames):
            # A function in between was given what goes there.
            words = _filled_in(words[-1], list(_arguments(memory, frames[index + 2].raw.address)))
        if words:
            return f"Fatal Python error: {': '.join(words)}"
    return None


def _filled_in(template: str, words: list[str]) -> list[str]:
    """``["none_dealloc", "deallocating None: bug likely caused by ..."]``."""
    if not words:
        return [template.replace("%s", "", 1).removeprefix(": ")]
    return [*words[:-1], template.replace("%s", words[-1], 1)]


def _arguments(memory: Memory, return_address: int) -> Iterable[str]:
    """The literals among the first two arguments of the call before *return_address*, on x86-64."""
    if memory.arch is not X86_64:
        return
    try:
        code = memory.read(return_address - _LOOKED_BACK, _LOOKED_BACK)
    except MemoryReadError:
        return
    for load, constant in ((b"\x48\x8d\x3d", b"\xbf"), (b"\x48\x8d\x35", b"\xbe")):
        at = code.rfind(load, 0, _LOOKED_BACK - 4)
        address = None
        if at >= 0:
            offset = int.from_bytes(code[at + 3 : at + 7], "little", signed=True)
            address = return_address - _LOOKED_BACK + at + 7 + offset
        elif (at := code.rfind(constant, 0, _LOOKED_BACK - 4)) >= 0:
            address = int.from_bytes(code[at + 1 : at + 5], "little")
        text = _literal(memory, address)
        if text:
            yield text


def _literal(memory: Memory, address: int | None) -> str | None:
    mapping = memory.mapping_at(address) if address else None
    if address is None or mapping is None or "w" in mapping.permissions:
        return None
    try:
        text = memory.c_string(address, 200)
    except MemoryReadError:
        return None
    return clean(text) if _READABLE.fullmatch(text) else None


def errno_of(memory: Memory, images: Images, thread_pointer: int) -> int | None:
    """A thread's ``errno``, on x86-64; *thread_pointer*: 0 if that is not known."""
    for image in images.matching(_C_LIBRARY):
        function = image.exported("__errno_location")
        if function is None or not thread_pointer:
            continue
        try:
            found = _ERRNO.search(memory.read(function, 32))
            if found is None:
                continue
            slot = function + found.start() + 7 + int.from_bytes(found[1], "little", signed=True)
            return memory.i32((thread_pointer + memory.u64(slot)) & (1 << 64) - 1)
        except MemoryReadError:
            continue
    return None
