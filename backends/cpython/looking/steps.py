"""What single instructions do that lead to nothing but the next one."""

from collections.abc import Callable, Mapping, Sequence

from hangtui.backends.cpython.bytecode import Bytecode, Instruction
from hangtui.backends.cpython.looking.handlers import catches, that_catches
from hangtui.backends.cpython.looking.items import (
    CHANGES,
    EXIT,
    MADE,
    NULL,
    PLAIN,
    UNKNOWN,
    DoesMoreError,
    Item,
    concrete,
    made_of,
)
from hangtui.backends.cpython.looking.judge import Judge, computed
from hangtui.backends.cpython.looking.state import Run, State
from hangtui.backends.cpython.objects import Objects
from hangtui.backends.cpython.wakers.values import Function

_FORMATTED = 4
"""The bit of a FORMAT_VALUE by which a format lies above the value."""
_COMPARES = ("<", "<=", "==", "!=", ">", ">=")
_ORDERS = {
    "DUP_TOP": (1, (0, 0)),
    "ROT_TWO": (2, (1, 0)),
    "ROT_THREE": (3, (2, 0, 1)),
    "ROT_FOUR": (4, (3, 0, 1, 2)),
    "POP_TOP": (1, ()),
    "POP_ITER": (1, ()),
    "POP_EXCEPT": (1, ()),
    "GEN_START": (1, ()),
    "END_SEND": (2, (1,)),
    "YIELD_FROM": (2, (0,)),
}
"""Instructions that only move what lies on top: how much of it, and what is there afterwards."""


