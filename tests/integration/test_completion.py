"""Completion, in the real shells: what is typed, Tab, and what stands there then."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.integration.targets import running
from tests.terminal import Terminal, opened

BIN = Path(sys.executable).parent
ENVIRONMENT = {**os.environ, "PATH": f"{BIN}:{os.environ['PATH']}"}
START = {
    "bash": (
        ["--norc", "--noprofile", "-i"],
        (
            "bind 'set completion-query-items 0' 'set page-completions off';"
            " source <(hangtui completion bash)"
        ),
    ),
    "zsh": (
        ["-f", "-i"],
        "LISTMAX=10000; autoload -U compinit; compinit -u -D; source <(hangtui completion zsh)",
    ),
}
TYPED = [
    ("hangtui dum", "hangtui dump "),
    ("hangtui dump --nat", "hangtui dump --native "),
    ("hangtui dump --native=g", "hangtui dump --native=gdb "),
    ("hangtui check --allow deadlock-", "hangtui check --allow deadlock-by-elimination "),
    ("hangtui open st", "hangtui open stuck.hang "),
    ("hangtui open oth", "hangtui open other.core "),
    ("hangtui record -o oth", "hangtui record -o other.core "),
    ("hangtui watch -d fol", "hangtui watch -d folder/"),
    ("hangtui run --no-open -- cat oth", "hangtui run --no-open -- cat other.core "),
]
"""What is typed, and what Tab makes of it."""


def needed(shell: str) -> str:
    found = shutil.which(shell)
    if found is None:
        pytest.skip(f"{shell} is missing: script/packages shells")
    return found


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where the shells are, so that it is known which files there are."""
    for name in ("stuck.hang", "other.core"):
        (tmp_path / name).touch()
    (tmp_path / "folder").mkdir()
    return tmp_path


@contextmanager
def shell(name: str, folder: Path) -> Iterator[Terminal]:
    words, start = START[name]
    with opened(needed(name), *words, size=(200, 120), env=ENVIRONMENT, cwd=folder) as screen:
        screen.type(f"{start}; PS1='next''> '\n")
        screen.until("next> ")
        yield screen


@pytest.mark.parametrize("name", ["bash", "zsh"])
def test_tab_finishes_words(name: str, folder: Path) -> None:
    with shell(name, folder) as screen:
        for typed, finished in TYPED:
            screen.forget()
            screen.type(f"{typed}\t")
            screen.until(finished)
            screen.forget()
            screen.type("\x15: done\n")  # ^U: the line is not wanted any more
            screen.until("next> ")


@pytest.mark.parametrize("name", ["bash", "zsh"])
def test_tab_lists_processes_with_their_names(name: str, folder: Path, any_python: Path) -> None:
    with running("abba", any_python) as target, shell(name, folder) as screen:
        pid = str(target.pid)
        screen.forget()
        screen.type(f"hangtui watch {pid}\t")
        screen.until(f"hangtui watch {pid} ")
        screen.forget()
        screen.type("\x15hangtui dump \t" + ("\t" if name == "bash" else ""))
        shown = screen.until(pid, "abba.py", "stuck.hang")

    line = next(line for line in shown.splitlines() if pid in line.split())
    assert "abba.py" in line


def test_tab_finishes_words_in_fish(folder: Path) -> None:
    found = fish([typed for typed, _ in TYPED], folder)

    words = [[line.split("\t")[0] for line in lines] for lines in found]
    assert words == [[finished.rsplit(maxsplit=1)[-1]] for _, finished in TYPED]


def fish(typed: list[str], folder: Path) -> list[list[str]]:
    """What fish proposes for each, with what it says about it."""
    asked = "; echo; ".join(f"complete -C '{line}'" for line in typed)
    done = subprocess.run(
        [needed("fish"), "--no-config", "-c", f"hangtui completion fish | source; {asked}"],
        capture_output=True,
        text=True,
        env=ENVIRONMENT,
        cwd=folder,
    )
    assert done.stderr == ""
    return [part.splitlines() for part in done.stdout.split("\n\n")]


def test_fish_lists_processes_with_their_names(folder: Path, any_python: Path) -> None:
    with running("abba", any_python) as target:
        (lines,) = fish(["hangtui dump "], folder)

    assert f"{target.pid}\tabba.py" in lines
    assert "stuck.hang" in lines
