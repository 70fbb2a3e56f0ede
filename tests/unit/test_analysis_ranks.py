"""Equal stacks of many threads as one, and what they share as a tree."""

from dataclasses import replace

from hangtui.analysis.ranks import CallNode, calls_of, merged_tree, stack_classes
from hangtui.model import Thread
from tests.unit.factories import LIBCUDA, native_frame, python_frame, thread

LIBRARY = "/usr/lib/python3.11/threading.py"


def worker(number: int, line: int = 7) -> Thread:
    frames = (
        python_frame("work", line, entry=False),
        python_frame("run", 982, LIBRARY, entry=True),
    )
    return thread(f"worker-{number}", number, python=frames)


def outline(nodes: tuple[CallNode, ...], indent: int = 0) -> list[str]:
    lines = []
    for node in nodes:
        lines.append(f"{' ' * indent}{node.call.place} {len(node.threads)} ends {node.ends}")
        lines += outline(node.children, indent + 1)
    return lines


def test_equal_stacks_are_one_class_and_the_odd_one_comes_first() -> None:
    threads = [worker(number) for number in range(1, 6)] + [worker(9, line=8)]

    classes = stack_classes(threads)

    assert [len(one.threads) for one in classes] == [1, 5]
    assert classes[0].threads == (threads[-1],)
    assert [call.place for call in classes[0].calls] == ["threading.py:982", "main.py:8"]


def test_threads_of_several_processes_can_have_the_same_stack() -> None:
    other = replace(worker(2), pid=7)

    (one,) = stack_classes([worker(1), other])

    assert one.pids == (7, 100)


def test_threads_of_which_nothing_is_known_come_after_those_that_are_read() -> None:
    classes = stack_classes([thread("dark", 3), worker(1)])

    assert [bool(one.calls) for one in classes] == [True, False]


def test_tree_shares_the_outer_calls_and_begins_with_the_rarest() -> None:
    classes = stack_classes([worker(1), worker(2), worker(3, line=8)])

    assert outline(merged_tree(classes)) == [
        "threading.py:982 3 ends 0",
        " main.py:8 1 ends 1",
        " main.py:7 2 ends 2",
    ]
    assert outline(merged_tree(classes, libraries=False)) == [
        "main.py:8 1 ends 1",
        "main.py:7 2 ends 2",
    ]
    assert outline(merged_tree(classes, depth=1)) == ["threading.py:982 3 ends 3"]


def test_a_thread_inside_the_library_only_keeps_its_frames() -> None:
    idle = thread("idle", 5, python=[python_frame("run", 982, LIBRARY)])

    assert outline(merged_tree(stack_classes([idle]), libraries=False)) == [
        "threading.py:982 1 ends 1"
    ]


def test_an_extension_that_python_called_is_the_innermost_call() -> None:
    stuck = thread(
        "stuck",
        python=[python_frame("train", 4)],
        native=[
            native_frame("futex_wait", "/usr/lib/libc.so.6"),
            native_frame("cuLaunchKernel", LIBCUDA),
            native_frame("_PyEval_EvalFrameDefault"),
            native_frame("main", LIBCUDA),
        ],
    )

    assert [call.function for call in calls_of(stuck)] == ["train", "cuLaunchKernel"]


def test_a_native_thread_shows_its_own_code() -> None:
    pool = thread(
        "pool",
        native=[
            native_frame("futex_wait", "/usr/lib/libc.so.6"),
            native_frame("cu::Pool::wait(int)", LIBCUDA),
            native_frame("start_thread", "/usr/lib/libc.so.6"),
        ],
    )
    bare = thread("bare", native=[native_frame("poll", "/usr/lib/libc.so.6"), native_frame(None)])

    assert [call.function for call in calls_of(pool)] == ["cu::Pool::wait"]
    assert [call.function for call in calls_of(bare)] == ["poll"]
