"""Every regular expression of the code takes time that grows as the text, not as its square."""

import ast
import functools
import importlib
import pkgutil
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import hangtui
from hangtui.backends.debugger import commands
from hangtui.findings.glossary import GLOSSARY
from tests.unit.pumps import superlinear, uses

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]

_METHODS = frozenset({"match", "fullmatch", "search", "finditer"})
_OTHERS = {"findall": "finditer", "sub": "finditer", "subn": "finditer", "split": "finditer"}

_PASSED_ON = {"hangtui.findings.crash": {"fullmatch"}}
"""What is done there to expressions that are given to another module: Scene.within."""

BOUNDED: dict[str, int] = {
    # What somebody types into the console.
    "hangtui.backends.debugger.commands:_WORD": commands.LONGEST,
    "hangtui.backends.debugger.expressions:_TOKEN": commands.LONGEST,
    # The name of a file in a folder (NAME_MAX).
    "hangtui.backends.packages.python:_NAMED": 255,
    # Names are cut before (_LONGEST).
    "hangtui.backends.procfs.secrets.names:_POSSIBLE": 200,
    "hangtui.backends.procfs.secrets.names:_WORD": 200,
}
"""Expressions that see so many characters of text at most, with what bounds it."""

PUT_TOGETHER = {
    "hangtui.backends.ipc.filelocks:_device": "out of a number, for the kernel's table",
    "hangtui.findings.explained:_words": "out of the glossary's, which are tested here",
    "hangtui.tui.filters:_regex": "what the engineer typed",
}
"""Functions that put expressions together, and out of what."""

OLD = {
    "the words of a command line": r"""(?P<name>[\w.-]+)(?P<between>["']?\s*[:=]\s*)"""
    r"""(?P<value>"[^"]*"|'[^']*'|[^\s,;&"'(){}]+)""",
    "user and password": r"(?P<scheme>[a-zA-Z][\w+.-]*://)(?P<user>[^\s/:@]*):[^\s/@]*(?:@[^\s/@]*)*@",
    "a long user": r"(?P<scheme>[a-zA-Z][\w+.-]*://)[^\s/:@]{16,}@",
    "frames of faulthandler": r'  File "(?P<file>(?:[^"\\]|\\.|"(?!, line))*)", '
    r"line (?P<line>\d+|\?\?\?) in (?P<name>.+)$",
    "its threads": r"(?P<which>Current thread|Thread) 0x(?P<ident>[0-9a-f]{1,16})"
    r"(?: \[(?P<name>[^\]]*)\])? \(most recent call first\):",
    "frames of py-spy": r"^ {4}(?P<name>\S.*?) \((?P<file>.+?)(?::(?P<line>\d+))?\)$",
    "frames of gdb": r"^#(?P<number>\d{1,5}) +(?:(?P<address>0x[0-9a-f]{1,16}) in )?"
    r"(?P<name>.+?) \(",
    "texts in gdb's answers": r'"(?:[^"\\]|\\.)*"',
    "lines of status": r"(?m)^(\w+):[ \t]*(.*?)[ \t]*$",
    "nested": r"(?:a+)+b",
    "overlapping": r"[a-z]*[a-m]*x",
    "far apart": r"begin.*end",
}
"""Expressions that were in the code, and textbook ones: each must be found out."""


def _modules() -> Iterator[ModuleType]:
    for found in pkgutil.walk_packages(hangtui.__path__, "hangtui."):
        if not found.name.endswith("__main__"):
            yield importlib.import_module(found.name)


def _patterns_in(value: object) -> Iterator[re.Pattern[Any]]:
    if isinstance(value, re.Pattern):
        yield value
    elif isinstance(value, dict):
        for one in (*value, *value.values()):
            yield from _patterns_in(one)
    elif isinstance(value, (tuple, list, set, frozenset)):
        for one in value:
            yield from _patterns_in(one)


@functools.cache
def _collected() -> dict[str, tuple[re.Pattern[Any], frozenset[str]]]:
    """By where it is: each expression and the methods with which it is used."""
    modules = list(_modules())
    used = _uses(modules)
    result = dict[str, tuple[re.Pattern[Any], frozenset[str]]]()
    for module in modules:
        name, tree = module.__name__, _tree_of(module)
        for key, value in vars(module).items():
            if _is_from_elsewhere(key, tree):
                continue
            full = f"{name}:{key}" if key.startswith("_") else key
            methods = used.get(full) or _PASSED_ON.get(name.rpartition(".")[0]) or _METHODS
            for number, pattern in enumerate(_patterns_in(value)):
                place = f"{name}:{key}" + (f" {number}" if number else "")
                result[place] = (pattern, frozenset(methods))
    known = {pattern.pattern for pattern, _ in result.values()}
    for module in modules:
        for text, method in _inline(_tree_of(module)):
            if method != "compile":
                result[f"{module.__name__}:{text}"] = (re.compile(text), frozenset({method}))
            elif text not in known:
                result[f"{module.__name__}:{text}"] = (re.compile(text), _METHODS)
    return result


