"""Hangs as they were reported to the projects of schedulers, and their healthy twins.

The environments are made by script/libraries.
"""

import time

import pytest

from hangtui.model import Finding, Nearness, Severity
from tests.integration.capturing import Diagnosis, diagnose
from tests.integration.results import record_scheduler
from tests.integration.targets import Interpreter, running
from tests.integration.test_pools import VENVS, having
from tests.shares import captures
from tests.waiting import until

CAPTURES = captures(20)
HUNG = {
    "limiter_twice": ("trio", ("submit", "limiter")),
    "callback": ("asyncio", ("MainThread", "(on_register_write)", "loop")),
    "two_loops": ("asyncio", ("MainThread", "worker", "set_it")),
    "lock_over_yield": ("twisted", ("MainThread", "save_blob", "writing")),
    "reactor_stopped": ("twisted", ("MainThread", "answer", "(ask)")),
    "forked_loop": ("asyncio", ("(fetch)", "It is the only thread of process")),
    "import_waits": ("asyncio", ("MainThread", "IO loop", "slow_settings")),
    "own_event": ("asyncio", ("MainThread", "done", "(main)")),
    "own_end": ("anyio", ("(collect)", "only what task", "sending of collect (reported_hangs.py:")),
    "open_generator": ("asyncio", ("(use)", "lock", "rows")),
}
"""The package that each needs, and what has to be said first: who, where, for what."""
NOT_TOLD = {"eager_group": "asyncio", "killed_holder": "gevent", "open_end": "anyio",
            "notified_early": "tornado", "unset_event": "anyio"}  # fmt: skip
"""Those whose loop goes on ticking while nothing shows that a callback will not end the wait: they
may not be told to be idle or well."""


def packages(name: str) -> list[Interpreter]:
    package = NOT_TOLD.get(name) or HUNG[name][0]
    versions = ("3.12", "3.13") if name == "eager_group" else ("3.11", "3.12", "3.13")
    return having(package if package != "asyncio" else "anyio", versions)


CELLS = [(name, one) for name in HUNG for one in packages(name)]
EACH = pytest.mark.parametrize(
    ("name", "interpreter"), CELLS, ids=lambda one: getattr(one, "id", one)
)
UNTOLD = [(name, one) for name in NOT_TOLD for one in packages(name)]
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


@pytest.mark.parametrize(("name", "interpreter"), UNTOLD, ids=lambda one: getattr(one, "id", one))
def test_what_cannot_be_told_is_not_called_well(name: str, interpreter: Interpreter) -> None:
    with running("reported_hangs", interpreter.path, asleep=False, arguments=(name,)) as target:
        found = [one for _ in range(CAPTURES) for one in diagnose(target.pid).findings]

    assert [one.title for one in found if one.id == "idle"] == []


@pytest.mark.parametrize("interpreter", packages("unset_event"), ids=lambda one: one.version)
def test_what_was_made_before_the_loop_is_known_by_its_name_and_who_would_set_it(
    interpreter: Interpreter,
) -> None:
    arguments = ("unset_event",)
    with running("reported_hangs", interpreter.path, asleep=False, arguments=arguments) as target:
        capture = diagnose(target.pid).capture

    (event,) = [one for one in capture.resources if one.type_name == "anyio.Event"]
    assert event.name == "opened"
    wakers = [one for one in capture.could_wake if one.resource == event.id]
    assert {one.call for one in wakers if one.nearness is not Nearness.REFERS} == {"opened.set"}


@pytest.mark.flaky(reruns=0)  # a false alarm is one, however rare
@pytest.mark.parametrize(
    ("name", "interpreter"), CELLS + UNTOLD, ids=lambda one: getattr(one, "id", one)
)
def test_what_gets_on_is_no_alarm(name: str, interpreter: Interpreter) -> None:
    arguments = (name, "healthy")
    with running("reported_hangs", interpreter.path, asleep=False, arguments=arguments) as target:
        found: list[Finding] = []
        for _ in range(CAPTURES):
            found += diagnose(target.pid).findings
            time.sleep(0.003)

    assert [one.title for one in found if one.severity is not Severity.NOTE] == []
