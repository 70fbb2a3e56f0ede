"""Talking to a gdb that is too old, silent, or gone: each costs its answer, and is said."""

import shutil
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from hangtui.backends.debugger import conversation
from hangtui.backends.debugger.conversation import Conversation
from hangtui.backends.gdb.commands import GdbCommand, Typed
from hangtui.model import TargetError

pytestmark = pytest.mark.processes

MakeProgram = Callable[[str, str], Path]
VERSION = r"""
read line
number=${line%%-*}
printf '~"GNU gdb (Debian 13.1-3) 13.1\\n"\n%s^done\n' "$number"
"""


def conversing(
    monkeypatch: pytest.MonkeyPatch, make_program: MakeProgram, body: str
) -> Conversation:
    """A conversation with a program that says *body* after its version."""
    program = make_program("gdb", VERSION + body)
    monkeypatch.setattr(conversation, "find_gdb", lambda: str(program))
    return Conversation(())


def test_an_old_gdb_is_refused(monkeypatch: pytest.MonkeyPatch, make_program: MakeProgram) -> None:
    old = VERSION.replace("13.1-3) 13.1", "7.12-6) 7.12.1")
    program = make_program("gdb", old + "cat >/dev/null")
    monkeypatch.setattr(conversation, "find_gdb", lambda: str(program))

    with pytest.raises(TargetError, match=r"gdb 7\.12 is too old: 12 or newer is needed"):
        Conversation(())


def test_no_gdb_tells_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")

    with pytest.raises(TargetError, match="gdb is not installed") as caught:
        Conversation(())
    assert caught.value.fix == "apt-get install gdb"


def test_a_gdb_that_ends_by_itself(
    monkeypatch: pytest.MonkeyPatch, make_program: MakeProgram
) -> None:
    body = r"""read line; echo 'Fatal error'; exit 1"""
    talk = conversing(monkeypatch, make_program, body)

    with pytest.raises(TargetError, match="gdb ended by itself: Fatal error"):
        talk.ask(GdbCommand("-thread-info"))
    with pytest.raises(TargetError, match="gdb has ended"):
        talk.ask(GdbCommand("-thread-info"))


def test_a_gdb_that_does_not_answer_is_interrupted_and_goes_on(
    monkeypatch: pytest.MonkeyPatch, make_program: MakeProgram
) -> None:
    body = r"""
trap 'stopped=1' INT
stopped=
until read line; do :; done
while [ -z "$stopped" ]; do sleep 0.05; done
trap '' INT
printf '%s^error,msg="Quit"\n' "${line%%-*}"
read line
printf '%s^done,value="7"\n' "${line%%-*}"
cat >/dev/null
"""
    before = signal.signal(
        signal.SIGINT, signal.default_int_handler
    )  # no shell traps what is ignored
    talk = conversing(monkeypatch, make_program, body)
    signal.signal(signal.SIGINT, before)
    monkeypatch.setattr(conversation, "ANSWER_S", 2.0)  # it must have started by then

    with pytest.raises(TargetError, match="took too long and was interrupted"):
        talk.ask(GdbCommand("-thread-info"))
    monkeypatch.setattr(conversation, "ANSWER_S", 30.0)
    assert talk.ask(GdbCommand("-data-evaluate-expression", 7)) == {"value": "7"}
    talk.close()


def test_a_gdb_that_is_wedged_is_ended(
    monkeypatch: pytest.MonkeyPatch, make_program: MakeProgram
) -> None:
    talk = conversing(monkeypatch, make_program, "trap '' INT; read line; exec sleep 100")
    monkeypatch.setattr(conversation, "ANSWER_S", 0.2)
    monkeypatch.setattr(conversation, "_GIVE_UP_S", 0.2)

    with pytest.raises(TargetError, match="did not answer and was ended"):
        talk.ask(GdbCommand("-thread-info"))
    assert talk.ended


def test_a_moment_to_give_up_can_be_moved(
    monkeypatch: pytest.MonkeyPatch, make_program: MakeProgram
) -> None:
    body = r"""
read line
sleep 0.4
printf '%s^done,value="1"\n' "${line%%-*}"
cat >/dev/null
"""
    talk = conversing(monkeypatch, make_program, body)
    talk.give_up_at(time.monotonic() + 30)
    assert talk.ask(GdbCommand("-thread-info")) == {"value": "1"}
    talk.close()


@pytest.mark.skipif(shutil.which("gdb") is None, reason="no gdb")
def test_a_flood_of_output_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conversation, "_MAX_OUTPUT", 10_000)
    talk = Conversation(())
    try:
        with pytest.raises(TargetError):
            talk.console(Typed('python exec("while True: print(1)")'))
        assert talk.printed.splitlines()[-1].startswith("… more than hangtui shows")
        assert talk.console("print", 1).endswith("= 1")
    finally:
        talk.close()
