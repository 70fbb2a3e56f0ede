"""The debugger's own process: ``python -m hangtui.backends.debugger.worker``.

It answers one question after the other, and lets a stopped target go when its time is up, when
nobody talks to it any more, and when it is told to end. A second thread hears what must not wait
for the answer to the present question: giving it up, and giving the target more time.
"""

import contextlib
import os
import queue
import signal
import sys
import threading
from pathlib import Path
from typing import Any, BinaryIO, TypeVar, get_type_hints

import msgspec

from hangtui.backends.debugger.session import DebugSession
from hangtui.backends.debugger.target import CoreTarget, LiveTarget, Target
from hangtui.backends.debugger.wire import LENGTH, MAX_MESSAGE, Opening, Question, Reply, pack
from hangtui.backends.memory.damage import DamagedDataError
from hangtui.backends.supervision.reader import end_with, is_alone
from hangtui.debugger import LiveState
from hangtui.model import HangtuiError, TargetError, clean

_T = TypeVar("_T")
_TICK_S = 0.2
QUESTIONS = (
    *("stack", "registers", "native_variables", "python_variables", "disassembly"),
    *("native_source", "python_source", "memory", "lock", "evaluate", "console", "complete"),
    *("stop", "go", "catch", "write_core"),
)


class _Ended(Exception):  # noqa: N818  no error
    """Whoever asked is gone."""


class Worker:
    """Reads questions from *source*, writes replies to *sink*."""

    def __init__(self, source: BinaryIO, sink: BinaryIO) -> None:
        self._source = source
        self._sink = sink
        self._lock = threading.Lock()
        self._questions: queue.SimpleQueue[Question | None] = queue.SimpleQueue()
        self._session: DebugSession | None = None
        self._busy_with = 0

    def run(self) -> int:
        """Until the source ends."""
        opening = self._read(Opening)
        if opening is None:
            return 1
        try:
            target = _target(opening)
            self._session = DebugSession(target, opening.names, self._tell, opening.powers)
        except (HangtuiError, OSError) as error:
            self._send(_failure(1, error))
            return 2
        self._send(Reply(1))
        threading.Thread(target=self._listen, daemon=True).start()
        try:
            self._serve(self._session)
        except (_Ended, BrokenPipeError):
            pass
        finally:
            self._session.close()
        return 0

    def _serve(self, session: DebugSession) -> None:
        while True:
            try:
                question = self._questions.get(timeout=_TICK_S)
            except queue.Empty:
                session.tick()
                continue
            if question is None:
                return
            self._busy_with = question.number
            reply = _answer(session, question)
            self._busy_with = 0
            reply.about = session.about()
            self._send(reply)
            session.tick()

    def _listen(self) -> None:
        """Hear questions; what is urgent is done here and now."""
        assert self._session is not None
        while (question := self._read(Question)) is not None:
            if question.method == "cancel":
                if self._busy_with == question.arguments[0]:
                    self._session.interrupt()
            elif question.method == "extend":
                self._session.extend(float(question.arguments[0]))
            else:
                self._questions.put(question)
        self._session.interrupt()
        self._questions.put(None)

    def _read(self, kind: type[_T]) -> _T | None:
        """The next message; None: there are no more."""
        head = self._source.read(LENGTH.size)
        if len(head) < LENGTH.size:
            return None
        (length,) = LENGTH.unpack(head)
        body = self._source.read(length) if length <= MAX_MESSAGE else b""
        return msgspec.json.decode(body, type=kind) if len(body) == length else None

    def _tell(self, state: LiveState) -> None:
        self._send(Reply(0, msgspec.Raw(msgspec.json.encode(state))))

    def _send(self, reply: Reply) -> None:
        with self._lock:
            self._sink.write(pack(reply))
            self._sink.flush()


def _target(opening: Opening) -> Target:
    if opening.core is not None:
        return CoreTarget(Path(opening.core), opening.root)
    return LiveTarget(opening.pid)


def _answer(session: DebugSession, question: Question) -> Reply:
    """The answer to one question; a mistake of ours costs this answer alone."""
    if question.method not in QUESTIONS:
        error = HangtuiError(f"no such question: {clean(question.method, 40)}")
        return _failure(question.number, error)
    try:
        method = getattr(session, question.method)
        value = method(*_arguments(method, question.arguments))
        return Reply(question.number, msgspec.Raw(msgspec.json.encode(value)))
    except (HangtuiError, OSError) as error:
        return _failure(question.number, error)
    except DamagedDataError as error:
        reason = TargetError(f"memory that is needed for it cannot be read: {error}")
        return _failure(question.number, reason)
    except Exception as error:  # noqa: BLE001
        return _failure(question.number, HangtuiError(f"{type(error).__name__}: {error}"))


def _arguments(method: Any, values: list[Any]) -> list[Any]:
    hints = get_type_hints(method)
    kinds = [kind for name, kind in hints.items() if name != "return"]
    return [
        msgspec.convert(value, kind, strict=False)
        for value, kind in zip(values, kinds, strict=False)
    ]


def _failure(number: int, error: HangtuiError | OSError) -> Reply:
    if isinstance(error, HangtuiError):
        return Reply(number, error=clean(error.message), fix=error.fix)
    return Reply(number, error=clean(error.strerror or str(error)))


def _end_with_parent() -> None:
    """SIGTERM, on which gdb lets its process go, when the screens' process goes away."""

    def leave(*_: object) -> None:
        raise _Ended

    signal.signal(signal.SIGTERM, leave)
    end_with(os.getppid(), signal.SIGTERM)


def main() -> int:
    """Serve one session."""
    _end_with_parent()
    os.umask(0o077)
    if is_alone(sys.stdout.fileno()):
        return 1
    with contextlib.suppress(_Ended):
        return Worker(sys.stdin.buffer, sys.stdout.buffer).run()
    return 1


if __name__ == "__main__":
    code = main()
    # The listening thread may sit in a read that nothing ends.
    os._exit(code)
