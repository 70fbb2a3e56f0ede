"""What libraries compile may have a function's name where others have a file's, as with Sanic."""

import pytest

from hangtui.model import Severity
from tests.integration.capturing import diagnose
from tests.integration.targets import Interpreter, interpreters, running


@pytest.mark.parametrize("interpreter", interpreters(), ids=lambda one: one.id)
def test_a_process_with_such_a_function_is_read(interpreter: Interpreter) -> None:
    with running("named_as_its_file", interpreter.path) as target:
        found = diagnose(target.pid)

    (process,) = found.capture.processes
    assert not process.incomplete
    assert (found.findings[0].id, found.findings[0].severity) == ("self-deadlock", Severity.ERROR)
    assert "LOCK" in found.findings[0].sentence