class Steps:
    """Of one interpreter."""

    def __init__(self, objects: Objects, bytecode: Bytecode, judge: Judge) -> None:
        self._objects = objects
        self._bytecode = bytecode
        self._judge = judge
        self._version = objects.layout.version
        self.alters: set[str] = set()
        """The attributes that were set on the way."""
        self._acts: Mapping[str, Callable[[Instruction, State, Run], State]] = {
            "LOAD_CONST": self._constant,
            "LOAD_SMALL_INT": lambda one, state, _: state.pushed(concrete(one.argument)),
            "LOAD_ATTR": self._fetch,
            "LOAD_METHOD": self._fetch,
            "STORE_ATTR": self._set,
            "IS_OP": self._same,
            "CONTAINS_OP": self._contains,
            "COMPARE_OP": self._compare,
            "PUSH_EXC_INFO": self._caught,
            "CHECK_EXC_MATCH": self._matches,
            "BINARY_SUBSCR": self._subscript,
            "FORMAT_VALUE": self._format,
            "PUSH_NULL": lambda _, state, __: state.pushed(NULL),
            "RETURN_GENERATOR": lambda _, state, __: state.pushed(PLAIN),
            "BEFORE_WITH": self._with,
            "SETUP_WITH": self._with,
            "GET_ITER": self._iterate,
            "LIST_APPEND": self._append,
            "MAKE_FUNCTION": self._make,
            "LOAD_FAST_AND_CLEAR": lambda one, state, run: state.pushed(
                self._local(one.argument, state, run)
            ),
        }
        self._kinds: Mapping[str, Callable[[Instruction, State, Run], State]] = {
            "LOAD_": self._load,
            "STORE_FAST": self._store,
            "BINARY_": self._binary,
            "INPLACE_": self._binary,
            "UNARY_": self._unary,
            "TO_BOOL": self._unary,
            "FORMAT_SIMPLE": self._unary,
            "BUILD_": self._build,
        }

    def step(self, one: Instruction, state: State, run: Run) -> State:
        """What is there behind an instruction.

        Raises:
            DoesMoreError: it does something else than to look, or that cannot be told.
        """
        if one.name in _ORDERS:
            count, order = _ORDERS[one.name]
            rest, items = state.popped(count)
            return rest.pushed(*(items[index] for index in order))
        if one.name == "COPY":
            return state.pushed(state.popped(one.argument)[1][0])
        if one.name == "SWAP":
            rest, items = state.popped(one.argument)
            return rest.pushed(items[-1], *items[1:-1], items[0])
        act = self._acts.get(one.name)
        for beginning, kind in self._kinds.items() if act is None else ():
            if one.name.startswith(beginning):
                act = kind
                break
        if act is None:
            raise DoesMoreError
        return act(one, state, run)

    def _caught(self, _: Instruction, state: State, __: Run) -> State:
        """An exception comes to lie above the one that was handled before."""
        rest, (raised,) = state.popped()
        return rest.pushed(PLAIN, raised)

    def _matches(self, _: Instruction, state: State, __: Run) -> State:
        """Whether a handler is there for what was raised."""
        rest, (wanted,) = state.popped()
        (raised,) = rest.popped()[1]
        return rest.pushed(concrete(catches(wanted, raised, self._objects)))

    def call(
        self, function: Function, arguments: Sequence[Item], keywords: Sequence[str] = ()
    ) -> Item:
        """What a function of Python returns; *keywords*: by which its last arguments are given."""
        raise NotImplementedError

    # -- loads and stores -------------------------------------------------------------------------

    def constant(self, one: Instruction, run: Run) -> Item:
        """The constant that an instruction names."""
        place = run.code.address + self._objects.layout["code.co_consts"]
        items = self._objects.tuple_items(self._objects.memory.u64(place))
        return self._judge.item(items[one.argument])

    def _constant(self, one: Instruction, state: State, run: Run) -> State:
        return state.pushed(self.constant(one, run))

    def _load(self, one: Instruction, state: State, run: Run) -> State:
        if one.name in ("LOAD_FAST_LOAD_FAST", "LOAD_FAST_BORROW_LOAD_FAST_BORROW"):
            both = (one.argument >> 4, one.argument & 15)
            return state.pushed(*(self._local(slot, state, run) for slot in both))
        loaded = self._bytecode.loaded(run.code, one)
        if loaded is None or loaded.name in self.alters:
            raise DoesMoreError
        if not loaded.name:
            return state.pushed(self._local(loaded.slot, state, run))
        address = run.scope.namespace.get(loaded.name, 0)
        item = self._judge.item(address, loaded.name) if address else Item(name=loaded.name)
        since = self._version >= (3, 11, 0) and one.name == "LOAD_GLOBAL"
        if not (since and one.argument & 1):
            return state.pushed(item)
        return state.pushed(NULL, item) if self._version < (3, 13, 0) else state.pushed(item, NULL)

    def _local(self, slot: int, state: State, run: Run) -> Item:
        if slot in state.slots:
            return state.slots[slot]
        address = run.scope.slots.get(slot, 0)
        return self._judge.item(address) if address else UNKNOWN

    def _store(self, one: Instruction, state: State, run: Run) -> State:
        first, second = one.argument >> 4, one.argument & 15
        if one.name == "STORE_FAST":
            state, (value,) = state.popped()
            return state.stored(one.argument, value)
        if one.name == "STORE_FAST_LOAD_FAST":
            state, (value,) = state.popped()
            state = state.stored(first, value)
            return state.pushed(self._local(second, state, run))
        if one.name == "STORE_FAST_STORE_FAST":
            state, (below, top) = state.popped(2)
            return state.stored(first, top).stored(second, below)
        raise DoesMoreError

    def _fetch(self, one: Instruction, state: State, run: Run) -> State:
        state, (owner,) = state.popped()
        name = self._bytecode.attribute(run.code, one)
        if name is None or (owner.changes and not owner.plain):
            raise DoesMoreError
        found = self._judge.attribute(owner, name)
        item = self.call(found, []) if isinstance(found, Function) else found
        if name in self.alters:
            item = CHANGES
        since = self._version >= (3, 12, 0) and one.name == "LOAD_ATTR"
        method = one.name == "LOAD_METHOD" or (since and bool(one.argument & 1))
        return state.pushed(item, NULL) if method else state.pushed(item)

    def _set(self, one: Instruction, state: State, run: Run) -> State:
        state, (_, owner) = state.popped(2)
        name = run.code.names[one.argument]
        self._judge.sets(owner, name)
        self.alters.add(name)
        return state

    # -- operators --------------------------------------------------------------------------------

    def _same(self, one: Instruction, state: State, _: Run) -> State:
        state, (left, right) = state.popped(2)
        found = _is(left, right)
        if found is None or left.changes or right.changes:
            return state.pushed(made_of(left, right))
        return state.pushed(concrete(found is not bool(one.argument)))

    def _contains(self, _: Instruction, state: State, __: Run) -> State:
        state, (item, container) = state.popped(2)
        return state.pushed(self._judge.contains(container, item))

    def _compare(self, one: Instruction, state: State, _: Run) -> State:
        state, (left, right) = state.popped(2)
        shift = 5 if self._version >= (3, 13, 0) else 4 if self._version >= (3, 12, 0) else 0
        index = one.argument >> shift
        if index >= len(_COMPARES):
            raise DoesMoreError
        done = computed(_COMPARES[index], left, right)
        return state.pushed(done or self._judge.compared(left, right))

    def _subscript(self, _: Instruction, state: State, __: Run) -> State:
        state, (container, key) = state.popped(2)
        return state.pushed(self._judge.subscript(container, key))

    def _binary(self, _: Instruction, state: State, __: Run) -> State:
        state, (left, right) = state.popped(2)
        if not (left.plain and right.plain):
            raise DoesMoreError
        return state.pushed(made_of(left, right))

    def _unary(self, one: Instruction, state: State, _: Run) -> State:
        state, (value,) = state.popped()
        if value.plain and (value.changes or one.name not in ("UNARY_NOT", "TO_BOOL")):
            return state.pushed(made_of(value))
        truth = self._judge.truth(value)
        if truth is None:
            return state.pushed(PLAIN)
        return state.pushed(concrete(truth is not (one.name == "UNARY_NOT")))

    def _format(self, one: Instruction, state: State, _: Run) -> State:
        """Of an f-string: a value, and how it is to look, if that is said."""
        state, items = state.popped(2 if one.argument & _FORMATTED else 1)
        if not all(item.plain for item in items):
            raise DoesMoreError
        return state.pushed(made_of(*items))

    def _build(self, one: Instruction, state: State, _: Run) -> State:
        state, items = state.popped(one.argument)
        if not all(item.plain for item in items):
            if one.name == "BUILD_TUPLE":  # of exceptions that a handler is there for
                return state.pushed(that_catches(items, self._objects))
            raise DoesMoreError
        return state.pushed(made_of(*items))

    def _with(self, _: Instruction, state: State, __: Run) -> State:
        state, (manager,) = state.popped()
        if not self._judge.is_lock(manager):
            raise DoesMoreError
        return state.pushed(EXIT, PLAIN)

    def _iterate(self, _: Instruction, state: State, __: Run) -> State:
        state, (value,) = state.popped()
        return state.pushed(self._judge.iterated(value))

    def _append(self, _: Instruction, state: State, __: Run) -> State:
        state, (value,) = state.popped()
        if not value.plain or value.changes:
            raise DoesMoreError
        return state

    def _make(self, one: Instruction, state: State, _: Run) -> State:
        """A function that closes over nothing, and has no defaults."""
        if self._version < (3, 11, 0):
            state, _name = state.popped()
        state, (code,) = state.popped()
        if one.argument or self._objects.kind(code.address) != "code":
            raise DoesMoreError
        return state.pushed(Item(code.address, name=MADE))


def _is(left: Item, right: Item) -> bool | None:
    """Whether they are the same object; None: that is not known."""
    nothing = [one.known and one.value is None for one in (left, right)]
    something = [(one.known and one.value is not None) or (bool(one.address) and not one.plain)
                 for one in (left, right)]  # fmt: skip
    if all(nothing):
        return True
    if (nothing[0] and something[1]) or (nothing[1] and something[0]):
        return False
    if left.known and right.known and isinstance(left.value, bool):
        return left.value is right.value
    return None
