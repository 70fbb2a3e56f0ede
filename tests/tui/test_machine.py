"""The list of all processes of a machine."""

import asyncio
from collections.abc import AsyncIterator, Callable

import pytest
from textual.pilot import Pilot

from hangtui.backends.machine.provider import LiveMachine
from hangtui.backends.provider import LiveProvider
from hangtui.machine import Machine
from hangtui.model import HangtuiError, Sighting, TargetError
from hangtui.provider import CaptureRequest
from hangtui.tui.app import BACK, HangtuiApp
from hangtui.tui.machine.app import MachineApp
from tests.integration.targets import interpreters, running
from tests.tui.driving import NARROW, WIDE, FakeProvider, settled, text_of, until
from tests.unit.factories import abba, capture, thread

HUNG, OTHER = 100, 200


def seen(pid: int, title: str = "serve.py", **facts: object) -> Sighting:
    """A process at a glance."""
    values: dict[str, object] = {
        "pid": pid, "started": 5, "title": title, "cmdline": f"python {title}", "user": "ml",
        "container": None, "age_s": 300.0, "state": "S", "threads": 2, "processor_s": 1.0,
    }  # fmt: skip
    return Sighting(**{**values, **facts})  # type: ignore[arg-type]


class FakeMachine:
    """Gives what the test puts in."""

    def __init__(self, *glances: list[Sighting]) -> None:
        self._queue: asyncio.Queue[list[Sighting] | HangtuiError] = asyncio.Queue()
        for one in glances:
            self._queue.put_nowait(one)

    def give(self, glance: list[Sighting] | HangtuiError) -> None:
        """The next glance, or how it ends."""
        self._queue.put_nowait(glance)

    async def glances(self) -> AsyncIterator[list[Sighting]]:
        """See ``MachineProvider``."""
        while True:
            glance = await self._queue.get()
            if isinstance(glance, HangtuiError):
                raise glance
            yield glance


def over(machine: FakeMachine, provider: FakeProvider) -> MachineApp:
    """The list, whose looks *provider* answers."""
    return MachineApp(Machine(), provider, machine)


async def shows(pilot: Pilot[int], *words: str) -> str:
    """Wait until the list has all of *words*; its text."""
    await until(pilot, lambda: all(word in text_of(pilot, "#machine") for word in words))
    return text_of(pilot, "#machine")


@pytest.mark.parametrize("size", [WIDE, NARROW])
async def test_the_hung_one_is_first_and_says_why(size: tuple[int, int]) -> None:
    machine = FakeMachine([seen(OTHER, "idle.py"), seen(HUNG)])
    app = over(machine, FakeProvider([abba()]))

    async with app.run_test(size=size) as pilot:
        text = await shows(pilot, "Deadlock")

        rows = [line for line in text.splitlines() if ".py" in line]
        assert "serve.py" in rows[0]
        assert "idle.py" in rows[1]
        assert "could not be read" in rows[1]
        assert "2 processes · 1 hung · 1 not looked into" in text_of(pilot, "#header")


async def test_nothing_is_called_well_before_it_was_looked_into() -> None:
    app = over(FakeMachine([seen(HUNG)]), FakeProvider([TargetError("permission denied", "sudo")]))

    async with app.run_test(size=NARROW) as pilot:
        text = await shows(pilot, "permission denied   sudo")
        assert "hung" not in text_of(pilot, "#header")
        assert "finding" not in text


async def test_enter_goes_into_the_process_under_the_cursor() -> None:
    app = over(FakeMachine([seen(OTHER), seen(HUNG)]), FakeProvider([abba()]))

    async with app.run_test(size=NARROW) as pilot:
        await shows(pilot, "Deadlock")
        await pilot.press("enter")
        await pilot.pause()

    assert app.chosen == (HUNG,)
    assert app.return_code == 0


async def test_all_of_them_at_once() -> None:
    app = over(FakeMachine([seen(HUNG)]), FakeProvider([abba()]))

    async with app.run_test(size=NARROW) as pilot:
        await pilot.press("a")
        await pilot.pause()

    assert app.chosen == ()


async def test_quitting_chooses_nobody() -> None:
    app = over(FakeMachine([seen(HUNG)]), FakeProvider([abba()]))

    async with app.run_test(size=NARROW) as pilot:
        await pilot.press("q")
        await pilot.pause()

    assert app.chosen is None


async def test_the_cursor_stays_where_it_was_put_and_else_on_the_worst() -> None:
    machine = FakeMachine([seen(OTHER, "idle.py"), seen(300, "third.py")])
    quiet = capture(thread("MainThread", OTHER, OTHER), thread("MainThread", 300, 300))
    app = over(machine, FakeProvider([quiet], [abba()]))

    async with app.run_test(size=NARROW) as pilot:
        await shows(pilot, "third.py")
        await pilot.press("down")
        await pilot.pause()
        put = app.cursor

        def glance() -> bool:
            """As every two seconds: it may be too early to look into the new one."""
            machine.give([seen(OTHER, "idle.py"), seen(300, "third.py"), seen(HUNG)])
            return "Deadlock" in text_of(pilot, "#machine")

        await until(pilot, glance)
        assert app.cursor == put
        await pilot.press("enter")
        await pilot.pause()

    assert put is not None
    assert app.chosen == (int(put.partition(":")[0]),)


