"""How machines and containers are reached."""

from pathlib import Path

import pytest

from hangtui.backends.gather import places
from hangtui.backends.gather.place import Place, Wanted
from hangtui.backends.tools import programs as programs_module
from hangtui.model import TargetError, UsageError

_SCRIPT = 'echo "a b"; exec x'


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for programs that are found."""
    monkeypatch.setattr(
        programs_module, "find", lambda name: str(tmp_path / name) if name else None
    )
    return tmp_path


def says(folder: Path, name: str, text: str) -> None:
    """Let the program *name* answer with shell lines."""
    (folder / name).write_text(f"#!/bin/sh\n{text}\n")
    (folder / name).chmod(0o755)


def test_ssh_gets_one_word_for_the_shell_at_the_other_end(programs: Path) -> None:
    (one,) = places.places(
        "ssh",
        Wanted(
            (
                "me@node-1",
                "me@node-1",
            )
        ),
    )

    command = one.command(_SCRIPT)

    assert command[0] == str(programs / "ssh")
    assert command[-3:-1] == ["--", "me@node-1"]
    assert command[-1] == "sh -c 'echo \"a b\"; exec x'"
    assert "BatchMode=yes" in command


def test_containers_get_the_words_as_they_are(programs: Path) -> None:
    found = places.places(
        "docker",
        Wanted(
            (
                "web-1",
                "web-2",
            )
        ),
    )

    assert [one.name for one in found] == ["web-1", "web-2"]
    assert found[0].command(_SCRIPT) == [
        *(str(programs / "docker"), "exec", "-i", "web-1"),
        *("sh", "-c", _SCRIPT),
    ]


def test_pods_are_asked_for_by_their_labels(programs: Path) -> None:
    says(programs, "kubectl", f'echo "$@" >>{programs}/asked; echo pod/a; echo pod/b')

    found = places.places("kubectl", Wanted(("job-name=train", "app in (web, api)"), "ml"))

    assert [one.name for one in found] == ["a", "b"]
    asked = (programs / "asked").read_text().splitlines()
    assert "-n ml" in asked[0]
    assert asked[0].endswith("--selector=job-name=train")
    assert asked[1].endswith("--selector=app in (web, api)")
    assert found[1].command("x")[1:] == ["exec", "-i", "-n", "ml", "b", "--", "sh", "-c", "x"]


def test_nodes_of_jobs_are_asked_for_once_each(programs: Path) -> None:
    says(programs, "squeue", 'case "$*" in *7*) echo "n[1-2]";; *) echo n2;; esac')
    says(programs, "scontrol", 'case "$3" in "n[1-2]") echo n1; echo n2;; *) echo n2;; esac')

    found = places.places(
        "slurm",
        Wanted(
            (
                "7",
                "8",
            )
        ),
    )

    assert [one.name for one in found] == ["n1", "n2"]
    assert "--overlap" in found[0].before
    assert "--jobid=7" in found[0].before


@pytest.mark.parametrize(
    ("program", "message"),
    [
        ("exit 0", "knows no running x"),
        ("echo no such namespace >&2; exit 1", "no such namespace"),
        ("echo pod/a; echo '-oProxyCommand=x'", "names what cannot be one"),
    ],
)
def test_what_kubectl_says_is_not_trusted(programs: Path, program: str, message: str) -> None:
    says(programs, "kubectl", program)

    with pytest.raises(TargetError, match=message):
        places.places("kubectl", Wanted(("x",)))


@pytest.mark.parametrize(
    "name", ["-oProxyCommand=touch x", "", "a\nb", "a;b", "$(x)", "a'b", "x" * 300, "\u00e9"]
)
@pytest.mark.parametrize("carrier", places.CARRIERS)
def test_no_name_is_taken_for_an_option_or_more_than_a_name(carrier: str, name: str) -> None:
    with pytest.raises(UsageError, match="not a name"):
        places.places(carrier, Wanted((name,)))
    with pytest.raises(UsageError, match="not a name"):
        places.places(carrier, Wanted(("x",), name or "-"))


def test_a_program_that_is_missing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(programs_module, "find", lambda _: None)

    with pytest.raises(TargetError, match="srun is not installed here"):
        places.places("slurm", Wanted(("7",)))


def test_the_parser_knows_all_carriers() -> None:
    from hangtui.cli.arguments import GATHERED_BY

    assert tuple(places.CARRIERS) == GATHERED_BY


def test_a_place_is_its_name_and_its_command() -> None:
    assert Place("x", ("a",)).command("s") == ["a", "sh", "-c", "s"]
