"""Python objects and frames as literal bytes, laid out as a version's layout says.

What is written here is read through the same ``Memory`` as a process is. The code of functions is
that of tests/targets/ownership.py, as ``script/record-code`` recorded it.
"""

import json
import struct
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from hangtui.backends.cpython.acquisitions import Acquisitions
from hangtui.backends.cpython.code import CodeReader
from hangtui.backends.cpython.frames import Frame, Frames
from hangtui.backends.cpython.layouts import Layout, load
from hangtui.backends.cpython.locks import Lock, Locks
from hangtui.backends.cpython.managers import Managers
from hangtui.backends.cpython.objects import Objects
from hangtui.backends.cpython.ownership import Ownership
from hangtui.backends.cpython.positions import Positions
from hangtui.backends.cpython.references import References
from hangtui.backends.cpython.releases import Releases
from hangtui.backends.cpython.traces import Traces
from hangtui.backends.cpython.with_blocks import WithBlocks
from tests.unit.backends.fakes import LiteralMemory

VERSIONS = tuple((3, minor, 0) for minor in range(6, 16))
"""Frames are objects and blocks lie on a stack up to 3.10; from 3.11 on neither is so."""
START = 0x7F00_0000_0000
_SIZE = 1 << 20
_LITERAL = Path(__file__).parent / "literal"
_MANAGED_DICT, _HEAP_TYPE = 1 << 4, 1 << 9
_DICT_OFFSET = 16
"""Of an instance up to 3.10; later its dict is named right before it."""
_SETUP_FINALLY = 122
"""The kind of every block on the stack of them, up to 3.10 (Include/opcode.h)."""
_FAST, _NEXT = 24, 2
_NULL = 1
"""PyStackRef_NULL (3.14 on), where ``__exit__`` has no self."""


@dataclass(frozen=True, slots=True)
class Call:
    """A frame that is to be written: *function* as recorded, standing at its remark *stop*."""

    function: str
    stop: str
    variables: dict[str, int]
    exits: tuple[int, ...] = ()
    """The bound ``__exit__`` of each ``with`` that it is inside of, outermost first."""
    name: str = ""
    """What the function is called instead: ``Event.wait``."""
    file: str = "/srv/app/ownership.py"


