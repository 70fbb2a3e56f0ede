"""One gdb that attaches to one process, spoken to in its machine interface.

Commands are written as a batch, each with a number, while answers are read: a write that waits for
its answer costs far more than the answer itself, and a target stands still for all of it.
"""

import contextlib
import fcntl
import functools
import os
import re
import signal
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Self

from hangtui.backends.gdb import start
from hangtui.backends.gdb.commands import GdbCommand
from hangtui.backends.gdb.files import GdbFiles
from hangtui.backends.gdb.mi_results import is_well_formed
from hangtui.dataclass import dataclass

_UNPARSED = "an answer that cannot be parsed"
_RESULT = re.compile(rb"(\d+)\^")
_SETS_RUNNING = ("-target-attach", "-exec-")
_READ_SIZE = 1 << 20
_PIPE_SIZE = 1 << 20
_KEPT_LINES = 20
_POLL_S = 0.002
_QUIT_S = 3.0
"""How long gdb gets to detach and leave before it is killed."""


class GdbError(Exception):
    """gdb refused a command."""


class GdbTimeoutError(Exception):
    """The deadline passed before the answer."""


class GdbEndedError(Exception):
    """gdb went away by itself."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The result of one command."""

    ok: bool
    message: str
    """Why it failed; empty if it did not."""
    payload: dict[str, object]


