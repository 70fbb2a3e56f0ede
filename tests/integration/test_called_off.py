"""Who would call off what it waits for itself is nobody who ends that wait."""

from pathlib import Path

from tests.integration.capturing import diagnose
from tests.integration.targets import running


def test_who_cleans_up_behind_its_wait_does_not_end_it(python: Path) -> None:
    with running("called_off_by_itself", python) as target:
        found = diagnose(target.pid).findings
    assert found
    assert not any("inside of" in one.title + one.sentence for one in found)
