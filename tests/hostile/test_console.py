"""gdb's console against a real gdb: whatever gets through changes nothing, writes nothing and
starts nothing, also where gdb itself would let it."""

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from hangtui.backends.debugger.arguments import RefusedError
from hangtui.backends.debugger.commands import checked, unchecked
from hangtui.backends.debugger.conversation import Conversation
from hangtui.backends.debugger.factories import LiveDebuggers
from hangtui.backends.gdb.commands import GdbCommand, Typed
from hangtui.debugger import FrameRef
from hangtui.model import TargetError
from hangtui.powers import Console, Powers
from tests.shares import examples

pytestmark = pytest.mark.skipif(
    shutil.which("gdb") is None or shutil.which("gcc") is None, reason="no gdb, or no gcc"
)
_SOURCE = r"""
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
struct pair { int first; struct pair *next; };
volatile long watched[64];
struct pair pair = {1, &pair};
int counter = 7;
char name[] = "name";
volatile int change(int by) { watched[0] += by + 1; return 3; }
int (*pointer)(int) = change;
int div_(int x) { return change(x); }
int not(int x) { return change(x); }
int main(void) {
    int local = 5;
    for (int i = 0; i < 64; i++) watched[i] = i;
    printf("%p\n", (void *)watched);
    fflush(stdout);
    for (;;) { pause(); local += change(0) - 3; }
}
"""
_UNLOCKED = tuple(
    f"set may-{what} on"
    for what in ("write-memory", "write-registers", "insert-breakpoints", "call-functions")
)
"""gdb's own protection taken away: what is left is the list of what is allowed."""
_SIZE = 64 * 8


@dataclass
class Stopped:
    """A process under a gdb that may do anything, and what must not change."""

    pid: int
    address: int
    folder: Path
    gdb: Conversation

    def run(self, line: str) -> str:
        """Give *line* to gdb, which may refuse it."""
        with suppress(TargetError):
            return self.gdb.console(Typed(line))
        return self.gdb.printed

    @property
    def state(self) -> tuple[bytes, list[str], list[str]]:
        """The watched memory, the files of the folder, and gdb's children."""
        with Path(f"/proc/{self.pid}/mem").open("rb") as memory:
            memory.seek(self.address)
            content = memory.read(_SIZE)
        tasks = Path(f"/proc/{self.gdb.pid}/task").glob("*/children")
        started = [pid for task in tasks for pid in task.read_text().split()]
        return content, sorted(os.listdir(self.folder)), started


