"""Which processes are read although nobody asked for them."""

import os
import subprocess
import sys
from dataclasses import replace

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


_STARTS = """
import os, subprocess, sys
told = {**os.environ, "RANK": sys.argv[1], "WORLD_SIZE": "2"} if sys.argv[1] else None
words = [sys.executable, "-c", "import sys; print('ready', flush=True); sys.stdin.read()"]
child = subprocess.Popen(words, env=told, stdin=subprocess.PIPE)
sys.stdin.read()
"""


@pytest.mark.parametrize(("told", "siblings"), [("0", False), ("1", False), ("", True)])
def test_who_starts_ranks_has_no_siblings_among_them(told: str, siblings: bool) -> None:
    """torchrun keeps the store of its ranks; who started it, and what else that did, is no rank."""
    words = [sys.executable, "-c", _STARTS, told]
    with (
        subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as agent,
        subprocess.Popen(
            [sys.executable, "-c", "print('ready', flush=True); input()"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        ) as other,
    ):
        assert agent.stdout is not None
        assert other.stdout is not None
        agent.stdout.readline()
        other.stdout.readline()  # before, it may be no Python process yet
        store = replace(thread("pt_tcpstore_uv", agent.pid, agent.pid), comm="pt_tcpstore_uv")
        (asks,) = capture(store).processes
        asks = replace(asks, ppid=os.getpid())
        assert (other.pid in awaited(Facts(), [asks])) is siblings
        assert agent.stdin is not None
        agent.stdin.close()  # its child's input ends with it
        other.kill()


@pytest.mark.parametrize("same", [True, False])
def test_a_command_that_lost_its_parent_is_known_by_its_process_group(*, same: bool) -> None:
    group = None if same else 0
    with (
        subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as asking,
        subprocess.Popen(["cat"], stdin=subprocess.PIPE, process_group=group) as cat,
    ):
        (asks,) = capture(thread("MainThread", asking.pid, asking.pid)).processes
        assert awaited(waits_for(cat.pid), [asks]) == ((cat.pid,) if same else ())
        for one in (cat, asking):
            one.kill()
