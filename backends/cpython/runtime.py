"""Finds the interpreter in a process and proves that its layout is the one we know."""

import re

from hangtui.backends.cpython.layouts import (
    Layout,
    LayoutError,
    UnknownVersionError,
    Version,
    is_free_threaded,
    load,
    with_debug_offsets,
)
from hangtui.backends.elf.image import Image
from hangtui.backends.elf.images import Images
from hangtui.backends.limits import BudgetSpentError
from hangtui.backends.memory.damage import MemoryReadError
from hangtui.backends.memory.reader import Memory
from hangtui.dataclass import dataclass

_VERSION_TEXT = re.compile(rb"(?<![\d.])([23])\.(\d{1,2})\.(\d{1,3})(?:(?:a|b|rc)\d+)?\+?\x00")
"""PY_VERSION, the literal that sys.version is made of. The linker may have merged it into the end
of a longer string, such as the installation's path."""
_FILE_VERSION = re.compile(r"python([23])\.(\d{1,2})")
_SCAN_STEP = 1 << 20
MAX_THREADS = 50_000
MAX_INTERPRETERS = 1000
_LOOKS = 4
"""How often a layout must disagree before it is called unknown."""


class NotPythonError(Exception):
    """No CPython is mapped into this process."""


@dataclass(frozen=True, slots=True)
class Runtime:
    """A located interpreter runtime."""

    head: int
    """Address of the pointer to the newest interpreter."""
    base: int
    """Address of ``_PyRuntime``; 0 in 3.6, which has none."""
    layout: Layout
    image: Image


def version_of(memory: Memory, images: Images) -> tuple[Version, Image]:
    """Which CPython a process runs, and the image that holds it.

    Raises:
        NotPythonError: none.
    """
    for image in images.matching(("libpython", "python")):
        if image.exported("Py_GetVersion") is None:
            continue
        constant = image.exported("Py_Version")  # from 3.11 on
        if constant is not None:
            number = memory.u32(constant)
            return (number >> 24, number >> 16 & 255, number >> 8 & 255), image
        version = _scan_version(memory, image)
        if version is not None:
            return version, image
    raise NotPythonError


def identify(memory: Memory, images: Images) -> tuple[Version, bool]:
    """Which CPython a process runs, and whether it is a free-threaded build.

    Raises:
        NotPythonError: it runs none.
    """
    version, image = version_of(memory, images)
    base = image.exported("_PyRuntime")
    try:
        return version, base is not None and is_free_threaded(version, memory, base)
    except (LayoutError, MemoryReadError):
        return version, False


def _scan_version(memory: Memory, image: Image) -> Version | None:
    """The version that the image's file name and its read-only strings agree on."""
    named = _FILE_VERSION.search(image.path.rsplit("/", 1)[-1])
    told = (int(named[1]), int(named[2])) if named else None
    for start, size in image.read_only_segments():
        for offset in range(0, size, _SCAN_STEP):
            try:
                part = memory.fresh(start + offset, min(_SCAN_STEP + 64, size - offset))
            except MemoryReadError:
                continue
            for match in _VERSION_TEXT.finditer(part):
                major, minor, micro = map(int, match.groups())
                if told in (None, (major, minor)):
                    return major, minor, micro
    return (*told, 0) if told else None


def locate(memory: Memory, images: Images) -> Runtime:
    """The runtime of a process, its layout checked.

    A thread that comes or goes while the structures are followed may make them disagree once; a
    wrong layout disagrees each time.

    Raises:
        NotPythonError: the process runs no CPython.
        LayoutError: it does, but how its memory is laid out is not known.
    """
    version, image = version_of(memory, images)
    for _ in range(_LOOKS - 1):
        try:
            return _located(memory, version, image)
        except UnknownVersionError:
            raise
        except LayoutError:
            memory.forget()
    return _located(memory, version, image)


def _located(memory: Memory, version: Version, image: Image) -> Runtime:
    try:
        if version < (3, 7, 0):
            layout = load(version)
            runtime = Runtime(_interpreter_head(memory, image), 0, layout, image)
        else:
            runtime = _runtime(memory, version, image)
        check(memory, runtime)
    except MemoryReadError as error:
        text = ".".join(map(str, version))
        raise LayoutError(f"CPython {text} with an unknown memory layout") from error
    return runtime


