"""Which processes are read although nobody asked for them."""

import os
import subprocess
import sys

import pytest

from hangtui.backends import precedence
from hangtui.backends.capture.awaited import awaited
from hangtui.backends.facts import Facts
from hangtui.model import Certainty, Evidence, Source, Wait, process_id, thread_id
from tests.unit.factories import capture, thread

pytestmark = pytest.mark.processes


def waits_for(*pids: int) -> Facts:
    facts = Facts()
    sure = Evidence(Source.PROCFS, Certainty.CERTAIN, "")
    facts.waits += [Wait(thread_id(100, 100), process_id(pid), sure) for pid in pids]
    return facts


def test_neither_ourselves_nor_who_stands_for_us(monkeypatch: pytest.MonkeyPatch) -> None:
    (asks,) = capture(thread("MainThread", 100, 100)).processes
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as child:
        facts = waits_for(child.pid, os.getpid())

        assert awaited(facts, [asks]) == (child.pid,)
        monkeypatch.setattr(precedence, "waiter", lambda: child.pid)
        assert awaited(facts, [asks]) == ()
        child.kill()


def test_nor_the_processes_of_another_hangtui() -> None:
    (asks,) = capture(thread("MainThread", 100, 100)).processes
    words = [sys.executable, "-c", "input()", "ray::hangtui gather"]
    with subprocess.Popen(words, stdin=subprocess.PIPE) as child:
        assert awaited(waits_for(child.pid), [asks]) == ()
        child.kill()
