"""A capture as Markdown, to be pasted into an issue: what is wrong, why, and the stacks of those
concerned. Text of the target is escaped: it can neither format nor link nor mention anybody."""

import html
import re
from collections.abc import Iterator

from hangtui.analysis import coverage
from hangtui.analysis.places import native_name
from hangtui.analysis.waitgraph import WaitGraph
from hangtui.analysis.whereabouts import told
from hangtui.diagnosis import Diagnosis
from hangtui.findings.roles import places_of, ranks_among, ranks_told
from hangtui.model import Capture, Finding, PythonFrame, Severity, Thread, clean
from hangtui.rank_classes import told_once
from hangtui.report.below_title import below_title

_SPECIAL = re.compile(r"[\\`*\[\]<>|~$&]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])|^[-+#=]")
"""What formats: the underscores of ``a_b`` do not, nor does a parenthesis without brackets."""
_NUMBER = re.compile(r"^(\d{1,9})([.)])")
"""What would begin a list within the list."""
_LINKS = re.compile(r"[@#](?=\w)|:(?=//)|(?<=www)\.|(?<=GH)-(?=\d)", re.IGNORECASE)
"""Where issue trackers find people, issues and pages. They look at the text as it is shown, so that
no backslash keeps them from it."""
_NOTHING = "&#8203;"
"""A space without width."""
_MAX_NATIVE, _MAX_THREADS = 40, 50
_ALIKE = 3
"""So many ranks that wait behind a finding are told as one."""
_WORDS = {Severity.ERROR: "Error", Severity.WARNING: "Warning", Severity.NOTE: "Note"}


def to_markdown(diagnosis: Diagnosis) -> str:
    """The report on a capture."""
    capture, found = diagnosis.capture, diagnosis.findings
    lines = [
        *_head(diagnosis),
        *_findings(found, capture),
        *_not_looked_at(capture),
        *_stacks(diagnosis),
        *_notices(capture),
    ]
    return "\n".join(lines) + "\n"


def escaped(text: str) -> str:
    """*text* as Markdown that shows exactly it, and neither links nor calls anybody."""
    inert = _NUMBER.sub(r"\1\\\2", _SPECIAL.sub(r"\\\g<0>", clean(text).strip()))
    return _LINKS.sub(rf"\g<0>{_NOTHING}", inert)


def _in_html(text: str) -> str:
    """*text* within a tag, where Markdown's backslashes would be seen."""
    return _LINKS.sub(rf"\g<0>{_NOTHING}", html.escape(clean(text), quote=False))


def _head(diagnosis: Diagnosis) -> Iterator[str]:
    capture = diagnosis.capture
    names = ", ".join(dict.fromkeys(escaped(one.title) for one in capture.processes[:3]))
    yield f"## Hang report: {names or 'no process'}"
    yield ""
    for process, stands_for in told_once(diagnosis):
        python = process.python.title if process.python else "not known to be Python"
        threads = len(process.threads)
        alike = f"{stands_for.name}: all in the same places as " if stands_for else ""
        yield (
            f"- {alike}process {escaped(str(process.pid))}, {escaped(process.title)}: "
            f"{escaped(python)}, {threads} thread{'' if threads == 1 else 's'}, state "
            f"{escaped(process.state)}"
        )
    tool = f"hangtui {capture.tool.version}"
    yield f"- taken at {capture.taken_at} by {tool}, without running code in the process"
    yield ""


def _not_looked_at(capture: Capture) -> Iterator[str]:
    """The processes about which silence means nothing."""
    for pid, gaps in coverage.overlooked(capture).items():
        yield f"*But {escaped(coverage.sentence(pid, gaps))}.*"
        yield ""


def _findings(found: tuple[Finding, ...], capture: Capture) -> Iterator[str]:
    if not found:
        yield "Nothing wrong was found."
        yield ""
    for finding in found:
        yield f"### {_WORDS[finding.severity]}: {escaped(finding.title)}"
        yield ""
        if more := below_title(finding):
            yield escaped(more)
            yield ""
        if finding.where:
            yield f"Where: {escaped(told(finding.where))}"
            yield ""
        yield f"*Certainty: {finding.certainty}. Rule: `{finding.id}`.*"
        for title, texts in (
            ("Why", finding.evidence),
            ("Not known", finding.unknown),
            ("What to try", finding.advice),
            ("Waiting behind it", _behind(finding, capture)),
        ):
            if texts:
                yield ""
                yield f"**{title}**"
                yield ""
                yield from (f"{n}. {escaped(text)}" for n, text in enumerate(texts, 1))
        yield ""


def _behind(finding: Finding, capture: Capture) -> list[str]:
    """Its victims; many ranks whose threads have one name are one of them."""
    places, known = places_of(capture), ranks_among(capture)
    ranks: dict[str, list[int]] = {}
    for ref in finding.victims:
        if known.get(ref.pid):
            ranks.setdefault(ref.name, []).append(places[ref.pid].rank)
    together = {name: f"{name} of {ranks_told(those)}"
                for name, those in ranks.items() if len(those) >= _ALIKE}  # fmt: skip
    told = dict.fromkeys(
        together[ref.name]
        if known.get(ref.pid) and ref.name in together
        else f"{ref.name} (TID {ref.tid})"
        for ref in finding.victims
    )
    names = list(told)[:_MAX_THREADS]
    more = len(told) - len(names)
    return [*names, f"{more} more"] if more else names


def _stacks(diagnosis: Diagnosis) -> Iterator[str]:
    """The threads that findings speak of first, of ranks that do the same those of one; each stack
    folded away."""
    concerned = {(ref.pid, ref.tid) for one in diagnosis.findings for ref in one.threads}
    named = {
        thread.id: f" of {stands_for.name}" if stands_for else ""
        for process, stands_for in told_once(diagnosis)
        for thread in process.threads
    }
    threads = sorted(
        (thread for thread in diagnosis.capture.threads() if thread.id in named),
        key=lambda t: (t.pid, t.tid) not in concerned,
    )
    for thread in threads[:_MAX_THREADS]:
        whose = _in_html(f"{thread.name}{named[thread.id]}, TID {thread.tid}")
        yield f"<details><summary>{whose}</summary>"
        yield ""
        yield "```"
        yield from (line.replace("```", "'''") for line in _stack(thread, diagnosis.graph))
        yield "```"
        yield ""
        yield "</details>"
        yield ""
    if len(threads) > _MAX_THREADS:
        yield f"{len(threads) - _MAX_THREADS} more threads are left out."
        yield ""


def _stack(thread: Thread, graph: WaitGraph) -> Iterator[str]:
    for edge in graph.waits_of(thread.id):
        yield clean(f"waits for {graph.label(edge.target)} ({edge.evidence.certainty})")
    for hold in graph.held_by(thread.id):
        yield clean(f"holds {graph.label(hold.source)} ({hold.evidence.certainty})")
    yield "Python, innermost first:"
    yield from (f"  {_line(frame)}" for frame in thread.python_stack or ())
    if thread.native_stack:
        yield "native, innermost first:"
        yield from (f"  {clean(native_name(f))}" for f in thread.native_stack[:_MAX_NATIVE])


def _line(frame: PythonFrame) -> str:
    place = frame.filename if frame.line is None else f"{frame.filename}:{frame.line}"
    return clean(f"{place} {frame.function}")


def _notices(capture: Capture) -> Iterator[str]:
    if capture.notices:
        yield "**What could not be read**"
        yield ""
    for notice in capture.notices:
        fix = f" (fix: {escaped(notice.fix)})" if notice.fix else ""
        yield f"- {escaped(notice.message)}{fix}"