@contextmanager
def program(folder: Path) -> Iterator[tuple[int, int]]:
    """A running program of ours: its PID, and where its watched memory is."""
    source, path = folder / "target.c", folder / "target"
    source.write_text(_SOURCE)
    subprocess.run(["gcc", "-g", "-o", path, source], check=True)
    with subprocess.Popen([path], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        try:
            yield process.pid, int(process.stdout.readline(), 16)
        finally:
            process.kill()


@pytest.fixture(scope="module")
def stopped(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stopped]:
    folder, watched = tmp_path_factory.mktemp("target"), tmp_path_factory.mktemp("watched")
    with program(folder) as (pid, address):
        settings = (*_UNLOCKED, f"cd {watched}")
        gdb = Conversation([GdbCommand(Typed(setting)) for setting in settings])
        try:
            gdb.console(Typed(f"file {folder / 'target'}"))
            gdb.ask(GdbCommand("-target-attach", pid))
            gdb.console(Typed("frame function main"))
            yield Stopped(pid, address, watched, gdb)
        finally:
            gdb.close()


def test_the_watch_sees_what_a_gdb_does_that_is_asked_anything(stopped: Stopped) -> None:
    before = stopped.state

    stopped.run("print watched[3] = 99")
    changed = stopped.state
    stopped.run("print watched[3] = 3")
    assert changed[0] != before[0]
    assert stopped.state == before

    stopped.run("print change(0)")
    assert stopped.state[0] != before[0]
    stopped.run("print watched[0] = 0")

    stopped.run("shell touch made")
    assert stopped.state[1] == ["made"]
    (stopped.folder / "made").unlink()
    assert stopped.state == before


_WORDS = [
    *("watched", "watched[0]", "counter", "local", "pair", "pair.next->first", "name", "pointer"),
    *("change", "not", "div_", "$rip", "$rsp", "$1", "$x", "0", "1", "0x10", "3.5", "'a'", '"a"'),
    *("(", ")", "[", "]", "{", "}", "(0)", "(int)", "(long *)", "{int}", "{long} "),
    *("=", "==", "+=", "++", "--", "+", "-", "*", "&", "!", "~", "<", ">", "<=", ">>", ",", "?"),
    *(":", "::", ".", "->", "@", " ", " ", " ", "$_shell", "$_streq", "sizeof", "operator"),
    *('$_shell("touch made")', "change(0)", "pointer(0)", "watched[0]=5", "not(1)", "and_eq"),
]
_STARTS = [
    *("print ", "p/x ", "print -pretty on -- ", "x ", "x/4gx ", "x/s ", "ptype ", "whatis "),
    *("info symbol ", "info line *", "info line ", "info scope ", "list ", "list *", "up ", "bt "),
    *("disassemble ", "frame ", "frame address ", "frame function ", "thread ", "thread find "),
    *("thread apply all ", "thread apply 1 print ", "frame apply all print ", "frame apply 2 x "),
    *("info registers ", "info locals ", "info functions ", "info address ", "info threads "),
    *("set print ", "set ", "show ", "help ", "", "shell touch ", "python ", "source ", "dump "),
    *("info frame ", "info source ", "info types ", "info variables ", "faas p ", "taas -q p "),
]
_LINES = st.builds(
    lambda start, words: start + "".join(words),
    st.sampled_from(_STARTS),
    st.lists(st.sampled_from(_WORDS), max_size=8),
)


@settings(max_examples=examples(400), deadline=None, suppress_health_check=list(HealthCheck))
@given(line=_LINES)
@example(line="print (int)(watched[0])")
@example(line="print (long *)(&counter)")
@example(line='print $_streq(name, "name")')
@example(line="print {int}(&counter)")
@example(line="print -elements 3 -- watched")
@example(line="thread apply all -q frame apply all print local")
@example(line="info line *(long)main")
@example(line="print ~counter ^ -local | pair.first")
@example(line="list main,change")
@example(line="show environment")
@example(line="info line ,")
def test_what_gets_through_changes_writes_and_starts_nothing(stopped: Stopped, line: str) -> None:
    before = stopped.state
    try:
        full = checked(line, live=True)
    except RefusedError:
        return

    stopped.run(full)

    assert stopped.state == before, full


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("p counter", "$N = 7"),
        ("p/x *(int *)&counter", "$N = 0x7"),
        ("p (long)(counter) + 1", "$N = 8"),
        ("p pair.next->first", "$N = 1"),
        ("p {int}&counter", "$N = 7"),
        ("p sizeof(struct pair)", "$N = 16"),
        ("p -elements 2 -- watched", "$N = {0, 1...}"),
        ('p $_streq(name, "name")', "$N = 1"),
        ("x/2gd &watched[5]", "5\t6"),
        ("info symbol main", "main in section .text"),
        ("frame apply all -q p counter", "$N = 7"),
        ("faas p local", "$N = 5"),
        ("thread apply 1 -q p counter", "$N = 7"),
        ("ptype struct pair", "struct pair *next;"),
        ("ptype int (*)(int)", "type = int (*)(int)"),
        ("whatis watched", "type = volatile long [64]"),
        ("info scope main", "Symbol local"),
        ("bt -frame-arguments all", "main"),
        ("disas/r main,+4", "Dump of assembler code"),
        ("show version", "GNU gdb"),
    ],
)
def test_what_looks_is_answered(stopped: Stopped, line: str, answer: str) -> None:
    stopped.run("frame function main")
    said = re.sub(r"\$\d+ =", "$N =", stopped.run(checked(line, live=True)))

    assert answer.expandtabs(8).split()[-1] in said.split() or answer in said


