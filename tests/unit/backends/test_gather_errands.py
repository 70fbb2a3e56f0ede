"""Scripts that run in many places; here each place is a shell of this machine."""

import asyncio
import os
import tarfile
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from hangtui.backends.gather import errands
from hangtui.backends.gather.errands import Answer, Errand, answers
from hangtui.backends.gather.place import Place
from tests.procfs import has_ended
from tests.waiting import until

pytestmark = pytest.mark.processes


def place(folder: Path, program: str | None) -> Place:
    """A place in which ``hangtui`` is *program*, lines for a shell; None: it has none."""
    folder.mkdir()
    if program is not None:
        (folder / "hangtui").write_text(f"#!/bin/sh\n{program}\n")
        (folder / "hangtui").chmod(0o755)
    path = f"{folder}:/usr/bin:/bin"
    return Place(folder.name, ("/usr/bin/env", f"PATH={path}", f"TMPDIR={folder}"))


def asked(places: Sequence[Place], errand: Errand) -> dict[str, Answer]:
    """What each answers."""

    async def ask() -> dict[str, Answer]:
        return {one.place.name: one async for one in answers(places, errand)}

    return asyncio.run(ask())


def test_everyone_answers_for_itself(tmp_path: Path) -> None:
    places = [
        place(tmp_path / "good", 'echo "$@"'),
        place(tmp_path / "bad", "echo noise >&2; echo 'no \x1b[31mpermission' >&2; exit 2"),
        place(tmp_path / "silent", "exit 3"),
        place(tmp_path / "without", None),
        Place("nowhere", ("/nowhere/ssh",)),
    ]

    found = asked(places, Errand("none"))

    assert found["good"] == Answer(
        places[0], b"record --all --looks 1 --native none -o /dev/stdout\n", None, None
    )
    assert found["bad"].problem == "no \ufffd[31mpermission"
    assert found["silent"].problem == "exit status 3"
    assert found["without"].problem == "hangtui is not installed there"
    assert "--carry" in (found["without"].fix or "")
    assert found["nowhere"].problem == "/nowhere/ssh: No such file or directory"


def test_who_hangs_costs_itself_alone(tmp_path: Path) -> None:
    pid = tmp_path / "pid"
    places = [
        place(tmp_path / "hangs", f"echo $$ >{pid}; sleep 300"),
        place(tmp_path / "good", "echo this"),
    ]
    started = time.monotonic()

    found = asked(places, Errand("none", within_s=3))

    assert time.monotonic() - started < 60
    assert found["good"].data == b"this\n"
    assert found["hangs"].problem == "no answer within 3 s"
    until(lambda: has_ended(int(pid.read_text())))


def test_who_is_left_in_the_middle_leaves_nothing_behind(tmp_path: Path) -> None:
    pid = tmp_path / "pid"
    waits = place(tmp_path / "waits", f"echo $$ >{pid}; sleep 300")

    async def interrupted() -> None:
        async def ask() -> None:
            async for _ in answers([waits], Errand("none")):
                pass

        task = asyncio.create_task(ask())
        await asyncio.to_thread(until, lambda: pid.exists() and pid.read_text())
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    asyncio.run(interrupted())

    until(lambda: has_ended(int(pid.read_text())))


def test_too_much_is_not_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(errands, "MOST_BYTES", 2**20)
    endless = place(tmp_path / "endless", "while :; do echo hello; done")

    found = asked([endless], Errand("none"))

    assert found["endless"].problem == "it answers with more than 1 MiB"


def test_no_more_at_once_than_were_allowed(tmp_path: Path) -> None:
    seen = tmp_path / "seen"
    seen.mkdir()
    program = f"touch {seen}/$$; ls {seen} | wc -l; sleep 0.1; rm {seen}/$$"
    places = [place(tmp_path / f"p{number}", program) for number in range(6)]

    found = asked(places, Errand("none", at_once=2))

    assert {int(one.data) for one in found.values()} <= {1, 2}


def _packed(folder: Path, program: str) -> Path:
    """A portable build, of a shell script."""
    home = folder / "hangtui-portable"
    home.mkdir()
    (home / "hangtui").write_text(f"#!/bin/sh\n{program}\n")
    (home / "hangtui").chmod(0o755)
    archive = folder / "portable.tar.gz"
    with tarfile.open(archive, "w:gz") as file:
        file.add(home, arcname=home.name)
    return archive


@pytest.mark.parametrize(("status", "problem"), [(0, None), (2, "it was said")])
def test_it_is_carried_to_places_without_it_and_removed(
    tmp_path: Path, status: int, problem: str | None
) -> None:
    program = f'[ {status} = 0 ] && echo "$0 $*"; echo it was said >&2; exit {status}'
    archive = _packed(tmp_path, program)
    without = place(tmp_path / "without", None)

    found = asked([without], Errand("auto", carried=archive))["without"]

    assert found.problem == problem
    if status == 0:
        assert b"/hangtui-portable/hangtui record --all --looks 1 --native auto" in found.data
    assert os.listdir(tmp_path / "without") == []


def test_what_is_carried_goes_with_who_is_cut_off(tmp_path: Path) -> None:
    archive = _packed(tmp_path, "sleep 300")
    without = place(tmp_path / "without", None)

    found = asked([without], Errand("auto", carried=archive, within_s=2))["without"]

    assert found.problem == "no answer within 2 s"
    until(lambda: not os.listdir(tmp_path / "without"))
