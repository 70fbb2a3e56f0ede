"""What the drawers show: answers of the debugger as rows of a list."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from rich.text import Text

from hangtui.dataclass import dataclass
from hangtui.debugger import (
    Disassembly,
    Instruction,
    LockReading,
    MemoryDump,
    Pointee,
    Region,
    Register,
    Registers,
    SourceText,
    Variable,
    Variables,
)
from hangtui.model import HangtuiError, clean
from hangtui.tui.cells import cut, pad, spread, wrap
from hangtui.tui.rows.row import Row
from hangtui.tui.theme import CURRENT, HEADING, MUTED

Known = Callable[[int], str]
"""What the capture calls the lock at an address; empty: nothing."""
_BYTES = 8
"""Bytes in a row of memory."""


@dataclass(frozen=True, slots=True, eq=False)
class Content:
    """Rows, what stands around them, and what their keys stand for."""

    title: str
    rows: Sequence[Row] = ()
    heading: Callable[[int], Text] | None = None
    cursor: str | None = None
    cursor_leads: bool = False
    """The cursor goes to its row with every answer: where the frame stands."""
    note: str = ""
    empty: str = ""
    addresses: Mapping[str, int] | None = None
    """By row: an address that can be looked at."""
    leads: Mapping[str, int] | None = None
    """By row: where Enter goes, if not to that address."""
    thread: int | None = None
    """The TID of a thread to go to."""


def asking(title: str) -> Content:
    """As long as there is no answer."""
    return Content(title, empty="asking … (Esc gives up)")


def failed(title: str, error: HangtuiError) -> Content:
    """There is no answer, and why."""
    text = clean(error.message) + (f" · {clean(error.fix)}" if error.fix else "")
    return Content(title, (_prose("why", text),))


def _prose(key: str, text: str, style: str = "") -> Row:
    """A row of as many lines as 40 columns need: lists want to know before they are painted."""
    height = len(wrap(text, 40))

    def paint(width: int) -> list[Text]:
        lines = [Text(line, style) for line in wrap(text, width)][:height]
        return lines + [Text()] * (height - len(lines))

    return Row(key, paint, text, height, selectable=False)


# -- registers ------------------------------------------------------------------------------------


def registers(answer: Registers, known: Known, about: str) -> Content:
    """Name, value, and what it points to."""
    rows = [
        Row(register.name, partial(_register, register, known), _register_words(register, known))
        for register in answer.registers
    ]
    addresses = {register.name: register.value for register in answer.registers}
    heading = Text("NAME     VALUE               POINTS TO")
    # What somebody wants to see is the lock, most of all where it is an argument of the call.
    locks = [item.name for item in answer.registers if item.pointee and known(item.value)]
    argument = answer.parameter if answer.parameter in locks else None
    cursor = argument or next(iter(locks), answer.program_counter)
    return Content(
        "Registers",
        rows,
        lambda _width: heading,
        cursor=cursor,
        note=answer.note or about,
        addresses=addresses,
    )


def _register(register: Register, known: Known, width: int) -> list[Text]:
    value = f"{register.value:#x}"
    name = pad(register.name, 8)
    line = Text.assemble((name, HEADING), " ", pad(value, 19), " ")
    line.append(cut(_register_words(register, known), max(width - line.cell_len, 1)))
    if register.inner:
        line.stylize(MUTED)
    return [line]


def _register_words(register: Register, known: Known) -> str:
    words = register.text or pointee_words(register.pointee)
    lock = known(register.value) if register.pointee else ""
    inner = "of #0, not saved" if register.inner else ""
    return " · ".join(word for word in (words, lock, inner) if word)


def pointee_words(pointee: Pointee | None) -> str:
    """``stack of launcher 390``, ``data context_lock + 12  libfakedriver.so``."""
    if pointee is None:
        return ""
    if pointee.region is Region.STACK:
        return f"stack of {clean(pointee.text)}"
    return f"{pointee.region.value} {clean(pointee.text)}".rstrip()


# -- variables ------------------------------------------------------------------------------------


def variables(answers: Sequence[Variables]) -> Content:
    """The variables of a Python frame, a native frame, or both."""
    rows: list[Row] = []
    addresses: dict[str, int] = {}
    for number, answer in enumerate(answers):
        if len(answers) > 1:
            rows.append(_title_row(f"title {number}", answer.title))
        for index, variable in enumerate(answer.variables):
            key = f"{number}:{index}"
            rows.append(Row(key, partial(_variable, variable), f"{variable.name} {variable.value}"))
            if variable.address is not None:
                addresses[key] = variable.address
        if answer.note:
            rows.append(_prose(f"note {number}", answer.note, MUTED))
    title = answers[0].title if len(answers) == 1 else "Variables"
    return Content(title, rows, addresses=addresses, empty="no variables")


def _title_row(key: str, text: str) -> Row:
    return Row(key, lambda width: [Text(cut(text, width), HEADING)], selectable=False)


def _variable(variable: Variable, width: int) -> list[Text]:
    indent = "  " * variable.depth
    name = f"{indent}{clean(variable.name)}"
    mark = " (argument)" if variable.argument else ""
    line = Text.assemble((pad(name, max(14, min(len(name), 30))), "" if indent else HEADING), " ")
    line.append(clean(variable.value) or "–")
    line.append(f"  {clean(variable.type)}{mark}", MUTED)
    line.truncate(width, overflow="ellipsis")
    return [line]


# -- code -----------------------------------------------------------------------------------------


def disassembly(answer: Disassembly, about: str) -> Content:
    """Address, place in the function, instruction."""
    rows = [
        Row(f"{item.address:#x}", partial(_instruction, item), f"{item.place} {item.text}")
        for item in answer.instructions
    ]
    current = next((item for item in answer.instructions if item.current), None)
    name = current.place.rpartition(" + ")[0] if current else ""
    return Content(
        f"Disassembly of {name}" if name else "Disassembly",
        rows,
        cursor=f"{current.address:#x}" if current else None,
        cursor_leads=True,
        note=answer.note or about,
        empty="no instructions",
    )


def _instruction(item: Instruction, width: int) -> list[Text]:
    sign = CURRENT if item.current else " "
    offset = item.place.rpartition(" + ")[2] if item.place else ""
    line = Text.assemble(
        (f"{sign} ", "bold"),
        (f"{item.address:#x} ", MUTED),
        (pad(f"+{offset}" if offset else "", 6), MUTED),
        " ",
        (item.text, "bold" if item.current else ""),
    )
    line.truncate(width, overflow="ellipsis")
    return [line]


def source(answer: SourceText, marks: Mapping[int, str], about: str = "") -> Content:
    """Numbered lines; *marks*: remarks by line number."""
    rows = []
    for number, text in enumerate(answer.lines, answer.first):
        paint = partial(_source_line, number, text, number == answer.current, marks.get(number, ""))
        rows.append(Row(str(number), paint, text))
    cursor = str(answer.current) if answer.current is not None else None
    name = answer.path.rpartition("/")[2]
    note = answer.note or about
    return Content(
        f"Source {name}", rows, cursor=cursor, note=note, empty=answer.note or "no lines"
    )


def _source_line(number: int, text: str, current: bool, mark: str, width: int) -> list[Text]:
    sign = CURRENT if current else " "
    line = Text.assemble(
        (f"{number:>5} ", MUTED), (f"{sign} ", "bold"), (clean(text), "bold" if current else "")
    )
    if not mark:
        line.truncate(width, overflow="ellipsis")
        return [line]
    right = Text(cut(f"◀ {mark}", width // 2), "bold yellow")
    return [spread(line, right, width)]


# -- memory and locks -----------------------------------------------------------------------------


def memory(answer: MemoryDump, about: str) -> Content:
    """Eight bytes a row: in hexadecimal, as ASCII, and as the number or pointer that they are."""
    rows: list[Row] = []
    addresses, leads = dict[str, int](), dict[str, int]()
    for at in range(0, len(answer.data), _BYTES):
        address, chunk = answer.address + at, answer.data[at : at + _BYTES]
        key = f"{address:#x}"
        rows.append(Row(key, partial(_bytes_line, address, chunk), chunk.hex(" ")))
        addresses[key], leads[key] = address, int.from_bytes(chunk, "little")
    where = pointee_words(answer.pointee)
    title = f"Memory at {answer.address:#x}" + (f" · {where}" if where else "")
    note = answer.note or about
    return Content(title, rows, addresses=addresses, leads=leads, note=note, empty="no bytes")


def _bytes_line(address: int, chunk: bytes, width: int) -> list[Text]:
    shown = "".join(chr(byte) if 32 <= byte < 127 else "." for byte in chunk)
    line = Text.assemble((f"{address:#x} ", MUTED), pad(chunk.hex(" "), 24), pad(shown, 9))
    line.append(f"{int.from_bytes(chunk, 'little'):#x}", MUTED)
    line.truncate(width, overflow="ellipsis")
    return [line]


def lock(answer: LockReading) -> Content:
    """What it is, what its state means, and its fields."""
    name = f" {answer.name}" if answer.name else ""
    style = HEADING if answer.plausible else MUTED
    sentence = clean(answer.sentence)
    rows = [Row("sentence", lambda width: [Text(cut(sentence, width), style)], sentence)]
    for field in answer.fields:
        line = f"{field.name:<17} {field.value:<12} {field.meaning}"
        rows.append(Row(field.name, partial(_field, line, bool(field.meaning)), line))
    note = f"Enter: the stack of {clean(answer.owner_name)}" if answer.owner is not None else ""
    below = " · ".join(text for text in (clean(answer.note), note) if text)
    if below:
        rows.append(_prose("note", below, MUTED))
    return Content(
        f"{answer.kind.value}{name} at {answer.address:#x}",
        rows,
        addresses={"sentence": answer.address},
        thread=answer.owner,
    )


def _field(line: str, speaks: bool, width: int) -> list[Text]:
    return [Text(cut(line, width), "" if speaks else MUTED)]
