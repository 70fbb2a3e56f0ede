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


def test_neither_ourselves_nor_who_stands_for_us(monkeypatch: pytest.MonkeyPatch) -> None:
    (asks,) = capture(thread("MainThread", 100, 100)).processes
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as child:
        facts = Facts()
        facts.waits += [
            Wait(
                thread_id(100, 100), process_id(pid), Evidence(Source.PROCFS, Certainty.CERTAIN, "")
            )
            for pid in (child.pid, os.getpid())
        ]

        assert awaited(facts, [asks]) == (child.pid,)
        monkeypatch.setattr(precedence, "waiter", lambda: child.pid)
        assert awaited(facts, [asks]) == ()
        child.kill()
