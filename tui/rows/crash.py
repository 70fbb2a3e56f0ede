"""The crash in prose, and its registers, instructions, mappings and bytes."""

from collections import Counter
from collections.abc import Callable, Iterator

from rich.text import Text

from hangtui.analysis.frame_classifier import foreign_frame
from hangtui.analysis.places import place
from hangtui.analysis.states import ThreadState
from hangtui.model import Crash, Finding, GilState, NativeFrame, Thread, clean, thread_id
from hangtui.model.crash import Access, PointerKind, Region
from hangtui.tui.cells import cut, pad, wrap
from hangtui.tui.rows import labels
from hangtui.tui.session import CaptureView
from hangtui.tui.theme import CURRENT, HEADING, MUTED, STATE_STYLES

_VERBS = {Access.READ: "read", Access.WRITE: "wrote", Access.EXECUTE: "executed"}
_NEAR = 2**24
"""Bytes between an address and a mapping that may have to do with each other."""
_BEFORE = 2
"""Instructions before the one that faulted."""
_ROW = 16
"""Bytes in a line of memory."""


def crashed_thread(view: CaptureView) -> Thread | None:
    """The thread that the signal came to, if it is recorded."""
    crash = view.capture.crash
    if crash is None or crash.tid is None:
        return None
    return view.threads.get(thread_id(crash.pid, crash.tid))


def crash_findings(view: CaptureView, crash: Crash) -> tuple[Finding, ...]:
    """What the rules say of the process that crashed."""
    return view.findings_of(crash.pid)


def crash_lines(view: CaptureView, crash: Crash, width: int) -> list[Text]:
    """What happened, in which code, and what to try."""
    return list(_crash_lines(view, crash, width))


def _crash_lines(view: CaptureView, crash: Crash, width: int) -> Iterator[Text]:
    thread = crashed_thread(view)
    number = "" if crash.signal is None else f"  signal {crash.signal}"
    who = "" if thread is None else f"  {clean(thread.name)} {thread.tid}"
    badge = f" ! {cut(crash.title, max(width - 4, 1))} "
    rest = cut(f"{number}{who}", max(width - len(badge), 0))
    yield Text.assemble((badge, STATE_STYLES[ThreadState.CRASH]), rest)
    findings = crash_findings(view, crash)
    for finding in findings:
        yield from (Text(line) for line in wrap(finding.sentence, width))
    for text in _facts(view, crash, thread):
        yield from (Text(line) for line in wrap(text, width, rest="  "))
    if advice := [one for finding in findings for one in finding.advice]:
        yield Text("WHAT TO TRY", HEADING)
        for one in advice:
            yield from (Text(line) for line in wrap(one, width, " - "))


def _facts(view: CaptureView, crash: Crash, thread: Thread | None) -> Iterator[str]:
    """One sentence for each thing that is known."""
    if access := _access(crash, thread):
        yield access
    if crash.instruction:
        yield f"instruction: {crash.instruction}{_base(crash)}"
    if crash.address is not None and crash.region is not None:
        yield _region(crash.address, crash.region)
    if thread is not None and (code := _whose(thread)):
        yield code
    if thread is not None:
        yield _python(thread)
    yield from _around(crash)
    if others := _others(view, thread):
        yield f"other threads: {others}"


def _access(crash: Crash, thread: Thread | None) -> str:
    operand = crash.operand
    inside = _inside(thread)
    if crash.address is None and operand is None:
        return f"It came{inside}." if inside else ""
    address = crash.address
    if address is None and operand is not None:
        address = operand.address
    verb = _VERBS.get(operand.access, "used") if operand and operand.access else "used"
    size = f" {labels.plural(operand.size, 'byte')}" if operand and operand.size else " memory"
    where = "" if address is None else f" at {address:#x}"
    return f"It {verb}{size}{where}{inside}."


def _inside(thread: Thread | None) -> str:
    if thread is None or not thread.native_stack:
        return ""
    frame = thread.native_stack[0]
    line = f" ({labels.file_name(frame.file)}:{frame.line})" if frame.file else ""
    return f" in {labels.native_name(frame)} of {_module(frame)}{line}"


def _module(frame: NativeFrame) -> str:
    offset = "" if frame.offset is None else f"+{frame.offset:#x}"
    return f"{labels.file_name(frame.module)}{offset}" if frame.module else "no module"


def _base(crash: Crash) -> str:
    operand = crash.operand
    if operand is None or operand.register is None or operand.value is None:
        return ""
    kind = next((r.kind for r in crash.registers if r.name == operand.register), None)
    what = f" ({kind.value})" if kind else ""
    lies = f", {operand.object}" if operand.object else ""
    return f"   {operand.register} = {operand.value:#x}{what}{lies}"


def _region(address: int, region: Region) -> str:
    name = clean(region.name) or "anonymous memory"
    span = f"{region.start:#x}-{region.end:#x} {region.permissions} {name}"
    if region.hit:
        return f"mapping: {address:#x} lies in {span}"
    if region.distance > _NEAR:
        return f"mapping: nothing is mapped at {address:#x} or near it"
    return f"mapping: nothing is mapped at {address:#x}; {region.distance} bytes from {span}"


