"""What the pages on findings and on hangs are made of: real captures, told by today's rules."""

import ast
import difflib
import json
import re
import sys
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from hangtui import findings  # noqa: E402
from hangtui.capture_file import load  # noqa: E402
from hangtui.diagnosis import diagnose  # noqa: E402
from hangtui.model import Finding, clean  # noqa: E402
from hangtui.report.text_report import finding_lines  # noqa: E402
from tests.endurance.examples import BY_HAND, HANGS, PROGRAMS, Started, recorded_for  # noqa: E402

_WIDTH = 88
_LONGEST = 45
"""Lines of a program that a page shows."""


@cache
def found_in(path: Path) -> tuple[Finding, ...]:
    """What is found in a recorded capture."""
    return diagnose(load(path)).findings


def told(finding: Finding, *, briefly: bool = False) -> str:
    """A finding, as a report prints it; *briefly*: without the evidence, and the first advice."""
    if briefly:
        finding = replace(finding, evidence=(), unknown=(), advice=finding.advice[:1])
    lines = (clean(line) for line in finding_lines(finding, _WIDTH))
    return "\n".join(lines).rstrip() + "\n"


def hangs() -> list[dict[str, Any]]:
    """The programs in tests/hangs of which there is a capture, in the order of their numbers."""
    cases = [json.loads(one.read_text()) for one in (ROOT / "tests/hangs").glob("*/case.json")]
    cases.sort(key=lambda case: int(case["name"].partition("_")[0]))
    return [case for case in cases if (HANGS / f"{case['name']}.hang").exists()]


def repaired(name: str) -> str:
    """What is different in the twin of a hang, which goes on: without the lines around it."""
    folder = ROOT / "tests" / "hangs" / name
    one, two = ((folder / file).read_text().splitlines() for file in ("main.py", "twin.py"))
    lines = list(difflib.unified_diff(one, two, n=1, lineterm=""))[2:]
    return "".join(f"{line}\n" for line in lines if not line.startswith("@@"))


def example(rule: str, ids: tuple[str, ...], above: str) -> str:
    """The example on the page of a rule, whose findings have *ids*; *above*: the way from the page
    to the root of the repository. Empty: there is none."""
    own = recorded_for(rule)
    if own.exists():
        text = _program(rule, above)
        finding = next(one for one in found_in(own) if one.id in ids)
        return f"## Example\n\n{text}\n```text\n{told(finding)}```\n"
    for case in hangs():
        first = next(iter(found_in(HANGS / f"{case['name']}.hang")), None)
        if first is not None and first.id in ids:
            fix = repaired(case["name"])
            diff = f"\nWithout the fault:\n\n```diff\n{fix}```\n" if fix else ""
            return f"## Example\n\n{reason(case, above)}\n\n```text\n{told(first)}```\n{diff}"
    return ""


def reason(case: dict[str, Any], above: str) -> str:
    """What is true of a hang, and where its program is."""
    cause = case["expected"]["root_cause"].rstrip(". ")
    return f"{escaped(cause)}. [The program]({above}/tests/hangs/{case['name']}/main.py)."


def escaped(text: str) -> str:
    """Names in a sentence that Markdown would take for emphasis, links or HTML."""
    return re.sub(r"([<>*_\[\]])", r"\\\1", text)


def _program(rule: str, above: str) -> str:
    if rule in BY_HAND:
        return f"{BY_HAND[rule]}\n"
    started = PROGRAMS[rule]
    if started.files:
        return f"Three ranks of torch have left [these records]({above}/{started.files[0]}).\n"
    path = f"tests/targets/{started.program}.py"
    source = (ROOT / path).read_text()
    words = (
        "" if started.arguments else " ".join((ast.get_docstring(ast.parse(source)) or "").split())
    )
    code = _shown(source, started)
    link = f"[The program]({above}/{path})"
    if not code:
        return f"{words} {link}, `{' '.join(started.arguments)}`.\n".lstrip()
    return f"{words} {link}:\n\n```python\n{code}```\n".lstrip()


def _shown(source: str, started: Started) -> str:
    """The function that is run, if the program has several, else all but its beginning; nothing if
    that is long."""
    tree, lines = ast.parse(source), source.splitlines(keepends=True)
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name in started.arguments:
            return "".join(lines[node.lineno - 1 : node.end_lineno])
    code = [one for one in tree.body if not isinstance(one, (ast.Import, ast.ImportFrom, ast.Expr))]
    shown = lines[(code[0].lineno if code else 1) - 1 :]
    return "".join(shown) if len(shown) <= _LONGEST else ""


def rule_ids(rule: Any) -> tuple[str, ...]:
    """What the findings of a rule are called."""
    return tuple(getattr(rule, "IDS", (rule.ID,)))


RULES = findings.RULES
