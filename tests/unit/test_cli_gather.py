"""``hangtui gather``: what comes from many places becomes one capture, or a notice."""

from dataclasses import replace
from pathlib import Path

import pytest

from hangtui.backends.gather import places
from hangtui.backends.gather.place import Place, Wanted
from hangtui.capture_file import load, packed
from hangtui.cli.main import main
from hangtui.model import Capture
from tests.unit.factories import capture, thread

pytestmark = pytest.mark.processes


@pytest.fixture
def reaches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, bytes]:
    """What hangtui answers in each place that ssh is asked for."""
    answers: dict[str, bytes] = {}

    def ssh(wanted: Wanted) -> list[Place]:
        found = []
        for name in wanted.names:
            folder = tmp_path / name
            folder.mkdir()
            (folder / "answer").write_bytes(answers[name])
            (folder / "hangtui").write_text(f"#!/bin/sh\ncat {folder}/answer\n")
            (folder / "hangtui").chmod(0o755)
            found.append(Place(name, ("/usr/bin/env", f"PATH={folder}:/usr/bin:/bin")))
        return found

    monkeypatch.setattr(places, "CARRIERS", {"ssh": ssh})
    return answers


def _of(host: str) -> Capture:
    return replace(capture(thread("main", 7, 7)), host=host)


def test_equal_pids_and_equal_hosts_stay_apart(
    tmp_path: Path, reaches: dict[str, bytes], capsys: pytest.CaptureFixture[str]
) -> None:
    reaches |= {"a": packed(_of("here")), "b": packed(_of("here")), "c": packed(_of(""))}

    assert main(["gather", "ssh", "a", "b", "c", "-o", str(tmp_path / "x.hang")]) == 0

    found = load(tmp_path / "x.hang")
    assert {str(one.pid) for one in found.processes} == {"7@here/a", "7@here/b", "7@c"}
    said = capsys.readouterr().err.splitlines()
    assert [line[:6] for line in said[:3]] == ["1 of 3", "2 of 3", "3 of 3"]
    assert said[3].endswith("x.hang: 3 processes")


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (b"", "what it answers is not a hangtui capture"),
        (b"hello", "what it answers is not a hangtui capture"),
        (b"\x1f\x8bxxx", "what it answers is "),
        (packed(replace(_of("b"), hosts=("x",))), "what it answers is of several machines"),
    ],
)
def test_what_no_capture_is_costs_its_place_alone(
    tmp_path: Path, reaches: dict[str, bytes], answer: bytes, message: str
) -> None:
    reaches |= {"a": packed(_of("here")), "b": answer}

    assert main(["gather", "ssh", "a", "b", "-o", str(tmp_path / "x.hang")]) == 0

    found = load(tmp_path / "x.hang")
    assert len(found.processes) == 1
    assert any(one.message.startswith(f"b: {message}") for one in found.notices)


def test_nothing_at_all_is_an_error(
    tmp_path: Path, reaches: dict[str, bytes], capsys: pytest.CaptureFixture[str]
) -> None:
    reaches["a"] = b"no"

    assert main(["gather", "ssh", "a", "-o", str(tmp_path / "x.hang")]) == 2

    assert "hangtui: a: what it answers is not a hangtui capture" in capsys.readouterr().err
    assert not (tmp_path / "x.hang").exists()


def test_without_a_terminal_nobody_is_asked(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["gather", "ssh", "a"]) == 2

    assert "hangtui gather ... -o job.hang" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--at-once", "0"], "--at-once is 1 to 256"),
        (["--within", "soon"], "is not a time"),
        (["--carry", "/nowhere/x"], "is no file"),
    ],
)
def test_what_cannot_be(words: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["gather", "ssh", "a", "-o", "/tmp/x.hang", *words]) == 2

    assert message in capsys.readouterr().err
