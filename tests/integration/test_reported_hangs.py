"""Hangs as they were reported to the projects of schedulers, and their healthy twins.

The environments are made by script/libraries.
"""

import time

import pytest

from hangtui.model import Finding, Severity
from tests.integration.capturing import Diagnosis, diagnose
from tests.integration.results import record_scheduler
from tests.integration.targets import Interpreter, running
from tests.integration.test_pools import VENVS, having
from tests.shares import captures
from tests.waiting import until

CAPTURES = captures(20)
HUNG = {
    "eager_group": ("asyncio", ("second", "both", "TaskGroup")),
    "limiter_twice": ("trio", ("submit", "limiter")),
    "callback": ("asyncio", ("MainThread", "(on_register_write)", "loop")),
    "two_loops": ("asyncio", ("MainThread", "worker", "set_it")),
    "lock_over_yield": ("twisted", ("MainThread", "save_blob", "writing")),
    "reactor_stopped": ("twisted", ("MainThread", "answer", "(ask)")),
    "threads_of_hub": ("gevent", ("(outer)", "inner")),
    "forked_loop": ("asyncio", ("(fetch)", "loop", "fork")),
    "import_waits": ("asyncio", ("MainThread", "IO loop", "slow_settings")),
    "own_event": ("asyncio", ("MainThread", "done", "(main)")),
    "killed_holder": ("gevent", ("serve_one", "turn")),
    "open_end": ("anyio", ("consume", "receiving", "sending")),
    "notified_early": ("tornado", ("(wait_for_news)", "news", "publish")),
    "open_generator": ("asyncio", ("(use)", "lock", "rows")),
}
"""The package that each needs, and what has to be said first: who, where, for what."""


def packages(name: str) -> list[Interpreter]:
    package, _ = HUNG[name]
    versions = ("3.12", "3.13") if name == "eager_group" else ("3.11", "3.12", "3.13")
    return having(package if package != "asyncio" else "anyio", versions)


CELLS = [(name, one) for name in HUNG for one in packages(name)]
EACH = pytest.mark.parametrize(
    ("name", "interpreter"), CELLS, ids=lambda one: getattr(one, "id", one)
)
pytestmark = pytest.mark.skipif(not CELLS, reason=f"no libraries in {VENVS} (script/libraries)")


@EACH
def test_what_hangs_is_told_first(name: str, interpreter: Interpreter) -> None:
    with running("reported_hangs", interpreter.path, asleep=False, arguments=(name,)) as target:
        first = until(lambda: alarm(diagnose(target.pid, children=name == "forked_loop")))

    _, words = HUNG[name]
    said = f"{first.title} {first.sentence} {' '.join(first.evidence)}"
    assert [word for word in words if word not in said] == []
    record_scheduler("reported", name, interpreter.version, first)


def alarm(found: Diagnosis) -> Finding | None:
    """The first finding, if it is more than a note."""
    (first, *_) = found.findings or (None,)
    return first if first is not None and first.severity is not Severity.NOTE else None


@pytest.mark.flaky(reruns=0)  # a false alarm is one, however rare
@EACH
def test_what_gets_on_is_no_alarm(name: str, interpreter: Interpreter) -> None:
    arguments = (name, "healthy")
    with running("reported_hangs", interpreter.path, asleep=False, arguments=arguments) as target:
        found: list[Finding] = []
        for _ in range(CAPTURES):
            found += diagnose(target.pid).findings
            time.sleep(0.003)

    assert [one.title for one in found if one.severity is not Severity.NOTE] == []
