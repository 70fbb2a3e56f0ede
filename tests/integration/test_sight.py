"""Targets that cannot be read: ``check`` must not call them well, and ``doctor`` says why not."""

import contextlib
import json
import os
import shutil
import signal
import struct
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from hangtui.analysis.coverage import overlooked
from hangtui.backends.process import discovery
from hangtui.model import Severity
from tests.integration.capturing import diagnose
from tests.integration.targets import interpreters, running
from tests.waiting import until

SLEEPS = "import time; time.sleep(300)"
AS_USER = ("setpriv", "--reuid=1000", "--regid=1000", "--clear-groups", "--inh-caps=-all")
ENTRY = 0x10078
"""Where the code of a program lies that is nothing but a header and code."""
PPOLL_FOR_EVER = (
    0xD2800000,
    0xD2800001,
    0xD2800002,
    0xD2800003,
    0xD2800928,
    0xD4000001,
    0x17FFFFFA,
)
"""aarch64: x0 to x3 = 0, x8 = 73, svc 0, and again."""
ON_RISC_V = (
    *(0x00000513, 0x00000593, 0x00000613, 0x00000693),
    *(0x04900893, 0x00000073, 0xFE9FF06F),
)
"""The same on RISC-V: a0 to a3 = 0, a7 = 73, ecall."""
PAUSE_FOR_EVER = bytes.fromhex("b81d000000 cd80 ebf7")
"""i386: eax = 29, int 0x80, and again."""
C_PROGRAM = """\
#include <pthread.h>
#include <unistd.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *waits(void *nothing) { pthread_mutex_lock(&lock); return nothing; }
int main(void) {
    pthread_t thread;
    pthread_mutex_lock(&lock);
    pthread_create(&thread, 0, waits, 0);
    for (;;) pause();
}
"""


@contextlib.contextmanager
def asleep(*command: str | Path) -> Iterator[int]:
    """The PID of a program once its main thread sleeps."""
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, start_new_session=True) as process:
        try:
            until(lambda: _sleeps(process))
            yield process.pid
        finally:
            os.killpg(process.pid, signal.SIGKILL)  # with what it has started


def _sleeps(process: "subprocess.Popen[bytes]") -> bool:
    assert process.poll() is None, f"it ended with {process.returncode}"
    root = Path(f"/proc/{process.pid}")
    state = (root / "stat").read_text().rpartition(")")[2].split()[0]
    return state == "S" and (root / "wchan").read_text() not in ("", "0")


def hangtui(*words: object, prefix: Sequence[str] = ()) -> "subprocess.CompletedProcess[str]":
    command = [*prefix, sys.executable, "-m", "hangtui", *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, timeout=100)


def check(pid: int, *words: str, prefix: Sequence[str] = ()) -> tuple[int, dict[str, Any], str]:
    """Exit code, the JSON, and what was said."""
    quick = ("--looks", "2", "--seconds", "0.3", "--json")
    done = hangtui("check", pid, *quick, *words, prefix=prefix)
    return done.returncode, json.loads(done.stdout), done.stderr


def assert_not_called_well(pid: int, *reasons: str, prefix: Sequence[str] = ()) -> None:
    code, told, said = check(pid, prefix=prefix)
    assert (code, told["hung"], told["all_clear"]) == (2, False, False)
    assert f"process {pid} was not looked at well enough: not read: " in said
    (process,) = told["processes"]
    for reason in reasons:
        assert any(reason in gap["reason"] for gap in process["gaps"])
        assert reason in said
    assert not {"alive", "idle", "quiet", "working"} & {one["id"] for one in told["findings"]}

    examined = hangtui("doctor", pid, "--json", prefix=prefix)
    assert examined.returncode == 2
    (judged,) = (c for c in json.loads(examined.stdout)["checks"] if c["ability"] == "check")
    assert not judged["works"]

    report = hangtui("dump", pid, prefix=prefix).stdout
    assert f"No deadlock found, but process {pid} was not looked at well enough" in report


