"""Where CPython keeps what: field offsets and opcodes per version, as data.

``layouts/X.Y.json`` was measured by ``script/measure-layout`` from the debug information of the
release named in it (x86-64, release build), ``layouts/X.Yt.json`` from that of a free-threaded
build, whose objects have another header. From 3.13 on the process itself carries part of its
layout (``_Py_DebugOffsets``, Include/internal/pycore_debug_offsets.h), which then wins over the
table. Either is believed only after ``runtime.check`` found the process to agree with it.
"""

import json
import struct
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from hangtui.backends.memory.reader import Memory
from hangtui.dataclass import dataclass

Version = tuple[int, int, int]

SUPPORTED = (*(f"3.{minor}" for minor in range(6, 16)), "3.13t")
DEBUG_COOKIE = b"xdebugpy"
_GC_HEADER = 16
"""sizeof(PyGC_Head), which precedes objects where there is a GIL."""
_OWN_GIL = "interp.own_gil"
"""Fields of interp->_gil, which debug offsets count from the interpreter's start."""


class LayoutError(Exception):
    """This interpreter's layout is not known, or is not what the version promises."""


class UnknownVersionError(LayoutError):
    """There is no layout of this version: that another look will not mend."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Offsets in bytes by ``struct.field``, and opcodes by name."""

    version: Version
    offsets: Mapping[str, int]
    opcodes: Mapping[str, int]
    debug_offsets: Mapping[str, int]
    """Where in ``_PyRuntime`` the process itself says a field's offset (3.13 on)."""
    free_threaded: bool = False
    """It was built so that it can run without a GIL."""

    def __getitem__(self, field: str) -> int:
        """The offset of *field*.

        Raises:
            LayoutError: this version has no such field.
        """
        try:
            return self.offsets[field]
        except KeyError:
            raise LayoutError(f"CPython {self.text} has no {field}") from None

    @property
    def text(self) -> str:
        """The version as people write it."""
        return ".".join(map(str, self.version)) + ("t" if self.free_threaded else "")

    @property
    def header(self) -> int:
        """The size of what every object begins with."""
        return self["object.sizeof"]

    @property
    def before_object(self) -> int:
        """Bytes of the garbage collector's own right before an object."""
        return 0 if self.free_threaded else _GC_HEADER

    def since(self, major: int, minor: int) -> bool:
        """Whether the interpreter is CPython *major*.*minor* or newer."""
        return self.version >= (major, minor, 0)


def is_free_threaded(version: Version, memory: Memory, runtime: int) -> bool:
    """Whether the interpreter was built without a GIL; *runtime*: the address of ``_PyRuntime``.

    Raises:
        LayoutError: the record that says so is not there.
        MemoryReadError: it cannot be read.
    """
    if version < (3, 13, 0):
        return False
    header = memory.read(runtime, 24)  # cookie, version, flag for free threading
    if header[:8] != DEBUG_COOKIE:
        raise LayoutError("the interpreter's own layout record is missing")
    return bool(struct.unpack("<Q", header[16:24])[0])


def load(version: Version, free_threaded: bool = False) -> Layout:
    """The measured layout of a version.

    Raises:
        LayoutError: there is none.
    """
    name = f"{version[0]}.{version[1]}" + ("t" if free_threaded else "")
    if name not in SUPPORTED:
        kind = "free-threaded CPython" if free_threaded else "CPython"
        text = f"{version[0]}.{version[1]}"
        raise UnknownVersionError(f"the memory layout of {kind} {text} is not known")
    file = Path(__file__).parent / "layouts" / f"{name}.json"
    data = json.loads(file.read_text())
    places = data["debug_offsets"]
    return Layout(version, data["offsets"], data["opcodes"], places, free_threaded)


def with_debug_offsets(layout: Layout, memory: Memory, runtime: int) -> Layout:
    """*layout* corrected by what the process says of itself (3.13 on).

    Raises:
        MemoryReadError: the record cannot be read.
    """
    places = layout.debug_offsets
    told = {field: memory.u64(runtime + place) for field, place in places.items()}
    own_gil = told.pop(_OWN_GIL)
    for field in [field for field in told if field.startswith(_OWN_GIL)]:
        offset = told.pop(field) - own_gil
        if f"gil.{field.rsplit('.', 1)[-1]}" in layout.offsets:
            told[f"gil.{field.rsplit('.', 1)[-1]}"] = offset
    return replace(layout, offsets={**layout.offsets, **told})
