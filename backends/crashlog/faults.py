"""What Python's faulthandler writes (CPython 3.6 to 3.15), anywhere in a log.

Other programs write into the same log, line by line or before each line: a frame counts wherever
it stands in a line, and foreign lines between frames are passed over.
"""

import re
from collections.abc import Iterable
from dataclasses import field, replace

from hangtui.backends.crashlog.lines import Dump, Room, python_frame
from hangtui.dataclass import dataclass
from hangtui.model import (
    Crash,
    MessageKind,
    NativeFrame,
    Notice,
    PythonFrame,
    Source,
    Thread,
    clean,
)

MARK = re.compile(
    r"(?:Thread 0x[0-9a-f]{1,16}+|[Ss]tack)(?: \[[^\]\n]{0,100}+\])? \(most recent call first\):"
    r"|Current thread's C stack trace"
    r"|Fatal Python error: "
)
_FATAL = re.compile(r"Fatal Python error: (?P<text>.+)")
_WINDOWS = re.compile(r"Windows fatal exception: (?P<text>.+)")
_TIMEOUT = re.compile(r"Timeout \(\d+:\d\d:\d\d(?:\.\d+)?\)!")
_THREAD = re.compile(
    r"(?P<which>Current thread|Thread) 0x(?P<ident>[0-9a-f]{1,16})"
    r"(?: \[(?P<name>[^\]]{0,100}+)\])? \(most recent call first\):"
)
_ANONYMOUS = re.compile(r"Stack \(most recent call first\):")
_C_STACK = re.compile(r"Current thread's C stack trace \(most recent call first\):")
_FRAME = re.compile(
    r'  File "(?P<file>(?:[^"\\ ]++|\\.|"(?!, line )| (?! File "))*+)", line '
    r"(?P<line>\d{1,10}+|\?\?\?) in (?P<name>.++)"
)
_C_FRAME = re.compile(
    r'  Binary file "(?P<file>[^"]*+)"(?:, at (?P<name>[^ +\[]*+)\+(?P<offset>0x[0-9a-f]{1,16}))? '
    r"\[0x(?P<address>[0-9a-f]{1,16})\]"
)
_CUT = re.compile(r"^\s*+(?:\.\.\.|<truncated rest of calls>)\s*$")
_EXTENSIONS = re.compile(r"Extension modules: (?P<names>\S.*)")
"""Behind the stacks from 3.10 on."""
_LEFT_BEFORE = 40
"""Lines before a fatal error in which other last words are looked for."""
_SIGNALS = {
    "segmentation fault": ("SIGSEGV", 11),
    "aborted": ("SIGABRT", 6),
    "bus error": ("SIGBUS", 7),
    "floating point exception": ("SIGFPE", 8),
    "illegal instruction": ("SIGILL", 4),
}
_C_LIBRARY = re.compile(
    r"(?:free|malloc|realloc|calloc|munmap_chunk|malloc_consolidate|corrupted|double free|"
    r"mremap_chunk|unaligned|malloc_printerr|break adjusted)[^\n]{0,30}(?:\(\)|\(|vs\.|invalid|"
    r"corrupt|prev|detected).*"
    r"|\*\*\* (?:stack smashing|buffer overflow) detected \*\*\*.*"
    r"|^.*: Assertion [`'](?:(?!: Assertion ).)*' failed\."
)
_LIBC = re.compile(r"/libc(-[\d.]+)?\.so")
_THROWN = re.compile(r"terminate called (?:after throwing an instance of '(?P<type>.+)'|.*)")
_WHAT = re.compile(r"  what\(\):  (?P<text>.*)")


@dataclass(slots=True)
class _Stack:
    ident: int
    name: str | None
    current: bool
    frames: list[PythonFrame] = field(default_factory=list)
    cut: bool = False


@dataclass(slots=True)
class _Section:
    """One dump within the log."""

    line: int
    fatal: str | None = None
    stacks: list[_Stack] = field(default_factory=list)
    native: list[NativeFrame] = field(default_factory=list)
    in_native: bool = False
    extensions: tuple[str, ...] = ()
    """Behind them; those of another dump if a second thread crashed while the first was told."""
    idents: set[int] = field(default_factory=set)
    """Of the stacks."""
    room: Room = field(default_factory=Room)


def read(lines: list[str]) -> Dump:
    """The last fatal error in *lines*, else the last dump."""
    sections = _sections(lines)
    full = [section for section in sections if section.stacks]
    fatal = [section for section in full if section.fatal is not None]
    chosen = (fatal or full or sections)[-1]
    dump = Dump(threads=[_thread(stack, chosen) for stack in chosen.stacks])
    dump.room = chosen.room
    dump.notices += dump.bound_notices(Source.FAULTHANDLER)
    if chosen.fatal is not None:
        after = (one for one in sections if one.line >= chosen.line)
        loaded = next((one.extensions for one in after if one.extensions), ())
        dump.crash = replace(_crash(chosen, lines), extensions=loaded)
    if len(full) > 1:
        which = "the last fatal error" if fatal else "the last one"
        message = f"{len(full)} dumps are in this log; {which} is shown, from line {chosen.line}"
        dump.notices.append(Notice(Source.FAULTHANDLER, message))
    if any(stack.cut for stack in chosen.stacks):
        message = "faulthandler cut off a stack (it writes 100 frames) or the threads (100)"
        dump.notices.append(Notice(Source.FAULTHANDLER, message))
    return dump


