"""Programs that wait for what takes seconds, several looks at each: no warning. Their twins, which
hang, are told in the words of what they wait for."""

import pytest

from hangtui.model import Severity
from tests.integration.targets import Interpreter, interpreters, running
from tests.integration.test_mechanisms import looks

PYTHONS = [
    pytest.param(found, id=found.id)
    for found in interpreters(("3.8", "3.12"))
    if found.origin == "pyenv"
]


@pytest.mark.flaky(reruns=0)
@pytest.mark.parametrize("interpreter", PYTHONS)
@pytest.mark.parametrize(
    "name",
    [
        *("workers_alone", "file_lock_in_turn", "commands", "pool_with_much_to_do"),
        *("full_queue_between_processes", "meter_that_runs"),
    ],
)
def test_who_goes_on_is_no_warning(name: str, interpreter: Interpreter) -> None:
    with running("busy", interpreter.path, asleep=False, arguments=(name,)) as target:
        found = looks(target.pid)
    assert [one.title for one in found if one.severity is not Severity.NOTE] == []


@pytest.mark.parametrize("interpreter", PYTHONS)
@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("workers_never_told", ("read)", "Table.turn")),
        ("file_lock_taken_twice", ("(in_turn)", "store.lock")),
        ("question", ("(question)", "for input")),
        ("meter_at_its_end", ("meter goes round at", "calls of read(2) in", "brought nothing")),
        ("printer_that_is_full", ("clerk goes round at", "calls of write(2) in")),
        ("full_queue_that_nobody_empties", ("full_queue_between_processes)", "(fill)", "orders")),
    ],
)
def test_its_twin_is_told(name: str, said: tuple[str, ...], interpreter: Interpreter) -> None:
    with running("busy", interpreter.path, asleep=False, arguments=(name,)) as target:
        first = looks(target.pid)[0]
    assert first.severity is not Severity.NOTE
    assert [part for part in said if part not in first.title + first.sentence] == []
