"""What the kernel really refuses, on this machine, and what is said about it."""

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.integration.targets import interpreters, running
from tests.waiting import until

ROOT = Path(__file__).parents[2]
needs_root = pytest.mark.skipif(
    os.geteuid() != 0 or shutil.which("setpriv") is None, reason="needs root and setpriv"
)
NO_PTRACE = ("setpriv", "--bounding-set=-sys_ptrace")
"""A root as containers have it."""
AS_USER = ("setpriv", "--reuid=1000", "--regid=1000", "--clear-groups", "--inh-caps=-all")
SLIM = (shutil.which("python3", path="/usr/bin") or sys.executable, "-I", "-S", "-c")
"""An interpreter without a single package: -S leaves site-packages out."""
CODE = (
    "import sys; sys.path.insert(0, {root!r}); from hangtui.cli.main import main; sys.exit(main())"
)

SLEEPER = """
import ctypes, os, sys, time
from tests.waiting import until
if len(sys.argv) > 1:
    ctypes.CDLL(None).prctl(4, 0, 0, 0, 0)  # PR_SET_DUMPABLE
print("ready", flush=True)
time.sleep(120)
"""

Start = Callable[..., int]


@pytest.fixture
def start() -> Iterator[Start]:
    """Starts a sleeping Python, ended afterwards; returns its PID."""
    with contextlib.ExitStack() as stack:

        def run(*prefix: str, closed: bool = False) -> int:
            words = ["closed"] if closed else []
            process = stack.enter_context(
                subprocess.Popen(
                    [*prefix, SLIM[0], "-c", SLEEPER, *words], stdout=subprocess.PIPE, text=True
                )
            )
            stack.callback(process.kill)
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
            return process.pid

        yield run


def doctor(*prefix: str, pid: int | None = None) -> tuple[int, dict[str, dict[str, object]]]:
    """Exit code, and the checks by their names."""
    words = [] if pid is None else [str(pid)]
    done = subprocess.run(
        [*prefix, *SLIM, CODE.format(root=str(ROOT)), "doctor", "--json", *words],
        capture_output=True,
        text=True,
        cwd="/",
        env={"PATH": os.environ["PATH"]},
    )
    assert done.stderr == ""
    answer = json.loads(done.stdout)
    assert answer["schema"] == "hangtui.doctor/1"
    assert answer["healthy"] == (done.returncode == 0)
    return done.returncode, {check["ability"]: check for check in answer["checks"]}


def test_all_is_well_for_our_own_child(start: Start) -> None:
    code, checks = doctor(pid=start())

    assert code == 0
    assert checks["list"]["works"]
    assert checks["memory"]["works"]
    assert checks["stop"]["works"]
    assert checks["gdb"]["works"] == (shutil.which("gdb") is not None)


@needs_root
@pytest.mark.parametrize(
    ("we", "it", "closed", "words"),
    [
        (NO_PTRACE, AS_USER, False, "it runs as user 1000, and hangtui as root without CAP_SYS"),
        (AS_USER, (), False, "it runs as root, and hangtui as user 1000"),
        (AS_USER, AS_USER, True, "it is not dumpable"),
        (NO_PTRACE, (), False, "it has capabilities that hangtui lacks: SYS_PTRACE"),
    ],
    ids=["root-on-user", "user-on-root", "not-dumpable", "capabilities"],
)
def test_what_the_kernel_refuses(
    start: Start, we: tuple[str, ...], it: tuple[str, ...], closed: bool, words: str
) -> None:
    code, checks = doctor(*we, pid=start(*it, closed=closed))

    assert code == 2
    assert checks["list"]["works"]
    assert not checks["memory"]["works"]
    assert not checks["stop"]["works"]
    assert words in str(checks["memory"]["reason"])
    assert checks["memory"]["fix"]


