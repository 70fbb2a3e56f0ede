from dataclasses import replace

import pytest

from hangtui.analysis.states import ThreadState
from hangtui.diagnosis import diagnose
from hangtui.model import (
    Capture,
    Child,
    DatabaseSession,
    NodeKind,
    Surroundings,
    process_id,
    thread_id,
)
from hangtui.tui.session import CaptureView, Session
from hangtui.tui.units import Outsider, groups, spoken_of
from tests.tui import samples
from tests.tui.driving import NARROW, WIDE, app_over, hangtui, recorded, settled, text_of

SERVER, ASKING, RESTING = 812, 901, 902


def with_children() -> Capture:
    """A process whose main thread waits for a child that was not looked at; another one ended."""
    capture = samples.deadlock()
    process = capture.processes[0]
    children = (Child(501, "ffmpeg", "S", syscall="pipe_write"), Child(502, "true", "Z"))
    around = Surroundings(children=children)
    wait = replace(capture.waits[0], target=process_id(501))
    return replace(
        capture,
        processes=(replace(process, around=around),),
        waits=(wait, *capture.waits[1:]),
        holds=(),
    )


def with_sessions() -> Capture:
    """A thread waits for its session, which waits for a lock that another one keeps."""
    waiter = thread_id(samples.PID, samples.PID)
    sessions = (
        DatabaseSession(SERVER, RESTING, "shop", "idle in transaction", client=samples.PID),
        DatabaseSession(
            SERVER, ASKING, "shop", "UPDATE waiting", client=samples.PID, waiters=(waiter,)
        ),
    )
    return replace(samples.deadlock(), waits=(), holds=(), database_sessions=sessions)


def outsiders(capture: Capture) -> list[Outsider]:
    view = CaptureView.of(capture)
    return [one for one in view.units_of(None) if isinstance(one, Outsider)]


@pytest.mark.parametrize("size", [WIDE, NARROW])
async def test_children_that_were_not_looked_at_are_rows(size: tuple[int, int]) -> None:
    async with app_over(with_children()).run_test(size=size) as pilot:
        await settled(pilot)
        await pilot.press("G")
        await pilot.pause()
        rows = text_of(pilot, "#threads")
        assert "child true" in rows
        assert "ended" in next(row for row in rows.splitlines() if "child true" in row)
        assert isinstance(hangtui(pilot).session.unit, Outsider)
        assert "not looked into" in text_of(pilot, "#preview")


def test_a_child_that_lives_and_that_nobody_waits_for_has_no_row() -> None:
    capture = replace(with_children(), waits=samples.deadlock().waits)
    assert [one.name for one in outsiders(capture)] == ["child true"]
    awaited, ended = outsiders(with_children())
    assert (awaited.name, awaited.state) == ("child ffmpeg", ThreadState.WAIT)
    assert (ended.name, ended.state) == ("child true", ThreadState.ZOMBIE)


@pytest.mark.parametrize("size", [WIDE, NARROW])
async def test_sessions_of_a_database_are_rows(size: tuple[int, int]) -> None:
    async with app_over(with_sessions()).run_test(size=size) as pilot:
        await settled(pilot)
        await pilot.press("G")
        await pilot.pause()
        rows = text_of(pilot, "#threads").splitlines()

    (asking,) = [row for row in rows if f"session {ASKING}" in row]
    (resting,) = [row for row in rows if f"session {RESTING}" in row]
    assert "waits" in asking
    assert "a lock" in asking
    assert "sleeps" in resting
    assert any(f"PostgreSQL · process {SERVER}" in row for row in rows)


def test_who_the_first_finding_speaks_of_stands_first() -> None:
    capture = recorded("asyncio_ring")
    diagnosis = diagnose(capture)
    first = spoken_of(diagnosis.findings[0])
    (group,) = groups(diagnosis, first, {})
    kinds = [one.unit.id.kind for one in group.placed]

    assert kinds[0] is NodeKind.THREAD
    assert [one.first for one in group.placed] == [True] * 4 + [False]
    assert all(one.below for one in group.placed[1:])
    assert spoken_of(None) == frozenset()


def test_of_a_ring_of_tasks_the_first_one_is_selected_and_not_its_loop() -> None:
    view = CaptureView.of(recorded("asyncio_ring"))
    session = Session().arrived(view, grows=False)
    assert session.unit is not None
    assert session.unit.id.kind is NodeKind.TASK
    assert session.selected is None
