"""What the handlers of a process's signals do, as far as their code is known."""

import pytest

from hangtui.model import Severity
from tests.integration.capturing import diagnose
from tests.integration.targets import Interpreter, interpreters, running
from tests.integration.test_mechanisms import looks
from tests.waiting import until

ENDING, MARKING = {"SIGTERM", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGCHLD"}, ("SIGUSR2",)
OTHERS = {"SIGIO", "SIGPROF", "SIGURG", "SIGTTIN", "SIGTTOU"}


@pytest.mark.parametrize("interpreter", interpreters(), ids=lambda one: one.id)
def test_handlers_that_wake_nobody(interpreter: Interpreter) -> None:
    with running("signal_handlers", interpreter.path, arguments=("all",)) as target:
        around = diagnose(target.pid).capture.processes[0].around
    assert around is not None
    assert around.handles_signals is not None
    assert set(around.handles_signals) == ENDING | {*MARKING} | OTHERS
    assert set(around.ending_signals) == ENDING
    assert around.marking_signals == MARKING


@pytest.mark.parametrize(
    ("arguments", "severity"), [((), Severity.ERROR), (("all",), Severity.WARNING)]
)
def test_whoever_waits_is_judged_by_them(arguments: tuple[str, ...], severity: Severity) -> None:
    (interpreter, *_) = interpreters(("3.12",))
    with running("signal_handlers", interpreter.path, arguments=arguments) as target:
        found = until(lambda: next(iter(looks(target.pid)), None))
    assert found.severity is severity
