"""What gdb is told consists of known words and of values that cannot be more than they say."""

import shutil
import subprocess
from pathlib import Path

import pytest

from hangtui.backends.debugger.conversation import Conversation
from hangtui.backends.gdb.commands import Address, Ending, GdbCommand, Quoted, Typed, console
from hangtui.backends.gdb.session import GdbSession

WILD = (
    'x" "shell touch marked',
    "x\\",
    '\\" -gdb-exit "',
    "a\nshell touch marked\n",
    "a\r\0\x1b\x7f\t",
    "\udcff\u2028é",
    "$(touch marked)|`touch marked`;",
)


def test_parts_stand_side_by_side() -> None:
    asked = GdbCommand("-data-disassemble", "-s", Address(16), "-e", Address(255), "-- 0")

    assert asked.line == "-data-disassemble -s 0x10 -e 0xff -- 0"
    assert console("print", 1, thread=2, frame=3).line == (
        '-interpreter-exec --thread 2 --frame 3 console "print 1"'
    )
    assert console("sharedlibrary", Ending('/3/lib x"y.so')).line == (
        '-interpreter-exec console "sharedlibrary /3/lib.x.y.so$"'
    )


@pytest.mark.parametrize("text", [*WILD, "-thread-info -gdb-exit", ""])
def test_a_text_is_no_command(text: str) -> None:
    # mypy says the same: without these words it would find mistakes here.
    with pytest.raises(TypeError):
        GdbCommand(text)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        GdbCommand("-thread-info", f"--thread {text}")  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        console(text)  # type: ignore[arg-type]


def only_for_mypy(session: GdbSession, conversation: Conversation) -> None:
    """Each of these is a mistake to mypy, or it would miss the mistake that is announced."""
    session.send(["-thread-info"])  # type: ignore[list-item]
    session.ask("-thread-info")  # type: ignore[arg-type]
    conversation.ask("-thread-info")  # type: ignore[arg-type]
    conversation.ask_all(["-thread-info"])  # type: ignore[list-item]
    conversation.console("shell id")  # type: ignore[arg-type]


@pytest.mark.parametrize("text", WILD)
def test_what_is_quoted_is_one_line_of_text(text: str) -> None:
    for line in (GdbCommand("-complete", Quoted(text)).line, console(Typed(text)).line):
        inside = line[line.index('"') + 1 : -1].replace("\\\\", "").replace('\\"', "")
        assert line.endswith('"')
        assert '"' not in inside
        assert "\\" not in inside
        assert inside.isprintable() or "\u2028" in inside
        line.encode()


@pytest.mark.skipif(shutil.which("gdb") is None, reason="no gdb")
@pytest.mark.parametrize("text", WILD)
def test_gdb_takes_it_for_one_argument(text: str, tmp_path: Path) -> None:
    """It answers each command once, says the text as it is, and starts nothing."""
    lines = [GdbCommand("-complete", Quoted(text)), console("echo @@@", Typed(text), "\\n")]
    talk = "".join(f"{number}{command.line}\n" for number, command in enumerate(lines, 1))

    done = subprocess.run(
        [str(shutil.which("gdb")), "-nx", "-q", "--interpreter=mi3"],
        input=talk,
        capture_output=True,
        text=True,
        cwd=tmp_path,
    )

    results = [line for line in done.stdout.splitlines() if line[:2] in ("1^", "2^")]
    assert [line[:2] for line in results] == ["1^", "2^"]
    assert "@@@" in done.stdout
    assert not list(tmp_path.iterdir())
