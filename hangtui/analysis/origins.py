"""Whose code a Python file is, by its name alone: the standard library's, an installed package's,
or the application's.

The name comes from the code object, so it is what the importer said: a path, a path inside of a
zip file, a path relative to a frozen program, or something in angle brackets for code without one.
"""

import re
import sys
from enum import StrEnum
from functools import lru_cache

from hangtui.dataclass import dataclass
from hangtui.instruments import is_around

_FILES = 4096
"""Names of files of which it is remembered whose they are."""

_STANDARD = re.compile(
    # lib/python3.12/threading.py, lib/python3.13t/..., lib/pypy3.9/..., lib-python/3/...
    r".*/lib(?:64)?/(?:python|pypy)[23](?:\.\d{1,3})?[a-z]?/(?!(?:site|dist)-packages/).*"
    r"|.*/lib-python/\d[^/]*/.*"
    r"|.*/python3\d{1,3}\.zip/.*",
    re.DOTALL,
)
_INSTALLED = re.compile(
    r".*/(?:(?:site|dist)-packages"
    r"|__pypackages__/[\d.]+/lib"
    r"|\.pex/installed_wheels/[^/]+/[^/]+\.whl"
    r"|\.deps/[^/]+\.whl"
    # copies of others' packages inside of one's own
    r"|_vendor|_vendored|vendor|vendored|third_party)"
    r"/(?:[^/]+\.egg/)?(?P<name>[^/]+).*",
    re.DOTALL,
)
_FIRST_INSTALLED = re.compile(
    r".*?/(?:site|dist)-packages/(?:[^/]+\.egg/)?(?P<name>[^/]+).*", re.DOTALL
)
_WRITTEN = re.compile(
    r"<(?:string|script|stdin|console|input|python-input|ipython-input|ipython console|doctest "
    r"|command-|cell|dynamic-code).*>(?:-\d+)?",
    re.DOTALL,
)
"""Code that somebody wrote although it is in no file: ``python -c``, what is run in an interpreter
(``<script>`` from 3.14 on), notebooks, doctest, and functions that cloudpickle has sent by value,
for a task of Dask, Ray or Spark. What else is in brackets was made by a program:
``<frozen importlib._bootstrap>``, ``<attrs generated init>``.
"""
_GENERATED = {"torch": re.compile(r"/(?P<two>[a-z2-7]{2})/c(?P=two)[a-z2-7]{49}\.py\Z")}
"""Code that packages have generated, by how the names of its files end, outside of them: Inductor's
are called by what it compiled, wherever its cache lies."""
_LONGEST = 64
"""Characters of these ends."""
_SCRIPT = "<string>"
_COPIES = ("multiprocess",)
"""Packages that are the standard library once more, but for how they pickle."""
_SHARED = frozenset(
    {"azure", "azure.mgmt", "azure.storage", "google", "google.cloud", "jaraco", "ruamel", "zope"}
)
"""Names that packages of different makers, or for different things, begin with (PEP 420)."""


class Owner(StrEnum):
    """Whose code it is."""

    STANDARD = "the standard library or the interpreter"
    PACKAGE = "an installed package"
    APPLICATION = "the application"


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a file comes from."""

    owner: Owner
    package: str | None = None
    """As it is imported; for a package only."""


_OF_THE_LIBRARY, _OF_THE_APPLICATION = Origin(Owner.STANDARD), Origin(Owner.APPLICATION)


def origin_of(filename: str, function: str = "") -> Origin:
    """Whose code *function* in *filename* is.

    The standard library compiles methods of data classes and named tuples as ``<string>``, which
    is also what ``python -c`` runs: the first are told by their names.
    """
    if filename == _SCRIPT:
        name = function.rpartition(".")[2]
        made = name == "<lambda>" or (name.startswith("__") and name.endswith("__"))
        return _OF_THE_LIBRARY if made else _OF_THE_APPLICATION
    return _of_file(filename)


# Thousands of stacks have few files, and several rules ask for each frame.
@lru_cache(_FILES)
def _of_file(filename: str) -> Origin:
    if filename.startswith("<"):
        return _OF_THE_APPLICATION if _WRITTEN.fullmatch(filename) else _OF_THE_LIBRARY
    # What a package has vendored is that package's.
    found = _FIRST_INSTALLED.fullmatch(filename) or _INSTALLED.fullmatch(filename)
    if found:
        package = _own_name(found["name"], filename[found.end("name") :])
        passed = package in _COPIES or is_around(filename)
        return _OF_THE_LIBRARY if passed else Origin(Owner.PACKAGE, package)
    if _STANDARD.fullmatch(filename) or _frozen(filename):
        return _OF_THE_LIBRARY
    for package, written in _GENERATED.items():
        if written.search(filename[-_LONGEST:]):
            return Origin(Owner.PACKAGE, package)
    return _OF_THE_APPLICATION


def _own_name(name: str, below: str) -> str:
    """The package by which it is known: in a folder that many share, one within that."""
    for part in below.strip("/").split("/"):
        if name not in _SHARED:
            break
        name += f".{part}"
    return name.removesuffix(".py")


def _frozen(filename: str) -> bool:
    """Whether it is a module of the standard library in a frozen program, whose files have names
    without a folder to begin with: ``threading.py``, ``concurrent/futures/thread.py``."""
    top = filename.partition("/")[0]
    return not filename.startswith("/") and top.removesuffix(".py") in sys.stdlib_module_names