def _uses(modules: list[ModuleType]) -> dict[str, set[str]]:
    """The methods that are called of a name; one with an underscore is its module's own."""
    used = dict[str, set[str]]()
    for module in modules:
        for name, method in _calls(_tree_of(module)):
            key = f"{module.__name__}:{name}" if name.startswith("_") else name
            used.setdefault(key, set()).add(method)
    return used


@functools.cache
def _tree_of(module: ModuleType) -> ast.Module:
    return ast.parse(Path(str(module.__file__)).read_text())


def _is_from_elsewhere(key: str, tree: ast.Module) -> bool:
    imports = [node for node in tree.body if isinstance(node, ast.ImportFrom)]
    return any(key == (alias.asname or alias.name) for node in imports for alias in node.names)


def _calls(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """``NAME.method(...)`` and ``module.NAME.method(...)``."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr in _METHODS | set(_OTHERS):
            if isinstance(node.value, ast.Name):
                yield node.value.id, _OTHERS.get(node.attr, node.attr)
            elif isinstance(node.value, ast.Attribute):
                yield node.value.attr, _OTHERS.get(node.attr, node.attr)


def _functions_of_re(tree: ast.AST, function: str = "") -> Iterator[tuple[ast.Call, str, str]]:
    """Calls of what takes an expression, with its name and the function in which they are."""
    for node in ast.iter_child_nodes(tree):
        inner = node.name if isinstance(node, ast.FunctionDef) else function
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            of, name = node.func.value, node.func.attr
            if isinstance(of, ast.Name) and of.id == "re" and name != "escape":
                yield node, name, inner
        yield from _functions_of_re(node, inner)


def _inline(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Expressions that are given as text to a function of ``re``, with the method that it means."""
    for node, method, _ in _functions_of_re(tree):
        first = node.args[0]
        if isinstance(first, ast.Constant) and isinstance(first.value, str):
            yield first.value, _OTHERS.get(method, method)


def _that_mention_re() -> list[str]:
    """The modules in whose text ``re`` is used, told without importing any."""
    top = Path(hangtui.__path__[0])
    folders = [path for path in top.iterdir() if path.is_dir()]  # links to backends and tui, too
    files = [*top.glob("*.py"), *(file for folder in folders for file in folder.rglob("*.py"))]
    found = [file for file in files if re.search(r"\bre\.", file.read_text())]
    names = [".".join(file.relative_to(top).with_suffix("").parts) for file in found]
    return sorted(f"hangtui.{name}".removesuffix(".__init__") for name in names)


@pytest.mark.parametrize("module", _that_mention_re())
def test_time_grows_as_the_text_does(module: str) -> None:
    slow = {
        place: found
        for place, (pattern, methods) in _collected().items()
        if place.startswith(f"{module}:")
        and (found := superlinear(pattern, uses(pattern, methods), BOUNDED.get(place, 1 << 20)))
    }
    assert slow == {}


@pytest.mark.parametrize(("word", "text"), [(word, text) for word, text, _ in GLOSSARY])
def test_time_grows_as_the_text_does_for_the_glossary(word: str, text: str) -> None:
    pattern = re.compile(rf"(?<!\w)(?:{text})")
    assert superlinear(pattern, uses(pattern, frozenset({"search"}))) is None, word


@pytest.mark.parametrize("old", OLD)
def test_what_was_slow_is_found_out(old: str) -> None:
    pattern = re.compile(OLD[old])
    assert superlinear(pattern, uses(pattern, frozenset({"search"}))) is not None


def test_what_is_linear_is_not() -> None:
    for plain in (r"(?<!\w)\w++:", r"(?<!\w)\w+", r"^\s*#", r"a|b|cd"):
        assert superlinear(re.compile(plain), uses(re.compile(plain), _METHODS)) is None


def test_the_expressions_are_found() -> None:
    texts = {pattern.pattern for pattern, _ in _collected().values()}
    constants = {
        argument.value
        for module in _modules()
        for call, _, _ in _functions_of_re(_tree_of(module))
        if isinstance(argument := call.args[0], ast.Constant)
    }
    assert {place.partition(":")[0] for place in _collected()} <= set(_that_mention_re())
    assert len(constants) >= 100
    assert constants - texts == set()


def test_no_other_function_puts_one_together() -> None:
    found = set()
    for module in _modules():
        for call, _, function in _functions_of_re(_tree_of(module)):
            if function and not isinstance(call.args[0], ast.Constant):
                found.add(f"{module.__name__}:{function}")
    assert found == set(PUT_TOGETHER)
