"""Real crashes, caught alive by ``hangtui run`` and read from the kernel's core files."""

import json
import os
import resource
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.integration.capturing import dumped
from tests.integration.targets import FOLDER, Interpreter, interpreters
from tests.waiting import until

TARGET = FOLDER / "crashes.py"
_LINE = next(
    number
    for number, line in enumerate(TARGET.read_text().splitlines(), 1)
    if "# the native call" in line
)
_PYTHONS = [one for one in interpreters() if one.origin == "pyenv"] or interpreters()
_NEWEST = _PYTHONS[-1].path if _PYTHONS else Path(sys.executable)
pytestmark = pytest.mark.usefixtures("compiler")

KINDS = {
    "null": ("SIGSEGV", "crash-null-pointer", "read_null"),
    "member": ("SIGSEGV", "crash-null-pointer", "write_member"),
    "wild": ("SIGSEGV", "crash-wild-pointer", "read_at"),
    "impossible": ("SIGSEGV", "crash-wild-pointer", "read_at"),
    "freed": ("SIGSEGV", "crash-use-after-free", "read_at"),
    "text": ("SIGSEGV", "crash-overwritten-pointer", "read_at"),
    "constant": ("SIGSEGV", "crash-protected-memory", "write_constant"),
    "recursion": ("SIGSEGV", "crash-stack-overflow", "recurse"),
    "smash": ("SIGABRT", "crash-stack-smashing", "smash"),
    "double_free": ("SIGABRT", "crash-double-free", "free_twice"),
    "overflow": ("SIGABRT", "crash-heap-corruption", "overflow"),
    "division": ("SIGFPE", "crash-division", "divide"),
    "illegal": ("SIGILL", "crash-illegal-instruction", "illegal"),
    "null_call": ("SIGSEGV", "crash-bad-call", "call"),
    "wild_call": ("SIGSEGV", "crash-bad-call", "call"),
    "exception": ("SIGABRT", "crash-cxx-exception", "throw_error"),
    "number": ("SIGABRT", "crash-cxx-exception", "int"),
    "assertion": ("SIGABRT", "crash-abort", "check"),
    "no_memory": ("SIGSEGV", "crash-out-of-memory", "write_member"),
    "handled_null": ("SIGSEGV", "crash-null-pointer", "read_null"),
    "handled_smash": ("SIGABRT", "crash-stack-smashing", "smash"),
}
"""Signal, finding, and what its title names; all crash in the line of the native call."""
ELSEWHERE = {
    "bus": ("SIGBUS", "crash-bus-error", "mmap"),
    "string_at": ("SIGSEGV", "crash-null-pointer", "strlen"),
    "abort": ("SIGABRT", "crash-abort", "abort"),
    "without_gil": ("SIGSEGV", "crash-missing-gil", "use_python"),
}


def _hangtui(*words: object, folder: Path) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "hangtui", *map(str, words)]
    return subprocess.run(
        command, capture_output=True, text=True, timeout=90, cwd=folder, stdin=subprocess.DEVNULL
    )


def _report(path: Path, folder: Path) -> Any:
    if path.suffix == ".hang":
        return dumped(path)
    answer = _hangtui("dump", "--json", path, folder=folder)
    assert answer.returncode == 0, answer.stderr
    return json.loads(answer.stdout)


def _caught(kind: str, python: Path, folder: Path) -> Any:
    """The report of a target that was run and caught."""
    path = folder / "x.hang"
    words = ("run", "--no-open", "-o", path, "--", python, TARGET, kind)
    answer = _hangtui(*words, folder=folder)
    assert path.exists(), answer.stderr
    report = _report(path, folder)
    assert answer.returncode == 128 + report["crash"]["signal_number"]
    return report


def _check(report: Any, expected: tuple[str, str, str], place: str) -> None:
    signal, finding, name = expected
    assert report["crash"]["signal"] == signal
    assert report["crash"]["thread"]["name"] == "crasher"
    worst = report["findings"][0]
    assert (worst["id"], worst["severity"]) == (finding, "error")
    assert name in worst["title"]
    assert worst["threads"][0]["name"] == "crasher"
    assert place in " ".join(worst["evidence"])


