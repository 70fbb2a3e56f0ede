"""Which handlers are there for what a wait raises once its time is over."""

from collections.abc import Sequence

from hangtui.backends.cpython.looking.items import EMPTY, TIME_OVER, DoesMoreError, Item
from hangtui.backends.cpython.objects import Objects

_CATCH = {
    TIME_OVER: frozenset({"TimeoutError", "OSError", "Exception", "BaseException"}),
    EMPTY: frozenset({"Empty", "Exception", "BaseException"}),
}
"""The classes of these exceptions."""


def catches(wanted: Item, raised: Item, objects: Objects) -> bool:
    """Whether a handler of this class, or of one of these, gets what is *raised*.

    Raises:
        DoesMoreError: that cannot be told.
    """
    classes = _CATCH.get(raised)
    kind = objects.kind(wanted.address) if wanted.address else None
    members = objects.tuple_items(wanted.address) if kind == "tuple" else (wanted.address,)
    if classes is None or not (kind in ("type", "tuple") or (wanted.name and not wanted.address)):
        raise DoesMoreError
    if kind is None:
        return wanted.name in classes  # one of the interpreter's own
    names = (objects.class_name(one).rpartition(".")[2] for one in members)
    return not classes.isdisjoint(names)


def that_catches(classes: Sequence[Item], objects: Objects) -> Item:
    """Of a tuple of classes that is made on the spot, one that tells what the tuple does.

    Raises:
        DoesMoreError: that cannot be told.
    """
    telling = (one for one in classes if any(catches(one, raised, objects) for raised in _CATCH))
    return next(telling, classes[0])
