"""What the shells are told of a command line that is being typed."""

from collections.abc import Iterator, Sequence

import pytest

from hangtui.cli import completing, names
from hangtui.cli.arguments import SHELLS
from hangtui.cli.completing import Rest, completion, joined
from hangtui.cli.completion import SCRIPTS
from hangtui.cli.help_texts import SUMMARIES
from hangtui.cli.main import main
from hangtui.cli.parsers import COMMANDS


@pytest.fixture(autouse=True)
def _processes(monkeypatch: pytest.MonkeyPatch) -> None:
    def running() -> Iterator[tuple[int, Sequence[str]]]:
        yield 4711, ("server.py", "server", "python3")
        yield 42, ("a\tb\x1b[2Jc", "python3")
        yield 43, ("$(reboot)",)
        yield 44, ("-rf",)
        yield 45, ("VLLM::EngineCore",)

    monkeypatch.setattr(names, "running", running)


def words(*typed: str) -> list[str]:
    return [word for word, _ in completion(typed).candidates]


def test_the_first_word_is_a_command_a_process_or_an_option() -> None:
    assert words("") == [*COMMANDS, "42", "43", "44", "45", "4711"]
    assert "--children" in words("-")
    assert words("se") == ["serve", "server.py", "server"]


def test_processes_are_shown_with_their_names() -> None:
    assert completion(["dump", "47"]).candidates == [("4711", "server.py")]
    assert completion(["dump", "pyth"]).candidates == [("python3", "42, 4711")]


def test_names_that_are_not_plain_words_never_reach_a_command_line() -> None:
    assert words("dump", "$") == words("dump", "-r") == words("dump", "a") == []
    ((_, about),) = completion(["dump", "42"]).candidates
    assert about.isprintable()


def test_commands_are_only_the_first_word() -> None:
    assert words("4711", "du") == []
    assert words("4711", "4") == ["42", "43", "44", "45", "4711"]


def test_options_are_those_of_the_command() -> None:
    assert "--mermaid" in words("dump", "--")
    assert "--mermaid" not in words("check", "--")
    assert "--served" not in words("open", "--"), "what nobody should type"
    assert words("dump", "4711", "--na") == ["--native"]


def test_values_belong_to_their_option() -> None:
    assert words("dump", "--native", "g") == ["gdb"]
    assert words("dump", "--native=g") == ["--native=gdb"]
    assert words("check", "--allow", "deadl") == ["deadlock", "deadlock-by-elimination"]
    assert words("watch", "--hang-after", "5") == ["5m"]
    assert words("dump", "--native", "gdb", "47") == ["4711"]
    assert words("gather", "doc") == ["docker"]
    assert words("gather", "docker", "web") == []


def test_after_two_dashes_there_are_no_options() -> None:
    assert words("dump", "--", "--na") == []
    assert words("dump", "--", "47") == ["4711"]


@pytest.mark.parametrize(
    ("typed", "rest"),
    [
        (("dump", "x"), Rest.CAPTURES),
        (("open", ""), Rest.CAPTURES),
        (("dump", "-o", ""), Rest.FILES),
        (("watch", "-d", ""), Rest.FOLDERS),
        (("check", "--native", ""), Rest.NOTHING),
        (("watch", ""), Rest.NOTHING),
    ],
)
def test_files_are_left_to_the_shell(typed: Sequence[str], rest: Rest) -> None:
    assert completion(typed).rest is rest


@pytest.mark.parametrize(
    ("typed", "begins"),
    [
        (("run", ""), 1),
        (("run", "--", "py"), 2),
        (("run", "--no-open", "--", "python", "-"), 3),
        (("run", "--hang-after", "5s", "python", "x"), 3),
    ],
)
def test_what_is_run_is_a_command_line_of_its_own(typed: Sequence[str], begins: int) -> None:
    assert completion(typed).rest is Rest.COMMAND
    assert completion(typed).begins == begins


def test_options_of_run_come_before_the_command() -> None:
    assert words("run", "--no") == ["--no-open"]
    assert words("run", "--hang-after", "3") == ["30s"]


@pytest.mark.parametrize(
    ("words_of_bash", "typed", "kept"),
    [
        (["dump", "--native", "=", "g"], ["dump", "--native=g"], len("--native=")),
        (["dump", "--native", "="], ["dump", "--native="], len("--native=")),
        (["dump", "VLLM", "::", "Eng"], ["dump", "VLLM::Eng"], len("VLLM::")),
        (["dump", "serv"], ["dump", "serv"], 0),
        (["dump", ""], ["dump", ""], 0),
    ],
)
def test_bash_takes_words_apart(words_of_bash: list[str], typed: list[str], kept: int) -> None:
    assert joined(words_of_bash) == (typed, kept)


def test_bash_gets_the_rest_of_a_word(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", "bash", "words", "dump", "VLLM", "::", "Eng"]) == 0
    assert capsys.readouterr().out == "EngineCore\t45\n:captures 0\n"


@pytest.mark.parametrize("shell", SHELLS)
def test_scripts_ask_hangtui(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", shell]) == 0
    assert f"completion {shell} words" in capsys.readouterr().out


def test_each_shell_has_its_script_and_each_command_its_line() -> None:
    assert tuple(SCRIPTS) == SHELLS
    assert tuple(SUMMARIES) == COMMANDS
    assert completing.completion([]).candidates


def test_one_shell_at_a_time(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", "bash", "zsh"]) == 2
    assert "fix: hangtui completion bash" in capsys.readouterr().err
