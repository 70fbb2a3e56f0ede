"""Programs of frames, records and modules: hung in one cell, and healthy in the next."""

import time

import pytest

from hangtui.model import Severity
from tests.integration.targets import Interpreter, interpreters, running
from tests.integration.test_mechanisms import DEADLINE_S, looks
from tests.shares import captures

HANGS = {
    "answer_left_out": ("reader", "Thread-2", "wait for each other at ", "(take)", "ask)"),
    "letter_cut_short": (
        *("MainThread waits at", "(take)", "for an answer from", "(serve_guest)"),
        "for its next message",
    ),
    "copied_one_way": (
        *("deadlock: MainThread waits at ", "(take) for an answer from Thread-2"),
        "(copy) for its next message",
    ),
    "listener_logs_to_its_queue": (
        *("Deadlock: MainThread and ", "(_monitor)", "(Blocking.enqueue) for room in"),
        "(Chatty.emit) for",
    ),
    "module_joins_its_user": (
        *("Deadlock: MainThread and user wait for each other", "the import lock of module gauges"),
    ),
    "registry_filled_in_its_pool": (
        *("Deadlock: MainThread and ThreadPoolExecutor-0_0 wait for each other", "Registry.lock"),
    ),
}
HEALTHY = (
    *("proxy_at_rest", "letters_in_turn", "letters_now_and_then", "listener_writes_slowly"),
    *("import_takes_its_time", "exit_waits_for_rounds"),
)
INSTALLED = [one for one in interpreters(("3.8", "3.11", "3.12", "3.13")) if one.origin == "pyenv"]
under_each = pytest.mark.parametrize("interpreter", INSTALLED, ids=lambda one: one.id)


@under_each
@pytest.mark.parametrize("name", HANGS)
def test_who_waits_for_whom_is_said_first(name: str, interpreter: Interpreter) -> None:
    with running("letters", interpreter.path, asleep=False, arguments=(name,)) as target:
        deadline, missing, found = time.monotonic() + DEADLINE_S, [name], looks(target.pid)
        while missing:
            said = f"{found[0].title} {found[0].sentence}" if found else ""
            missing = [word for word in HANGS[name] if word not in said]
            assert not missing or time.monotonic() < deadline, (missing, found)
            found = looks(target.pid) if missing else found

    assert found[0].severity is not Severity.NOTE


@under_each
@pytest.mark.parametrize("name", HEALTHY)
def test_who_goes_on_is_not_warned_of(name: str, interpreter: Interpreter) -> None:
    with running("letters", interpreter.path, asleep=False, arguments=(name,)) as target:
        found = [finding for _ in range(captures(2)) for finding in looks(target.pid)]

    assert [one.title for one in found if one.severity is not Severity.NOTE] == []
