"""That another program gets on is told behind what a note says of the one that was asked for."""

from dataclasses import replace

import pytest

from hangtui.findings.reassurance import Reassures, on_beside
from hangtui.model import Certainty, Finding, Severity, process_id
from tests.unit.factories import capture, process, thread

OWN, CHILD, SERVER = (process(pid, thread("MainThread", pid)) for pid in (100, 150, 200))
COMFORTS = {"alive": Reassures.STILL_RUNS, "quiet": Reassures.NO_MORE}


def note(pid: int, name: str = "alive", severity: Severity = Severity.NOTE) -> Finding:
    return Finding(
        id=name,
        severity=severity,
        certainty=Certainty.CERTAIN,
        title="Process is working",
        sentence="It is.",
        threads=(),
        subject=process_id(pid),
        processes=(pid,),
    )


@pytest.mark.parametrize(
    ("finding", "beside"),
    [
        (note(100), False),
        (note(150), False),
        (note(200), True),
        (note(200, "quiet"), False),
        (note(200, severity=Severity.WARNING), False),
    ],
    ids=["its own", "of a child", "of a server", "it is quiet", "a warning"],
)
def test_of_whom_it_is_said_that_they_get_on(finding: Finding, *, beside: bool) -> None:
    made = replace(capture(), processes=(OWN, replace(CHILD, ppid=100), SERVER))

    assert (finding.subject in on_beside([finding], COMFORTS, made)) is beside