def _whose(thread: Thread) -> str:
    """The innermost code on the stack that is neither the interpreter's nor libc's."""
    frame = next((f for f in thread.native_stack or () if foreign_frame(f)), None)
    if frame is None:
        return "code: no extension's: only the interpreter and the C library are on the stack"
    owner = f", package {frame.package}" if frame.package else ""
    return f"code: {labels.native_name(frame)} in {labels.file_name(frame.module or '?')}{owner}"


def _python(thread: Thread) -> str:
    where = place(thread)
    if where is None:
        return "Python: no Python frame in this thread"
    gil = {GilState.HOLDS: " · holds the GIL", GilState.WAITS: " · waits for the GIL"}
    return f"Python: {where}{gil.get(thread.gil, '') if thread.gil else ''}"


def _around(crash: Crash) -> Iterator[str]:
    if crash.message:
        kind = f"{crash.message_kind.value}: " if crash.message_kind else ""
        yield f"last words: {kind}{crash.message}"
    if crash.sender_pid is not None:
        yield f"sent by process {crash.sender_pid}"
    if crash.guard_distance is not None and abs(crash.guard_distance) < 2**16:
        side = "above" if crash.guard_distance >= 0 else "below"
        yield f"stack: {abs(crash.guard_distance)} bytes {side} its end"
    if crash.memory_limit_hit:
        yield f"memory: {crash.memory_limit_hit}"
    if crash.faulthandler is not None:
        yield f"faulthandler: {'on' if crash.faulthandler else 'off'}"
    if path := crash.core or crash.file:
        yield f"{crash.source.value}: {path}"
    if crash.text:
        yield f"log: {crash.text}"


def _others(view: CaptureView, crashed: Thread | None) -> str:
    """What all the others did: the one that crashed is told from them by this."""
    states = Counter(
        view.states[thread.id] for thread in view.capture.threads() if thread is not crashed
    )
    ordered = sorted(states, key=lambda state: state.rank)
    return labels.listed((f"{states[state]} {labels.state_label(state)}" for state in ordered), 6)


Lines = Callable[[CaptureView, Crash, int], list[Text]]


def register_lines(_view: CaptureView, crash: Crash, width: int) -> list[Text]:
    """The registers at the fault, in as many columns as fit; the base of the operand marked."""
    base = crash.operand.register if crash.operand else None
    cells = []
    for register in crash.registers:
        kind = register.kind.value if register.kind else ""
        mark = CURRENT if register.name == base else " "
        text = Text.assemble(
            (f"{mark} ", "bold"),
            (pad(register.name, 4), HEADING if register.name == base else MUTED),
            f" {register.value:016x} ",
            (pad(kind, 10), "bold" if register.kind is PointerKind.NULL else MUTED),
        )
        cells.append(text)
    columns = max(width // 34, 1)
    rows = -(-len(cells) // columns)
    lines = [Text().join(cells[row::rows]) for row in range(rows)]
    return lines or [Text("No registers were recorded.", MUTED)]


def instruction_lines(_view: CaptureView, crash: Crash, width: int) -> list[Text]:
    """The instructions around the fault, which is in the first lines."""
    at = next((i for i, one in enumerate(crash.disassembly) if one.current), 0)
    lines = [
        Text(
            cut(f"{CURRENT if one.current else ' '} {one.address:x}  {one.text}", width),
            "bold" if one.current else "",
        )
        for one in crash.disassembly[max(at - _BEFORE, 0) :]
    ]
    if not lines and crash.instruction:
        lines = [Text(cut(f"{CURRENT} {crash.instruction}", width), "bold")]
    return lines or [Text("No instruction could be read.", MUTED)]


def mapping_lines(_view: CaptureView, crash: Crash, width: int) -> list[Text]:
    """The mappings around the fault; the one that the address lies in marked."""
    lines = []
    for one in crash.mappings:
        hit = crash.address is not None and one.start <= crash.address < one.end
        name = clean(one.name) or "anonymous"
        text = f"{CURRENT if hit else ' '} {one.start:012x}-{one.end:012x} {one.permissions} {name}"
        lines.append(Text(cut(text, width), "bold" if hit else ""))
    return lines or [Text("No mappings were recorded.", MUTED)]


def byte_lines(_view: CaptureView, crash: Crash, width: int) -> list[Text]:
    """The memory around the fault in hexadecimal, and what of it is printable."""
    start = crash.bytes_at
    try:
        data = bytes.fromhex(crash.data)
    except ValueError:
        data = b""
    if start is None or not data:
        return [Text("No memory was kept.", MUTED)]
    lines = []
    for offset in range(0, len(data), _ROW):
        chunk = data[offset : offset + _ROW]
        shown = "".join(chr(byte) if 32 <= byte < 127 else "." for byte in chunk)
        hexes = chunk.hex(" ").ljust(_ROW * 3 - 1)
        lines.append(Text(cut(f"{start + offset:012x}  {hexes}  {shown}", width)))
    return lines
