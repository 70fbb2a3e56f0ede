from dataclasses import replace

import pytest

from hangtui.analysis.ranks import merged_stacks, merged_tree
from hangtui.model import Capture
from hangtui.tui.keys import ViewName
from hangtui.tui.rows.merged import named_classes, tree_rows
from hangtui.tui.session import CaptureView
from tests.tui import samples
from tests.tui.driving import NARROW, WIDE, app_over, hangtui, recorded, settled, text_of


def workers(count: int) -> Capture:
    """Workers that all do the same, but one."""
    capture = samples.many_threads(count)
    process = capture.processes[0]
    frames = (samples.python("idle", "pool.py:7", entry=False), samples.python("run", "pool.py:3"))
    odd = (samples.python("flush", "cache.py:88", entry=False), samples.python("run", "pool.py:3"))
    threads = [replace(thread, python_stack=frames) for thread in process.threads]
    threads[5] = replace(threads[5], python_stack=odd)
    return replace(
        capture, processes=(replace(process, threads=tuple(threads)),), waits=(), holds=()
    )


async def test_equal_stacks_are_folded_and_the_odd_one_is_first() -> None:
    async with app_over(workers(38)).run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("6")
        await pilot.pause()
        classes, tree = text_of(pilot, "#classes"), text_of(pilot, "#calls")

    assert classes.index("pool-5") < classes.index("37 × pool-…")
    outer = next(row for row in tree.splitlines() if "pool.py:3" in row)
    assert outer.strip("┃│ ").split()[-3:] == ["38", "A", "B"]
    assert tree.index("cache.py:88") < tree.index("pool.py:7")


async def test_enter_opens_a_thread_of_the_class_under_the_cursor() -> None:
    async with app_over(workers(38)).run_test(size=NARROW) as pilot:
        await settled(pilot)
        await pilot.press("6", "equals_sign")
        await pilot.pause()
        await pilot.press("j", "enter")
        await pilot.pause()

        assert hangtui(pilot).view.NAME is ViewName.THREAD
        assert hangtui(pilot).session.thread == f"thread:{samples.PID}:{samples.PID}"


@pytest.mark.parametrize("dimensions", [WIDE, NARROW])
async def test_brackets_go_from_group_to_group(dimensions: tuple[int, int]) -> None:
    async with app_over(workers(38)).run_test(size=dimensions) as pilot:
        await settled(pilot)
        await pilot.press("6")
        await pilot.pause()
        assert "1 thread with this stack" in text_of(pilot, "#class")

        await pilot.press("]")
        await pilot.pause()
        assert "37 threads with this stack" in text_of(pilot, "#class")
        row = next(row for row in text_of(pilot, "#calls").splitlines() if "▌" in row)
        assert "pool.py:7" in row
        await pilot.press("]", "[")
        await pilot.pause()
        assert "1 thread with this stack" in text_of(pilot, "#class")
        await pilot.press("enter")
        await pilot.pause()
        assert hangtui(pilot).session.thread == f"thread:{samples.PID}:{samples.PID + 5}"


async def test_depth_fold_and_library_frames() -> None:
    async with app_over(recorded("healthy_pool")).run_test(size=WIDE) as pilot:
        await settled(pilot)
        await pilot.press("6")
        await pilot.pause()
        before = text_of(pilot, "#calls")
        await pilot.press("z")
        await pilot.pause()
        assert text_of(pilot, "#calls").count("threading.py") > before.count("threading.py")
        await pilot.press("left")
        await pilot.pause()
        assert "▸" in text_of(pilot, "#calls")
        await pilot.press("right", "less_than_sign")
        await pilot.pause()
        assert "▸" not in text_of(pilot, "#calls")
        assert "depth" in text_of(pilot, "#tabs")


def test_every_thread_is_in_one_class_and_classes_in_trouble_come_first() -> None:
    view = CaptureView.of(recorded("story_a_rwlock_gil"))
    classes = named_classes(view, merged_stacks(view.capture))
    members = [thread.id for one in classes for thread in one.stack.threads]

    assert sorted(members) == sorted(view.threads)
    assert classes[0].letter == "A"
    rows = tree_rows(view, merged_tree([one.stack for one in classes]), classes, ())
    assert len({row.key for row in rows}) == len(rows)
