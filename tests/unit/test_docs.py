import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from hangtui.analysis.states import ThreadState
from hangtui.capture_file import load
from hangtui.diagnosis import diagnose
from hangtui.model import NodeKind
from hangtui.report.json_report import to_dict

ROOT = Path(__file__).parents[2]
SECTIONS = ("Top", "processes", "threads", "nodes", "edges", "findings")


def documented() -> dict[str, set[str]]:
    """The keys that the tables of docs/json.md name, by section."""
    result = {}
    for section in re.split(r"^## ", (ROOT / "docs" / "json.md").read_text(), flags=re.MULTILINE)[
        1:
    ]:
        title, *lines = section.splitlines()
        cells = [line.split("|")[1] for line in lines if line.startswith("| `")]
        result[title] = {key for cell in cells for key in re.findall(r"`(\w+)`", cell)}
    return result


def printed() -> dict[str, set[str]]:
    """The keys that are really there, over all recorded captures."""
    result: dict[str, set[str]] = {section: set() for section in SECTIONS}
    for path in sorted((ROOT / "snapshots").glob("*.hang")):
        top: dict[str, Any] = to_dict(diagnose(load(path)))
        result["Top"] |= top.keys()
        for section in ("processes", "nodes", "edges", "findings"):
            for entry in top[section]:
                result[section] |= entry.keys()
        for process in top["processes"]:
            for thread in process["threads"]:
                result["threads"] |= thread.keys()
    return result


@pytest.mark.parametrize("section", SECTIONS)
def test_the_json_is_documented_key_by_key(section: str) -> None:
    assert documented()[section] == printed()[section]


def test_the_kinds_of_nodes_and_states_are_documented() -> None:
    text = (ROOT / "docs" / "json.md").read_text()
    (kinds,) = re.findall(r"^\| `kind` \|(.*)\|$", text, flags=re.MULTILINE)
    (states,) = re.findall(r"^\| `does` \|.*: (.*) \|$", text, flags=re.MULTILINE)

    assert re.findall(r"`([\w-]+)`", kinds) == [kind.value for kind in NodeKind]
    assert set(states.split()) == {state.code for state in ThreadState}


def links() -> Iterator[tuple[str, str]]:
    """Every relative link of every page."""
    for page in [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("benchmarks/*.md")]:
        for target in re.findall(r"\]\(([^)#]+)\)", page.read_text()):
            if "://" not in target:
                yield str(page.relative_to(ROOT)), target.replace("%5B", "[").replace("%5D", "]")


@pytest.mark.parametrize(("page", "target"), list(links()))
def test_links_lead_somewhere(page: str, target: str) -> None:
    assert (ROOT / page).parent.joinpath(target).exists()


def test_each_promise_of_safety_names_tests_that_exist() -> None:
    text = (ROOT / "docs" / "safety.md").read_text()
    rows = re.findall(r"^\| \*\*.*\| ([^|]+) \|$", text, flags=re.MULTILINE)
    assert len(rows) >= 10
    names = [re.findall(r"`(\w[\w/]+\.py)`", row) for row in rows]
    assert [row for row, found in zip(rows, names, strict=True) if not found] == ["below"]
    assert [one for found in names for one in found if not (ROOT / "tests" / one).exists()] == []


def test_the_modules_that_the_map_names_exist() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text()
    rows = re.findall(r"^\| (`[\w/`, ]+`) \| [^|]+\|$", text, flags=re.MULTILINE)
    names = [name for row in rows for name in re.findall(r"`([\w/]+)`", row)]

    rooms = {one.name for one in (ROOT / "backends").iterdir() if (one / "__init__.py").exists()}
    assert rooms <= {name.rstrip("/") for name in names}
    missing = [
        name
        for name in names
        if not (ROOT / "backends" / f"{name}.py").exists()
        and not (ROOT / "backends" / name).is_dir()
    ]
    assert missing == []
