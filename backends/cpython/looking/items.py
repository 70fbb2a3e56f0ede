"""What a loop's code works with, as far as that can be told without running it."""

from typing import NamedTuple

from hangtui.backends.cpython.objects import Objects

PLAIN_KINDS = frozenset({"bool", "int", "float", "str", "bytes", "NoneType"})
"""Values that never change."""
CONTAINERS = frozenset(
    {"dict", "list", "tuple", "set", "frozenset", "collections.deque", "collections.OrderedDict"}
)
"""What only code of the same process changes; asking them for something changes nothing."""
Plain = bool | int | float | str | None


class DoesMoreError(Exception):
    """It does something else than to look at objects, or that cannot be told."""


class Item(NamedTuple):
    """One value."""

    address: int = 0
    """Of the object; 0: it is not known, or there is none."""
    value: Plain = None
    """If `known`."""
    known: bool = False
    plain: bool = False
    """It is a value that never changes, whichever."""
    changes: bool = False
    """It depends on the clock, or on how often the loop was gone through."""
    name: str = ""
    """By which it was fetched."""
    owner: int = 0
    """The object that a method was fetched from."""


UNKNOWN, PLAIN, CHANGES = Item(), Item(plain=True), Item(plain=True, changes=True)
NULL = Item(name="NULL")
"""What the interpreter pushes beside a function."""
EXIT = Item(name="__exit__")
"""Of a lock."""
ITERATOR = Item(name="iter")
GENERATED = Item(name="iter", plain=True)
"""An iterator over plain values."""
MADE = "<made>"
"""The name of a function that was made on the spot, at the address of its code."""
TIME_OVER, EMPTY = Item(name="TimeoutError"), Item(name="Empty")
"""The exceptions by which waits end whose time is over; that of a queue, too."""
NAP = Item(name="sleep")
"""The coroutine in which a task sleeps."""


def concrete(value: Plain) -> Item:
    """A value that is known."""
    return Item(value=value, known=True, plain=True)


def iterator_over(container: int, index: int = 0) -> Item:
    """One over the items of a container that are known, of which *index* were taken."""
    return ITERATOR._replace(owner=container, value=index)


def made_of(*items: Item) -> Item:
    """A plain value that depends on these."""
    return CHANGES if any(one.changes for one in items) else PLAIN


def either(one: Item, other: Item, *, again: bool) -> Item:
    """What may be one or the other. *again*: depending on how often a loop was gone through."""
    if one == other:
        return one
    changes = again or one.changes or other.changes
    return Item(plain=one.plain and other.plain, changes=changes)


def of_object(address: int, objects: Objects, name: str = "") -> Item:
    """The object at an address, with its value if that never changes."""
    kind = objects.kind(address)
    if kind is None:
        raise DoesMoreError
    if kind not in PLAIN_KINDS:
        return Item(address, name=name)
    if kind == "NoneType":
        return Item(address, None, known=True, plain=True, name=name)
    if kind in ("int", "bool"):
        number = objects.integer(address)
        value = bool(number) if kind == "bool" else number
        return Item(address, value, known=True, plain=True, name=name)
    if kind == "float":
        return Item(address, objects.real(address), known=True, plain=True, name=name)
    if kind == "str":
        return Item(address, objects.text(address), known=True, plain=True, name=name)
    return Item(address, plain=True, name=name)
