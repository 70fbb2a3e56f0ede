"""The keys of the table as Textual has to know them."""

from collections.abc import Iterable, Iterator, Sequence

from textual.binding import Binding, BindingType

from hangtui.tui.keys import KEYS, Key, Scope


def keys_of(*scopes: Scope, table: Sequence[Key] = KEYS) -> Iterator[Key]:
    """The keys of *table* that work in any of *scopes*."""
    return (key for key in table if key.scope in scopes)


def bindings(scope: Scope) -> list[BindingType]:
    """What Textual has to know of a scope's keys."""
    return bindings_of(keys_of(scope))


def bindings_of(keys: Iterable[Key]) -> list[BindingType]:
    """What Textual has to know of *keys*."""
    return [
        Binding(key.keys, key.action, key.words, show=False, id=key.id, priority=key.priority)
        for key in keys
        if key.keys
    ]
