"""What a finding means: the rule's own words, and a glossary of what it says."""

import re

import pytest

from hangtui import capture_file, findings
from hangtui.findings.explained import explained
from hangtui.findings.glossary import GLOSSARY
from hangtui.model import Certainty, Finding, Severity
from tests.tui.driving import SNAPSHOTS


def made(identifier: str = "busy", sentence: str = "It runs.") -> Finding:
    return Finding(identifier, Severity.NOTE, Certainty.CERTAIN, "t", sentence, ())


@pytest.mark.parametrize("identifier", [one for one in findings.ids() if one != "rule-failed"])
def test_every_finding_can_be_explained(identifier: str) -> None:
    told = explained(made(identifier), findings.help_of(identifier))
    assert told.paragraphs
    assert len(" ".join(told.paragraphs).split()) > 10
    assert not [text for text in told.paragraphs if re.search(r"[`|*]|\]\(", text)]


def test_of_a_table_only_its_own_row_is_told() -> None:
    told = " ".join(explained(made("gil-hog"), findings.help_of("gil-hog")).paragraphs)
    assert "gil-hog: it runs native code and keeps the GIL" in told
    assert "gc-storm" not in told


def test_only_the_words_that_occur_are_explained() -> None:
    told = explained(made(sentence="It keeps the GIL; fd 3 is a pipe."), "")
    assert [word for word, _ in told.words] == ["certain", "GIL", "pipe", "fd"]
    assert [word for word, _ in explained(made(sentence="a_GIL certainly"), "").words] == [
        "certain"
    ]


def test_a_word_that_is_part_of_another_one_is_not_meant() -> None:
    words = [word for word, _ in explained(made(sentence="stovepipe, alternative"), "").words]
    assert words == ["certain"]


@pytest.mark.parametrize("name", ["story_a_rwlock_gil", "abba", "gil_blocked", "crash_member"])
def test_the_hard_words_of_real_findings_are_explained(name: str) -> None:
    for finding in findings.run(capture_file.load(SNAPSHOTS / f"{name}.hang")):
        told = dict(explained(finding, findings.help_of(finding.id)).words)
        said = " ".join((finding.title, finding.sentence, *finding.evidence))
        for word in ("GIL", "rwlock", "futex", "NULL", "SIGSEGV", "proven"):
            assert (word in told) == (re.search(rf"\b{word}\b", said) is not None)


def test_meanings_are_short_and_patterns_find_their_words() -> None:
    assert len({word for word, _, _ in GLOSSARY}) == len(GLOSSARY)
    for word, pattern, meaning in GLOSSARY:
        assert re.search(pattern, "") is None, word
        assert 3 < len(meaning.split()) < 30, word