class GdbSession:
    """A gdb process; leaving the ``with`` block ends it, however it is left."""

    def __init__(
        self,
        program: str,
        settings: Sequence[GdbCommand],
        deadline: float,
        files: GdbFiles | None = None,
    ) -> None:
        """*deadline* is a reading of ``time.monotonic``; *files*: all that gdb is to open.

        Raises:
            OSError: the program does not start.
        """
        self.deadline = deadline
        """When waiting for an answer ends; a session that lasts moves it on."""
        self.on_record: Callable[[bytes], None] = lambda _line: None
        """Told of every line that is no answer: what gdb prints, and what the target does."""
        self._token = 0
        self._target_runs = False
        self._outgoing = b""
        self._partial = b""
        self._results: dict[int, bytes] = {}
        self._messages: list[bytes] = []
        before = [word for setting in settings for word in ("-iex", setting.line)]
        # gdb writes into a file in memory, never into a pipe: however much it says, and whatever
        # becomes of us, it is never held up, nor ended by SIGPIPE, while the target is stopped.
        self._output = os.memfd_create("gdb-output")
        self._read_so_far = 0
        words = [program, "-nx", "-q", "--interpreter=mi3", *before]
        try:
            if files is None:
                self._process = start.start(words, Path("/"), output=self._output)
            else:
                self._process = start.start(
                    words, files.folder, files.walls, files.descriptors, output=self._output
                )
                files.given_to(self._process.pid)
        except BaseException:
            os.close(self._output)
            raise
        assert self._process.stdin is not None
        self._stdin = self._process.stdin
        os.set_blocking(self._stdin.fileno(), False)
        with contextlib.suppress(OSError):
            fcntl.fcntl(self._stdin, fcntl.F_SETPIPE_SZ, _PIPE_SIZE)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # -- talking ----------------------------------------------------------------------------------

    def send(self, commands: Iterable[GdbCommand]) -> list[int]:
        """Queues the commands; returns the numbers under which their answers will come."""
        tokens = []
        for command in commands:
            self._token += 1
            tokens.append(self._token)
            if "\n" in command.line:
                raise ValueError("a command for gdb is one line")
            self._outgoing += f"{self._token}{command.line}\n".encode()
            self._target_runs |= command.line.startswith(_SETS_RUNNING)
        self._write()
        return tokens

    def answer(self, token: int) -> Answer | None:
        """What was answered so far under this number."""
        line = self._results.get(token)
        return None if line is None else parse_answer(line)

    def require(self, token: int) -> Answer:
        """Waits for the answer to a command that must succeed.

        Raises:
            GdbError: it failed.
            GdbTimeoutError: the deadline passed first.
            GdbEndedError: gdb left first.
        """
        while token not in self._results:
            self._pump()
        answer = parse_answer(self._results[token])
        if not answer.ok:
            raise GdbError(answer.message)
        return answer

    def ask(self, command: GdbCommand) -> Answer:
        """Sends one command that must succeed; raises as ``require``."""
        (token,) = self.send([command])
        return self.require(token)

    def forget(self, token: int) -> None:
        """Keep this answer no longer."""
        self._results.pop(token, None)

    def interrupt(self) -> None:
        """Make gdb give up the command that it is carrying out; its answer then is an error.

        Not while the target runs for gdb or is about to be stopped: then gdb passes the signal on
        to it.
        """
        if not self._target_runs:
            self._signal(signal.SIGINT)

    @property
    def pid(self) -> int:
        """Of gdb; it names nobody else before ``close``."""
        return self._process.pid

    def last_words(self) -> str:
        """What gdb last said outside of answers."""
        return b" ".join(self._messages[-3:]).decode(errors="replace")

    def _pump(self) -> None:
        self._write()
        ended = self._has_ended()
        if self._read():
            return
        if ended:
            raise GdbEndedError
        if time.monotonic() >= self.deadline:
            raise GdbTimeoutError
        time.sleep(_POLL_S)

    def _write(self) -> None:
        while self._outgoing:
            try:
                written = os.write(self._stdin.fileno(), self._outgoing)
            except BlockingIOError:
                return
            except BrokenPipeError:
                # It has ended; what it last said, which tells why, is yet to be read.
                self._outgoing = b""
                return
            self._outgoing = self._outgoing[written:]

    def _read(self) -> bool:
        """Whether there was something new."""
        data = os.pread(self._output, _READ_SIZE, self._read_so_far)
        self._read_so_far += len(data)
        *lines, self._partial = (self._partial + data).split(b"\n")
        for line in lines:
            result = _RESULT.match(line)
            if result:
                self._results[int(result[1])] = line
                continue
            self.on_record(line)
            if line.startswith(b"*stopped"):
                self._target_runs = False
            if line[:1] not in (b"=", b"*", b"("):
                self._messages = [*self._messages[1 - _KEPT_LINES :], line]
        return bool(data)

    # -- leaving ----------------------------------------------------------------------------------

    def close(self) -> None:
        """Ends gdb: politely, so that it can detach, then by force. Returns once it is gone."""
        try:
            with contextlib.suppress(OSError):
                self._stdin.close()
            # Commands that it has not yet carried out come before the end of its input; this
            # signal makes it give them up, detach and leave. Never SIGTERM: while gdb has the
            # target running it passes that on, as SIGINT.
            self._signal(signal.SIGHUP)
            limit = time.monotonic() + _QUIT_S
            while not self._has_ended() and time.monotonic() < limit:
                time.sleep(_POLL_S)
        finally:
            self._signal(signal.SIGKILL)
            self._process.wait()
            os.close(self._output)

    def _has_ended(self) -> bool:
        """Asked without reaping it, so that its PID still names its process group."""
        flags = os.WEXITED | os.WNOHANG | os.WNOWAIT
        return os.waitid(os.P_PID, self._process.pid, flags) is not None

    def _signal(self, number: signal.Signals) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, number)


def parse_answer(line: bytes) -> Answer:
    """A result record as pygdbmi reads it, its shape checked."""
    return _parsed(line[len(line) - len(line.lstrip(b"0123456789")) :])


@functools.lru_cache(maxsize=256)
def _parsed(line: bytes) -> Answer:
    """Thousands of threads have few different stacks, and each takes milliseconds."""
    from pygdbmi import gdbmiparser

    text = line.decode(errors="replace")
    if not is_well_formed(text):
        return Answer(False, _UNPARSED, {})
    try:
        record = gdbmiparser.parse_response(text)
    except (ValueError, RecursionError):  # quotes and backslashes that are in nobody's grammar
        return Answer(False, _UNPARSED, {})
    payload = record.get("payload")
    values: dict[str, object] = payload if isinstance(payload, dict) else {}
    ok = record.get("message") in ("done", "exit", "running")
    return Answer(ok, "" if ok else str(values.get("msg", "no reason given")), values)