@pytest.mark.one_in(3)
@pytest.mark.parametrize("kind", KINDS)
def test_crashes_that_are_caught_alive(kind: str, tmp_path: Path) -> None:
    _check(_caught(kind, _NEWEST, tmp_path), KINDS[kind], f"crashes.py:{_LINE} (native)")


@pytest.mark.one_in(2)
@pytest.mark.parametrize("kind", ELSEWHERE)
def test_crashes_in_the_interpreter_and_the_c_library(kind: str, tmp_path: Path) -> None:
    report = _caught(kind, _NEWEST, tmp_path)
    worst = report["findings"][0]
    assert worst["id"] == ELSEWHERE[kind][1]
    assert ELSEWHERE[kind][2] in worst["title"]
    assert report["crash"]["signal"] == ELSEWHERE[kind][0]


_BY_VERSION = [
    ("too_few_references", ("3.6", "3.11"), "crash-reference-count", "deallocating None"),
    ("freed_object", ("3.9", "3.13"), "crash-reference-count", "follows the fields of an object"),
    (
        "python_recursion",
        ("3.6", "3.13"),
        "crash-python-recursion",
        "(down) is on the Python stack",
    ),
    ("without_gil", ("3.13t",), "crash-missing-gil", "only the thread state is that large"),
]


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    ("kind", "python", "finding", "evidence"),
    [
        pytest.param(kind, one.path, finding, evidence, id=f"{kind}-{one.version}")
        for kind, versions, finding, evidence in _BY_VERSION
        for one in interpreters(versions)
        if one.origin in ("pyenv", "built")
    ],
)
def test_damage_that_the_interpreter_meets(
    kind: str, python: Path, finding: str, evidence: str, tmp_path: Path
) -> None:
    worst = _caught(kind, python, tmp_path)["findings"][0]
    assert worst["id"] == finding
    assert worst["threads"][0]["name"] == "crasher"
    assert evidence in " ".join(worst["evidence"])


@pytest.mark.parametrize("python", interpreters(("2.7",)), ids=lambda one: one.id)
def test_an_interpreter_that_only_pyspy_reads(python: Interpreter, tmp_path: Path) -> None:
    path = tmp_path / "x.hang"
    program = "import ctypes\ndef load():\n    ctypes.string_at(0)\nload()"
    _hangtui("run", "--no-open", "-o", path, "--", python.path, "-c", program, folder=tmp_path)
    report = _report(path, tmp_path)
    (thread,) = report["processes"][0]["threads"]
    assert report["processes"][0]["python"]["version"].startswith(python.version)
    assert thread["name"] == "MainThread"
    assert [frame["function"] for frame in thread["python_stack"]][1:] == ["load", "<module>"]


@pytest.mark.one_in(2)
@pytest.mark.slow
def test_every_python(python: Path, tmp_path: Path) -> None:
    _check(_caught("member", python, tmp_path), KINDS["member"], f"crashes.py:{_LINE} (native)")


def test_what_was_read_of_the_fault(tmp_path: Path) -> None:
    crash = _caught("member", _NEWEST, tmp_path)["crash"]
    assert (crash["code"], crash["address"]) == ("SEGV_MAPERR", 0x18)
    assert crash["operand"]["text"].endswith("+0x18]")
    assert (crash["operand"]["value"], crash["operand"]["access"]) == (0, "write")
    assert crash["instruction"].startswith("mov qword ptr [")
    assert [line["current"] for line in crash["disassembly"]].count(True) == 1
    assert not crash["region"]["hit"]
    assert crash["guard_distance"] > 0
    assert "crashes.cpp:" in _report(tmp_path / "x.hang", tmp_path)["findings"][0]["title"]
    kinds = {register["name"]: register["kind"] for register in crash["registers"]}
    assert (kinds["rip"], kinds["rsp"]) == ("code", "stack")


