from dataclasses import replace

import pytest

from hangtui.model import (
    Capture,
    GpuUse,
    Notice,
    Reason,
    Severity,
    Surroundings,
    TargetError,
    Thread,
)
from hangtui.provider import CaptureRequest
from hangtui.tui.app import HangtuiApp
from hangtui.tui.rows.labels import since_words, size, unchanged_label
from hangtui.tui.rows.process_facts import facts, sparkline
from hangtui.tui.rows.processes import process_rows
from hangtui.tui.rows.verdict import partner_of, verdict_lines
from hangtui.tui.session import CaptureView
from tests.tui import samples
from tests.tui.driving import (
    NARROW,
    WIDE,
    FakeProvider,
    app_over,
    recorded,
    screen,
    settled,
    text_of,
)


@pytest.mark.parametrize("dimensions", [WIDE, NARROW])
async def test_the_deadlock_in_words_with_its_ring_and_both_stacks(
    dimensions: tuple[int, int],
) -> None:
    async with app_over(recorded("story_a_rwlock_gil")).run_test(size=dimensions) as pilot:
        await settled(pilot)
        verdict = text_of(pilot, "#verdict")

        assert "X certain  Deadlock: " in verdict
        assert "MainThread and launcher wait for each other" in verdict
        chain = "MainThread rwlock_gil.py:24 → rwlock context_lock → launcher rwlock_gil.py:18"
        assert f"{chain} → GIL → MainThread" in " ".join(verdict.split())
        assert "copy_memory" in text_of(pilot, "#preview")
        if dimensions == WIDE:
            assert "occupancy" in text_of(pilot, "#partner")


async def test_a_healthy_process_has_no_verdict() -> None:
    async with app_over(recorded("healthy_http")).run_test(size=WIDE) as pilot:
        await settled(pilot)
        assert not pilot.app.query_one("#verdict").display
        assert not pilot.app.query_one("#partner").display


def test_partner_is_who_holds_what_a_thread_waits_for() -> None:
    view = CaptureView.of(samples.deadlock())

    def name(tid: int) -> str | None:
        node = partner_of(view, f"thread:{samples.PID}:{tid}")
        return view.threads[node].name if node else None

    assert name(samples.PID) == "worker-a"
    assert name(41885) == "worker-b"
    assert name(41910) is None


@pytest.mark.parametrize("width", [20, 40, 80, 120])
def test_verdict_keeps_to_its_lines(width: int) -> None:
    view = CaptureView.of(samples.deadlock())
    for most in (1, 2, 3, 6):
        lines = verdict_lines(view, None, width, most)
        assert 0 < len(lines) <= most + 1
        assert all(line.cell_len <= width for line in lines)


def used(cpu: float, megabytes: int) -> Capture:
    capture = samples.deadlock()
    process = replace(capture.processes[0], cpu_percent=cpu, rss_bytes=megabytes * 2**20)
    return replace(capture, processes=(process,))


def test_cpu_and_memory_are_drawn_over_the_captures() -> None:
    views = [CaptureView.of(used(cpu, 100 + cpu)) for cpu in (0, 50, 100)]
    lines = [line.plain for line in facts(views[-1], None, 60, views)]

    assert "cpu       ▁▅█" in lines
    assert "memory    ▅▆█" in lines
    assert not any("▁" in line.plain for line in facts(views[-1], None, 60, views[-1:]))
    assert sparkline([0, 0]) == "▁▁"


def test_processes_show_more_where_there_is_room() -> None:
    view = CaptureView.of(used(3, 812))
    (row,) = process_rows(view).rows
    narrow, roomy, wide = (row.paint(width)[0].plain for width in (34, 50, 90))

    assert "812M" not in narrow
    assert "812M   3 %" in roomy
    assert "X deadlock" in wide


def test_the_use_of_gpus_is_in_the_row_and_below() -> None:
    made = used(3, 812)
    gpu = GpuUse(2, "NVIDIA H200", "/dev/nvidia2", 12 * 2**30, 0.97)

    def shown(*gpus: GpuUse) -> tuple[str, list[str]]:
        around = Surroundings(devices=("/dev/nvidia2",), gpus=gpus)
        view = CaptureView.of(replace(made, processes=(replace(made.processes[0], around=around),)))
        (row,) = process_rows(view).rows
        lines = [line.plain for line in facts(view, None, 80)]
        return row.paint(100)[0].plain, [line for line in lines if line.startswith("device")]

    row, lines = shown(gpu)
    assert " GPU2 12.0G 97% X deadlock" in row
    assert lines == ["device    GPU 2 (NVIDIA H200): 12.0 GiB of this process, busy 97 %"]
    row, lines = shown(gpu, replace(gpu, index=3, busy=None))
    assert " 2 GPU 24.0G " in row
    assert len(lines) == 2
    assert " GPU2 97% " in shown(replace(gpu, memory_bytes=None))[0]
    row, lines = shown()
    assert " nvidia2 " in row
    assert lines == ["devices   /dev/nvidia2"]


