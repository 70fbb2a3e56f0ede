"""What ``py-spy dump`` writes, as text and as JSON."""

import json
import re
from dataclasses import replace

from hangtui.backends import secrets
from hangtui.backends.crashlog.lines import Dump, python_frame
from hangtui.model import GilState, InputError, NativeFrame, PythonFrame, PythonInfo, Thread, clean

MARK = re.compile(r"^Thread \S+ \((?:active|idle)(?:\+gil)?\)", re.MULTILINE)
_PROCESS = re.compile(r"^Process (?P<pid>\d{1,7}): (?P<command>.*)$")
_PYTHON = re.compile(r"^Python v(?P<version>\d[\w.+]*) \((?P<exe>.*)\)$")
_THREAD = re.compile(
    r"^Thread (?P<id>0x[0-9A-Fa-f]{1,16}|\d{1,20}) \((?P<status>active|idle)(?P<gil>\+gil)?\)"
    r'(?:: "(?P<name>.*)")?'
)
_FRAME = re.compile(r"^ {4}(?P<name>\S.*?) \((?P<file>.+?)(?::(?P<line>\d+))?\)$")
_LIBRARY = re.compile(r"\.so(?:\.[\d.]+)?$")
_MAX_NUMBER = 1 << 62


def read_text(lines: list[str]) -> Dump:
    """The last dump in *lines*."""
    dump, frames = Dump(), list[PythonFrame]()
    native = list[NativeFrame]()
    for line in lines:
        process, python, thread = _PROCESS.match(line), _PYTHON.match(line), _THREAD.match(line)
        if process:
            dump = Dump(pid=int(process["pid"]))
            dump.cmdline = tuple(map(clean, secrets.mask(process["command"].split())))
        elif python:
            dump.python, dump.exe = PythonInfo(clean(python["version"])), clean(python["exe"])
        elif thread:
            frames, native = [], []
            dump.threads.append(_thread(thread, dump.pid))
        elif dump.threads and (frame := _FRAME.match(line)):
            if frame["line"] is None and _LIBRARY.search(frame["file"]):
                native.append(NativeFrame(clean(frame["name"]), clean(frame["file"]), 0))
            else:
                frames.append(python_frame(frame["name"], frame["file"], frame["line"] or "?"))
            dump.threads[-1] = _with(dump.threads[-1], frames, native)
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


def _with(thread: Thread, frames: list[PythonFrame], native: list[NativeFrame]) -> Thread:
    stack = tuple(native) or None
    return replace(thread, python_stack=tuple(frames), native_stack=stack, native_complete=False)


def is_json(text: str) -> bool:
    """Whether it is what ``py-spy dump --json`` writes."""
    return text.lstrip()[:1] == "[" and '"frames"' in text and '"thread_id"' in text


def read_json(lines: list[str]) -> Dump:
    """The threads of a JSON dump.

    Raises:
        InputError: it is damaged.
    """
    try:
        entries = json.loads("\n".join(lines))
        dump = Dump(threads=[_from_entry(entry) for entry in entries])
        dump.pid = dump.threads[0].pid if dump.threads else 0
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise InputError("damaged JSON of py-spy") from error
    return dump


def _from_entry(entry: dict[str, object]) -> Thread:
    frames = entry.get("frames")
    found = (
        [frame for frame in frames if isinstance(frame, dict)] if isinstance(frames, list) else []
    )
    tid = _number(entry.get("os_thread_id")) or _number(entry.get("thread_id")) or 0
    name = entry.get("thread_name")
    return Thread(
        pid=_number(entry.get("pid")) or 0,
        tid=tid % _MAX_NUMBER,
        name=clean(str(name)) if name else f"thread {tid:#x}",
        state="R" if entry.get("active") else "S",
        gil=GilState.HOLDS if entry.get("owns_gil") else None,
        python_stack=tuple(
            python_frame(str(f.get("name")), str(f.get("filename")), str(f.get("line")))
            for f in found
        ),
        is_python=True,
    )


def _number(value: object) -> int | None:
    return value if isinstance(value, int) and value >= 0 else None