def _sections(lines: Iterable[str]) -> list[_Section]:
    sections: list[_Section] = []
    for number, line in enumerate(lines, 1):
        _take(sections, number, line)
    return sections or [_Section(0)]


def _take(sections: list[_Section], number: int, line: str) -> None:
    fatal = _FATAL.search(line) or _WINDOWS.search(line)
    if fatal or _TIMEOUT.search(line):
        sections.append(_Section(number, fatal["text"] if fatal else None))
        return
    last = sections[-1] if sections else None
    header = _THREAD.search(line) or _ANONYMOUS.search(line)
    if header:
        groups = header.groupdict()
        ident = int(groups.get("ident") or "0", 16)
        if last is None or ident in last.idents:
            last = _Section(number)
            sections.append(last)
        current = groups.get("which") != "Thread"
        last.stacks.append(_Stack(ident, groups.get("name") or None, current))
        last.idents.add(ident)
        last.in_native = False
    elif last is not None:
        _take_frame(last, line)


def _take_frame(section: _Section, line: str) -> None:
    extensions = _EXTENSIONS.search(line)
    if extensions:
        names = extensions["names"].partition(" (total")[0]
        section.extensions = tuple(map(clean, names.split(", ")))
    elif _C_STACK.search(line):
        section.in_native = True
    elif section.in_native:
        frame = _C_FRAME.search(line)
        if frame and section.room.take():
            section.native.append(_native(frame))
    elif section.stacks:
        frame = _FRAME.search(line)
        if frame and section.room.take():
            shown = python_frame(frame["name"], frame["file"], frame["line"])
            section.stacks[-1].frames.append(shown)
        elif _CUT.match(line):
            section.stacks[-1].cut = True


def _native(frame: re.Match[str]) -> NativeFrame:
    offset = int(frame["offset"], 16) if frame["offset"] and not frame["name"] else None
    return NativeFrame(
        clean(frame["name"]) if frame["name"] else None,
        clean(frame["file"]),
        int(frame["address"], 16),
        offset=offset,
    )


def _thread(stack: _Stack, section: _Section) -> Thread:
    name = stack.name or (f"thread {stack.ident:#x}" if stack.ident else "thread")
    return Thread(
        pid=0,
        tid=stack.ident,
        name=clean(name),
        state="?",
        python_stack=tuple(stack.frames),
        native_stack=_from_fault(section.native) if stack.current and section.native else None,
        native_complete=False,
        is_python=True,
    )


def _from_fault(frames: list[NativeFrame]) -> tuple[NativeFrame, ...]:
    """The stack without faulthandler's own frames and the C library's that called its handler."""
    for index, frame in enumerate(frames[:6]):
        if frame.function is None and _LIBC.search(frame.module or "") and index:
            return tuple(frames[index + 1 :])
    return tuple(frames)


def _crash(section: _Section, lines: list[str]) -> Crash:
    text = clean(section.fatal or "", 500)
    name, number = _SIGNALS.get(text.strip().lower().replace("-", " "), (None, None))
    before = lines[max(0, section.line - 1 - _LEFT_BEFORE) : section.line - 1]
    message, kind, thrown = _last_words(before)
    if name is None:
        message, kind = f"Fatal Python error: {text}", MessageKind.PYTHON
        name, number = "SIGABRT", 6
    current = next((stack for stack in section.stacks if stack.current), None)
    return Crash(
        pid=0,
        source=Source.FAULTHANDLER,
        tid=current.ident if current else None,
        signal=number,
        signal_name=name,
        message=message,
        message_kind=kind,
        exception_type=thrown,
        faulthandler=True,
        text=f"Fatal Python error: {text}",
    )


def _last_words(lines: list[str]) -> tuple[str | None, MessageKind | None, str | None]:
    """What the C or the C++ library said before, and the type of the exception."""
    for index in range(len(lines) - 1, -1, -1):
        thrown = _THROWN.search(lines[index])
        if thrown:
            behind = lines[index + 1] if index + 1 < len(lines) else ""
            what, kind = _WHAT.search(behind), clean(thrown["type"] or "unknown")
            text = f": {clean(what['text'])}" if what else ""
            return f"uncaught C++ exception {kind}{text}", MessageKind.CXX_EXCEPTION, kind
        said = _C_LIBRARY.search(lines[index])
        if said:
            return clean(said[0].strip()), MessageKind.C_LIBRARY, None
    return None, None, None
