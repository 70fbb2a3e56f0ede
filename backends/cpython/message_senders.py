"""Which functions of the program would send a message of ZeroMQ, or over a ring in shared memory,
of a process with a thread that waits to receive one: whoever waits at the other end may wait for
such a call."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from itertools import islice

from hangtui.backends.cpython.aio.containers import Containers
from hangtui.backends.cpython.bytecode import Bytecode
from hangtui.backends.cpython.changing_code import is_of_program
from hangtui.backends.cpython.code import Code
from hangtui.backends.cpython.engines.ends import READS_RING, RING_MODULE
from hangtui.backends.cpython.frames import Frame
from hangtui.backends.cpython.reader import PythonReader
from hangtui.backends.cpython.references import References
from hangtui.backends.cpython.wakers.mentions import Mention, Mentions
from hangtui.backends.cpython.wakers.values import Function, Values
from hangtui.backends.cpython.wakers.written import functions_of
from hangtui.backends.facts import Facts
from hangtui.backends.memory.damage import DamagedDataError, MemoryReadError, foreign_data
from hangtui.dataclass import dataclass
from hangtui.model import MessageSenders

_RECEIVES = "recv"
_MOST = 3


@dataclass(frozen=True, slots=True)
class _Kind:
    """How messages of one kind are sent. Data."""

    module: str
    """There once they are."""
    senders: str
    """The type of the objects that send them."""
    sends: frozenset[str]
    """Their methods that do."""
    waits: Callable[[Sequence[Frame]], bool]
    """Whether a stack waits to receive one."""


def _receives(frames: Sequence[Frame]) -> bool:
    return any(name.startswith(_RECEIVES) for name in frames[0].code.names)


def _reads_ring(frames: Sequence[Frame]) -> bool:
    return any(frame.code.bare_name == READS_RING for frame in frames)


_KINDS = (
    _Kind(
        "zmq",
        "Socket",
        frozenset({"send", "send_string", "send_json", "send_pyobj", "send_multipart"}),
        _receives,
    ),
    _Kind(RING_MODULE, "MessageQueue", frozenset({"enqueue", "broadcast_object"}), _reads_ring),
)


def add_senders(pid: int, python: PythonReader, facts: Facts) -> None:
    """Add those of one process; where no thread is in such a call it costs next to nothing.

    Raises:
        BudgetSpentError: too many objects of this process were looked at.
    """
    stacks = [stack for stack in python.stacks.values() if stack]
    for kind in _KINDS:
        if python.module(kind.module) and any(map(kind.waits, stacks)):
            with suppress(DamagedDataError), foreign_data():
                places = tuple(islice(_Senders(python, kind).places(), _MOST))
                if places:
                    facts.message_senders.append(MessageSenders(pid, places))


class _Senders:
    """Looks through the functions of one process."""

    def __init__(self, python: PythonReader, kind: _Kind) -> None:
        self._kind = kind
        objects, codes = python.objects, python.codes
        self._stacks = list(python.stacks.values())
        self._objects, self._codes = objects, codes
        references = References(objects, python.frames, python.blocks, codes)
        bytecode = Bytecode(objects.layout.version, objects.memory.spent)
        self._mentions = Mentions(bytecode, objects.memory.spent)
        self._values = Values(objects, python.frames, references, Containers(objects, codes))

    def places(self) -> Iterator[str]:
        """``Server.answer (server.py:24)``, of functions that no thread is inside of."""
        running = {frame.code.address for stack in self._stacks for frame in stack}
        told = set[str]()
        for function in functions_of(self._stacks, self._values, self._counts()):
            with suppress(MemoryReadError):
                code = self._codes.code(function.code)
                place = "" if code.address in running else self._place(function, code)
                if place and place not in told:
                    told.add(place)
                    yield place

    def _counts(self) -> Callable[[int], bool]:
        def counts(address: int) -> bool:
            with suppress(MemoryReadError):
                return any(self._calls(self._codes.code(address)))
            return False

        return counts

    def _calls(self, code: Code) -> Iterator[Mention]:
        sends = self._kind.sends
        if is_of_program(code.filename) and not sends.isdisjoint(code.names):
            yield from (one for one in self._mentions.of(code) if one.name in sends)

    def _place(self, function: Function, code: Code) -> str:
        """Where it sends over what its object has, or its module names."""
        scope = self._values.call(function, code.variables)
        for one in self._calls(code):
            sender = self._values.of(one.receiver, scope) if one.receiver else None
            kind = (self._objects.kind(sender) or "") if sender else ""
            if kind.rpartition(".")[2] == self._kind.senders:
                return self._codes.place(code, one.offset)
        return ""
