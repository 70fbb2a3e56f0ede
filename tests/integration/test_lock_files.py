"""Lock files that nobody gives back, on real programs, each with healthy twins."""

import time

import pytest

from hangtui import findings
from hangtui.cli.series import Looks, take
from hangtui.model import Severity
from hangtui.provider import CaptureRequest
from tests.integration.targets import Interpreter, interpreters, running
from tests.integration.test_mechanisms import DEADLINE_S, looks
from tests.shares import captures

HANGS = {
    "waited_for_by_who_has_it": (
        *(
            "Possible deadlock: indexer_0 waits at",
            "for the file lock index.lock",
            "publisher has it",
        ),
        *("(refresh_index)", "(publish)"),
    ),
    "inherited_by_a_child": (
        *("MainThread", "(back_up)", "index.lock for ", "inherited it from process"),
    ),
    "left_behind": (
        *("MainThread waits at", "(deploy)", "the lock file index.lock for "),
        "names PID {ended}, which no process here has now",
    ),
    "folder_left_behind": (
        *("MainThread waits at", "(archive)", "the lock folder index.lock for "),
        "The folder is there, and archiver-17 lies in it",
    ),
}
TWINS = (
    *("given_back_in_time", "kept_by_a_daemon", "not_inherited", "removed_in_time"),
    *("handed_on_by_the_kernel", "kept_while_another_computes"),
    *("read_and_then_written", "folder_removed_in_time", "folder_made_if_it_is_not_there"),
)
RINGS = {
    "crossed_with_a_lock_of_the_program": (
        *("deadlock", "Deadlock: count_sacks and store_sacks wait for each other", "scales"),
        *("which store_sacks holds (taken at", "(store_sacks) for scales"),
    ),
    "wanted_crosswise_by_two_processes": (
        *("ring-with-timeout", "Possible deadlock: MainThread of ", "each other's lock files"),
        *("(SoftLock.__enter__) for the lock file ", "Each waits for what the next one holds"),
    ),
}
VERSIONS = ("3.8", "3.11", "3.12", "3.13")
INSTALLED = [found for found in interpreters(VERSIONS) if found.origin == "pyenv"]
under_each = pytest.mark.parametrize("interpreter", INSTALLED, ids=lambda one: one.id)


@under_each
@pytest.mark.parametrize("name", HANGS)
def test_who_has_the_lock_file_is_said(name: str, interpreter: Interpreter) -> None:
    with running("lock_files", interpreter.path, asleep=False, arguments=(name,)) as target:
        deadline = time.monotonic() + DEADLINE_S
        found = looks(target.pid)
        while not any(one.severity is Severity.WARNING for one in found[:1]):
            assert time.monotonic() < deadline, found
            found = looks(target.pid)

    assert (found[0].id, found[0].severity) == ("file-locked", Severity.WARNING), found
    said = f"{found[0].title} {found[0].sentence}"
    parts = [part for word in HANGS[name] for part in word.split("{ended}")]
    assert [word for word in parts if word not in said] == [], said


@under_each
@pytest.mark.parametrize("name", RINGS)
def test_who_is_inside_of_a_with_on_the_file_has_it(name: str, interpreter: Interpreter) -> None:
    rule, *words = RINGS[name]
    with running("lock_files", interpreter.path, asleep=False, arguments=(name,)) as target:
        deadline = time.monotonic() + DEADLINE_S
        found = looks(target.pid)
        while not found or found[0].id != rule:
            assert time.monotonic() < deadline, found
            found = looks(target.pid)

    said = f"{found[0].title} {found[0].sentence}"
    assert [word for word in words if word not in said] == [], said


@under_each
def test_two_readers_that_both_want_to_write(interpreter: Interpreter) -> None:
    with running(
        "lock_files", interpreter.path, asleep=False, arguments=("wanted_by_both_readers",)
    ) as target:
        request = CaptureRequest(pids=(target.pid,), children=True)
        found = findings.run(take(request, Looks(3, 0.5)))

    ring = next(one for one in found if one.id == "ring-with-timeout")
    assert ring.title.startswith("Possible deadlock: MainThread of indexer_")
    assert ring.title.endswith("wait for each other's lock files, by polling")
    assert "(RecordLock.wait_for) for the file lock " in ring.sentence


@under_each
@pytest.mark.parametrize("name", TWINS)
def test_whose_lock_file_comes_and_goes_is_not_warned_of(
    name: str, interpreter: Interpreter
) -> None:
    with running("lock_files", interpreter.path, asleep=False, arguments=(name,)) as target:
        found = [finding for _ in range(captures(3)) for finding in looks(target.pid)]

    assert [one.title for one in found if one.severity is not Severity.NOTE] == []
