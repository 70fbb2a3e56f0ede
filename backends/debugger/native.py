"""Questions about native frames, put to gdb."""

from hangtui.backends.debugger.conversation import Conversation
from hangtui.backends.gdb import answers
from hangtui.backends.gdb.answers import GdbFrame
from hangtui.backends.gdb.commands import Address, GdbCommand, Part, Quoted, Typed
from hangtui.debugger import (
    Disassembly,
    FrameRef,
    Instruction,
    Output,
    Register,
    Stack,
    Variable,
)
from hangtui.model import TargetError

MAX_FRAMES = 4096
_BEFORE, _AFTER = 160, 128
"""Bytes of code that are shown around the program counter."""
_NEAR = 2048
"""A function that begins so close before the program counter is shown from its beginning."""
_SHOWN = 400
"""Instructions that are shown at most."""
_MOVED = "the thread has gone on since the capture (r takes a new one)"


class NativeSide:
    """The threads and frames that gdb sees; asked again after the target has run."""

    def __init__(self, gdb: Conversation) -> None:
        self.gdb = gdb
        self._threads: dict[int, int] = {}
        self._stacks: dict[int, tuple[GdbFrame, ...]] = {}
        self._registers: dict[str, int] = {}

    def forget(self) -> None:
        """Ask anew: the target has run."""
        self._threads, self._stacks = {}, {}

    def forget_stacks(self) -> None:
        """Ask anew: more symbols are known."""
        self._stacks = {}

    def threads(self) -> dict[int, int]:
        """gdb's numbers of the threads by TID."""
        if not self._threads:
            self._threads = answers.thread_numbers(self.gdb.ask(GdbCommand("-thread-info")))
        return self._threads

    def stack_pointers(self) -> dict[int, int]:
        """Where the stacks of the threads are at the moment."""
        known = self.threads()
        pointer = Quoted("(unsigned long)$sp")
        commands = [
            GdbCommand("-data-evaluate-expression", "--thread", number, "--frame", 0, pointer)
            for number in known.values()
        ]
        replies = self.gdb.ask_all(commands)
        return {
            tid: found
            for tid, reply in zip(known, replies, strict=True)
            if (found := answers.integer(reply.payload.get("value"), 0))
        }

    def stack(self, tid: int) -> Stack:
        """The frames of one thread."""
        frames = self.frames(tid)
        note = f"the first {MAX_FRAMES} frames" if len(frames) == MAX_FRAMES else ""
        return Stack(tuple(frame.shown() for frame in frames), note)

    def registers(self, at: FrameRef) -> tuple[tuple[Register, ...], str]:
        """The registers of a frame, and a note."""
        frame, note = self._frame(at)
        if not self._registers:
            listed = self.gdb.ask(GdbCommand("-data-list-register-names"))
            self._registers = answers.register_numbers(listed)
        payload = self.gdb.ask(
            GdbCommand(
                "-data-list-register-values",
                *self._place(at, frame),
                "--skip-unavailable x",
                *self._registers.values(),
            )
        )
        found = answers.registers(payload, self._registers, outer=frame.level > 0)
        return found, note

    def variables(self, at: FrameRef) -> tuple[tuple[Variable, ...], str]:
        """Arguments and locals of a frame, and a note."""
        frame, note = self._frame(at)
        place = self._place(at, frame)
        types = self.gdb.ask(GdbCommand("-stack-list-variables", *place, "--simple-values"))
        values = self.gdb.ask(GdbCommand("-stack-list-variables", *place, "--all-values"))
        found = answers.variables(types, values)
        if not found and frame.file is None:
            module = f" of {frame.module}" if frame.module else ""
            note = f"no debug information{module}: arguments and locals have no names here"
        return found, note

    def disassembly(self, at: FrameRef) -> Disassembly:
        """The instructions around a frame's program counter."""
        frame, note = self._frame(at)
        here = frame.address
        payload = self.gdb.ask(_disassembly(here, here + 1))
        start = answers.function_start(payload)
        if start is None or not here - _NEAR <= start <= here:
            start = here - _BEFORE
        found = self._instructions(start, here)
        at_pc = next((i for i, item in enumerate(found) if item.current), None)
        if at_pc is None:
            raise TargetError("the code around the program counter cannot be read")
        if frame.level and at_pc:
            note = note or "the thread is inside the call before the marked instruction"
        first = max(at_pc - _SHOWN, 0)
        while found[first].text == "(bad)" and first < at_pc:
            first += 1
        return Disassembly(found[first : at_pc + _SHOWN], note)

    def _instructions(self, start: int, here: int) -> tuple[Instruction, ...]:
        """Instructions have different lengths: a start that does not lead to *here* is wrong."""
        found: tuple[Instruction, ...] = ()
        for shift in range(16):
            payload = self.gdb.ask(_disassembly(start + shift, here + _AFTER))
            found = answers.instructions(payload, here)
            if any(item.current for item in found):
                break
        return found

    def source_place(self, at: FrameRef) -> GdbFrame:
        """Which line of which file a frame stands in.

        Raises:
            TargetError: there is no debug information.
        """
        frame, _ = self._frame(at)
        if frame.file is None or frame.line is None:
            where = frame.function or f"{frame.address:#x}"
            module = f" in {frame.module}" if frame.module else ""
            raise TargetError(
                f"no debug information for {where}{module}: its source is not known",
                "install the module's debug symbols (-dbg or -dbgsym package)",
            )
        return frame

    def evaluate(self, at: FrameRef, expression: str) -> Output:
        """The value of an expression."""
        place = self._place(at, self._frame(at)[0])
        payload = self.gdb.ask(GdbCommand("-data-evaluate-expression", *place, Quoted(expression)))
        return Output(answers.console_text([str(payload.get("value", ""))]))

    def number(self, at: FrameRef, expression: str) -> int:
        """The value of an expression as an address.

        Raises:
            TargetError: it has none.
        """
        value = self.evaluate(at, f"(unsigned long)({expression})").text
        number = answers.integer(value.split()[0] if value else "", 0)
        if number is None:
            raise TargetError(f"{expression} is not a number")
        return number

    def console(self, at: FrameRef, command: str) -> Output:
        """What gdb prints for a command; what it refuses is printed as well."""
        try:
            if at.tid not in self.threads():
                return Output(self.gdb.console(Typed(command)))
            frame = self._frame(at)[0].level
            thread = self._number(at.tid)
            return Output(self.gdb.console(Typed(command), thread=thread, frame=frame))
        except TargetError as error:
            said = self.gdb.printed
            return Output(said if error.message in said else f"{said}{error.message}", ok=False)

    def complete(self, text: str) -> tuple[str, ...]:
        """How gdb would go on from *text*."""
        matches = self.gdb.ask(GdbCommand("-complete", Quoted(text))).get("matches")
        return tuple(map(str, matches)) if isinstance(matches, list) else ()

    def frames(self, tid: int) -> tuple[GdbFrame, ...]:
        """The frames of one thread as gdb has them."""
        if tid not in self._stacks:
            number = self._number(tid)
            last = MAX_FRAMES - 1
            payload = self.gdb.ask(
                GdbCommand("-stack-list-frames", "--thread", number, "--no-frame-filters 0", last)
            )
            self._stacks[tid] = answers.frames(payload)
        return self._stacks[tid]

    def _number(self, tid: int) -> int:
        number = self.threads().get(tid)
        if number is None:
            raise TargetError(f"thread {tid} was not there any more when the debugger looked")
        return number

    def _frame(self, at: FrameRef) -> tuple[GdbFrame, str]:
        """gdb's frame for one of the screen's, and what to say if it is not the same any more."""
        frames = self.frames(at.tid)
        if not frames:
            raise TargetError(f"thread {at.tid} has no frames")
        if at.address is None:
            return frames[min(at.number, len(frames) - 1)], ""
        same = [frame for frame in frames if frame.address == at.address]
        if same:
            return min(same, key=lambda frame: abs(frame.level - at.number)), ""
        return frames[min(at.number, len(frames) - 1)], _MOVED

    def _place(self, at: FrameRef, frame: GdbFrame) -> tuple[Part, ...]:
        return "--thread", self._number(at.tid), "--frame", frame.level


def _disassembly(start: int, end: int) -> GdbCommand:
    return GdbCommand("-data-disassemble", "-s", Address(start), "-e", Address(end), "-- 0")