async def test_filtered_by_user_container_name_and_verdict() -> None:
    machine = FakeMachine(
        [seen(HUNG), seen(OTHER, "web.py", container="docker:0123 shop"), seen(300, user="root")]
    )
    app = over(machine, FakeProvider([abba()]))

    async with app.run_test(size=WIDE) as pilot:
        await shows(pilot, "Deadlock", "web.py", "root")
        for word, there in (("shop", "web.py"), ("root", "300"), ("deadlock", "100")):
            await pilot.press("slash", *word)
            await until(pilot, lambda: "1 of 3" in str(app.query_one("#machine").border_subtitle))
            rows = [line for line in text_of(pilot, "#machine").splitlines() if ".py" in line]
            assert len(rows) == 1
            assert there in rows[0]
            await pilot.press("escape")
            await pilot.pause()
        assert len([x for x in text_of(pilot, "#machine").splitlines() if ".py" in x]) == 3


async def test_what_ended_and_what_is_told_of_the_list_itself() -> None:
    machine = FakeMachine([seen(HUNG), seen(OTHER, "idle.py")])
    app = over(machine, FakeProvider([abba()]))

    async with app.run_test(size=WIDE) as pilot:
        await shows(pilot, "Deadlock")
        machine.give([seen(OTHER, "idle.py")])
        text = await shows(pilot, "ended")
        assert "was: Deadlock" in text
        assert "1 process ·" in text_of(pilot, "#header")
        machine.give(TargetError("the processes of this machine cannot be listed any more"))
        await until(pilot, lambda: "cannot be listed" in text_of(pilot, "#header"))


async def test_names_of_strangers_are_text() -> None:
    machine = FakeMachine([seen(HUNG, "a\x1b[31m[red]x[/]\nb")])
    app = over(machine, FakeProvider([abba()]))

    async with app.run_test(size=WIDE) as pilot:
        text = await shows(pilot, "Deadlock")
        assert "\x1b" not in text
        assert "[red]" in text


@pytest.mark.parametrize("size", [(40, 10), (200, 50)])
async def test_every_size(size: tuple[int, int]) -> None:
    app = over(FakeMachine([seen(HUNG), seen(OTHER)]), FakeProvider([abba()]))

    async with app.run_test(size=size) as pilot:
        text = await shows(pilot, "serve.py", "De")
        assert max(map(len, text.splitlines())) <= size[0]


async def test_esc_leads_back_to_the_list_only_where_there_is_one() -> None:
    for listed in (True, False):
        app = HangtuiApp(FakeProvider([abba()]), CaptureRequest((HUNG,)), listed=listed)
        async with app.run_test(size=NARROW) as pilot:
            await settled(pilot)
            await pilot.press("3", "escape")
            await pilot.pause()
            assert app.return_code is None
            await pilot.press("escape")
            await pilot.pause()
        assert app.return_code == (BACK if listed else None)


@pytest.mark.processes
async def test_real_processes() -> None:
    python = interpreters(("3.12", "3.11"))[0].path
    app = MachineApp(Machine(), LiveProvider(), LiveMachine())
    # So high that whatever else runs on this machine is on it as well.
    with running("abba", python) as hung, running("healthy_http", python) as healthy:
        async with app.run_test(size=(WIDE[0], 400)) as pilot:

            def row(pid: int) -> tuple[int, str]:
                """Where it is in the list, and what is said of it."""
                lines = enumerate(text_of(pilot, "#machine").splitlines())
                return next((one for one in lines if f" {pid} " in one[1]), (0, ""))

            await until(pilot, lambda: "Deadlock" in row(hung.pid)[1])
            # Its row stays what one look found, which may have met a thread at work.
            well = ("awake", "idle", "busy")
            await until(pilot, lambda: any(word in row(healthy.pid)[1] for word in well))
            assert row(hung.pid)[0] < row(healthy.pid)[0]


@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["120x40", "80x24"])
def test_picture(snap_compare: Callable[..., bool], size: tuple[int, int]) -> None:
    machine = FakeMachine(
        [
            *(
                seen(pid, f"worker-{pid}.py", container="docker:0123456789ab shop")
                for pid in (7, 8)
            ),
            seen(HUNG, age_s=7500.0),
        ]
    )
    app = MachineApp(Machine(), FakeProvider([abba()]), machine, clock=lambda: 12.0)

    async def before(pilot: Pilot[int]) -> None:
        await shows(pilot, "Deadlock", "could not be read")
        await pilot.pause()

    assert snap_compare(app, terminal_size=size, run_before=before)
