"""Threads of free-threaded CPythons that really hang, and such as do not: no GIL is told of.

The interpreters are made by script/build-free-threaded.
"""

import pytest

from hangtui.model import NodeKind, Severity
from tests.integration.capturing import diagnose
from tests.integration.results import record_scheduler
from tests.integration.targets import Interpreter, interpreters, running
from tests.integration.test_pools import worst
from tests.shares import captures

BUILT = interpreters(("3.13t", "3.14t"))
EACH = pytest.mark.parametrize("interpreter", BUILT, ids=lambda one: one.id)
pytestmark = pytest.mark.skipif(not BUILT, reason="script/build-free-threaded has not been run")
ERROR, WARNING = Severity.ERROR, Severity.WARNING
CAPTURES = captures(20)
STOP = ("MainThread waits", "for reader to stop, as all threads were asked to", "(read_attached)")
HUNG = {
    "ring": ("deadlock", ERROR, ("one and two", "(take)")),
    "reentrant": ("deadlock", ERROR, ("one and two", "(take)")),
    "conditions": ("deadlock", ERROR, ("one and two", "(take)")),
    "collect": ("deadlock", ERROR, (*STOP, "pipe", "(collect)")),
    "collect_and_write": ("deadlock", ERROR, (*STOP, "pipe", "(collect_and_write)")),
    "outside": ("world-not-stopped", WARNING, ("reader is blocked", "(read_attached)", "MainThr")),
    "executor": ("executor-starvation", ERROR, ("all 2 workers", "(outer)")),
    "loop_blocked": ("event-loop-blocked", WARNING, ("MainThread", "(main)")),
}


@EACH
@pytest.mark.parametrize("name", HUNG)
def test_what_hangs_is_told_first(name: str, interpreter: Interpreter) -> None:
    identifier, severity, words = HUNG[name]
    with running("world_waits", interpreter.path, asleep=False, arguments=(name,)) as target:
        first = worst(target.pid, identifier)
        found = diagnose(target.pid)

    said = f"{first.title} {first.sentence}"
    assert first.severity is severity
    assert [word for word in words if word not in said] == []
    told = " ".join(f"{one.title} {one.sentence} {one.advice}" for one in found.findings)
    assert "GIL" not in told
    assert not any(one.kind is NodeKind.GIL for one in found.capture.resources)
    record_scheduler("free threading", name, interpreter.version, first)


@pytest.mark.flaky(reruns=0)  # a false alarm is one, however rare
@EACH
@pytest.mark.parametrize("name", [*HUNG, "busy"])
def test_what_gets_on_is_no_alarm(name: str, interpreter: Interpreter) -> None:
    arguments = (name, "healthy")
    with running("world_waits", interpreter.path, asleep=False, arguments=arguments) as target:
        found = [one for _ in range(CAPTURES) for one in diagnose(target.pid).findings]

    assert [one.title for one in found if one.severity is not Severity.NOTE] == []