def _runtime(memory: Memory, version: Version, image: Image) -> Runtime:
    """The runtime by its exported symbol (3.7 on)."""
    base = image.exported("_PyRuntime")
    if base is None:
        load(version)
        raise LayoutError(f"CPython {version[0]}.{version[1]} without the symbol _PyRuntime")
    layout = load(version, is_free_threaded(version, memory, base))
    if layout.since(3, 13):
        layout = with_debug_offsets(layout, memory, base)
    return Runtime(base + layout["runtime.interpreters.head"], base, layout, image)


def _interpreter_head(memory: Memory, image: Image) -> int:
    """3.6: the variable that PyInterpreterState_Head reads: ``mov rax, [rip + offset]``."""
    function = image.exported("PyInterpreterState_Head")
    code = memory.read(function, 24) if function else b""
    at = code.find(b"\x48\x8b\x05")
    if function is None or not 0 <= at <= 16:
        raise LayoutError("CPython 3.6 whose interpreters cannot be found")
    return function + at + 7 + int.from_bytes(code[at + 3 : at + 7], "little", signed=True)


def check(memory: Memory, runtime: Runtime) -> None:
    """Follow the structures once: a wrong layout does not lead back to where it came from.

    Raises:
        LayoutError: the process disagrees with the layout.
        MemoryReadError: it leads to memory that is not there.
    """
    layout = runtime.layout
    interpreters = list(interpreter_addresses(memory, runtime))
    if not interpreters:
        raise LayoutError("the interpreter has not started yet, or has ended")
    for interpreter in interpreters:
        states = thread_states(memory, layout, interpreter)
        if not states and interpreter == interpreters[-1]:
            raise LayoutError(f"CPython {layout.text} with an unknown layout of its threads")
        for state in states:
            if memory.u64(state + layout["tstate.interp"]) != interpreter:
                raise LayoutError(f"CPython {layout.text} with an unknown memory layout")
        if layout.since(3, 7):
            gil = gil_address(memory, runtime, interpreter)
            locked = memory.i32(gil + layout["gil.locked"])
            interval = memory.u64(gil + layout["gil.interval"])
            if locked not in (-1, 0, 1) or not 0 < interval < 1 << 40:
                raise LayoutError(f"CPython {layout.text} with an unknown layout of the GIL")


def interpreter_addresses(memory: Memory, runtime: Runtime) -> list[int]:
    """The interpreters of a process, the newest first."""
    layout = runtime.layout
    result: list[int] = []
    here = memory.u64(runtime.head)
    while here and here not in result and len(result) < MAX_INTERPRETERS:
        memory.spent.objects(1)
        result.append(here)
        here = memory.u64(here + layout["interp.next"])
    return result


def thread_states(memory: Memory, layout: Layout, interpreter: int) -> list[int]:
    """The addresses of an interpreter's PyThreadStates, the newest first."""
    seen: dict[int, None] = {}
    here = memory.u64(interpreter + layout["interp.threads.head"])
    while here and here not in seen and len(seen) < MAX_THREADS:
        seen[here] = None
        memory.spent.objects(1)
        here = memory.u64(here + layout["tstate.next"])
    return list(seen)


def threads_ever(memory: Memory, runtime: Runtime) -> int | None:
    """How many threads have run the code of its interpreters so far, as these number them; None:
    that lies elsewhere before 3.11, or cannot be read."""
    if not runtime.layout.since(3, 11):
        return None
    # struct pythreads begins with next_unique_id, and goes on with head.
    field = runtime.layout["interp.threads.head"] - 8
    try:
        return sum(memory.u64(one + field) for one in interpreter_addresses(memory, runtime))
    except (MemoryReadError, BudgetSpentError):
        return None


def gil_address(memory: Memory, runtime: Runtime, interpreter: int) -> int:
    """The ``struct _gil_runtime_state`` of an interpreter (3.7 on): one for all before 3.12."""
    layout = runtime.layout
    if layout.since(3, 12):
        return memory.u64(interpreter + layout["interp.ceval.gil"])
    return runtime.base + layout["runtime.ceval.gil"]