@pytest.mark.parametrize(
    ("count", "text"), [(2**10, "1K"), (2**20, "1M"), (3 * 2**29, "1.5G"), (2**41, "2.0T")]
)
def test_sizes(count: int, text: str) -> None:
    assert size(count) == text


def test_the_process_in_trouble_is_first_with_those_that_started_it() -> None:
    capture = samples.deadlock()
    stuck = replace(capture.processes[0], ppid=20)
    idle = tuple(
        replace(stuck, pid=pid, ppid=parent, threads=())
        for pid, parent in ((5, 1), (20, 1), (6, 20))
    )
    view = CaptureView.of(replace(capture, processes=(*idle, stuck)))
    keys = [row.key for row in process_rows(view).rows]

    assert keys == ["all", "20", str(samples.PID), "6", "5"]


def later(seconds: int, *, ran: bool) -> Capture:
    """The deadlock again: as it was, or with a thread of the ring that ran and came back."""
    capture = samples.deadlock(f"2026-08-30T12:04:{51 + seconds}+00:00")
    process = capture.processes[0]
    threads = tuple(replace(t, runs=13 if ran else t.runs) for t in process.threads)
    return replace(capture, processes=(replace(process, threads=threads),))


def test_several_captures_tell_for_how_long_nobody_has_run() -> None:
    first = CaptureView.of(samples.deadlock())
    view = CaptureView.of(later(8, ran=False), CaptureView.of(later(3, ran=False), first))
    said = "\n".join(line.plain for line in verdict_lines(view, None, 200, 6))

    assert " · not run for ≥8s" in said
    summary = "\n".join(line.plain for line in facts(view, None, 80))
    assert "no thread has run for ≥8s (3 captures)" in summary
    assert "not run" not in "\n".join(line.plain for line in verdict_lines(first, None, 200, 6))


def test_threads_that_ran_and_came_back_are_not_called_stuck() -> None:
    view = CaptureView.of(later(8, ran=True), CaptureView.of(samples.deadlock()))

    said = "\n".join(line.plain for line in verdict_lines(view, None, 200, 6))
    assert "same place for ~8s, but ran" in said
    assert "same stack" in "\n".join(line.plain for line in facts(view, None, 80))
    main = view.threads[f"thread:{samples.PID}:{samples.PID}"]
    assert unchanged_label(view, main) == "~8s"
    assert "but it ran" in since_words(view, main)


def closed_to_us() -> Capture:
    """A process of another user: its threads are there, and nothing else."""
    capture = samples.deadlock()
    process = capture.processes[0]
    threads = tuple(Thread(t.pid, t.tid, "python3", "S") for t in process.threads[:2])
    reason = f"the memory of process {samples.PID} may not be read: it runs as root"
    notice = Notice("procfs", reason, f"sudo hangtui {samples.PID}", samples.PID)
    return Capture(
        samples.TAKEN_AT,
        "gpu-17",
        processes=(replace(process, threads=threads, python=None),),
        notices=(notice,),
    )


@pytest.mark.parametrize("dimensions", [WIDE, NARROW])
async def test_what_could_not_be_read_says_why_and_how_to_mend_it(
    dimensions: tuple[int, int],
) -> None:
    async with app_over(closed_to_us()).run_test(size=dimensions) as pilot:
        await settled(pilot)
        verdict = " ".join(text_of(pilot, "#verdict").split())

        assert f"NOT READ Process {samples.PID}: its stacks and waits (the memory of" in verdict
        assert "it runs as root" in verdict
        assert verdict.endswith(f"fix: sudo hangtui {samples.PID}")
        await pilot.press("4")
        await pilot.pause()
        assert "No rule found anything" not in screen(pilot)
        if dimensions == WIDE:
            await pilot.press("1")
            await pilot.pause()
            assert "Nothing was read." in text_of(pilot, "#facts")


async def test_a_take_that_fails_says_why_and_how_to_mend_it() -> None:
    app = HangtuiApp(
        FakeProvider([TargetError("process 1 is gone", "hangtui lists those that are there")]),
        CaptureRequest((1,)),
    )
    async with app.run_test(size=NARROW) as pilot:
        await settled(pilot)
        verdict = text_of(pilot, "#verdict")
        assert "NOT READ  process 1 is gone" in verdict
        assert "fix: hangtui lists those that are there" in verdict


@pytest.mark.parametrize("severity", [Severity.ERROR, Severity.NOTE])
def test_what_calms_is_not_said_beside_what_is_wrong(severity: Severity) -> None:
    view = CaptureView.of(samples.deadlock())
    worst = replace(view.findings[0], severity=severity)
    calms = replace(
        worst,
        id="alive",
        severity=Severity.NOTE,
        reason=Reason.REASSURANCE,
        title="Process 41873 is working: 1 of 7 Python threads ran",
    )
    other = replace(worst, id="zombie-children", title="2 children have ended")
    diagnosis = replace(view.diagnosis, findings=(worst, other, calms))
    said = " ".join(line.plain for line in facts(replace(view, diagnosis=diagnosis), None, 200))

    assert "2 children have ended" in said
    assert ("is working" in said) is (severity is Severity.NOTE)
