"""gdb's answers in its machine interface, as what the screens know."""

import posixpath
import re
from collections.abc import Mapping, Sequence

from hangtui.backends.arch import KNOWN, X86_64
from hangtui.backends.elf.demangle import demangle
from hangtui.backends.procfs import secrets
from hangtui.dataclass import dataclass
from hangtui.debugger import Instruction, Register, Variable
from hangtui.model import NativeFrame, clean

_LWP = re.compile(r"(?:LWP|process) (\d+)")
_PIECE = re.compile(r"(?:(?:\\[0-7]{3})++|\\.|[^\\]){1,64}+", re.DOTALL)
"""Of what gdb prints: for a text of n letters without a backslash, pygdbmi needs time like n^2. The
bytes of a letter stay together."""
_MANGLED = re.compile(r"\b_Z\w+")
_LOST_IN_CALLS = frozenset(name for one in KNOWN for name in one.registers.lost_in_calls)
_FLAGS = {one.registers.flags: one.registers.flag_bits for one in KNOWN}
_TEXT = 300
"""Characters of a value that are kept."""


@dataclass(frozen=True, slots=True)
class GdbFrame:
    """A frame as gdb numbers it: calls that were inlined have frames of their own."""

    level: int
    address: int
    function: str | None
    file: str | None
    line: int | None
    module: str | None
    """The library's file name."""

    def shown(self) -> NativeFrame:
        """The frame as the model has it."""
        return NativeFrame(self.function, self.module, self.address, self.file, self.line)


def entries(payload: Mapping[str, object], key: str) -> list[dict[str, object]]:
    """The list of records under *key*; empty where the answer has another shape."""
    value = payload.get(key)
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def integer(value: object, base: int = 10) -> int | None:
    """A number that gdb wrote as text."""
    try:
        return int(str(value), base)
    except ValueError:
        return None


def thread_numbers(payload: Mapping[str, object]) -> dict[int, int]:
    """gdb's numbers of the threads by TID."""
    result = {}
    for entry in entries(payload, "threads"):
        lwp = _LWP.search(str(entry.get("target-id", "")))
        number = integer(entry.get("id"))
        if lwp and number is not None:
            result[int(lwp[1])] = number
    return result


def frames(payload: Mapping[str, object]) -> tuple[GdbFrame, ...]:
    """The answer to ``-stack-list-frames``."""
    return tuple(map(_frame, entries(payload, "stack")))


def _frame(entry: Mapping[str, object]) -> GdbFrame:
    function = str(entry.get("func", "??"))
    file = entry.get("fullname") or entry.get("file")
    module = entry.get("from")
    return GdbFrame(
        level=integer(entry.get("level")) or 0,
        address=integer(entry.get("addr"), 16) or 0,
        function=None if function == "??" else function_name(function),
        file=clean(posixpath.normpath(str(file))) if file else None,
        line=integer(entry.get("line")),
        module=clean(str(module).rpartition("/")[2]) if module else None,
    )


def function_name(name: str) -> str:
    """A symbol as its programmer wrote it."""
    return clean(demangle(name.removeprefix("__GI_")))


def libraries(payload: Mapping[str, object]) -> list[tuple[range, str]]:
    """The answer to ``-file-list-shared-libraries``: where the code of each lies, and its name."""
    result = []
    for entry in entries(payload, "shared-libraries"):
        name = str(entry.get("host-name") or entry.get("target-name") or "")
        for area in entries(entry, "ranges"):
            start, end = integer(area.get("from"), 16), integer(area.get("to"), 16)
            if name and start is not None and end is not None:
                result.append((range(start, end), name))
    return result


def register_numbers(payload: Mapping[str, object]) -> dict[str, int]:
    """The numbers of the registers that are shown, from ``-data-list-register-names``."""
    names = payload.get("register-names")
    listed = [str(name) for name in names] if isinstance(names, list) else []
    # Each processor has another name for its program counter.
    fits = (one.registers for one in KNOWN if one.registers.program_counter in listed)
    shown = next(fits, X86_64.registers).shown
    return {name: listed.index(name) for name in shown if name in listed}


def registers(
    payload: Mapping[str, object], numbers: Mapping[str, int], *, outer: bool
) -> tuple[Register, ...]:
    """The answer to ``-data-list-register-values x``; *outer*: not of the innermost frame."""
    values = {
        integer(entry.get("number")): integer(entry.get("value"), 16)
        for entry in entries(payload, "register-values")
    }
    result = []
    for name, number in numbers.items():
        value = values.get(number)
        if value is not None:
            result.append(register(name, value, outer=outer))
    return tuple(result)


def register(name: str, value: int, *, outer: bool = False) -> Register:
    """One register; *outer*: not of the innermost frame."""
    bits = _FLAGS.get(name, {})
    words = " ".join(called for bit, called in bits.items() if value >> bit & 1)
    return Register(name, value, text=words, inner=outer and name in _LOST_IN_CALLS)


def variables(types: Mapping[str, object], values: Mapping[str, object]) -> tuple[Variable, ...]:
    """Two answers to ``-stack-list-variables``: with simple values, which have types, and all."""
    known = [str(entry.get("value", "")) for entry in entries(values, "variables")]
    result = []
    for index, entry in enumerate(entries(types, "variables")):
        value = known[index] if index < len(known) else str(entry.get("value", ""))
        name = clean(str(entry.get("name", "?")), 80)
        kind = clean(str(entry.get("type", "")), 80)
        shown = secrets.MASK if secrets.names_secret(name) else secrets.mask_word(value)
        result.append(Variable(name, kind, clean(shown, _TEXT), argument=entry.get("arg") == "1"))
    return tuple(result)


def instructions(payload: Mapping[str, object], current: int) -> tuple[Instruction, ...]:
    """The answer to ``-data-disassemble``; *current*: where the thread is or returns to."""
    result = []
    for entry in entries(payload, "asm_insns"):
        address = integer(entry.get("address"), 16) or 0
        offset = integer(entry.get("offset"))
        function = function_name(str(entry.get("func-name", "")))
        place = f"{function} + {offset}" if function and offset is not None else ""
        text = clean(readable(str(entry.get("inst", "")).replace("\t", " ")), 200)
        result.append(Instruction(address, text, place, current=address == current))
    return tuple(result)


def function_start(payload: Mapping[str, object]) -> int | None:
    """Where the function of the first instruction of an answer begins."""
    for entry in entries(payload, "asm_insns")[:1]:
        address, offset = integer(entry.get("address"), 16), integer(entry.get("offset"))
        if address is not None and offset is not None:
            return address - offset
    return None


def printed(line: bytes) -> str:
    """The text of a stream record, or of a line that is no record; empty for other records."""
    if line[:2] not in (b'~"', b'&"', b'@"'):
        is_record = line[:1] in (b"=", b"*", b"+", b"^", b"(", b"")
        return "" if is_record else line.decode(errors="replace") + "\n"
    text = line[2:].decode(errors="replace").removesuffix('"')
    return "".join(map(_unescaped, _PIECE.findall(text)))


def _unescaped(piece: str) -> str:
    from pygdbmi.gdbescapes import unescape

    try:
        return unescape(piece)
    except ValueError:  # a backslash or a quote that is in nobody's grammar
        return piece


def console_text(lines: Sequence[str]) -> str:
    """What gdb printed, line by line, cleaned, with C++ names readable."""
    text = readable("".join(lines)).expandtabs(8)
    return "\n".join(clean(line) for line in text.splitlines())


def readable(text: str) -> str:
    """*text* with C++ names as their programmers wrote them."""
    return _MANGLED.sub(lambda match: demangle(match[0]), text)
