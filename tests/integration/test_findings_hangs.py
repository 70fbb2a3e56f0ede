"""Every rule on a real process: the first finding names the cause, its threads and its line."""

import os
import signal
import sys
import time
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from hangtui import findings
from hangtui.analysis.progress import moment, with_progress
from hangtui.backends.capture.collector import collect
from hangtui.backends.unwind.perf import SamplingError, sample_threads
from hangtui.findings.thresholds import BUSY_SHARE, SPIN_S, STILL_S
from hangtui.model import Capture, Certainty, Finding, Severity
from hangtui.provider import CaptureRequest
from hangtui.tui.cells import wrap
from tests.integration.targets import Interpreter, interpreters, running

DEADLINE_S = 60
ERROR, WARNING, NOTE = Severity.ERROR, Severity.WARNING, Severity.NOTE


@dataclass(frozen=True)
class Expected:
    """The first finding of one scenario."""

    id: str
    severity: Severity
    words: tuple[str, ...]
    """All of these are in it."""
    children: bool = False
    versions: tuple[str, ...] = ("3.8", "3.12")


HANGS = {
    "lost_notify": Expected("nobody-left-to-wake", WARNING, ("consume", "only thread", "notify")),
    "lost_event": Expected("nobody-left-to-wake", WARNING, ("serve", "server", "MainThread")),
    "lost_task_done": Expected("nobody-left-to-wake", WARNING, ("task_done", "worker", "jobs")),
    "starved_pool": Expected("executor-starvation", ERROR, ("ThreadPoolExecutor-0", "outer")),
    "lock_of_the_dead": Expected("orphaned-lock", ERROR, ("RLock", "checkpoint", "ended")),
    "lock_across_fork": Expected(
        "lock-held-across-fork", ERROR, ("fork", "RLock", "does not exist"), children=True
    ),
    "finalizer_takes_lock": Expected(
        "finalizer-blocked", ERROR, ("Session.__del__", "garbage collector", "Log.lock", "write"),
        versions=("3.6", "3.8", "3.11", "3.13"),
    ),
    "handler_takes_lock": Expected(
        "self-deadlock", ERROR,
        ("ledger_lock", "handler of SIGHUP, which interrupted hangs.py", "write_entries"),
        versions=("3.8", "3.10", "3.11", "3.12", "3.13", "3.14"),
    ),
    "zombies": Expected("zombie-children", WARNING, ("3 zombies", "zombies", "wait()")),
    "signal_of_a_failed_child": Expected(
        "zombie-children", WARNING,
        ("signal_of_a_failed_child) for SIGUSR1", "only child ended with status 1"),
    ),
    "answer_nobody_reads": Expected(
        "nobody-left-to-wake", WARNING,
        (
            "Besides, 8 bytes lie unread in its own TCP connection to 127.0.0.1",
            "no thread of process", "Whether it waits for that is not known",
        ),
    ),
    "stream_that_is_not_read": Expected(
        "event-loop-stalled", WARNING,
        (
            "bytes lie unread in its own connection", "StreamReaderProtocol), and nothing more is",
            "its transport is paused (pause_reading() of its protocol ", "Take what has come over",
        ),
        versions=("3.8", "3.10", "3.12", "3.13"),
    ),
    "pages_that_only_fetch_would_put": Expected(
        "nobody-left-to-wake", WARNING, ("The program does so in fetch (hangs.py:", "nobody runs"),
        versions=("3.6", "3.8", "3.10", "3.11", "3.12", "3.13"),
    ),
    "killed_worker": Expected(
        "lost-worker", WARNING, ("Pool", "worker", "killed_worker", "never"), children=True
    ),
    "stopped": Expected("held-from-outside", WARNING, ("SIGSTOP", "SIGCONT", "kill -CONT")),
    "reads_in_background": Expected(
        "held-from-outside", WARNING, ("SIGTTIN", "fg in the shell", "reads_in_background)"),
        children=True,
    ),
    "silent_server": Expected("waiting-for-peer", NOTE, ("HTTP", "download", "127.0.0.1")),
    "full_pipe": Expected("output-blocked", NOTE, ("report", "full", "sleep")),
    "breakpoint_left_in": Expected("waiting-for-input", WARNING, ("load_rows", "pdb", "stdin")),
    "asks_a_question": Expected("waiting-for-input", WARNING, ("confirm", "standard input")),
    "exit_joins_thread": Expected("exit-waits-for-thread", ERROR, ("listener", "exit", "listen")),
}  # fmt: skip
HEALTHY = {
    "waits_for_a_signal": Expected("nobody-left-to-wake", NOTE, ("SIGTERM",)),
    "contends": Expected("lock-contention", NOTE, ("total_lock", "adder-", "contention")),
    "imap_of_nothing": Expected("waiting-for-others", NOTE, ("imap_of_nothing",), children=True),
    "signal_of_a_living_child": Expected("idle", NOTE, ("is waiting for SIGUSR1 or SIGTERM at",)),
    "idles": Expected("idle", NOTE, ("idle", "connect")),
}
TURN_WARNINGS = {"silent_server"}
"""Notes that are warnings once nothing has come for a second, as where the first look is late."""
PLACES = [
    pytest.param(name, case, found, id=f"{name}-{found.id}")
    for name, case in {**HANGS, **HEALTHY}.items()
    for found in interpreters(case.versions)
    if found.origin != "fetched"
]


