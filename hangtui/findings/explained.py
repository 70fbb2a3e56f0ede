"""What a finding means, and the words in it: for readers who see one for the first time."""

import re
from collections.abc import Iterator

from hangtui.dataclass import dataclass
from hangtui.findings.glossary import GLOSSARY
from hangtui.model import Finding

_LINK = re.compile(r"\[([^\[\]]*+)\]\([^)\[]*+\)")
_ROW = re.compile(r"\| `(?P<id>[\w-]+)`(?P<more>[^|]*)\| (?P<means>.*) \|")


@dataclass(frozen=True, slots=True)
class Explained:
    """What is said to whoever asks what a finding means."""

    paragraphs: tuple[str, ...]
    words: tuple[tuple[str, str], ...]
    """Those of the finding's text that are not everybody's, with their meanings."""


def explained(finding: Finding, help_text: str) -> Explained:
    """The meaning of *finding*, whose rule says *help_text* of itself (Markdown)."""
    said = " ".join(
        (
            finding.certainty.value,
            finding.title,
            finding.sentence,
            *finding.evidence,
            *finding.unknown,
            *finding.advice,
        )
    )
    return Explained(tuple(_paragraphs(help_text, finding.id)), tuple(_words(said)))


def _words(text: str) -> Iterator[tuple[str, str]]:
    for word, pattern, meaning in GLOSSARY:
        if re.search(rf"(?<!\w)(?:{pattern})", text):
            yield word, _plain(meaning)


def _paragraphs(text: str, identifier: str) -> Iterator[str]:
    """Without marks; of a table the row of this finding alone."""
    for block in filter(None, text.strip().split("\n\n")):
        lines = block.splitlines()
        if not lines[0].startswith("|"):
            yield _plain(" ".join(lines))
            continue
        rows = [match for line in lines if (match := _ROW.fullmatch(line))]
        yield from (
            _plain(f"{row['id']}: {row['means']}") for row in rows if row["id"] == identifier
        )


def _plain(text: str) -> str:
    return _LINK.sub(r"\1", text).replace("`", "").replace("*", "")