async def test_the_ways_round_of_old_leave_a_stopped_process_as_it_is(tmp_path: Path) -> None:
    marker = tmp_path / "made"
    folder = tmp_path / "target"
    folder.mkdir()
    with program(folder) as (pid, address):
        debugger = await LiveDebuggers().open(pid, {})
        try:
            await debugger.stop()
            at = FrameRef(pid)
            for line in (
                "python gdb.execute('set may-write-memory on')",
                f"print *(long*){address:#x} = 0x4445434b434148",
                "python gdb.execute('set may-call-functions on'); gdb.parse_and_eval('getpid()')",
                f"python gdb.selected_inferior().write_memory({address:#x}, b'PWNED!!')",
                f"thread apply all shell touch {marker}",
                f"thread apply all -s -q shell touch {marker}",
                f"faas shell touch {marker}",
                f"with print pretty on -- shell touch {marker}",
                f"alias a = shell touch {marker}",
                f'eval "shell touch {marker}"',
                f"source {marker}",
                f'guile (system "touch {marker}")',
                f"set logging file {marker}",
                "set logging enabled on",
                f"dump binary memory {marker} {address:#x} {address + 8:#x}",
                f"generate-core-file {marker}",
                f'print $_shell("touch {marker}")',
                f"pipe bt | tee {marker}",
                f"| bt | tee {marker}",
                f"!touch {marker}",
                f'print (int)system("touch {marker}")',
                "print change(1)",
                "print pointer(1)",
            ):
                output = await debugger.console(at, line)
                assert not output.ok, line
                assert len(output.text.splitlines()) == 1
            with pytest.raises(TargetError, match="nothing is assigned"):
                await debugger.memory(at, f"*(long*){address:#x} = 1")
            with pytest.raises(TargetError, match="nothing in the target is called"):
                await debugger.memory(at, f'$_shell("touch {marker}")')
            with pytest.raises(TargetError):
                await debugger.lock(at, "1)+change(1", None)
            assert await debugger.complete(f"thread apply all source {tmp_path}/") == ()
            assert (await debugger.console(at, "print counter")).ok
            with Path(f"/proc/{pid}/mem").open("rb") as memory:  # noqa: ASYNC230
                memory.seek(address)
                content = memory.read(_SIZE)
            await debugger.go()
        finally:
            await debugger.close()
    assert content == b"".join(index.to_bytes(8, "little") for index in range(64))
    assert not marker.exists()


async def test_a_core_file_goes_into_the_folder_that_was_given(tmp_path: Path) -> None:
    folder, given = tmp_path / "target", tmp_path / "given"
    folder.mkdir()
    given.mkdir()
    with program(folder) as (pid, _):
        debugger = await LiveDebuggers(Powers(folder=str(given))).open(pid, {})
        try:
            await debugger.stop()
            for place in (tmp_path / "core", given / "deeper" / "core", given / ".." / "core"):
                with pytest.raises(TargetError, match="files are written into"):
                    await debugger.write_core(str(place))
            await debugger.write_core(str(given / "core"))
        finally:
            await debugger.close()
    assert os.listdir(given) == ["core"]


async def test_an_open_console_is_the_shell_that_it_says_it_is(tmp_path: Path) -> None:
    made = tmp_path / "asked-for"
    folder = tmp_path / "target"
    folder.mkdir()
    with program(folder) as (pid, _):
        debugger = await LiveDebuggers(Powers(Console.ANYTHING)).open(pid, {})
        try:
            at = FrameRef(pid)
            assert (await debugger.console(at, unchecked(f"shell echo it-is-one; touch {made}"))).ok
            printed = await debugger.console(at, "python print(6 * 7)")
        finally:
            await debugger.close()
    assert "42" in printed.text
    assert made.exists()
