"""Where CPython keeps what: field offsets and opcodes per version, as data.

``layouts/X.Y.json`` was measured by ``script/measure-layout`` from the debug information of the
release named in it (x86-64, release build). From 3.13 on the process itself carries part of its
layout (``_Py_DebugOffsets``, Include/internal/pycore_debug_offsets.h), which then wins over the
table. Either is believed only after ``runtime.check`` found the process to agree with it.
"""

import json
import struct
from collections.abc import Mapping
from dataclasses import dataclass, replace
from importlib import resources

from hangtui.backends.memory import ProcessMemory

Version = tuple[int, int, int]

SUPPORTED = tuple(f"3.{minor}" for minor in range(6, 16))
DEBUG_COOKIE = b"xdebugpy"


class LayoutError(Exception):
    """This interpreter's layout is not known, or is not what the version promises."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Offsets in bytes by ``struct.field``, and opcodes by name."""

    version: Version
    offsets: Mapping[str, int]
    opcodes: Mapping[str, int]
    debug_offsets: Mapping[str, int]
    """Where in ``_PyRuntime`` the process itself says a field's offset (3.13 on)."""

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
        return ".".join(map(str, self.version))

    def since(self, major: int, minor: int) -> bool:
        """Whether the interpreter is CPython *major*.*minor* or newer."""
        return self.version >= (major, minor, 0)


def load(version: Version) -> Layout:
    """The measured layout of a version.

    Raises:
        LayoutError: there is none.
    """
    name = f"{version[0]}.{version[1]}"
    if name not in SUPPORTED:
        raise LayoutError(f"the memory layout of CPython {name} is not known")
    file = resources.files("hangtui.backends.cpython") / "layouts" / f"{name}.json"
    data = json.loads(file.read_text())
    return Layout(version, data["offsets"], data["opcodes"], data["debug_offsets"])


def with_debug_offsets(layout: Layout, memory: ProcessMemory, runtime: int) -> Layout:
    """*layout* corrected by what the process says of itself (3.13 on).

    Raises:
        LayoutError: it is a free-threaded build, or the record is not there.
        MemoryReadError: the record cannot be read.
    """
    header = memory.read(runtime, 24)  # cookie, version, flag for free threading
    if header[:8] != DEBUG_COOKIE:
        raise LayoutError("the interpreter's own layout record is missing")
    if struct.unpack("<Q", header[16:24])[0]:
        raise LayoutError("it is a free-threaded build, which is not read yet")
    places = layout.debug_offsets
    told = {field: memory.u64(runtime + place) for field, place in places.items()}
    # These two are relative to the interpreter (interp->_gil.x), not to the struct of the GIL.
    own_gil = told.pop("interp.own_gil")
    for field in ("locked", "last_holder"):
        told[f"gil.{field}"] = told.pop(f"interp.own_gil.{field}") - own_gil
    return replace(layout, offsets={**layout.offsets, **told})
