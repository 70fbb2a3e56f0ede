"""How long ago a process ran last, where each processor's clock has lost another share of time."""

import os
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from hangtui.backends.procfs import last_run

_UPTIME = 10_000.0


class Machine:
    """A /proc of two processors, and a child that ended on the second one."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.child = root / "7"

    def runs(self, name: str, processor: int, clock_s: float) -> None:
        folder = self.root / name
        folder.mkdir(exist_ok=True)
        fields = ["Z", *["0"] * 35, str(processor), *["0"] * 13]
        (folder / "stat").write_text(f"7 (a ) b) {' '.join(fields)}\n")
        (folder / "sched").write_text(f"a (7)\nse.exec_start   :   {clock_s * 1000:.6f}\n")

    def lost(self, *of_processors: tuple[float, float]) -> None:
        """The stolen seconds and those of interrupts, for each."""
        lines = [
            f"cpu{number} 1 2 3 4 5 {int(interrupts * 100)} 0 {int(stolen * 100)} 0 0"
            for number, (stolen, interrupts) in enumerate(of_processors)
        ]
        (self.root / "stat").write_text("\n".join(["cpu 1 2 3 4 5 6 7 8 0 0", *lines, "intr 5"]))


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    monkeypatch.setattr(last_run, "PROC", tmp_path)
    monkeypatch.setattr(last_run, "_SELF", tmp_path / "self")
    monkeypatch.setattr(time, "clock_gettime", lambda _: _UPTIME)
    return Machine(tmp_path)


@pytest.mark.parametrize(("of_it", "of_us"), [(0, 0), (30, 2), (2, 30)])
def test_stolen_time_is_put_back(machine: Machine, of_it: float, of_us: float) -> None:
    machine.lost((of_us, 0), (of_it, 0))
    machine.runs("7", 1, 9_990 - of_it)
    machine.runs("self", 0, _UPTIME - of_us)
    assert last_run.seconds_since(machine.child) == pytest.approx(10, abs=0.02)


@pytest.mark.parametrize("counts", [True, False])
def test_interrupts_are_put_back_where_they_are_left_out(machine: Machine, counts: bool) -> None:
    machine.lost((5, 100), (9, 400))
    machine.runs("7", 1, 9_990 - 9 - 400 * counts)
    machine.runs("self", 0, _UPTIME - 5 - 100 * counts)
    assert last_run.seconds_since(machine.child) == pytest.approx(10, abs=0.02)


def test_the_least_where_interrupts_do_not_tell(machine: Machine) -> None:
    machine.lost((5, 3), (5, 6))
    machine.runs("7", 1, 9_990 - 5)
    machine.runs("self", 0, _UPTIME - 5)
    assert last_run.seconds_since(machine.child) == pytest.approx(7, abs=0.02)


def test_what_its_processor_lost_since_makes_it_less_and_never_negative(machine: Machine) -> None:
    machine.lost((0, 0), (50, 0))
    machine.runs("7", 1, 9_990)
    machine.runs("self", 0, _UPTIME)
    assert last_run.seconds_since(machine.child) == 0


def test_unknown_where_the_kernel_does_not_tell(machine: Machine) -> None:
    machine.lost((0, 0))
    machine.runs("self", 0, _UPTIME)
    machine.runs("7", 1, 9_990)
    with pytest.raises(LookupError):
        last_run.seconds_since(machine.child)  # a processor that /proc/stat does not list
    machine.lost((0, 0), (0, 0))
    (machine.child / "sched").write_text("a (7)\n")
    with pytest.raises(LookupError):
        last_run.seconds_since(machine.child)


@pytest.fixture
def processors() -> Iterator[list[int]]:
    before = os.sched_getaffinity(0)
    yield sorted(before)[:4]
    os.sched_setaffinity(0, before)


@pytest.mark.parametrize("end", range(2))
def test_the_same_from_every_processor(processors: list[int], end: int) -> None:
    """Machines that have lost nothing pass this with any clock; the others only with the right
    one."""
    place = processors[-end]
    os.sched_setaffinity(0, {place})
    child = subprocess.Popen(["sh", "-c", "exit"])
    os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
    ended = time.monotonic()
    for processor in processors * 2:
        os.sched_setaffinity(0, {processor})
        age = last_run.seconds_since(Path("/proc") / str(child.pid))
        assert age == pytest.approx(time.monotonic() - ended, abs=0.5)
    child.wait()
