"""What is waited for over a connection comes piece by piece: a real client and server."""

import sys
import time
from pathlib import Path

from hangtui.analysis.progress import with_progress
from tests.integration.capturing import diagnose
from tests.integration.targets import running


def test_what_came_over_a_connection_between_the_looks_is_counted() -> None:
    looks = []
    with running("drips", Path(sys.executable), asleep=False, arguments=("3",)) as target:
        for _ in range(5):
            looks.append(diagnose(target.pid).capture)
            time.sleep(0.3)
    (one,) = with_progress(looks).arrivals

    assert one.resource in {wait.target for wait in looks[-1].waits}
    assert one.times >= 2
    assert one.data_bytes % 3 == 0
    assert one.data_bytes >= 3 * one.times
    assert one.lasted_s > 1
