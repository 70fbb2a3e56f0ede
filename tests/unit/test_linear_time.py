"""Every regular expression of the code takes time that grows as the text does, not as its square."""

import ast
import importlib
import pkgutil
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import hangtui
from tests.unit.pumps import superlinear, uses

_ROOT = Path(__file__).parents[2]
_METHODS = frozenset({"match", "fullmatch", "search", "finditer"})
_OTHERS = {"findall": "finditer", "sub": "finditer", "subn": "finditer", "split": "finditer"}

BOUNDED: dict[str, int] = {}
"""Expressions that see so many characters of text at most, with what bounds it."""

NOT_LITERAL: dict[str, str] = {}
"""Functions that put expressions together, with why these are harmless."""


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


def _collected() -> dict[str, tuple[re.Pattern[Any], frozenset[str]]]:
    """By where it is: each expression and the methods with which it is used."""
    used = dict[str, set[str]]()
    result = dict[str, tuple[re.Pattern[Any], frozenset[str]]]()
    modules = list(_modules())
    trees = {module.__name__: ast.parse(Path(str(module.__file__)).read_text()) for module in modules}
    for tree in trees.values():
        for name, method in _calls(tree):
            used.setdefault(name, set()).add(_OTHERS.get(method, method))
    for module in modules:
        name = module.__name__
        for key, value in vars(module).items():
            for pattern in _patterns_in(value):
                if _is_from_elsewhere(key, trees[name]):
                    continue
                methods = used.get(key) if isinstance(value, re.Pattern) else None
                result[f"{name}:{key}:{len(result)}"] = (pattern, frozenset(methods or _METHODS))
        for line, text, method in _inline(trees[name]):
            kind = frozenset({_OTHERS.get(method, method)})
            result[f"{name}:{line}:{len(result)}"] = (re.compile(text), kind)
    return {key.rsplit(":", 1)[0]: value for key, value in result.items()}


def _is_from_elsewhere(key: str, tree: ast.Module) -> bool:
    imports = [node for node in tree.body if isinstance(node, ast.ImportFrom)]
    return any(key == (alias.asname or alias.name) for node in imports for alias in node.names)


def _calls(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """``NAME.method(...)`` and ``module.NAME.method(...)``."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr in _METHODS | set(_OTHERS):
            if isinstance(node.value, ast.Name):
                yield node.value.id, node.attr
            elif isinstance(node.value, ast.Attribute):
                yield node.value.attr, node.attr


def _functions_of_re(tree: ast.Module) -> Iterator[tuple[ast.Call, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            of = node.func.value
            if isinstance(of, ast.Name) and of.id == "re" and node.func.attr != "escape":
                yield node, node.func.attr


def _inline(tree: ast.Module) -> Iterator[tuple[str, str, str]]:
    """Expressions that are given as text to a function of ``re`` other than ``compile``."""
    for node, method in _functions_of_re(tree):
        first = node.args[0]
        if method != "compile" and isinstance(first, ast.Constant) and isinstance(first.value, str):
            yield first.value, first.value, method


_EXPRESSIONS = _collected()


@pytest.mark.parametrize("place", _EXPRESSIONS)
def test_time_grows_as_the_text_does(place: str) -> None:
    pattern, methods = _EXPRESSIONS[place]
    bound = BOUNDED.get(place, 1 << 20)
    assert superlinear(pattern, uses(pattern, methods), bound) is None


def test_the_expressions_are_found() -> None:
    written = sum(
        len(re.findall(r"re\.compile\(", path.read_text()))
        for folder in ("backends", "hangtui", "tui")
        for path in (_ROOT / folder).rglob("*.py")
    )
    assert len(_EXPRESSIONS) >= written - len(NOT_LITERAL) >= 100