def look(pid: int, *, children: bool) -> Capture:
    """One complete capture."""
    *_, capture = collect(CaptureRequest(pids=(pid,), children=children))
    return capture


def first_finding(pid: int, case: Expected) -> Finding | None:
    """The first finding, once it says what is expected, or at the end of patience."""
    deadline = time.monotonic() + DEADLINE_S
    while True:
        found = findings.run(look(pid, children=case.children))
        right = found and found[0].id == case.id and all(w in told(found[0]) for w in case.words)
        if right or time.monotonic() > deadline:
            return found[0] if found else None
        time.sleep(0.05)


def told(finding: Finding) -> str:
    """Everything that a finding says."""
    parts = [finding.title, finding.sentence, *finding.evidence, *finding.unknown]
    return " ".join([*parts, *finding.advice])


def _fits_a_narrow_screen(finding: Finding) -> None:
    """What happened is told in 80x24 without scrolling, in words of the program."""
    room = 24 - 9  # header, tabs, list and footer
    lines = 1 + len(wrap(finding.title, 78)) + 1 + len(wrap(finding.sentence, 78))
    assert lines <= room, told(finding)
    for text in (finding.title, finding.sentence):
        assert "0x" not in text
        assert "<locals>" not in text
        assert "  " not in text
        assert ".." not in text.replace("...", "")


@pytest.mark.parametrize(("name", "case", "interpreter"), PLACES)
def test_the_first_finding_names_the_cause(
    name: str, case: Expected, interpreter: Interpreter
) -> None:
    with running("hangs", interpreter.path, asleep=False, arguments=(name,)) as target:
        finding = first_finding(target.pid, case)
        if "T" in target.states():
            os.kill(target.pid, signal.SIGCONT)  # it has stopped itself

    assert finding is not None
    severities = {case.severity, *([WARNING] if name in TURN_WARNINGS else [])}
    assert finding.id == case.id, told(finding)
    assert finding.severity in severities, told(finding)
    assert finding.threads
    missing = [word for word in case.words if word not in told(finding)]
    assert missing == [], told(finding)
    _fits_a_narrow_screen(finding)
    if finding.severity is ERROR:
        assert finding.certainty in (Certainty.CERTAIN, Certainty.PROVEN)


@pytest.mark.parametrize("name", ["answer_an_event_loop_would_read", "last_words_of_a_server"])
def test_data_that_an_event_loop_would_read_or_that_is_for_nobody(name: str) -> None:
    with running("hangs", Path(sys.executable), asleep=False, arguments=(name,)) as target:
        first_finding(target.pid, replace(HANGS["answer_nobody_reads"], words=()))
        found = look(target.pid, children=False)

    assert found.unattended == ()


def test_a_function_that_is_on_a_stack_is_past_its_call() -> None:
    arguments = ("pages_that_only_fetch_would_put",)
    with running("hangs", Path(sys.executable), asleep=False, arguments=arguments) as target:
        first_finding(target.pid, HANGS["pages_that_only_fetch_would_put"])
        found = look(target.pid, children=False)

    (pages,) = (one for one in found.resources if one.enders)
    assert [one.partition(" ")[0] for one in pages.enders] == ["fetch"]


