"""The rows of findings and notices, and the whole story of one of them."""

import re
from collections.abc import Iterator, Sequence
from functools import partial

from rich.text import Text

from hangtui.analysis import coverage
from hangtui.analysis.whereabouts import told
from hangtui.model import Certainty, Finding, Notice, clean
from hangtui.tui.cells import cut, pad, wrap
from hangtui.tui.rows import labels
from hangtui.tui.rows.row import Row
from hangtui.tui.session import CaptureView
from hangtui.tui.theme import (
    CERTAINTY_STYLES,
    HEADING,
    MUTED,
    SEVERITY_SIGNS,
    SEVERITY_STYLES,
)

_TOLD = re.compile(rf"\(({'|'.join(Certainty)}), [a-z-]{{1,20}}\)$")
"""What `Words.reading` puts at the end of a piece of evidence."""


def finding_rows(view: CaptureView, *, cards: bool) -> list[Row]:
    """Findings, worst first, then notices."""
    height = 4 if cards else 1
    rows = [
        Row(
            f"finding:{index}",
            partial(_card if cards else _row, finding),
            f"{finding.id} {finding.title} {finding.sentence}",
            height,
        )
        for index, finding in enumerate(view.findings)
    ]
    notices = view.notices
    if notices:
        heading = Text(f"MISSING IN THIS CAPTURE: {labels.plural(len(notices), 'notice')}", HEADING)
        rows.append(Row("missing", lambda _width: [heading], selectable=False))
    rows += [
        Row(f"notice:{index}", partial(_notice_row, notice), f"{notice.source} {notice.message}")
        for index, notice in enumerate(notices)
    ]
    return rows


def item_of(view: CaptureView, key: str) -> Finding | Notice | None:
    """What a row stands for."""
    kind, _, number = key.partition(":")
    items: Sequence[Finding | Notice] = ()
    if kind == "finding":
        items = view.findings
    elif kind == "notice":
        items = view.notices
    return items[int(number)] if number.isdecimal() and int(number) < len(items) else None


def _row(finding: Finding, width: int) -> list[Text]:
    room = max(width - 2 - 9 - 1, 1)
    return [
        Text.assemble(
            _sign(finding),
            " ",
            (pad(finding.certainty.value, 9), CERTAINTY_STYLES[finding.certainty]),
            " ",
            cut(finding.title, room),
        )
    ]


def _card(finding: Finding, width: int) -> list[Text]:
    head = Text.assemble(
        _sign(finding),
        " ",
        (pad(finding.certainty.value, 9), CERTAINTY_STYLES[finding.certainty]),
        (f"  {cut(clean(finding.id), max(width - 13, 1))}", MUTED),
    )
    body = wrap(finding.title, width, "  ", "  ")
    if len(body) > 2:
        body = [body[0], cut(f"{body[1]} …", width)]
    return [head, *(Text(line) for line in body), *[Text()] * (3 - len(body))]


def _sign(finding: Finding) -> tuple[str, str]:
    return SEVERITY_SIGNS[finding.severity], SEVERITY_STYLES[finding.severity]


def _notice_row(notice: Notice, width: int) -> list[Text]:
    return [Text.assemble(("! ", "yellow"), cut(f"{notice.source}: {notice.message}", width - 2))]


def finding_lines(finding: Finding, width: int) -> list[Text]:
    """Everything that a finding says."""
    return list(_finding_lines(finding, width))


def _finding_lines(finding: Finding, width: int) -> Iterator[Text]:
    severity = finding.severity
    yield Text.assemble(
        (SEVERITY_SIGNS[severity], SEVERITY_STYLES[severity]),
        " ",
        (finding.certainty.value, CERTAINTY_STYLES[finding.certainty]),
        f"  {severity.value}",
    )
    yield from _paragraph(finding.title, width, HEADING)
    yield Text()
    yield from _paragraph(finding.sentence, width)
    if finding.where:
        yield Text()
        yield Text("WHERE", HEADING)
        yield from _paragraph(told(finding.where), width)
    yield from _numbered("WHY WE SAY SO", finding.evidence, width)
    yield from _bulleted("UNKNOWN", finding.unknown, "?", width)
    yield from _bulleted("WHAT TO TRY", finding.advice, "-", width)
    if finding.threads:
        yield Text()
        yield Text("THREADS", HEADING)
        for thread in finding.threads:
            yield Text(cut(f"  {thread.tid:>7}  {clean(thread.name)}", width))


def notice_lines(notice: Notice, width: int) -> list[Text]:
    """What is missing, and how to get it."""
    process = f" · process {notice.pid}" if notice.pid else ""
    lines = [Text(cut(f"! {notice.source}{process}", width), "bold yellow")]
    lines += _paragraph(notice.message, width)
    if notice.fix:
        lines += [Text(), Text("TO GET IT", HEADING)]
        lines += [Text(line) for line in wrap(notice.fix, width, "  ")]
    return lines


def quiet_lines(view: CaptureView, width: int) -> list[Text]:
    """What is said when no rule found anything."""
    if not view.capture.complete:
        text = f"Not read yet: {labels.listed(view.capture.pending, 6)}."
        return list(_paragraph(text, width, MUTED))
    if dark := coverage.overlooked(view.capture):
        head = "No rule found anything, which proves nothing, as not all was looked at:"
        said = (f"{coverage.sentence(pid, gaps)}." for pid, gaps in dark.items())
        return [line for text in (head, *said) for line in _paragraph(text, width)]
    if not view.capture.processes:
        return list(_paragraph("There is no process in this capture.", width, MUTED))
    text = (
        "No rule found anything in this capture. A program that waits by design, for a request"
        " or for a timer, looks like this too. If it should be working, take another capture (r)"
        " and see in the overview which threads have the same stack as before."
    )
    return list(_paragraph(text, width))


def _paragraph(text: str, width: int, style: str = "") -> Iterator[Text]:
    return (Text(line, style) for line in wrap(text, width))


def _numbered(heading: str, texts: Sequence[str], width: int) -> Iterator[Text]:
    if texts:
        yield Text()
        yield Text(heading, HEADING)
    for number, text in enumerate(texts, 1):
        yield from _with_certainty(text, wrap(text, width, f"  {number:>2}  "))


def _with_certainty(text: str, wrapped: Sequence[str]) -> list[Text]:
    """The lines of a piece of evidence, with the word at its end made visible that tells how
    certain it is: ``(certain, cpython)``. The same word in a name is no more than a name."""
    lines = [Text(line) for line in wrapped]
    told = _TOLD.search(text)
    for line in reversed(lines) if told else ():
        if told and (at := line.plain.rfind(f"({told[1]}")) >= 0:
            style = CERTAINTY_STYLES[Certainty(told[1])]
            line.stylize(style, at + 1, at + 1 + len(told[1]))
            break
    return lines


def _bulleted(heading: str, texts: Sequence[str], sign: str, width: int) -> Iterator[Text]:
    if texts:
        yield Text()
        yield Text(heading, HEADING)
    for text in texts:
        yield from (Text(line) for line in wrap(text, width, f"   {sign}  "))
