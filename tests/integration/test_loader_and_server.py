"""Loaders and servers of several processes: healthy ones beside the same that hang."""

import re

import pytest

from hangtui import findings
from hangtui.cli.series import Looks, take
from hangtui.model import Finding, Severity
from hangtui.provider import CaptureRequest
from tests.integration.capturing import once_seen
from tests.integration.targets import Interpreter, interpreters, running

_CLASS = re.compile(r"\((?:Loader|Engine)\.")
EACH = pytest.mark.parametrize("interpreter", interpreters(("3.9", "3.12")), ids=lambda one: one.id)
HUNG = {
    "closed_while_full": (
        "waiting-for-others",
        ["prefetch waits for", "MainThread", "(Loader.close) in ", " for it to end"],
    ),
    "lost_notify": (
        "mutual-wait",
        ["task handle", "engine wait for each other", "client", "(ask)"],
    ),
    "engine_aborts_itself": (
        "mutual-wait",
        ["task handle", "engine wait for each other", "(Engine.abort)", "client"],
    ),
    "engine_ended": ("waiting-for-peer", ["client", "(ask)", "have ended: engine"]),
}
TOLD = {
    "reader_at_a_pipe": ["prefetch", "(Loader.sample) for data from the FIFO", "feed"],
    "reader_killed": ["prefetch", ") was ended by SIGKILL"],
    "prefetch_failed": ["which nobody runs", "have ended: prefetch"],
}


def looked_at(name: str, interpreter: Interpreter) -> list[Finding]:
    """What several looks find at all its processes."""
    program = "loader_and_server"
    with running(program, interpreter.path, asleep=False, arguments=(name,)) as target:
        request = CaptureRequest(pids=(target.pid,), children=True)
        return once_seen(
            lambda: list(findings.run(take(request, Looks(5, 2.5)))),
            lambda found: name not in HUNG or found[0].severity is not Severity.NOTE,
        )


def missing(found: Finding, parts: list[str], interpreter: Interpreter) -> list[str]:
    """What is not said. Before CPython 3.11 no frame tells of which class its function is."""
    said = f"{found.title} {found.sentence}"
    known = interpreter.version not in ("3.9", "3.10")
    wanted = parts if known else [_CLASS.sub("(", one) for one in parts]
    return [one for one in wanted if one not in said]


@EACH
@pytest.mark.parametrize("name", HUNG)
def test_what_hangs_is_warned_of_first(name: str, interpreter: Interpreter) -> None:
    first = looked_at(name, interpreter)[0]
    identifier, parts = HUNG[name]

    assert first.severity is Severity.WARNING
    assert (first.id, missing(first, parts, interpreter)) == (identifier, []), first.sentence


@EACH
@pytest.mark.parametrize("name", TOLD)
def test_who_is_behind_it_is_told(name: str, interpreter: Interpreter) -> None:
    found = looked_at(name, interpreter)
    said = [f"{one.title} {one.sentence}" for one in found]

    assert [one for one in found if not missing(one, TOLD[name], interpreter)], said


@EACH
def test_an_end_that_was_left_open_does_not_hide_who_has_it(interpreter: Interpreter) -> None:
    found = looked_at("end_left_open", interpreter)
    told = next(one for one in found if "for its peer" in one.title and "_of_both" in one.title)

    parts = ["is open in MainThread of core", "(echo)", "was left open in this process"]
    assert missing(told, parts, interpreter) == []


@pytest.mark.flaky(reruns=0)  # a false alarm is one, however rare
@EACH
@pytest.mark.parametrize("name", ["busy", "idle", "training"])
def test_nothing_is_said_of_the_same_at_work(name: str, interpreter: Interpreter) -> None:
    found = looked_at(name, interpreter)

    assert [one.title for one in found if one.severity is not Severity.NOTE] == []