@pytest.mark.parametrize(("name", "alone"), [("abba", True), ("hangs", False)])
def test_a_process_without_a_connection(name: str, alone: bool) -> None:
    arguments = ("silent_server",) if name == "hangs" else ()
    with running(name, Path(sys.executable), asleep=alone, arguments=arguments) as target:
        found = look(target.pid, children=False)

    assert [(one.pid, one.begun) for one in found.unconnected] == ([(target.pid, ())] * alone)


@pytest.mark.parametrize("server", ["silent_server", "slow_server"])
def test_a_silent_peer_is_warned_of_once_it_lasts(server: str) -> None:
    """Any answer takes its time; of one who sleeps for less than a minute it is known that it goes
    on."""
    with running("hangs", Path(sys.executable), asleep=False, arguments=(server,)) as target:
        first_finding(target.pid, HANGS["silent_server"])
        captures = [look(target.pid, children=False)]
        while lasted_s(captures) < 2 * STILL_S:
            captures.append(look(target.pid, children=False))
    found = findings.run(with_progress(captures))[0]

    severity = WARNING if server == "silent_server" else Severity.NOTE
    assert (found.id, found.severity) == ("waiting-for-peer", severity)


def lasted_s(captures: list[Capture]) -> float:
    return moment(captures[-1]) - moment(captures[0])


BUSY = {
    "computes": ("busy-loop", ("sieve", "running")),
    "asks": ("busy-loop", ("ask", "Meanwhile preparer waits", "for lock, which MainThread holds")),
    "collects": ("gc-storm", ("garbage", "collects")),
    "spins": ("native-spin", ("spin_lock", "libfakedriver.so", "publisher", "MainThread")),
    "backtracks": ("gil-hog", ("regular expression", "heartbeat", "parse")),
    "hogs": ("gil-hog", ("spin_lock", "GIL", "heartbeat", "optimize")),
}
BUSY_PLACES = [
    pytest.param(name, *case, found.path, id=f"{name}-{found.version}")
    for number, (name, case) in enumerate(BUSY.items())
    for found in interpreters((("3.12", "3.8")[number % 2],))
    if found.origin != "fetched"
]
# Without names of the interpreter's functions, its own record tells that it collects.
BUSY_PLACES += [
    pytest.param("collects", *BUSY["collects"], found.path, id=f"collects-{found.id}")
    for found in interpreters(("3.11", "3.14"))
    if found.origin in ("system", "fetched")
]


@pytest.mark.usefixtures("compiler", "sampling")
@pytest.mark.parametrize(("name", "identifier", "words", "python"), BUSY_PLACES)
def test_a_busy_thread_is_told_from_a_blocked_one(
    name: str, identifier: str, words: tuple[str, ...], python: Path
) -> None:
    with running("hangs", python, asleep=False, arguments=(name,)) as target:
        deadline = time.monotonic() + DEADLINE_S
        captures: list[Capture] = []
        found: tuple[Finding, ...] = ()
        while time.monotonic() < deadline:
            captures = [*captures[-5:], look(target.pid, children=False)]
            found = findings.run(with_progress(captures))
            if found and found[0].id == identifier:
                break
            time.sleep(0.25)

    assert found
    assert found[0].id == identifier, [told(one) for one in found]
    assert all(finding.severity is not ERROR for finding in found)
    missing = [word for word in words if word not in told(found[0])]
    assert missing == [], told(found[0])
    _fits_a_narrow_screen(found[0])


@pytest.mark.usefixtures("sampling")
@pytest.mark.parametrize("python", [one.path for one in interpreters(("3.12",))][:1])
def test_a_long_call_that_computes_is_no_spin(python: Path) -> None:
    with running("hangs", python, asleep=False, arguments=("derives",)) as target:
        captures = [look(target.pid, children=False) for _ in range(3)]
        while lasted_s(captures) < 2 * SPIN_S:
            captures.append(look(target.pid, children=False))

    watched = with_progress(captures)
    found = findings.run(watched)
    busy = next(one for one in watched.progress if (one.busy or 0.0) > BUSY_SHARE)
    assert len(busy.visits) == 1
    assert busy.natives
    assert [(one.id, one.severity) for one in found] == [("busy", NOTE)], found
    assert "derive" in found[0].title


@pytest.fixture
def sampling() -> None:
    """Skips a test of stacks that only the kernel's samples show."""
    try:
        sample_threads(os.getpid(), [os.getpid()], 0.0)
    except SamplingError as error:
        pytest.skip(f"threads cannot be sampled here: {error}")
