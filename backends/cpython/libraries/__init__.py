"""What is known of libraries' own resources, as data: one file for each library.

``NAME.json`` says in which classes a resource lives, what it is called in the library's own words,
which attributes count it, and which objects are what it lends out. Where an attribute is not
there, as in a version that nobody tried, the count is not known, and what frames show remains.
"""

import json
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from hangtui.dataclass import dataclass
from hangtui.model import NodeKind


@dataclass(frozen=True, slots=True)
class Term:
    """One part of a sum: a number at the end of a way of attributes, or how much is in there."""

    sign: int
    way: tuple[str, ...]
    of: str = ""
    """``len``: it is a container, and what counts is its length; ``maxlen``: a deque's bound."""


@dataclass(frozen=True, slots=True)
class Thing:
    """What a resource lends out, as an object that whoever has it refers to."""

    package: str
    class_name: str
    pool: tuple[str, ...]
    """The attributes that lead from it to the resource."""
    lent: tuple[str, ...] = ()
    """The attributes that lead to something, be it True, only while it is lent out; none: it is, as
    long as it leads to the resource."""


@dataclass(frozen=True, slots=True)
class LibraryResource:
    """A class whose instances lend something out."""

    library: str
    """Empty: the package says it."""
    package: str
    class_name: str
    kind: NodeKind
    lends: str
    """What, in the library's own words: ``connection``."""
    size: tuple[Term, ...] = ()
    out: tuple[Term, ...] = ()
    made: tuple[Term, ...] = ()
    """How many of them it has made since it began, where `out` counts those that it is to make."""
    failed: tuple[Term, ...] = ()
    """How often it could not make one."""
    waiting: tuple[Term, ...] = ()
    things: tuple[Thing, ...] = ()
    among: tuple[str, ...] = ()
    """Where it keeps all that it has, lent out or not."""
    resting: tuple[str, ...] = ()
    """Where it keeps what is not lent out."""
    borrowers: tuple[str, ...] = ()
    """Where it records who has borrowed: tasks of asyncio, or objects that stand for somebody."""
    through: tuple[str, ...] = ()
    """Packages whose own context managers give back what they have of it."""
    using: tuple[str, ...] = ()
    """Its methods that have something lent out for as long as they run, but for their own wait."""
    acquire: tuple[str, ...] = ()
    """Its methods that wait until something can be lent out."""
    returned: tuple[str, ...] = ()
    """Its methods that wait until nothing is out any more."""
    release: str = ""
    """What gives it back, as an advice says it."""
    timeout: str = ""
    """The option that limits the wait."""
    guessed: bool = False
    """No file says so: it is told by what the attributes are called."""


@dataclass(frozen=True, slots=True)
class Library:
    """One library."""

    name: str
    package: str
    install: tuple[str, ...]
    """What to install for its program in the tests; nothing where it needs a server."""
    tried: tuple[str, ...]
    """Versions that tests ran."""
    resources: tuple[LibraryResource, ...]


@cache
def libraries() -> tuple[Library, ...]:
    """All that are known, by name."""
    files = sorted(Path(__file__).parent.glob("*.json"))
    return tuple(_library(json.loads(file.read_text())) for file in files)


@cache
def by_class() -> Mapping[str, tuple[LibraryResource, ...]]:
    """All resources by the bare name of their class."""
    found: dict[str, list[LibraryResource]] = {}
    for library in libraries():
        for resource in library.resources:
            found.setdefault(resource.class_name, []).append(resource)
    return {name: tuple(resources) for name, resources in found.items()}


def _library(data: Mapping[str, Any]) -> Library:
    found = tuple(_resource(data, one) for one in data["resources"])
    install, tried = tuple(data["install"]), tuple(data["tried"])
    return Library(data["library"], data["package"], install, tried, found)


def _resource(library: Mapping[str, Any], data: Mapping[str, Any]) -> LibraryResource:
    package = data.get("package", library["package"])
    return LibraryResource(
        library["library"],
        package,
        data["class"],
        NodeKind(data.get("kind", "pool")),
        data["lends"],
        tuple(_terms(data.get("size", ""))),
        tuple(_terms(data.get("out", ""))),
        tuple(_terms(data.get("made", ""))),
        tuple(_terms(data.get("failed", ""))),
        tuple(_terms(data.get("waiting", ""))),
        tuple(_thing(package, one) for one in data.get("things", ())),
        _way(data.get("among", "")),
        _way(data.get("resting", "")),
        _way(data.get("borrowers", "")),
        tuple(data.get("through", ())),
        tuple(data.get("using", ())),
        tuple(data.get("acquire", ())),
        tuple(data.get("returned", ())),
        data.get("release", ""),
        data.get("timeout", ""),
    )


def _thing(package: str, data: Mapping[str, str]) -> Thing:
    return Thing(
        data.get("package", package),
        data["class"],
        _way(data["pool"]),
        _way(data.get("lent", "")),
    )


def _terms(text: str) -> Iterator[Term]:
    """``_pool.maxsize - len(_pool.queue) + _overflow``."""
    sign = 1
    for word in text.split():
        if word in ("+", "-"):
            sign = -1 if word == "-" else 1
            continue
        of, _, inside = word.rstrip(")").rpartition("(")
        yield Term(sign, _way(inside), of)


def _way(text: str) -> tuple[str, ...]:
    return tuple(filter(None, text.split(".")))
