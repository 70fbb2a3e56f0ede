"""docs/findings says what the rules say of themselves."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from hangtui import findings

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(("script", "seed"), [("finding-pages", "1"), ("hang-pages", "2")])
def test_the_pages_are_up_to_date(script: str, seed: str) -> None:
    """``script/refresh pages`` writes them; what is said does not depend on the order of a set."""
    command = [sys.executable, str(ROOT / "script" / script), "--check"]
    environment = {**os.environ, "PYTHONHASHSEED": seed}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)

    assert (done.returncode, done.stdout) == (0, "")


def test_every_rule_has_a_page_that_says_how_it_is_known() -> None:
    for rule in findings.RULES:
        page = (ROOT / "docs" / "findings" / f"{rule.ID}.md").read_text()
        assert page.startswith(f"# {rule.ID}\n")
        assert len(page.split()) > 15


def test_every_page_is_linked_from_the_index() -> None:
    index = (ROOT / "docs" / "findings" / "README.md").read_text()
    linked = set(re.findall(r"\]\(([\w-]+)\.md\)", index))

    assert linked == {path.stem for path in (ROOT / "docs" / "findings").glob("*.md")} - {"README"}


def test_every_page_links_to_the_rule_of_evidence_that_its_findings_rest_on() -> None:
    safety = (ROOT / "docs" / "safety.md").read_text()
    sections = dict(re.findall(r"^### (.*)\n\n(.*)$", safety, flags=re.MULTILINE))

    for rule in findings.RULES:
        page = (ROOT / "docs" / "findings" / f"{rule.ID}.md").read_text()
        assert f"](../safety.md#{rule.GROUND.anchor})" in page
        assert sections[rule.GROUND.title].startswith(rule.GROUND.says)
        ids = getattr(rule, "IDS", (rule.ID,))
        assert all(rule.GROUND.says in findings.help_of(one) for one in ids)


def test_every_page_has_an_example_that_its_rule_tells() -> None:
    for rule in findings.RULES:
        page = (ROOT / "docs" / "findings" / f"{rule.ID}.md").read_text()
        _, _, shown = page.partition("\n## Example\n")
        told = re.search(r"^```text\n(ERROR|WARNING|NOTE): ", shown, re.MULTILINE)
        assert told is not None, rule.ID
        fix = "  what to try\n" in shown or "\n```diff\n" in shown
        assert fix or told[1] == "NOTE", rule.ID


def test_every_hang_of_which_there_is_a_capture_is_on_its_page() -> None:
    page = (ROOT / "docs" / "hangs.md").read_text()
    recorded = {path.stem for path in (ROOT / "snapshots" / "hangs").glob("*.hang")}

    assert set(re.findall(r"tests/hangs/(\w+)/main\.py", page)) == recorded
    assert len(recorded) > 100