def test_pypy() -> None:
    pypy = shutil.which("pypy3")
    if pypy is None:
        pytest.skip("no pypy3 (script/packages foreign)")
    with asleep(pypy, "-c", SLEEPS) as pid:
        assert_not_called_well(pid, "no interpreter that is known here was found in it")
        assert pid in discovery.python_pids(), "so check --all does not pass it by"


def test_python_2() -> None:
    found = [*Path.home().glob(".pyenv/versions/2.7.*/bin/python2.7"), shutil.which("python2.7")]
    if found[0] is None:
        pytest.skip("no Python 2.7")
    with asleep(found[0], "-c", SLEEPS) as pid:
        assert_not_called_well(pid, "the memory layout of CPython 2.7 is not known")


@pytest.mark.parametrize(
    ("options", "reason"),
    [((), "its C library is musl"), (("-static",), "its C library is not glibc, or is linked")],
    ids=["shared", "static"],
)
def test_musl(options: tuple[str, ...], reason: str, tmp_path: Path) -> None:
    compiler = shutil.which("musl-gcc")
    if compiler is None:
        pytest.skip("no musl-gcc (script/packages foreign)")
    (tmp_path / "waits.c").write_text(C_PROGRAM)
    program = tmp_path / "waits"
    subprocess.run([compiler, *options, "-o", program, tmp_path / "waits.c"], check=True)
    with asleep(program) as pid:
        assert_not_called_well(pid, reason, "no interpreter")


