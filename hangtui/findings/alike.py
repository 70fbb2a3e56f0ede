"""Findings that tell the same of many threads of one process become one."""

import re
from collections.abc import Sequence
from dataclasses import replace

from hangtui.findings.english import counted, listed
from hangtui.findings.thresholds import NAMES_LISTED
from hangtui.model import Finding, Reason

_NUMBER = re.compile(r"\d++")
_OF_WAITS = (Reason.ONE_WAIT, Reason.NOBODY)


def as_one(findings: Sequence[Finding]) -> list[Finding]:
    """*findings*, of which more than can be named, that differ in a thread and in numbers alone,
    are the first one, which names some of the others: 40 threads that wait for one server."""
    groups: dict[tuple[object, ...], list[Finding]] = {}
    for one in findings:
        if one.reason in _OF_WAITS and len(one.threads) == 1 and not one.tasks:
            groups.setdefault(_alike(one), []).append(one)
    many = [those for those in groups.values() if len(those) > NAMES_LISTED]
    first = {id(those[0]): _first_of(those) for those in many}
    later = {id(one) for those in many for one in those[1:]}
    return [first.get(id(one), one) for one in findings if id(one) not in later]


def _alike(finding: Finding) -> tuple[object, ...]:
    """What those have in common that are told as one."""
    name = finding.threads[0].name
    title = _NUMBER.sub("", finding.title.replace(name, ""))
    pid, severity = finding.threads[0].pid, finding.severity
    return finding.id, severity, finding.certainty, pid, finding.where, title


def _first_of(findings: Sequence[Finding]) -> Finding:
    first, *others = findings
    names = listed([one.threads[0].name for one in others])
    more = counted(len(others), "more thread")
    return replace(
        first,
        title=f"{first.title} (and {more})",
        sentence=f"{first.sentence} {more.capitalize()} wait so as well: {names}.",
        threads=tuple(thread for one in findings for thread in one.threads),
        victims=tuple(dict.fromkeys(one for each in findings for one in each.victims)),
        resources=tuple(dict.fromkeys(node for one in findings for node in one.resources)),
    )
