"""Which findings about the task of a request are told where another one tells of it, too."""

import pytest

from hangtui.findings.told_requests import REQUEST, without_told_requests
from hangtui.model import Certainty, Finding, Severity, task_id

TASK = task_id(100, 0x10)
NOTE, WARNING = Severity.NOTE, Severity.WARNING


def finding(identifier: str, severity: Severity) -> Finding:
    return Finding(
        id=identifier,
        severity=severity,
        certainty=Certainty.INFERRED,
        title=identifier,
        sentence=identifier,
        threads=(),
        subject=TASK,
        tasks=(TASK,),
    )


@pytest.mark.parametrize(
    ("other", "severity", "told"),
    [
        (finding("deadlock", WARNING), WARNING, False),
        (finding("quiet", WARNING), WARNING, True),
        (finding("quiet", NOTE), WARNING, True),
        (finding("quiet", NOTE), NOTE, False),
    ],
    ids=["another rule", "nothing moves", "a note", "both notes"],
)
def test_a_request_is_told_where_nothing_tells_more(
    other: Finding, severity: Severity, told: bool
) -> None:
    kept = without_told_requests([other, finding(REQUEST, severity)], {"quiet"})

    assert [one.id for one in kept] == [other.id, *([REQUEST] if told else [])]
