"""The command line as a process: words, exit codes, streams that are closed or full."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from hangtui.capture_file import save
from hangtui.cli.main import main
from hangtui.cli.parsers import COMMANDS
from hangtui.model import SCHEMA
from tests.unit.factories import abba, capture, python_frame, thread

pytestmark = pytest.mark.processes

BUFFERED = {key: value for key, value in os.environ.items() if key != "PYTHONUNBUFFERED"}
HEAVY = {"textual", "networkx", "pygdbmi", "psutil", "msgspec", "iced_x86", "asyncio"}


def hangtui(*words: str, **changes: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "hangtui", *words],
        capture_output=True,
        text=True,
        timeout=60,
        stdin=subprocess.DEVNULL,
        env=os.environ | changes,
        check=False,
    )


@pytest.fixture
def hang_file(tmp_path: Path) -> str:
    save(abba(), tmp_path / "x.hang")
    return str(tmp_path / "x.hang")


@pytest.mark.parametrize(
    "words", [["--help"], ["--version"], ["dump", "--help"], ["record", "--help"],
              ["open", "--help"], ["check", "--help"], ["nonsense"]],
    ids=" ".join,
)  # fmt: skip
def test_help_and_usage_errors_load_nothing_heavy(words: list[str]) -> None:
    program = (
        "import sys\n"
        "from hangtui.cli.main import main\n"
        f"main({words!r})\n"
        f"print('LOADED', sorted({HEAVY!r} & sys.modules.keys()), file=sys.stderr)"
    )
    result = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True
    )

    assert result.stderr.splitlines()[-1] == "LOADED []"


def test_help_shows_every_command_and_no_more() -> None:
    result = hangtui("--help")
    commands = re.findall(
        r"^  (?!hangtui)(\w+) +(?:\[?PID|FILE|ssh|\[?S[A-Z]+|--|the same)",
        result.stdout,
        re.MULTILINE,
    )

    assert result.returncode == 0
    assert sorted(commands) == sorted(COMMANDS)
    for command in commands:
        assert hangtui(command, "--help").stdout.startswith(f"usage: hangtui {command}")


def test_version() -> None:
    result = hangtui("--version")

    assert re.fullmatch(r"hangtui \d+\.\d+\.\d+\n", result.stdout)
    assert (result.returncode, result.stderr) == (0, "")


def test_version_as_json() -> None:
    told = json.loads(hangtui("--json", "--version").stdout)

    assert hangtui("--version").stdout == f"hangtui {told['version']}\n"
    assert told["captures"] == SCHEMA
    assert {"3.6", "3.13"} < set(told["reads_python"])
    assert told["extras"].keys() == {"mcp", "serve"}


def test_a_reader_that_goes_away_is_no_error(hang_file: str) -> None:
    for words, code in (
        (["--help"], 0),  # argparse swallows it
        (["dump", hang_file], 141),
        (["--version", "--json"], 141),
    ):
        process = subprocess.Popen(
            [sys.executable, "-u", "-m", "hangtui", *words],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        assert process.stdout is not None
        process.stdout.close()
        assert (process.communicate(timeout=60)[1], process.returncode) == (b"", code), words


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--json", "12"], "the screens are no JSON"),
        (["demo", "nosuch"], "argument SAMPLE: invalid choice: 'nosuch'"),
        (["0"], "0 is not a PID: PIDs begin at 1"),
        (["-5"], "-5 is not a PID: PIDs begin at 1"),
        (["dump", "-5"], "-5 is not a PID: PIDs begin at 1"),
        (["dump", "0"], "0 is not a PID: PIDs begin at 1"),
        (["check", "4194304"], "4194304 is not a PID: Linux PIDs are below 4194304"),
        (["dump", "9" * 5000], "is not a PID: Linux PIDs are below 4194304"),
        (["٣"], "'٣' is not a PID"),
        (["dump", "--", "٣"], "'٣' is not a PID"),
        (["dump", "--", "-7"], "-7 is not a PID: PIDs begin at 1"),
        (["dump", "--", "12x"], "no command, no file and no Python process is called '12x'"),
        (["nonsense"], "no command, no file and no Python process is called 'nonsense'"),
        (["12x"], "no command, no file and no Python process is called '12x'"),
        (["x.hang"], "'x.hang' is not a PID"),
        (["12", "dump"], "the command comes first"),
        (["dump", "nonsense"], "no command, no file and no Python process is called 'nonsense'"),
        (["dump", "gone.hang"], "cannot read gone.hang: No such file or directory"),
        (["dump"], "which process?"),
        (["record", "12"], "the following arguments are required: -o/--output"),
        (["--nonsense"], "unrecognized arguments: --nonsense"),
        (["dump", "--native", "x", "1"], "argument --native: invalid choice: 'x'"),
        (
            ["dump", "a\x1b[31m"],
            "no command, no file and no Python process is called 'a\ufffd[31m'",
        ),
    ],
    ids=lambda value: " ".join(value)[:20] if isinstance(value, list) else None,
)
def test_wrong_words_are_one_clear_message(
    words: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code = main(words)
    _is_one_message(code, *capsys.readouterr(), message)


def test_the_process_says_so_too() -> None:
    result = hangtui("dump", "9" * 5000)
    _is_one_message(result.returncode, result.stdout, result.stderr, "is not a PID: Linux PIDs are")


def _is_one_message(code: int, out: str, said: str, message: str) -> None:
    first, *rest = said.splitlines()
    assert (code, out) == (2, "")
    assert first.startswith("hangtui: ")
    assert message in first
    assert len(first) < 200
    assert [line[:7] for line in rest] == ["  fix: "]


def test_a_word_of_digits_is_a_pid_even_if_a_file_has_that_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "0").write_text("x")

    assert (
        "PIDs begin at 1" in hangtui("dump", "0", PYTHONPATH=str(Path(__file__).parents[2])).stderr
    )


@pytest.mark.parametrize("words", [[], ["1"], ["open"]])
def test_the_screens_need_a_terminal(words: list[str], hang_file: str) -> None:
    words = [*words, hang_file] if words == ["open"] else words
    result = hangtui(*words, TERM="xterm")

    assert result.returncode == 2
    assert result.stderr.splitlines()[0] == (
        "hangtui: the screens need a terminal, and input and output are not one"
    )
    assert "fix: hangtui dump" in result.stderr


def test_a_dumb_terminal_is_told_to_use_dump() -> None:
    assert "TERM is dumb or unset" in hangtui("1", TERM="dumb").stderr


@pytest.mark.parametrize("words", [["dump"], ["dump", "--json"], ["check"], ["--help"]])
def test_a_reader_that_is_gone_ends_it_quietly(words: list[str], hang_file: str) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    words = words if words == ["--help"] else [*words, hang_file]
    result = subprocess.run(
        [sys.executable, "-m", "hangtui", *words],
        stdout=writer,
        stderr=subprocess.PIPE,
        text=True,
        timeout=60,
        env=BUFFERED,
        check=False,
    )
    os.close(writer)

    assert result.stderr == ""
    assert result.returncode == 141


@pytest.mark.parametrize("unbuffered", [{}, {"PYTHONUNBUFFERED": "1"}], ids=str)
def test_a_reader_that_stops_in_the_middle_ends_it_quietly(
    tmp_path: Path, unbuffered: dict[str, str]
) -> None:
    frames = [python_frame(f"function_{n}", n) for n in range(200)]
    save(
        capture(*(thread(f"t{n}", 100 + n, python=frames) for n in range(50))), tmp_path / "x.hang"
    )
    command = f"{sys.executable} -m hangtui dump --json x.hang | head -1; echo ${{PIPESTATUS[0]}}"
    result = subprocess.run(
        ["bash", "-c", command],
        capture_output=True,
        text=True,
        timeout=60,
        cwd=tmp_path,
        env=BUFFERED | unbuffered | {"PYTHONPATH": str(Path(__file__).parents[2])},
        check=True,
    )

    assert result.stdout == "{\n141\n"
    assert result.stderr == ""


@pytest.mark.parametrize(
    ("redirection", "message"),
    [
        (">&-", "standard output is closed"),
        (">/dev/full", "cannot write the result: No space left on device"),
    ],
)
def test_an_output_that_takes_nothing_is_one_message(
    hang_file: str, redirection: str, message: str
) -> None:
    command = f"{sys.executable} -m hangtui dump {hang_file} {redirection}"
    result = subprocess.run(
        ["bash", "-c", command], capture_output=True, text=True, timeout=60, check=False
    )

    assert result.returncode == 2
    assert result.stderr.splitlines()[0] == f"hangtui: {message}"


@pytest.mark.parametrize("redirection", ["2>&-", "2>/dev/full"])
def test_messages_that_nobody_takes_change_nothing_else(redirection: str) -> None:
    command = f"{sys.executable} -m hangtui dump 0 {redirection}"
    result = subprocess.run(
        ["bash", "-c", command], capture_output=True, text=True, timeout=60, check=False
    )

    assert (result.returncode, result.stdout, result.stderr) == (2, "", "")


def test_an_ascii_output_gets_ascii(tmp_path: Path) -> None:
    save(capture(thread("Grüße", python=[python_frame("f")])), tmp_path / "x.hang")
    ascii_only = hangtui("dump", str(tmp_path / "x.hang"), PYTHONIOENCODING="ascii")
    unicode = hangtui("dump", str(tmp_path / "x.hang"), PYTHONIOENCODING="utf-8")

    assert ascii_only.returncode == 0
    assert ascii_only.stdout.isascii()
    assert "Gr\\xfc\\xdfe" in ascii_only.stdout
    assert "Grüße" in unicode.stdout
