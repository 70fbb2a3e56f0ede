"""The crash with the thread that it came to: what every rule asks about."""

import re
from dataclasses import field
from functools import cached_property

from hangtui.analysis.frame_classifier import foreign_frame, module_name, short_name
from hangtui.analysis.places import library_frame, line_and_function
from hangtui.dataclass import dataclass
from hangtui.model import (
    Capture,
    Certainty,
    Crash,
    GilState,
    MessageKind,
    NativeFrame,
    NodeKind,
    Process,
    PythonFrame,
    Register,
    Source,
    Thread,
)

_INTERPRETER = re.compile(r"(lib)?python[23](\.\d+)*[a-z]*(-[\w.-]+)?(\.so[\d.]*)?|python")
_C_LIBRARY = re.compile(r"(libc|libpthread|ld(-linux)?)[-.].*")
_VARIANT = re.compile(
    r"^(?=\w++$)__(?P<name>(?:str|mem|wcs|wmem|st[pr])\w*?)"
    r"_(?:evex|avx|sse|erms|unaligned|no_simd|generic)\w*$"
)
"""glibc's variants of one function for different processors."""
_ENDING = re.compile(
    r"(__)?pthread_kill\S*|(__GI_)?(abort|raise)|gsignal|__libc_message.*|malloc_print.*"
)
"""What the C library does last: it says nothing of who called it."""
_MAX_NAME = 80


@dataclass(frozen=True)
class Scene:
    """One crash and what the capture says around it."""

    capture: Capture
    crash: Crash

    @cached_property
    def process(self) -> Process | None:
        """The process that crashed."""
        return self.capture.process(self.crash.pid)

    @cached_property
    def thread(self) -> Thread | None:
        """The thread that it came to; of a process that was killed its main thread."""
        threads = self.process.threads if self.process else ()
        if self.crash.signal_name == "SIGKILL":
            return next((thread for thread in threads if thread.tid == self.crash.pid), None)
        return next((thread for thread in threads if thread.tid == self.crash.tid), None)

    @cached_property
    def others(self) -> tuple[Thread, ...]:
        """The other threads of the process."""
        threads = self.process.threads if self.process else ()
        return tuple(thread for thread in threads if thread is not self.thread)

    @cached_property
    def native(self) -> tuple[NativeFrame, ...]:
        """Its native stack from the fault outwards, without the handlers of the signal."""
        frames = (self.thread.native_stack if self.thread else None) or ()
        at = next((i for i, frame in enumerate(frames) if frame.address == self.crash.pc), 0)
        return frames[at:]

    @cached_property
    def python(self) -> tuple[PythonFrame, ...]:
        """Its Python stack."""
        return (self.thread.python_stack if self.thread else None) or ()

    @property
    def source(self) -> Source:
        """Where the facts are from."""
        return self.crash.source

    @cached_property
    def culprit(self) -> NativeFrame | None:
        """The innermost native frame that is neither the C library's nor the interpreter's."""
        return next((frame for frame in self.native if foreign_frame(frame)), None)

    @cached_property
    def program_line(self) -> PythonFrame | None:
        """The innermost Python frame out of the standard library, else the innermost one."""
        own = (frame for frame in self.python if not library_frame(frame))
        return next(own, self.python[0] if self.python else None)

    @property
    def in_interpreter(self) -> bool:
        """Whether the fault is in the interpreter's own code."""
        return bool(self.native) and is_interpreter(self.native[0])

    @property
    def in_c_library(self) -> bool:
        """Whether the fault is in the C library's code."""
        return bool(self.native) and _C_LIBRARY.fullmatch(module_name(self.native[0])) is not None

    def within(self, pattern: re.Pattern[str], limit: int = 12) -> NativeFrame | None:
        """The innermost of the first *limit* frames whose function matches."""
        return next((f for f in self.native[:limit] if pattern.fullmatch(f.function or "")), None)

    def said(self, *kinds: MessageKind) -> str:
        """The message if it is of one of *kinds*, else nothing."""
        return (self.crash.message or "") if self.crash.message_kind in kinds else ""

    @property
    def last_words(self) -> str:
        """What the C library said before it aborted; what it said before a fault is not the why."""
        if self.crash.signal_name not in (None, "SIGABRT"):
            return ""
        return self.said(MessageKind.C_LIBRARY, MessageKind.LOG)

    def register(self, name: str) -> Register | None:
        """A register at the fault."""
        return next((r for r in self.crash.registers if r.name == name), None)

    @property
    def gil_holder(self) -> Thread | None:
        """The thread that holds the GIL."""
        threads = self.process.threads if self.process else ()
        return next((thread for thread in threads if thread.gil is GilState.HOLDS), None)

    @property
    def gil_is_known(self) -> bool:
        """Whether the capture says who has the GIL."""
        return any(resource.kind is NodeKind.GIL for resource in self.capture.resources)

    # -- words ----------------------------------------------------------------------------------

    @property
    def place(self) -> str:
        """``in dot (fastops.so)`` or ``in thumbs.py:9 (resize)``; empty where nothing is known."""
        frame = self.culprit or (self.native[0] if self.native else None)
        if frame is not None and (frame.function or frame.module):
            caller = self._library_caller(frame)
            if caller and _ENDING.fullmatch(frame.function or ""):
                return f"in {caller}"
            return f"in {native_place(frame)}{f', called by {caller}' if caller else ''}"
        return f"at {line_and_function(self.python[0])}" if self.python else ""

    def _library_caller(self, frame: NativeFrame) -> str | None:
        """Which function called the C library, where no foreign code is on the stack."""
        if frame is self.culprit or not self.in_c_library:
            return None
        callers = (f for f in self.native if not _C_LIBRARY.fullmatch(module_name(f)))
        caller = next(callers, None)
        return native_place(caller) if caller else None

    @property
    def python_words(self) -> str:
        """``called from main.py:17 (forward_pass)``; empty for a thread without Python frames."""
        frame = self.program_line
        if frame is None:
            return ""
        inner = self.python[0]
        via = "" if frame is inner else f" by way of {line_and_function(inner)}"
        return f"called from {line_and_function(frame)}{via}"

    @property
    def thread_name(self) -> str:
        """The thread's name."""
        if self.thread is None:
            return "an unknown thread"
        return self.thread.name or f"TID {self.thread.tid}"

    @property
    def access(self) -> str:
        """``reading 8 bytes at 0x18``; ``using the address 0x18`` if it is not known how."""
        operand, address = self.crash.operand, self.crash.address
        where = "an unknown address" if address is None else f"{address:#x}"
        if operand is None or operand.access is None:
            return f"accessing {where}"
        size = f"{operand.size} byte{'' if operand.size == 1 else 's'} " if operand.size else ""
        verb = {"read": "reading", "write": "writing", "execute": "executing code"}[operand.access]
        return f"{verb} {size}at {where}"