def test_the_operand_does_not_need_gdb(tmp_path: Path) -> None:
    """The interpreter is called by a link in an empty folder: gdb may lie beside the real one."""
    program = tmp_path / "bin" / "python"
    program.parent.mkdir()
    program.symlink_to(sys.executable)
    environment = {**os.environ, "PATH": str(program.parent), "PYTHONPATH": ":".join(sys.path)}
    words = [program, "-m", "hangtui", "run", "--no-open", "-o", "x.hang", "--"]
    target = ["/usr/bin/env", "-u", "PYTHONPATH", _NEWEST, TARGET, "member"]
    command = [str(word) for word in (*words, *target)]
    subprocess.run(command, env=environment, capture_output=True, cwd=tmp_path)
    crash = _report(tmp_path / "x.hang", tmp_path)["crash"]
    assert crash["instruction"].startswith("mov qword ptr [")
    assert (crash["operand"]["value"], crash["operand"]["access"]) == (0, "write")


def test_the_other_threads_are_there_too(tmp_path: Path) -> None:
    (process,) = _caught("null", _NEWEST, tmp_path)["processes"]
    names = {thread["name"] for thread in process["threads"]}
    assert names >= {"crasher", "worker-0", "worker-1", "worker-2"}
    assert all(thread["state"] in "SR" for thread in process["threads"])
    assert process["tracer_pid"] is None


