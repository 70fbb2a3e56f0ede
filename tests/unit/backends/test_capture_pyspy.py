import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from hangtui.backends.capture import pyspy
from hangtui.backends.permission import access
from hangtui.backends.tools import programs
from hangtui.model import Notice, PythonFrame
from tests.waiting import until

pytestmark = pytest.mark.processes

Spawn = Callable[..., "subprocess.Popen[str]"]
MakeProgram = Callable[[str, str], Path]

NESTED = """
import os, threading

def blocked():
    os.write(1, b"ready\\n")
    os.read(0, 1)

def through_c(_):
    blocked()

def main():
    list(map(through_c, [1]))

started = threading.Event()
def wait():
    started.set()
    threading.Event().wait()
threading.Thread(target=wait, name="w\\x1b[1m", daemon=True).start()
started.wait()
main()
"""


@pytest.fixture
def stand_in(make_program: MakeProgram, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """A shell script in the place of py-spy."""

    def use(body: str) -> None:
        path = make_program("py-spy", body)
        monkeypatch.setattr(programs, "find", lambda _: str(path))

    return use


def message(notice: Notice | None) -> str:
    assert notice is not None
    assert notice.source == "py-spy"
    return notice.message


def test_stacks_of_a_real_process(spawn: Spawn) -> None:
    process = spawn(NESTED)

    result = pyspy.python_stacks(process.pid)

    assert result.notice is None
    assert result.unmapped == ()
    main = result.threads[process.pid]
    assert main.name == "MainThread"
    assert [(f.function, f.line, f.entry) for f in main.frames] == [
        ("blocked", 6, False),
        ("through_c", 9, True),
        ("main", 12, False),
        ("<module>", 20, True),
    ]
    (other,) = [thread for tid, thread in result.threads.items() if tid != process.pid]
    assert other.name == "w\ufffd[1m"


def test_a_process_that_is_no_python(spawn: Spawn) -> None:
    process = spawn("import os; os.write(1, b'ready\\n'); os.execvp('cat', ['cat'])")
    while Path(f"/proc/{process.pid}/comm").read_text() != "cat\n":
        assert process.poll() is None

    result = pyspy.python_stacks(process.pid)

    assert "no Python interpreter" in message(result.notice)
    assert result.threads == {}


def test_a_process_that_is_gone() -> None:
    assert "ended" in message(pyspy.python_stacks(99_999_999).notice)


def test_no_permission_names_the_fix(
    stand_in: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    stand_in(
        "echo 'Error: no\n\nCaused by:\n  0: Operation not permitted (os error 1)' >&2; exit 1"
    )
    monkeypatch.setattr(access, "may_trace", lambda _: False)

    notice = pyspy.python_stacks(os.getpid()).notice

    assert "permission" in message(notice)
    assert notice is not None
    assert notice.fix is not None


def test_another_failure_is_said_in_one_line(stand_in: Callable[[str], None]) -> None:
    stand_in("printf 'Error: bad \\033[1m\\n\\nCaused by:\\n  0: a\\n  1: deep\\n' >&2; exit 1")

    assert message(pyspy.python_stacks(os.getpid()).notice) == (
        "py-spy failed: bad \ufffd[1m (deep)"
    )


def test_it_is_ended_at_the_deadline(
    stand_in: Callable[[str], None],
    tmp_path: Path,
) -> None:
    fifo = tmp_path / "held-open"
    os.mkfifo(fifo)
    stand_in(f"exec 3>{fifo}; cat <{fifo} & wait")
    # The script and its child hold the pipe's other end: end-of-file here means both are gone.
    reader = os.open(fifo, os.O_RDONLY | os.O_NONBLOCK)

    result = pyspy.python_stacks(os.getpid(), timeout_s=0.3)

    assert "0.3 s" in message(result.notice)

    def ended() -> bool:
        try:
            return os.read(reader, 1) == b""
        except BlockingIOError:  # one of them has not gone yet
            return False

    until(ended)
    os.close(reader)


def test_it_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda *_, **__: None)

    notice = pyspy.python_stacks(os.getpid()).notice

    assert notice == Notice(
        "py-spy", "py-spy is not installed", f"{sys.executable} -m pip install py-spy", os.getpid()
    )


def test_it_cannot_be_started(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(programs, "find", lambda _: str(tmp_path))

    assert "does not start" in message(pyspy.python_stacks(os.getpid()).notice)


@pytest.mark.parametrize("answer", ["", "nonsense", "[{"])
def test_an_answer_that_is_not_json(stand_in: Callable[[str], None], answer: str) -> None:
    stand_in(f"printf '%s' '{answer}'")

    assert "not JSON" in message(pyspy.python_stacks(os.getpid()).notice)


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (None, pyspy.PySpyResult()),
        ({"threads": []}, pyspy.PySpyResult()),
        ([1, None, "x"], pyspy.PySpyResult()),
        ([{}], pyspy.PySpyResult({}, (pyspy.PySpyThread(None, False, (), None),))),
        (
            [{"os_thread_id": 7, "thread_name": 3, "owns_gil": "yes", "frames": [None, {}]}],
            pyspy.PySpyResult(
                {700: pyspy.PySpyThread(None, False, (PythonFrame("?", "?", None, None),), None)}
            ),
        ),
        (
            [{"os_thread_id": None, "thread_id": 0x7F00, "owns_gil": True}],
            pyspy.PySpyResult({}, (pyspy.PySpyThread(None, True, (), 0x7F00),)),
        ),
    ],
)
def test_odd_answers(answer: object, expected: pyspy.PySpyResult) -> None:
    assert pyspy._parse(answer, {7: 700}) == expected


@pytest.mark.parametrize(
    ("is_entry", "is_shim_entry", "entry"),
    [(True, False, True), (False, True, True), (False, False, False), (None, True, None)],
)
def test_entries(is_entry: bool | None, is_shim_entry: bool, entry: bool | None) -> None:
    frame = pyspy._frame({"is_entry": is_entry, "is_shim_entry": is_shim_entry, "line": 0})

    assert frame == PythonFrame("?", "?", None, entry)