@dataclass(frozen=True, slots=True)
class Explanation:
    """What a rule makes of a crash."""

    id: str
    what: str
    """A title's beginning: ``reads through a NULL pointer``."""
    sentence: str
    """Whole sentences: the mechanism."""
    certainty: Certainty
    evidence: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    advice: tuple[str, ...] = ()
    victim: bool = False
    """The damage was done earlier, maybe elsewhere: the place of the crash is not its cause."""
    threads: tuple[Thread, ...] = field(default=())


def native_place(frame: NativeFrame) -> str:
    """``dot (fastops.so, fastops.c:14)``; ``fastops.so+0x1234`` where the function has no name."""
    module = module_name(frame)
    line = f"{(frame.file or '').rsplit('/', 1)[-1]}:{frame.line}" if frame.line else ""
    if not frame.function:
        return f"{module or 'unknown code'}+{frame.offset:#x}" if frame.offset else module or "?"
    name = _VARIANT.sub(r"\g<name>", short_name(frame) or frame.function)
    name = name if len(name) <= _MAX_NAME else f"{name[: _MAX_NAME - 1]}…"
    inside = ", ".join(part for part in (module, line) if part)
    return f"{name} ({inside})" if inside else name


def is_interpreter(frame: NativeFrame) -> bool:
    """Whether a frame is the interpreter's own code."""
    if _INTERPRETER.fullmatch(module_name(frame)) is None:
        return False
    return not foreign_frame(frame)
