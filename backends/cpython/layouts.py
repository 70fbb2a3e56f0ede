"""Where CPython keeps what: field offsets and opcodes per version, as data.

``layouts/X.Y.json`` was measured from the debug information of the release named in it (x86-64,
release build). From 3.13 on the process itself carries part of its layout (``_Py_DebugOffsets``,
Include/internal/pycore_runtime.h), which then wins over the table. Either is believed only after
``runtime.check`` found the process to agree with it.
"""

import json
import struct
from collections.abc import Mapping
from dataclasses import dataclass, replace
from importlib import resources

from hangtui.backends.memory import ProcessMemory

Version = tuple[int, int, int]

SUPPORTED = ("3.8", "3.9", "3.10", "3.11", "3.12", "3.13")
DEBUG_COOKIE = b"xdebugpy"


class LayoutError(Exception):
    """This interpreter's layout is not known, or is not what the version promises."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Offsets in bytes by ``struct.field``, and opcodes by name."""

    version: Version
    offsets: Mapping[str, int]
    opcodes: Mapping[str, int]

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
    return Layout(version, data["offsets"], data["opcodes"])


_DEBUG_FIELDS_3_13 = (
    *("", "", "runtime.interpreters.head"),
    *("", "", "interp.next", "interp.threads.head", "", "interp.modules", "", ""),
    *("interp.ceval.gil", "interp._gil", "", "gil.locked", "gil.last_holder"),
    *("", "", "tstate.next", "tstate.interp", "tstate.current_frame", "tstate.thread_id"),
    *("tstate.native_thread_id", "", ""),
    *("", "iframe.previous", "iframe.f_executable", "iframe.instr_ptr", "iframe.localsplus"),
    *("iframe.owner", "", "code.co_filename", "code.co_name", "code.co_qualname"),
    *("code.co_linetable", "code.co_firstlineno", "", "code.co_localsplusnames", ""),
    *("code.co_code_adaptive", "", "", "", "type.tp_name", "", "type.tp_flags"),
    *("", "tuple.ob_item", ""),
)
"""The leading fields of struct _Py_DebugOffsets in 3.13, after cookie, version and the flag for
free threading; an empty name is a field that is not needed here."""


def with_debug_offsets(layout: Layout, memory: ProcessMemory, runtime: int) -> Layout:
    """*layout* corrected by what the process says of itself (3.13).

    Raises:
        LayoutError: it is a free-threaded build, or the record is not there.
        MemoryReadError: the record cannot be read.
    """
    header = memory.read(runtime, 24)
    if header[:8] != DEBUG_COOKIE:
        raise LayoutError("the interpreter's own layout record is missing")
    if struct.unpack("<Q", header[16:24])[0]:
        raise LayoutError("it is a free-threaded build, which is not read yet")
    count = len(_DEBUG_FIELDS_3_13)
    values = dict(zip(_DEBUG_FIELDS_3_13, memory.words(runtime + 24, count), strict=True))
    values.pop("", None)
    # These two are relative to the interpreter (interp->_gil.x), not to the struct of the GIL.
    own_gil = values.pop("interp._gil")
    for field in ("gil.locked", "gil.last_holder"):
        values[field] -= own_gil
    return replace(layout, offsets={**layout.offsets, **values})
