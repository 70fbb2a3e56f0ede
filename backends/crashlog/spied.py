"""What ``py-spy dump`` writes, as text and as JSON."""

import re
from dataclasses import field, replace

import msgspec

from hangtui.backends.crashlog.lines import MAX_THREADS, Dump, python_frame
from hangtui.backends.procfs import secrets
from hangtui.dataclass import dataclass
from hangtui.model import (
    GilState,
    InputError,
    NativeFrame,
    PythonFrame,
    PythonInfo,
    Source,
    Thread,
    clean,
)

MARK = re.compile(r"^Thread \S+ \((?:active|idle)(?:\+gil)?\)", re.MULTILINE)
_PROCESS = re.compile(r"^Process (?P<pid>\d{1,7}): (?P<command>.*)$")
_PYTHON = re.compile(r"^Python v(?P<version>\d[\w.+]*) \((?P<exe>.*)\)$")
_THREAD = re.compile(
    r"^Thread (?P<id>0x[0-9A-Fa-f]{1,16}|\d{1,20}) \((?P<status>active|idle)(?P<gil>\+gil)?\)"
    r'(?:: "(?P<name>.*)")?'
)
_FRAME = re.compile(
    r"^ {4}(?P<name>(?:[^ ]++| (?!\())++) \((?P<file>.+?)(?::(?P<line>\d{1,10}))?\)$"
)
_LIBRARY = re.compile(r"\.so(?:\.[\d.]+)?$")
_MAX_NUMBER = 1 << 62


@dataclass(slots=True)
class _Stack:
    """A thread and what was read of its stack."""

    thread: Thread
    frames: list[PythonFrame] = field(default_factory=list)
    native: list[NativeFrame] = field(default_factory=list)

    def take(self, frame: re.Match[str]) -> None:
        """One more frame."""
        if frame["line"] is None and _LIBRARY.search(frame["file"]):
            self.native.append(NativeFrame(clean(frame["name"]), clean(frame["file"]), 0))
        else:
            shown = python_frame(frame["name"], frame["file"], frame["line"] or "?")
            self.frames.append(shown)

    def whole(self) -> Thread:
        """The thread with its stack."""
        if not self.frames and not self.native:
            return self.thread
        native, python = tuple(self.native) or None, tuple(self.frames)
        return replace(self.thread, python_stack=python, native_stack=native, native_complete=False)


class _Frame(msgspec.Struct):
    name: str | None = None
    filename: str | None = None
    line: int | None = None


class _Entry(msgspec.Struct):
    """A thread in a JSON dump; what is not named here is passed over without being kept."""

    frames: list[_Frame] = []
    pid: int | None = None
    thread_id: int | None = None
    os_thread_id: int | None = None
    thread_name: str | None = None
    active: bool = False
    owns_gil: bool = False


def read_text(lines: list[str]) -> Dump:
    """The last dump in *lines*."""
    dump, stacks = Dump(), list[_Stack]()
    for line in lines:
        process, python, thread = _PROCESS.match(line), _PYTHON.match(line), _THREAD.match(line)
        if process:
            dump, stacks = Dump(pid=int(process["pid"])), []
            dump.cmdline = tuple(map(clean, secrets.mask(process["command"].split())))
        elif python:
            dump.python, dump.exe = PythonInfo(clean(python["version"])), clean(python["exe"])
        elif thread:
            stacks.append(_Stack(_thread(thread, dump.pid)))
        elif stacks and (frame := _FRAME.match(line)) and dump.room.take():
            stacks[-1].take(frame)
    dump.threads = [stack.whole() for stack in stacks]
    dump.notices += dump.bound_notices(Source.PYSPY)
    return dump


def _thread(found: re.Match[str], pid: int) -> Thread:
    number = int(found["id"], 0) % _MAX_NUMBER
    return Thread(
        pid=pid,
        tid=number,
        name=clean(found["name"] or f"thread {found['id']}"),
        state="R" if found["status"] == "active" else "S",
        gil=GilState.HOLDS if found["gil"] else None,
        python_stack=(),
        is_python=True,
    )


def is_json(text: str) -> bool:
    """Whether it is what ``py-spy dump --json`` writes."""
    return text.lstrip()[:1] == "[" and '"frames"' in text and '"thread_id"' in text


def read_json(lines: list[str]) -> Dump:
    """The threads of a JSON dump.

    Raises:
        InputError: it is damaged.
    """
    try:
        entries = msgspec.json.decode("\n".join(lines), type=list[_Entry])
    except (msgspec.MsgspecError, RecursionError) as error:
        raise InputError("damaged JSON of py-spy") from error
    dump = Dump(pid=_number(entries[0].pid) if entries else 0)
    dump.threads = [_from_entry(entry, dump) for entry in entries[: MAX_THREADS + 1]]
    dump.notices += dump.bound_notices(Source.PYSPY)
    return dump


def _from_entry(entry: _Entry, dump: Dump) -> Thread:
    tid = _number(entry.os_thread_id) or _number(entry.thread_id)
    return Thread(
        pid=_number(entry.pid),
        tid=tid % _MAX_NUMBER,
        name=clean(entry.thread_name) if entry.thread_name else f"thread {tid:#x}",
        state="R" if entry.active else "S",
        gil=GilState.HOLDS if entry.owns_gil else None,
        python_stack=tuple(
            python_frame(str(f.name), str(f.filename), str(f.line))
            for f in entry.frames
            if dump.room.take()
        ),
        is_python=True,
    )


def _number(value: int | None) -> int:
    return max(value or 0, 0)