@pytest.mark.one_in(2)
@pytest.mark.skipif(
    Path("/proc/sys/kernel/core_pattern").read_text().strip() != "core",
    reason="cores go elsewhere here",
)
@pytest.mark.parametrize("kind", ["member", "overflow", "exception", "recursion", "handled_null"])
def test_the_same_from_a_core_file(kind: str, tmp_path: Path) -> None:
    subprocess.run(
        [_NEWEST, TARGET, kind],
        cwd=tmp_path,
        capture_output=True,
        timeout=60,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CORE, (-1, -1)),
    )
    (core,) = tmp_path.glob("core*")
    _check(_report(core, tmp_path), KINDS[kind], f"crashes.py:{_LINE} (native)")
    with core.open("rb+") as file:
        file.truncate(core.stat().st_size * 2 // 3)
    cut = _report(core, tmp_path)
    assert cut["crash"]["signal"] == KINDS[kind][0]
    assert any("cut off" in notice["message"] for notice in cut["notices"])


def test_a_core_file_on_request_tells_the_same(tmp_path: Path) -> None:
    core = tmp_path / "its.core"
    words = ("run", "--no-open", "--core", core, "--", _NEWEST, TARGET, "member")
    answer = _hangtui(*words, folder=tmp_path)
    assert answer.returncode == 128 + 11
    (path,) = tmp_path.glob("hangtui-*-crash.hang")
    caught, read = _report(path, tmp_path), _report(core, tmp_path)
    assert caught["crash"]["core"] == str(core)
    _check(read, KINDS["member"], f"crashes.py:{_LINE} (native)")
    threads = [
        [
            (t["tid"], t["python_stack"], t["native_stack"])
            for t in report["processes"][0]["threads"]
        ]
        for report in (caught, read)
    ]
    assert threads[0] == threads[1]
    assert core.stat().st_mode & 0o777 == 0o600


def test_a_hang_is_captured_and_the_command_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "hang.hang"
    words = ["run", "--no-open", "--hang-after", "1s", "-o", str(path), "--"]
    command = [sys.executable, "-m", "hangtui", *words, str(_NEWEST), str(FOLDER / "abba.py")]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as runner:
        until(lambda: path.exists() or runner.poll() is not None)
        runner.terminate()  # reaches the command, whose status it takes over
        assert runner.wait(60) == 128 + 15
    assert _report(path, tmp_path)["findings"][0]["id"] == "deadlock"


def test_the_command_has_its_own_status_and_streams(tmp_path: Path) -> None:
    program = "import sys; print(sys.stdin.read().upper()); sys.exit(7)"
    answer = subprocess.run(
        [sys.executable, "-m", "hangtui", "run", "--", sys.executable, "-c", program],
        input="hello",
        capture_output=True,
        text=True,
        timeout=60,
        cwd=tmp_path,
    )
    assert (answer.returncode, answer.stdout, answer.stderr) == (7, "HELLO\n", "")
    assert os.listdir(tmp_path) == []


_WAITS_FOR_A_SIGNAL = """
import os, signal
signal.signal(signal.SIGINT, lambda *_: os.write(1, b"interrupted\\n"))
os.write(1, b"ready\\n")
while True:
    signal.pause()
"""


def _heed_all_signals() -> None:
    """Who starts the tests in the background of a script has these two ignored."""
    for number in (signal.SIGINT, signal.SIGQUIT):
        signal.signal(number, signal.SIG_DFL)


def test_a_signal_that_is_sent_to_us_reaches_the_command(tmp_path: Path) -> None:
    """As ``docker stop`` does with the first process of a container."""
    words = [sys.executable, "-m", "hangtui", "run", "--", sys.executable, "-c"]
    with subprocess.Popen(
        [*words, _WAITS_FOR_A_SIGNAL],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        stdin=subprocess.DEVNULL,
        text=True,
        cwd=tmp_path,
        preexec_fn=_heed_all_signals,  # noqa: PLW1509  no threads here
    ) as runner:
        assert runner.stdout is not None
        assert runner.stdout.readline() == "ready\n"
        runner.send_signal(signal.SIGINT)
        assert runner.stdout.readline() == "interrupted\n"
        runner.send_signal(signal.SIGQUIT)
        assert runner.wait(60) == 128 + signal.SIGQUIT


def test_the_command_has_its_own_environment_and_signals(tmp_path: Path) -> None:
    program = (
        "import os, signal; print(os.environ['LD_PRELOAD'], 'HANGTUI_LD_PRELOAD' in os.environ, "
        "signal.pthread_sigmask(signal.SIG_BLOCK, []), signal.getsignal(signal.SIGINT))"
    )
    answers = []
    for words, preload in (
        ((sys.executable, "-m", "hangtui", "run", "--"), "HANGTUI_LD_PRELOAD"),
        ((), "LD_PRELOAD"),
    ):
        environment = {**os.environ, preload: ""}
        command = [*words, sys.executable, "-c", program]
        answers.append(subprocess.run(command, env=environment, capture_output=True, cwd=tmp_path))
    assert answers[0].stdout == answers[1].stdout != b""
    assert b"False set()" in answers[0].stdout


def test_a_command_that_does_not_exist(tmp_path: Path) -> None:
    answer = _hangtui("run", "--", "/nonexistent/program", folder=tmp_path)
    assert (answer.returncode, answer.stdout) == (2, "")
    assert answer.stderr.splitlines() == [
        "hangtui: cannot run /nonexistent/program: No such file or directory",
        "  fix: command -v /nonexistent/program   (or give its path)",
    ]


def test_a_handled_signal_is_no_crash(tmp_path: Path) -> None:
    program = (
        "import os, signal\n"
        "signal.signal(signal.SIGABRT, lambda *_: print('handled', flush=True))\n"
        "os.kill(os.getpid(), signal.SIGABRT)\n"
    )
    answer = _hangtui("run", "--", sys.executable, "-c", program, folder=tmp_path)
    assert (answer.returncode, answer.stdout) == (0, "handled\n")
    assert os.listdir(tmp_path) == []


def test_the_crash_of_a_child_process(tmp_path: Path) -> None:
    program = f"import subprocess; subprocess.run([{str(_NEWEST)!r}, {str(TARGET)!r}, 'null'])"
    answer = _hangtui("run", "--", sys.executable, "-c", program, folder=tmp_path)
    assert answer.returncode == 0
    (path,) = tmp_path.glob("hangtui-*-crash.hang")
    assert _report(path, tmp_path)["crash"]["thread"]["name"] == "crasher"
