"""Which local variables of a frame still matter: that its code reads before it sets them anew.

A loop's variable keeps the last value until the next turn sets another one: a server's loop refers
to the last connection that it has accepted, and has nothing more to do with it.
"""

from collections.abc import Mapping

from hangtui.backends.cpython.bytecode import Bytecode, Instruction, reachable
from hangtui.backends.cpython.code import Code

_BY_TWO = ("LOAD_FAST_LOAD_FAST", "LOAD_FAST_BORROW_LOAD_FAST_BORROW")

_CELLS = frozenset({"MAKE_CELL", "LOAD_CLOSURE"})
"""From 3.11 on a cell that is an argument as well has that one's slot."""


def live(bytecode: Bytecode, code: Code, instruction: int) -> frozenset[str]:
    """The names of those of a frame that stands on *instruction*. What is in a cell always matters,
    since other functions have it too.

    Raises:
        BudgetSpentError: too many objects of this process were looked at.
    """
    following = bytecode.successors(code)
    here = max((start for start in following if start <= instruction), default=0)
    slots = range(min(code.local_count, len(code.variables)))
    stores: dict[int, set[int]] = {slot: set() for slot in slots}
    loads: dict[int, set[int]] = {slot: set() for slot in slots}
    shared = set(range(slots.stop, len(code.variables)))
    for one in bytecode.instructions(code):
        for slot in stored(one):
            stores.get(slot, set()).add(one.start)
        for slot in _loaded(one):
            loads.get(slot, set()).add(one.start)
        if one.name in _CELLS or one.name.endswith("DEREF"):
            shared.add(one.argument)
    matter = {slot for slot in slots if _is_read(following, here, loads[slot], stores[slot])}
    return frozenset(name for slot, name in enumerate(code.variables) if slot in matter | shared)


def settled(bytecode: Bytecode, code: Code, instruction: int) -> frozenset[int]:
    """The slots of those that a frame which stands on *instruction* does not set any more: the same
    call has the same in them for the rest of its time.

    Raises:
        BudgetSpentError: too many objects of this process were looked at.
    """
    following = bytecode.successors(code)
    here = max((start for start in following if start <= instruction), default=0)
    ahead = set[int]().union(*(reachable(following, one) for one in following.get(here, ())))
    later = {
        slot for one in bytecode.instructions(code) if one.start in ahead for slot in stored(one)
    }
    return frozenset(range(min(code.local_count, len(code.variables)))) - later


def _is_read(
    following: Mapping[int, tuple[int, ...]], here: int, loads: set[int], stores: set[int]
) -> bool:
    starts = following.get(here, ())
    return any(not loads.isdisjoint(reachable(following, one, stores - loads)) for one in starts)


def _loaded(one: Instruction) -> tuple[int, ...]:
    if one.name in _BY_TWO:
        return one.argument >> 4, one.argument & 15
    if one.name == "STORE_FAST_LOAD_FAST":
        return (one.argument & 15,)
    return (one.argument,) if one.name.startswith("LOAD_FAST") else ()


def stored(one: Instruction) -> tuple[int, ...]:
    """The slots of local variables that an instruction stores into, or empties."""
    if one.name == "STORE_FAST_STORE_FAST":
        return one.argument >> 4, one.argument & 15
    if one.name == "STORE_FAST_LOAD_FAST":
        return (one.argument >> 4,)
    return (one.argument,) if one.name.startswith(("STORE_FAST", "DELETE_FAST")) else ()
