"""Who makes a process group of PyTorch, or the store that its members meet at, and who would come
to that next.

A group is made by calls into C++ in which all of its members wait for each other. What such a call
was given lies on the value stack of the Python frame that made it, and in variables of torch's own
functions.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace

from hangtui.backends.cpython.aio.containers import Containers
from hangtui.backends.cpython.application import of_application
from hangtui.backends.cpython.bytecode import Bytecode, Root
from hangtui.backends.cpython.frames import Frame
from hangtui.backends.cpython.ray import ids
from hangtui.backends.cpython.reader import PythonReader
from hangtui.backends.cpython.torch_stores import address_of
from hangtui.backends.cpython.wakers.mentions import Mention, Mentions
from hangtui.backends.facts import Facts
from hangtui.backends.limits import BudgetSpentError
from hangtui.backends.memory.damage import DamagedDataError, MemoryReadError, foreign_data
from hangtui.model import Joining, NodeId, clean, thread_id

_TORCH = "torch.distributed.distributed_c10d"
_FILE = "/torch/distributed/"
_STORE, _GROUP = "TCPStore", "ProcessGroup"
_JOINS = frozenset({"init_process_group", "new_group", _STORE})
_METATYPE = "pybind11_type"
_NAMES = {
    "init_process_group": ("rank", "world_size"),
    "_new_process_group_helper": ("group_rank", "group_size"),
    "_create_c10d_store": ("rank", "world_size"),
}
"""Functions of torch that make a group, and what they call a member's number and their number."""
_STORES = ("store", "prefix_store", "backend_prefix_store")
_MOST_TEXT = 253
_MOST_FRAMES, _MOST_RANKS, _MOST_ACTORS = 12, 100_000, 20


