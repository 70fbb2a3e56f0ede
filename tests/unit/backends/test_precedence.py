"""How soon hangtui gets a processor: its own priority, and a session of its own."""

import gc
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from hangtui.backends import precedence
from hangtui.backends.limits import BudgetSpentError, Spending
from hangtui.backends.process import thread_watch
from hangtui.backends.process.processes import ThreadCounter
from hangtui.backends.process.thread_watch import Watch
from hangtui.backends.procfs.schedule import Schedule
from hangtui.cli import reading

_SELF = os.getpid()
_APART = """
import os, signal, sys
from hangtui.backends import precedence
precedence.is_crowded = precedence._has_autogroups = lambda: {crowded}
precedence._is_lowered = lambda: {lowered}
signal.signal(signal.SIGHUP, signal.SIG_DFL)  # nohup has it ignored
before = os.getpid()
precedence.leave_session()
print(before == precedence.waiter(), os.getsid(0) == os.getpid(), flush=True)
if "{end}" == "wait":
    signal.pause()
if "{end}" == "rest":
    os.kill(os.getpid(), signal.SIGSTOP)
    print("on", flush=True)
sys.exit(7)
"""


def _apart(*, crowded: bool = True, lowered: bool = False, end: str = "exit") -> list[str]:
    return [sys.executable, "-c", _APART.format(crowded=crowded, lowered=lowered, end=end)]


def _priority_after(code: str) -> int:
    lines = f"import os\nfrom hangtui.backends import precedence\n{code}\nprecedence.raise_own()"
    told = f"{lines}\nprint(os.getpriority(os.PRIO_PROCESS, 0))"
    return int(subprocess.check_output([sys.executable, "-c", told], text=True))


def test_a_priority_that_a_user_has_lowered_stays_low() -> None:
    own = os.getpriority(os.PRIO_PROCESS, 0)
    lowered = min(19, own + 3)
    assert _priority_after(f"os.setpriority(os.PRIO_PROCESS, 0, {lowered})") == lowered


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may raise it in any case")
def test_the_priority_is_raised_as_far_as_it_may_be() -> None:
    assert _priority_after("os.setpriority(os.PRIO_PROCESS, 0, 0)") == -20


@pytest.mark.skipif(os.geteuid() != 0, reason="needs a user without the right")
def test_who_may_not_raise_it_goes_on_as_before() -> None:
    assert _priority_after("os.setpriority(os.PRIO_PROCESS, 0, 0); os.setuid(65534)") == 0


def test_a_session_is_left_and_the_exit_code_comes_back() -> None:
    run = subprocess.run(_apart(), stdout=subprocess.PIPE, text=True, check=False)
    assert (run.stdout, run.returncode) == ("True True\n", 7)


@pytest.mark.parametrize(("crowded", "lowered"), [(False, False), (True, True)])
def test_nobody_is_left_where_that_gains_nothing(crowded: bool, lowered: bool) -> None:
    command = _apart(crowded=crowded, lowered=lowered)
    run = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    assert (run.stdout.split()[0], run.returncode) == ("False", 7)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_signals_reach_who_has_left(number: signal.Signals) -> None:
    command = _apart(end="wait")
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.send_signal(number)
        assert process.stdout.read() == ""
        assert process.wait(10) == -number


def test_who_stands_for_it_rests_while_it_rests() -> None:
    """A shell's job control looks at the one that it started."""
    with subprocess.Popen(_apart(end="rest"), stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        process.stdout.readline()
        _, status = os.waitpid(process.pid, os.WUNTRACED)
        assert os.WIFSTOPPED(status)
        process.send_signal(signal.SIGCONT)
        assert process.stdout.read() == "on\n"
        assert process.wait(10) == 7


def test_who_has_left_ends_with_who_stands_for_it() -> None:
    command = _apart(end="wait")
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.kill()
        # Its end alone closes the pipe.
        assert process.stdout.read() == ""


@pytest.mark.skipif(
    os.geteuid() != 0 or not precedence._has_autogroups(),
    reason="needs root and a kernel that divides processors among sessions",
)
def test_a_session_of_ours_is_favoured_among_all_others() -> None:
    with subprocess.Popen(["sleep", "10"], start_new_session=True) as process:
        precedence.favour_session(process.pid)
        words = Path(f"/proc/{process.pid}/autogroup").read_text().split()
        process.kill()
    assert words[-1] == "-20"


@pytest.mark.parametrize(
    ("words", "raised"),
    [
        ([], True),
        (["1"], True),
        (["--children", "1"], True),
        (["--native", "none", "server.py"], True),
        (["open", "x.hang"], True),
        (["check", "x.hang"], True),
        (["run", "true"], False),
        (["watch", "1"], False),
    ],
)
def test_whoever_looks_gets_a_processor_first(
    monkeypatch: pytest.MonkeyPatch, words: list[str], raised: bool
) -> None:
    done: list[str] = []
    monkeypatch.setattr(precedence, "is_crowded", lambda: True)
    monkeypatch.setattr(precedence, "raise_own", lambda: done.append("raised"))
    monkeypatch.setattr(precedence, "leave_session", lambda: done.append("left"))
    monkeypatch.setattr(gc, "set_threshold", lambda *_: None)
    reading.prepare(words)
    assert done == (["raised", "left"] if raised else [])


def test_the_queue_for_a_processor_is_counted() -> None:
    found = precedence.queued_s()
    word = Path("/proc/self/schedstat").read_text().split()[1]
    assert 0 <= found <= int(word) / 1e9


class _Clock:
    def __init__(self) -> None:
        self.now = self.queued = 0.0


def _spending(monkeypatch: pytest.MonkeyPatch) -> tuple[Spending, _Clock]:
    clock = _Clock()
    monkeypatch.setattr(time, "monotonic", lambda: clock.now)
    monkeypatch.setattr(precedence, "queued_s", lambda: clock.queued)
    return Spending(), clock


def test_waiting_for_a_processor_is_not_the_targets_time(monkeypatch: pytest.MonkeyPatch) -> None:
    spent, clock = _spending(monkeypatch)
    most = spent.limits.seconds
    with spent.clock():
        clock.now, clock.queued = most + 5, 6.0
        spent.check()
        clock.now = most + 7
        with pytest.raises(BudgetSpentError):
            spent.check()


def test_its_own_time_is(monkeypatch: pytest.MonkeyPatch) -> None:
    spent, clock = _spending(monkeypatch)
    with spent.clock():
        clock.now = spent.limits.seconds + 1
        with pytest.raises(BudgetSpentError):
            spent.check()


def _counter(runs: int) -> ThreadCounter:
    return ThreadCounter(Schedule(runs), "S", None)


def test_a_watch_goes_on_for_its_longest_plan(monkeypatch: pytest.MonkeyPatch) -> None:
    clock, runs = _Clock(), {7: 1, 8: 1}
    monkeypatch.setattr(time, "monotonic", lambda: clock.now)
    monkeypatch.setattr(
        thread_watch, "counters", lambda _pid, _tids=None: {t: _counter(runs[t]) for t in runs}
    )
    watch = Watch(_SELF)
    assert watch.left_s <= 0
    watch.go_on(60, [7])
    watch.go_on(250, [8])
    assert watch.left_s == pytest.approx(0.25)
    clock.now = 0.1
    watch.look()
    assert watch.left_s == pytest.approx(0.15)
    runs[8] = 2
    watch.look()
    assert watch.left_s <= 0
