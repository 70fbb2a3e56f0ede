"""Which CPythons a test runs under: the newest installed, and one other that its name chooses.

So every version gets a fixed share of the tests, and a fair one. Where only the kernel is asked
(``some_python``), one is enough. A test that is marked
``every_python`` runs under all that it names: it reads what a version lays out in its own way, or
stands for all others of its mechanism. With HANGTUI_TEST_ALL in the environment
(``script/test --all``) every test does.
"""

import os
import zlib
from collections.abc import Iterable

import pytest

from tests.integration.targets import Interpreter

ALL = bool(os.environ.get("HANGTUI_TEST_ALL"))
"""Whether everything is wanted."""


def left_out(items: Iterable[pytest.Item]) -> list[pytest.Item]:
    """Those whose CPython another run of the same test stands for.

    *items* are those that were asked for: who names a version gets all tests under it.
    """
    if ALL:
        return []
    groups: dict[str, dict[Interpreter, list[pytest.Item]]] = {}
    for item in items:
        found = _interpreter(item)
        if found is not None and item.get_closest_marker("every_python") is None:
            name = item.nodeid.replace(found.id, "")
            groups.setdefault(name, {}).setdefault(found, []).append(item)
    result = []
    for name, runs in groups.items():
        ((first, *_), *_) = runs.values()
        keep = chosen(name, runs, one="some_python" in getattr(first, "fixturenames", ()))
        result += [item for found, some in runs.items() if found not in keep for item in some]
    return result


def chosen(name: str, found: Iterable[Interpreter], *, one: bool) -> tuple[Interpreter, ...]:
    """Of those that a test can run under, the newest installed and one that its name chooses.

    *one*: nothing but that one, where only the kernel is asked.
    """
    *others, newest = sorted(
        found, key=lambda own: (own.origin != "fetched", own.number, own.origin == "pyenv", own.id)
    )
    turn = zlib.crc32(name.encode())
    if one:
        return ((*others, newest)[turn % (1 + len(others))],)
    return (newest, others[turn % len(others)]) if others else (newest,)


def _interpreter(item: pytest.Item) -> Interpreter | None:
    call = getattr(item, "callspec", None)
    values = () if call is None else call.params.values()
    return next((value for value in values if isinstance(value, Interpreter)), None)