def _elf(machine: int, bits: int, code: bytes) -> bytes:
    """A program that is loaded as a whole at 0x10000."""
    size = ENTRY - 0x10000 + len(code)
    ident = b"\x7fELF" + bytes([bits // 32, 1, 1]) + bytes(9)
    if bits == 64:
        head = struct.pack("<HHIQQQIHHHHHH", 2, machine, 1, ENTRY, 64, 0, 0, 64, 56, 1, 0, 0, 0)
        segment = struct.pack("<IIQQQQQQ", 1, 5, 0, 0x10000, 0x10000, size, size, 0x10000)
    else:
        head = struct.pack("<HHIIIIIHHHHHH", 2, machine, 1, ENTRY, 52, 0, 0, 52, 32, 1, 0, 0, 0)
        segment = struct.pack("<IIIIIIII", 1, 0, 0x10000, 0x10000, size, size, 5, 0x1000)
    return (ident + head + segment).ljust(ENTRY - 0x10000, b"\0") + code


def _program(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    path.chmod(0o755)
    return path


@pytest.mark.parametrize(
    ("name", "machine", "code", "reason"),
    [
        ("qemu-aarch64", 183, PPOLL_FOR_EVER, "it runs code for aarch64 in qemu-aarch64"),
        ("qemu-riscv64", 243, ON_RISC_V, "it runs code for RISC-V"),
    ],
    ids=["known", "unknown"],
)
def test_another_processor(
    name: str, machine: int, code: tuple[int, ...], reason: str, tmp_path: Path
) -> None:
    emulator = shutil.which(name)
    if emulator is None:
        pytest.skip(f"no {name} (script/packages foreign)")
    program = _program(tmp_path / "waits", _elf(machine, 64, struct.pack("<7I", *code)))
    with asleep(emulator, program) as pid:
        assert_not_called_well(pid, reason)


def test_another_word_size(tmp_path: Path) -> None:
    program = _program(tmp_path / "waits", _elf(3, 32, PAUSE_FOR_EVER))
    try:
        with asleep(program) as pid:
            assert_not_called_well(pid, "it runs code for x86, 32 bits")
    except OSError as error:
        pytest.skip(f"this kernel runs no programs of 32 bits: {error}")


@pytest.mark.skipif(
    os.geteuid() != 0 or shutil.which("setpriv") is None, reason="needs root and setpriv"
)
def test_no_permission(any_python: Path) -> None:
    with running("hangs", any_python, arguments=("idles",)) as target:
        assert_not_called_well(
            target.pid, "it runs as root, and hangtui as user 1000", prefix=AS_USER
        )
        assert check(target.pid)[0] == 0  # the control: whoever may look may say that it is well


def test_a_child_in_c_needs_no_interpreter(any_python: Path) -> None:
    program = "import subprocess; subprocess.run(['sleep', '300'])"
    with asleep(any_python, "-c", program) as pid:
        until(lambda: _child(pid))
        code, told, said = check(pid, "--children")
        alone, *_ = check(int(_child(pid)))
    assert (code, told["all_clear"], said) == (0, True, "")
    assert [process["gaps"] for process in told["processes"]] == [[], []]
    assert alone == 2


def _child(pid: int) -> str:
    return Path(f"/proc/{pid}/task/{pid}/children").read_text().strip()


ONCE = ("--looks", "1")
"""On a busy machine two looks take a second, after which it is an error that nobody can end it."""
OLD = interpreters(("3.8", "3.9"))
NEW = interpreters(("3.10", "3.11", "3.12", "3.13"))


@pytest.mark.parametrize("python", OLD, ids=lambda one: one.id)
def test_a_subinterpreter_of_which_the_thread_is_not_known(python: Any) -> None:
    with running("in_subinterpreter", python.path, arguments=("lock-in-thread",)) as target:
        code, _, said = check(target.pid, *ONCE)
    assert code == 2
    assert "code that runs in sub-interpreters (CPython 3." in said


@pytest.mark.parametrize("python", OLD + NEW, ids=lambda one: one.id)
def test_a_subinterpreter_in_the_only_thread(python: Any) -> None:
    with running("in_subinterpreter", python.path, arguments=("lock",)) as target:
        code, told, _ = check(target.pid, *ONCE)
        found = diagnose(target.pid)
    (process,) = found.capture.processes
    functions = [frame.function for frame in process.threads[0].python_stack or ()]
    assert functions[0] == "waits_inside"
    assert "calls_it" in functions
    assert overlooked(found.capture) == {}
    assert told["findings"][0]["severity"] == "warning", "a lock that nobody else can release"
    assert code == 0


@pytest.mark.parametrize("python", NEW, ids=lambda one: one.id)
def test_a_lock_in_a_subinterpreter_that_another_thread_runs(python: Any) -> None:
    with running("in_subinterpreter", python.path, arguments=("lock-in-thread",)) as target:
        code, told, said = check(target.pid, *ONCE)
    assert (code, said) == (0, "")
    (found, *_) = told["findings"]
    assert found["severity"] == "warning"
    assert [thread["name"] for thread in found["threads"]] == ["caller"]


@pytest.mark.parametrize("python", interpreters(("3.8", "3.12", "3.13")), ids=lambda one: one.id)
def test_a_deadlock_of_two_threads_of_a_subinterpreter(python: Any) -> None:
    with running("in_subinterpreter", python.path, arguments=("deadlock",)) as target:
        code, told, _ = check(target.pid)
    assert code == 1
    (found, *_) = told["findings"]
    assert (found["id"], found["certainty"]) == ("deadlock", "proven")
    assert {thread["name"] for thread in found["threads"]} == {"inner-one", "inner-two"}


@pytest.mark.parametrize("python", OLD + NEW, ids=lambda one: one.id)
def test_busy_subinterpreters_are_no_deadlock(python: Any) -> None:
    """Two interpreters whose threads pass locks to and fro: their GILs are not one."""
    with running("in_subinterpreter", python.path, asleep=False, arguments=("busy",)) as target:
        told = [diagnose(target.pid) for _ in range(3)]
    for found in told:
        assert found.graph.cycles == ()
        assert [one.id for one in found.findings if one.severity is not Severity.NOTE] == []