@needs_root
def test_the_same_rights_without_a_refusal(start: Start) -> None:
    """The control: the same ways to start both, where the kernel has no objection."""
    assert doctor(*AS_USER, pid=start(*AS_USER))[0] == 0
    assert doctor(*NO_PTRACE, pid=start(*NO_PTRACE))[0] == 0


@needs_root
def test_another_user_namespace(start: Start) -> None:
    inside = ("unshare", "--user", "--map-root-user")
    if subprocess.run([*inside, "true"], capture_output=True).returncode != 0:
        pytest.skip("this kernel lets nobody make user namespaces")

    code, checks = doctor(*inside, pid=start())

    assert code == 2
    assert "another user namespace" in str(checks["memory"]["reason"])


@needs_root
def test_the_notice_of_a_capture_says_the_same(start: Start) -> None:
    pid = start(*AS_USER)
    _, checks = doctor(*NO_PTRACE, pid=pid)

    done = subprocess.run(
        [*NO_PTRACE, sys.executable, "-m", "hangtui", "dump", "--json", str(pid)],
        capture_output=True,
        text=True,
    )

    notices = json.loads(done.stdout)["notices"]
    assert any(str(checks["memory"]["reason"]) in notice["message"] for notice in notices)
    assert checks["memory"]["fix"] in [notice["fix"] for notice in notices]


def test_another_debugger_is_named(start: Start) -> None:
    program = shutil.which("gdb")
    if program is None:
        pytest.skip("gdb is not installed")
    pid = start()
    with subprocess.Popen(
        [program, "-nx", "-q", "-p", str(pid)], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as debugger:  # fmt: skip
        try:
            _until_traced(pid)
            code, checks = doctor(pid=pid)
        finally:
            debugger.communicate(b"detach\nquit\n")

    assert code == 0, "memory is read all the same"
    assert checks["memory"]["works"]
    assert "(gdb) already traces it" in str(checks["stop"]["reason"])
    assert not checks["gdb"]["works"]


def _until_traced(pid: int) -> None:
    status = Path(f"/proc/{pid}/status")
    until(lambda: "TracerPid:\t0\n" not in status.read_text())


def test_a_stopped_process(start: Start) -> None:
    pid = start()
    os.kill(pid, signal.SIGSTOP)
    try:
        checks = doctor(pid=pid)[1]
    finally:
        os.kill(pid, signal.SIGCONT)

    assert checks["stop"]["fix"] == f"kill -CONT {pid}"


def test_core_limits_are_read(start: Start) -> None:
    limited, free = start("prlimit", "--core=0:0"), start("prlimit", "--core=4096:8192")
    pattern = Path("/proc/sys/kernel/core_pattern").read_text()
    if pattern.startswith("|"):
        pytest.skip(f"cores go to a program here: {pattern}")

    assert "limit is 0" in str(doctor(pid=limited)[1]["core"]["reason"])
    assert "cut off at 4096 bytes" in str(doctor(pid=free)[1]["core"]["reason"])


def test_without_a_pid_all_are_examined() -> None:
    with running("abba", interpreters()[0].path):
        code, checks = doctor()

    assert code == 0
    assert "seen" in str(checks["list"]["reason"])


@pytest.mark.parametrize(
    ("words", "message"), [(["99999999"], "PIDs are below"), (["4000000"], "no process"),
                           (["x"], "no Python process is called"), (["1", "2"], "unrecognized")]
)  # fmt: skip
def test_bad_arguments(words: list[str], message: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "hangtui", "doctor", *words], capture_output=True, text=True
    )

    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr


def test_words_for_people(start: Start) -> None:
    pid = start()
    done = subprocess.run(
        [sys.executable, "-m", "hangtui", "doctor", str(pid)], capture_output=True, text=True
    )

    assert done.returncode == 0
    lines = done.stdout.splitlines()
    assert lines[0].startswith(f"hangtui doctor: process {pid} (")
    for ability in ("list", "memory", "stop", "gdb", "py-spy", "core", "NVML"):
        assert sum(line.split()[:1] == [ability] for line in lines) == 1