class Heap:
    """Writes objects; once something is read through ``objects``, what was written is there too."""

    def __init__(self, version: tuple[int, int, int]) -> None:
        self.layout: Layout = load(version)
        self._data = bytearray(_SIZE)
        self._end = START + 64
        self._types: dict[str, int] = {}
        self._texts: dict[str, int] = {}
        self._bound: dict[int, tuple[int, int]] = {}
        """The function and the self of bound methods."""
        text = (_LITERAL / f"{version[0]}.{version[1]}.json").read_text()
        self._recorded: dict[str, Any] = json.loads(text)
        self.none = self.instance("NoneType")

    # -- reading --------------------------------------------------------------------------------

    @cached_property
    def objects(self) -> Objects:
        """The reader of all this, through literal memory."""
        return Objects(LiteralMemory((START, self._data)), self.layout)

    @cached_property
    def codes(self) -> CodeReader:
        """The reader of code objects."""
        return CodeReader(self.objects)

    @cached_property
    def frames(self) -> Frames:
        """The reader of frames."""
        return Frames(self.objects, self.codes)

    @cached_property
    def locks(self) -> Locks:
        """The reader of locks."""
        return Locks(self.objects)

    @cached_property
    def blocks(self) -> WithBlocks:
        """What finds ``with`` blocks."""
        return WithBlocks(self.objects, self.codes)

    @cached_property
    def releases(self) -> Releases:
        """What finds releases."""
        return Releases(self.objects, self._positions)

    @cached_property
    def signs(self) -> Acquisitions:
        """What finds calls of ``acquire()``."""
        return Acquisitions(self.objects, self.codes, self._positions, self.releases)

    @cached_property
    def managers(self) -> Managers:
        """What looks behind context managers."""
        return Managers(self.objects, self.frames, self.blocks, self.signs)

    @cached_property
    def traces(self) -> Traces:
        """What reads from frames who took and gave back what."""
        return Traces(self.objects, self.frames, self.codes, self.blocks, self.references)

    @cached_property
    def ownership(self) -> Ownership:
        """What tells who holds what."""
        return Ownership(self.frames, self.managers, self.blocks, self.traces)

    @cached_property
    def references(self) -> References:
        """What frames and objects refer to."""
        return References(self.objects, self.frames, self.blocks, self.codes)

    @cached_property
    def _positions(self) -> Positions:
        return Positions(self.objects, self.frames)

    def read_lock(self, address: int) -> Lock:
        """The lock that was written at *address*."""
        lock = self.locks.read(address)
        assert lock is not None
        return lock

    # -- writing --------------------------------------------------------------------------------

    def put(self, address: int, *fields: tuple[int, str, int]) -> None:
        """Write numbers: their offset from *address*, their format in ``struct``, their value."""
        for offset, kind, value in fields:
            struct.pack_into(f"<{kind}", self._data, address - START + offset, value)

    def room(self, size: int) -> int:
        """The address of *size* new bytes, with room for what may lie right before an object."""
        address = self._end + 32
        self._end = (address + size + 15) & ~15
        assert self._end <= START + _SIZE
        return address

    def new(self, type_name: str, size: int, *fields: tuple[str, str, int]) -> int:
        """An object of a type of C code, with the given fields of the layout."""
        address = self.room(size)
        self.put(address, (self.layout["object.ob_type"], "Q", self.kind(type_name)))
        self.put(address, *((self.layout[name], kind, value) for name, kind, value in fields))
        return address

    def kind(self, name: str, *, size: int = 0, **attributes: int) -> int:
        """The type ``module.Name`` of a class, or one of C code if its name has no dot."""
        known = self._types.get(name)
        if known is not None:
            return known
        module, _, last = name.rpartition(".")
        heap = bool(module) and not module.startswith("_") and module != "collections"
        address = self._types[name] = self.room(1024)
        raw = self._bytes((last if heap else name).encode() + b"\0")
        flags = _HEAP_TYPE if heap else 0
        if self.layout.since(3, 11) and size == 0:
            flags |= _MANAGED_DICT
        fields = (
            ("type.tp_name", raw),
            ("type.tp_basicsize", size or _FAST),
            ("type.tp_flags", flags),
            ("type.tp_dictoffset", _DICT_OFFSET if size == 0 else 0),
        )
        self.put(address, *((self.layout[field], "Q", value) for field, value in fields))
        if heap:
            namespace = self.dict_of(__module__=self.text(module), **attributes)
            self.put(address, (self.layout["type.tp_dict"], "Q", namespace))
            self.put(address, (self.layout["type.tp_mro"], "Q", self.tuple_of(address)))
        return address

    def instance(self, type_name: str, **attributes: int) -> int:
        """An instance of a class, with attributes."""
        kind = self.kind(type_name)
        address = self.room(_FAST)
        self.put(address, (self.layout["object.ob_type"], "Q", kind))
        if attributes:
            before = -self.layout.before_object - 8
            place = before if self.layout.since(3, 11) else _DICT_OFFSET
            self.put(address, (place, "Q", self.dict_of(**attributes)))
        return address

    def text(self, value: str) -> int:
        """A ``str`` of ASCII characters."""
        if value not in self._texts:
            start = self.layout["ascii.sizeof"]
            state = 1 << self.layout["ascii.kind_shift"] | 1 << self.layout["ascii.ascii_shift"]
            address = self.new(
                "str",
                start + len(value) + 1,
                ("ascii.length", "q", len(value)),
                ("ascii.state", "I", state),
            )
            self._write(address + start, value.encode())
            self._texts[value] = address
        return self._texts[value]

    def truth(self, value: int) -> int:
        """``True`` or ``False``, which is 1 or 0."""
        return self.integer(value, "bool")

    def integer(self, value: int, kind: str = "int") -> int:
        """An ``int`` that is not negative."""
        digits = []
        while value:
            digits.append(value & (1 << 30) - 1)
            value >>= 30
        new = self.layout.since(3, 12)
        count = ("long.lv_tag", "Q", len(digits) << 3) if new else ("var.ob_size", "q", len(digits))
        address = self.new(kind, 24 + 4 * len(digits), count)
        first = self.layout["long.ob_digit"]
        self.put(address, *((first + 4 * i, "I", digit) for i, digit in enumerate(digits)))
        return address

    def tuple_of(self, *items: int) -> int:
        """A ``tuple``."""
        first = self.layout["tuple.ob_item"]
        address = self.new("tuple", first + 8 * len(items), ("var.ob_size", "q", len(items)))
        self.put(address, *((first + 8 * i, "Q", item) for i, item in enumerate(items)))
        return address

    def list_of(self, *items: int) -> int:
        """A ``list``."""
        place = self.room(8 * len(items))
        self.put(place, *((8 * i, "Q", item) for i, item in enumerate(items)))
        size = ("var.ob_size", "q", len(items))
        return self.new("list", 40, size, ("list.ob_item", "Q", place))

    def set_of(self, *items: int) -> int:
        """A ``set``, with an entry that was removed."""
        slots = 1 << (len(items) + 1).bit_length()
        table = self.room(16 * slots)
        self.put(table, (0, "Q", self.none), (8, "q", -1))
        self.put(table, *((16 * (i + 1), "Q", item) for i, item in enumerate(items)))
        mask = ("set.mask", "q", slots - 1)
        return self.new("set", 200, mask, ("set.table", "Q", table))

    def weak(self, address: int) -> int:
        """A weak reference."""
        return self.new("weakref", 64, ("weakref.wr_object", "Q", address))

    def dict_of(self, **items: int) -> int:
        """A ``dict`` whose keys are strings."""
        layout, new = self.layout, self.layout.since(3, 11)
        entries = layout["dictkeys.dk_indices"] + 8
        keys = self.room(entries + 24 * len(items))
        self.put(keys, (layout["dictkeys.dk_nentries"], "q", len(items)))
        if new:
            self.put(keys, (layout["dictkeys.dk_log2_index_bytes"], "B", 3))
            self.put(keys, (layout["dictkeys.dk_kind"], "B", 1))
        else:
            self.put(keys, (layout["dictkeys.dk_size"], "q", 8))
        for index, (name, value) in enumerate(items.items()):
            words = (self.text(name), value) if new else (0, self.text(name), value)
            place = entries + 8 * len(words) * index
            self.put(keys, *((place + 8 * i, "Q", word) for i, word in enumerate(words)))
        return self.new("dict", 64, ("dict.ma_keys", "Q", keys))

    def cell(self, value: int) -> int:
        """A closure's cell."""
        return self.new("cell", 24, ("cell.ob_ref", "Q", value))

    def builtin_method(self, owner: int) -> int:
        """A method of C code, bound to *owner*."""
        address = self.new("builtin_function_or_method", 56, ("cfunc.m_self", "Q", owner))
        self._bound[address] = (self.new("method_descriptor", 56), owner)
        return address

    def function(self, name: str, called: str = "") -> int:
        """A Python function with the code of one that was recorded."""
        return self.new(
            "function",
            160,
            ("func.func_code", "Q", self.code(name, called)),
            ("func.func_name", "Q", self.text(called or name)),
        )

    def method(self, owner: int, function: int) -> int:
        """A Python function bound to *owner*."""
        address = self.new(
            "method", 40, ("method.im_func", "Q", function), ("method.im_self", "Q", owner)
        )
        self._bound[address] = (function, owner)
        return address

    def deque(self, *items: int) -> int:
        """A ``collections.deque`` whose items lie in its first block."""
        block = self.room(self.layout["dequeblock.rightlink"] + 8)
        first = self.layout["dequeblock.data"]
        self.put(block, *((first + 8 * i, "Q", item) for i, item in enumerate(items)))
        return self.new(
            "collections.deque",
            64,
            ("var.ob_size", "q", len(items)),
            ("deque.leftblock", "Q", block),
            ("deque.leftindex", "q", 0),
        )

    # -- locks ----------------------------------------------------------------------------------

    @property
    def _mutex_inside(self) -> bool:
        return self.layout.since(3, 14)

    def lock(self, *, locked: bool = True) -> int:
        """A ``threading.Lock``, on a semaphore of its own; from 3.14 on it is a mutex itself."""
        self.kind("_thread.lock", size=self.layout["lock.sizeof"])
        if self._mutex_inside:
            address = self.new("_thread.lock", self.layout["lock.sizeof"])
            self.put(address, (self.layout.header, "B", locked))
            return address
        return self.new(
            "_thread.lock",
            self.layout["lock.sizeof"],
            ("lock.lock_lock", "Q", self.room(32)),
            ("lock.locked", "B", locked),
        )

    def rlock(self, owner: int) -> int:
        """A ``threading.RLock`` that *owner* has taken once; 0: nobody has."""
        self.kind("_thread.RLock", size=self.layout["rlock.sizeof"])
        if self._mutex_inside:
            address = self.new("_thread.RLock", self.layout["rlock.sizeof"])
            mutex = self.layout.header
            self.put(address, (mutex, "B", owner != 0), (mutex + 8, "Q", owner))
            return address
        address = self.new(
            "_thread.RLock",
            self.layout["rlock.sizeof"],
            ("rlock.rlock_owner", "Q", owner),
            ("rlock.rlock_count", "Q", owner != 0),
        )
        self.put(address, (self.layout.header, "Q", self.room(32)))
        return address

    def shared_lock(self, *, value: int = 0, recursive: bool = False) -> int:
        """What ``multiprocessing`` makes its locks of; *value*: of the semaphore behind it."""
        word = self.room(32)
        self.put(word, (0, "I", value))
        address = self.new("_multiprocessing.SemLock", 64)
        header = self.layout.header
        self.put(address, (header, "Q", word), (header + 20, "i", 1))
        self.put(address, (header + 24, "i", 0 if recursive else 1))
        return address

    def exit(self, lock: int) -> int:
        """What ``with`` keeps of a lock: its bound ``__exit__``."""
        return self.builtin_method(lock)

    # -- code and frames ------------------------------------------------------------------------

    def code(self, function: str, called: str = "", file: str = "/srv/app/ownership.py") -> int:
        """The code object of a recorded function, under another name and file if wanted."""
        found, layout = self._recorded[function], self.layout
        raw = bytes.fromhex(found["code"])
        new = layout.since(3, 11)
        called = called or function
        names = self.tuple_of(*map(self.text, found["names"]))
        variables = self.tuple_of(*map(self.text, found["variables"]))
        lines = self._bytes_object(bytes.fromhex(found["lines"]))
        name = self.text(called if new else called.rpartition(".")[2])
        fields = [
            ("code.co_filename", "Q", self.text(file)),
            ("code.co_firstlineno", "i", found["first_line"]),
            ("code.co_names", "Q", names),
            ("code.co_nlocals", "i", len(found["variables"])),
            ("code.co_stacksize", "i", found["stack_size"]),
        ]
        if not new:
            table = "code.co_linetable" if layout.since(3, 10) else "code.co_lnotab"
            fields += [
                ("code.co_name", "Q", name),
                ("code.co_varnames", "Q", variables),
                (table, "Q", lines),
                ("code.co_code", "Q", self._bytes_object(raw)),
            ]
            return self.new("code", 256, *fields)
        exceptions = self._bytes_object(bytes.fromhex(found["exceptions"]))
        fields += [
            ("var.ob_size", "q", len(raw) // 2),
            ("code.co_qualname", "Q", name),
            ("code.co_localsplusnames", "Q", variables),
            ("code.co_linetable", "Q", lines),
            ("code.co_exceptiontable", "Q", exceptions),
        ]
        start = layout["code.co_code_adaptive"]
        address = self.new("code", start + len(raw), *fields)
        self._write(address + start, raw)
        return address

    def call(
        self,
        function: str,
        stop: str,
        /,
        *,
        exits: tuple[int, ...] = (),
        name: str = "",
        file: str = "/srv/app/ownership.py",
        **variables: int,
    ) -> Call:
        """A frame for ``stack`` and ``generator``."""
        return Call(function, stop, variables, exits, name, file)

    def stack(self, *calls: Call) -> tuple[Frame, ...]:
        """The frames of a thread in *calls*, the innermost first, as they are read again."""
        new, previous = self.layout.since(3, 11), 0
        for call in reversed(calls):
            size = 128 + 8 * 16
            address = self.room(self.layout["iframe.localsplus"] + size) if new else self._old(call)
            if new:
                self._write_frame(address, call)
            link = "iframe.previous" if new else "frameobj.f_back"
            self.put(address, (self.layout[link], "Q", previous))
            previous = address
        state = self.room(512)
        if self.layout.since(3, 13) or not new:
            field = "tstate.current_frame" if new else "tstate.frame"
            self.put(state, (self.layout[field], "Q", previous))
        else:
            record = self.room(64)
            self.put(record, (self.layout["cframe.current_frame"], "Q", previous))
            self.put(state, (self.layout["tstate.cframe"], "Q", record))
        return tuple(self.frames.walk(state))

    def generator(self, call: Call) -> int:
        """A generator that is suspended in *call*."""
        if not self.layout.since(3, 11):
            return self.new("generator", 128, ("gen.gi_frame", "Q", self._old(call)))
        address = self.new("generator", 512)
        ahead = _NEXT if self.layout.since(3, 13) else 0
        self._write_frame(address + self.layout["gen.gi_iframe"], call, ahead=ahead)
        return address

    def _write_frame(self, address: int, call: Call, ahead: int = 0) -> None:
        layout = self.layout
        code = self.code(call.function, call.name, call.file)
        offset = self._recorded[call.function]["stops"][call.stop]["offset"]
        at = code + layout["code.co_code_adaptive"] + offset + ahead
        self.put(address, (layout["iframe.f_executable"], "Q", code))
        self.put(address, (layout["iframe.instr_ptr"], "Q", at))
        self._write_values(address + layout["iframe.localsplus"], call)

    def _old(self, call: Call) -> int:
        layout = self.layout
        stop = self._recorded[call.function]["stops"][call.stop]
        code = self.code(call.function, call.name, call.file)
        first, unit = layout["frameobj.f_localsplus"], 2 if layout.since(3, 10) else 1
        address = self.new("frame", first + 256, ("frameobj.f_code", "Q", code))
        slots = self._write_values(address + first, call)
        self.put(
            address,
            (layout["frameobj.f_lasti"], "i", stop["offset"] // unit),
            (layout["frameobj.f_valuestack"], "Q", slots),
            (layout["frameobj.f_iblock"], "i", len(stop["blocks"])),
        )
        for index, (handler, level) in enumerate(stop["blocks"]):
            block = struct.pack("<3i", _SETUP_FINALLY, handler // unit, level)
            self._write(address + layout["frameobj.f_blockstack"] + 12 * index, block)
        return address

    def _write_values(self, slots: int, call: Call) -> int:
        """The variables and the stack of values; its address."""
        names = self._recorded[call.function]["variables"]
        assert set(call.variables) <= set(names)
        values = [call.variables.get(name, 0) for name in names]
        values += [part for method in call.exits for part in self._kept(method)]
        self.put(slots, *((8 * i, "Q", value) for i, value in enumerate(values)))
        return slots + 8 * len(names)

    def _kept(self, method: int) -> tuple[int, ...]:
        """What a ``with`` keeps of an ``__exit__``: from 3.14 on, the function and its self."""
        if not self.layout.since(3, 14):
            return (method,)
        return self._bound.get(method, (method, _NULL))

    def line(self, function: str, stop: str) -> int:
        """The line of a remark in tests/targets/ownership.py."""
        line: int = self._recorded[function]["stops"][stop]["line"]
        return line

    def _bytes_object(self, value: bytes) -> int:
        start = self.layout["bytes.ob_sval"]
        address = self.new("bytes", start + len(value) + 1, ("bytes.ob_size", "q", len(value)))
        self._write(address + start, value)
        return address

    def _bytes(self, value: bytes) -> int:
        address = self.room(len(value))
        self._write(address, value)
        return address

    def _write(self, address: int, value: bytes) -> None:
        self._data[address - START : address - START + len(value)] = value
