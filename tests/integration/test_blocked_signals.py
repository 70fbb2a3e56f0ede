"""A process to which a signal was sent that it blocks."""

import pytest

from tests.integration.capturing import diagnose
from tests.integration.targets import Interpreter, interpreters, running
from tests.waiting import until


@pytest.mark.parametrize("interpreter", interpreters(("3.8", "3.12")), ids=lambda one: one.id)
def test_it_is_told_where_its_end_is_waited_for(interpreter: Interpreter) -> None:
    with running("blocked_signal", interpreter.path) as target:
        first = until(lambda: next(iter(diagnose(target.pid, children=True).findings), None))
        (child,) = (one for one in diagnose(target.pid, children=True).capture.processes
                    if one.pid != target.pid)  # fmt: skip
    assert child.around is not None
    assert child.around.blocked_signals == ("SIGTERM",)
    assert f"SIGTERM was sent to process {child.pid}, and waits there" in first.sentence
    assert "(close)" in first.sentence
