"""What a finding means, and the words in it that are not everybody's."""

from collections.abc import Iterator

from rich.text import Text

from hangtui import findings
from hangtui.findings.explained import explained
from hangtui.model import Finding, clean
from hangtui.tui.cells import wrap
from hangtui.tui.dialogs.help import Dialog
from hangtui.tui.theme import HEADING


class ExplainDialog(Dialog):
    """The rule's own words, and a glossary of one finding."""

    TITLE_TEXT = "What it means"

    def __init__(self, finding: Finding | None) -> None:
        super().__init__()
        self._finding = finding

    def lines(self, width: int) -> list[Text]:
        """Meaning first, then the words."""
        if self._finding is None:
            return [Text(line) for line in wrap("There is no finding to explain.", width)]
        return list(_lines(self._finding, width))


def _lines(finding: Finding, width: int) -> Iterator[Text]:
    told = explained(finding, findings.help_of(finding.id))
    yield Text(clean(finding.id).upper(), HEADING)
    for paragraph in told.paragraphs:
        yield from map(Text, wrap(paragraph, width))
        yield Text()
    yield Text("WORDS IN THIS FINDING", HEADING)
    for word, meaning in told.words:
        first, *more = wrap(f"{word}: {meaning}", width, "  ", "    ")
        yield Text.assemble("  ", (word, "bold"), first[2 + len(word) :])
        yield from map(Text, more)