class JoiningResolver:
    """Reads it of one process; without PyTorch it costs next to nothing."""

    def __init__(self, pid: int, python: PythonReader) -> None:
        self._pid = pid
        self._python = python
        self._objects = python.objects
        self._containers = Containers(python.objects, python.codes)
        spent = python.objects.memory.spent
        self._mentions = Mentions(Bytecode(python.objects.layout.version, spent), spent)

    def add(self, facts: Facts) -> None:
        """Add who joins a group, and who comes to that once it goes on."""
        if not self._python.module(_TORCH):
            return
        for tid, frames in self._python.stacks.items():
            with suppress(BudgetSpentError, DamagedDataError, MemoryReadError), foreign_data():
                here = self._joining(thread_id(self._pid, tid), frames)
                if here is not None:
                    facts.joinings.append(here)
                else:
                    facts.joinings += self._coming(thread_id(self._pid, tid), frames)

    # -- in the call ----------------------------------------------------------------------------

    def _joining(self, thread: NodeId, frames: Sequence[Frame]) -> Joining | None:
        """What the innermost frame, or one of torch's, has called; None: no such call."""
        own = next((i for i, frame in enumerate(frames) if of_application(frame)), None)
        if own is None:
            return None
        made: Joining | None = None
        if any(_is_class(name) for name in frames[0].code.names):
            made = self._called(thread, frames[0])
        for frame in frames[:own]:
            name = frame.code.bare_name
            if name in _NAMES and _FILE in frame.code.filename:
                told = self._of_torch(thread, name, frame)
                made = _together(told, made) if made else told
        if made is None:
            return None
        called = self._references(frames[own : own + _MOST_FRAMES])
        return replace(made, line=frames[own].place, called=tuple(called))

    def _called(self, thread: NodeId, frame: Frame) -> Joining | None:
        """The call of a class of C++, by what lies on the frame's value stack: the class, and its
        arguments behind that."""
        slots = self._python.frames.stack_slots(frame)
        for index, slot in reversed(list(enumerate(slots))):
            if not slot or not (self._objects.kind(slot) or "").endswith(_METATYPE):
                continue
            name = clean(self._objects.class_name(slot), 60).rpartition(".")[2]
            given = slots[index + 1 :]
            given = given[1:] if given[:1] == (0,) else given  # from 3.13 on, no receiver
            if name == _STORE:
                return self._of_store(thread, frame, given)
            if _is_class(name):
                rank, size = self._place([self._integer(one) for one in given])
                stores = (self._address(one) for one in given[:2] if one)
                known = next(filter(None, stores), None)
                return Joining(thread, True, name, "", None, known, rank, size)
        return None

    def _of_store(self, thread: NodeId, frame: Frame, given: Sequence[int]) -> Joining:
        """``TCPStore(host, port, size, opens)``; the caller's ``rank`` is taken for its own."""
        if not given:
            return Joining(thread, True, _STORE, "")
        host = self._objects.text(given[0]) if self._objects.kind(given[0]) == "str" else ""
        numbers = [self._integer(one) for one in given[1:3]]
        port, size = numbers if len(numbers) == 2 else (None, None)
        opens = self._truth(given[3]) if len(given) > 3 else None
        size = size if size is not None and 0 < size <= _MOST_RANKS else None
        store = f"{clean(host, _MOST_TEXT)}:{port}" if host and port else None
        rank = self._integer(self._python.frames.variables(frame).get("rank", 0))
        rank = rank if rank is not None and size is not None and 0 <= rank < size else None
        return Joining(thread, True, _STORE, "", None, store, rank, size, opens)

    def _of_torch(self, thread: NodeId, name: str, frame: Frame) -> Joining:
        """What torch's own functions have in their variables."""
        variables = self._python.frames.variables(frame)
        rank, size = self._place([self._integer(variables.get(one, 0)) for one in _NAMES[name]])
        stores = (self._address(variables[one]) for one in _STORES if one in variables)
        known = next(filter(None, stores), None)
        host, port = variables.get("hostname", 0), self._integer(variables.get("port", 0))
        if known is None and port and self._objects.kind(host) == "str":
            known = f"{clean(self._objects.text(host), _MOST_TEXT)}:{port}"
        call = name if name in _JOINS else "new_group"
        return Joining(thread, True, call, "", None, known, rank, size)

    def _place(self, numbers: Sequence[int | None]) -> tuple[int | None, int | None]:
        """The first two numbers, if they are a rank and a size."""
        known = [one for one in numbers if one is not None][:2]
        if len(known) == 2 and 0 <= known[0] < known[1] <= _MOST_RANKS:
            return known[0], known[1]
        return None, None

    def _integer(self, address: int) -> int | None:
        return self._containers.integer(address) if address else None

    def _truth(self, address: int) -> bool | None:
        kind = self._objects.kind(address) if address else None
        return bool(self._objects.integer(address)) if kind == "bool" else None

    def _address(self, store: int) -> str | None:
        known = address_of(self._objects, store)
        return f"{known[0]}:{known[1]}" if known else None

    # -- on the way to it -----------------------------------------------------------------------

    def _coming(self, thread: NodeId, frames: Sequence[Frame]) -> Iterator[Joining]:
        """The call that its frames come to first, in their own code or in a function of the
        application that they call: at most one."""
        own = [frame for frame in frames if of_application(frame)]
        for frame in own[:_MOST_FRAMES]:
            for mention in self._mentions.ahead(frame.code, frame.instruction).mentions:
                if mention.called == mention.until:
                    continue
                found = self._leads_to(mention, frame)
                if found is None:
                    continue
                call, function = found
                line = self._python.codes.line(frame.code, mention.offset)
                place = f"{frame.code.file}:{line}" if line else frame.code.file
                called = tuple(self._references(own[:_MOST_FRAMES]))
                yield Joining(thread, False, call, place, function, called=called)
                return

    def _leads_to(self, mention: Mention, frame: Frame) -> tuple[str, str | None] | None:
        """The call that a mention is, and the function through which it is one."""
        receiver = mention.receiver
        name = mention.name or (receiver.name if receiver else "")
        if name and _is_class(name):
            return name, None
        plain = receiver is not None and receiver.root is Root.GLOBAL and not receiver.attributes
        if mention.name or not plain:
            return None
        function = self._containers.value(frame.namespace, name)
        if not function or self._objects.kind(function) != "function":
            return None
        code = self._python.codes.code(self._objects.function_code(function))
        call = next((one for one in code.names if _is_class(one)), None)
        return (call, clean(code.bare_name, 100)) if call else None

    # -- who was asked to join ------------------------------------------------------------------

    def _references(self, frames: Sequence[Frame]) -> Iterator[NodeId]:
        """The actors of Ray to whose results variables of these frames refer."""
        found: dict[bytes, None] = {}
        for frame in frames:
            for value in self._python.frames.variables(frame).values():
                for one in (value, *self._containers.sequence(value)[:_MOST_ACTORS]):
                    if not ids.is_id(self._objects, one, "ObjectRef"):
                        continue
                    actor = ids.actor_of(ids.read_id(self._objects, one, "ObjectRef"))
                    if actor != ids.NO_ACTOR:
                        found[actor] = None
        yield from map(ids.actor_node, list(found)[:_MOST_ACTORS])


def _is_class(name: str) -> bool:
    """Whether code that mentions this name makes a group or its store."""
    return name in _JOINS or (name.startswith(_GROUP) and name != _GROUP)


def _together(told: Joining, made: Joining) -> Joining:
    """What a call of C++ was given, with what torch's function around it knows."""
    return replace(
        told,
        call=made.call,
        opens=made.opens,
        store=told.store or made.store,
        rank=made.rank if told.rank is None else told.rank,
        size=made.size if told.size is None else told.size,
    )
