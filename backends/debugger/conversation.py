"""One gdb that answers questions for as long as somebody asks them."""

import re
import time
from collections.abc import Sequence

from hangtui.backends.gdb import answers
from hangtui.backends.gdb.commands import GdbCommand, Part, console
from hangtui.backends.gdb.files import GdbFiles
from hangtui.backends.gdb.session import (
    Answer,
    GdbEndedError,
    GdbError,
    GdbSession,
    GdbTimeoutError,
)
from hangtui.backends.tools import programs
from hangtui.model import TargetError, clean

ANSWER_S = 60.0
"""How long gdb may work on one question: the symbols of the largest programs take half of it."""
_GIVE_UP_S = 5.0
_MAX_OUTPUT = 2 << 20
"""Characters that one command may print."""
_VERSION = re.compile(r"GNU gdb .{0,100}?(\d{1,4})\.(\d{1,4})")

SETTINGS = (
    GdbCommand("set confirm off"),
    GdbCommand("set pagination off"),
    GdbCommand("set width 0"),
    GdbCommand("set height 0"),
    GdbCommand("set auto-load off"),  # nothing that a target's folder holds is run
    GdbCommand("set auto-load safe-path /nonexistent"),
    GdbCommand("set libthread-db-search-path /nonexistent"),
    GdbCommand("set debuginfod enabled off"),  # no network
    GdbCommand("set demangle-style none"),  # costs seconds in big C++ libraries; done afterwards
    GdbCommand("set source open off"),  # a path in debug information may lead to a device
    GdbCommand("set exec-file-mismatch off"),  # it is given links to the files that run
    GdbCommand("set python print-stack none"),
    GdbCommand("set style enabled off"),
    GdbCommand("set print max-depth 3"),
    GdbCommand("set print entry-values no"),
    GdbCommand("set backtrace limit 4096"),
    GdbCommand("set startup-with-shell off"),
    GdbCommand("set sysroot root"),  # never ours, nor the target's own
    GdbCommand("set debug-file-directory debug:/usr/lib/debug"),
    # Nothing in a target is changed and nothing in it is called, whatever is typed.
    GdbCommand("set may-write-memory off"),
    GdbCommand("set may-write-registers off"),
    GdbCommand("set may-insert-breakpoints off"),
    GdbCommand("set may-insert-tracepoints off"),
    GdbCommand("set may-call-functions off"),
)


def find_gdb() -> str:
    """Where gdb is.

    Raises:
        TargetError: it is not installed.
    """
    program = programs.find("gdb")
    if program is None:
        raise TargetError("gdb is not installed", "apt-get install gdb")
    return program


class Conversation:
    """Questions to one gdb, one at a time.

    Questions raise TargetError with gdb's reason; one that gdb does not survive ends it.
    """

    def __init__(
        self,
        settings: Sequence[GdbCommand],
        files: GdbFiles | None = None,
        oldest: int = programs.OLDEST_GDB_OF_ALL,
    ) -> None:
        """Start gdb, *oldest* or newer; *files*: all that it is to open.

        Raises:
            TargetError: it does not start, or is too old.
        """
        self.ended = False
        self._printed: list[str] = []
        self._size = 0
        self._asking = False
        self._limit: float | None = None
        self.changes: list[bytes] = []
        """Records of the target's running and stopping, oldest first."""
        try:
            limit = time.monotonic() + ANSWER_S
            self._gdb = GdbSession(find_gdb(), [*SETTINGS, *settings], limit, files)
        except OSError as error:
            raise TargetError(f"gdb does not start: {error.strerror}") from error
        self._gdb.on_record = self._heard
        try:
            self._require_version(oldest)
        except TargetError:
            self.close()
            raise

    def _require_version(self, oldest: int) -> None:
        found = _VERSION.search(self.console("show version").partition("\n")[0])
        if found and int(found[1]) < oldest:
            raise TargetError(
                f"gdb {found[1]}.{found[2]} is too old: {oldest} or newer is needed",
                "install a newer gdb, or use the image with hangtui in it",
            )

    @property
    def pid(self) -> int:
        """gdb's PID, until ``close``."""
        return self._gdb.pid

    def ask(self, command: GdbCommand) -> dict[str, object]:
        """The answer to one command of the machine interface."""
        return self._ask([command])[0].payload

    def ask_all(self, commands: Sequence[GdbCommand]) -> list[Answer]:
        """The answers to several commands at once, which may fail one by one."""
        return self._ask(commands, strict=False) if commands else []

    def console(self, *parts: Part, thread: int | None = None, frame: int | None = None) -> str:
        """What gdb prints for a command as a person would type it, in a thread and frame."""
        self.ask(console(*parts, thread=thread, frame=frame))
        return answers.console_text(self._printed)

    @property
    def printed(self) -> str:
        """What the last question made gdb print, also if it failed."""
        return answers.console_text(self._printed)

    def interrupt(self) -> None:
        """Give up the present question; may be called from another thread."""
        if self._asking:
            self._gdb.interrupt()

    def give_up_at(self, moment: float | None) -> None:
        """Give up any question at *moment* of the monotonic clock, also the present one.

        May be called from another thread.
        """
        self._limit = moment
        self._gdb.deadline = self._deadline()

    def listen(self) -> None:
        """Hear what happened since the last question."""
        if not self.ended:
            self.ask_all([GdbCommand("-gdb-show confirm")])

    def close(self) -> None:
        """End gdb, which lets go of whatever it is attached to."""
        if not self.ended:
            self.ended = True
            self._gdb.close()

    def _ask(self, commands: Sequence[GdbCommand], *, strict: bool = True) -> list[Answer]:
        if self.ended:
            raise TargetError("gdb has ended")
        self._printed, self._size = [], 0
        self._gdb.deadline = self._deadline()
        self._asking = True
        try:
            return [self._answer(token, strict) for token in self._gdb.send(commands)]
        except GdbEndedError:
            words = self.printed.splitlines() or ["it said nothing"]
            self.close()
            raise TargetError(f"gdb ended by itself: {words[-1][:200]}") from None
        finally:
            self._asking = False

    def _answer(self, token: int, strict: bool) -> Answer:
        try:
            return self._gdb.require(token)
        except GdbError as error:
            if strict:
                raise TargetError(clean(str(error), 300)) from None
            return Answer(False, clean(str(error), 300), {})
        except GdbTimeoutError:
            return self._overdue(token)
        finally:
            self._gdb.forget(token)

    def _overdue(self, token: int) -> Answer:
        """Interrupt what takes too long; end a gdb that does not even react to that."""
        self._gdb.interrupt()
        self._gdb.deadline = time.monotonic() + _GIVE_UP_S
        try:
            self._gdb.require(token)
        except GdbError:
            raise TargetError("gdb took too long and was interrupted") from None
        except GdbTimeoutError:
            self.close()
            raise TargetError("gdb did not answer and was ended") from None
        raise TargetError("gdb took too long and was interrupted")

    def _deadline(self) -> float:
        usual = time.monotonic() + ANSWER_S
        return usual if self._limit is None else min(usual, self._limit)

    def _heard(self, line: bytes) -> None:
        if line[:1] == b"*":
            self.changes.append(line)
            return
        text = answers.printed(line)
        self._size += len(text)
        if self._size <= _MAX_OUTPUT:
            self._printed.append(text)
        elif self._size - len(text) <= _MAX_OUTPUT:
            self._printed.append("\n… more than hangtui shows; the command was interrupted\n")
            self._gdb.interrupt()
