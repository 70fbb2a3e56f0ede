"""The text report: what is said first, the drawing, the columns."""

from dataclasses import replace

import pytest

from hangtui.analysis.coverage import nothing_read, unread
from hangtui.analysis.waitgraph import build
from hangtui.diagnosis import diagnose
from hangtui.model import (
    Capture,
    Certainty,
    GilState,
    GpuUse,
    Notice,
    Surroundings,
    Thread,
    thread_id,
)
from hangtui.report.cycle_rows import actors_of, cycle_rows
from hangtui.report.drawing import ASCII, UNICODE, cells, cut, pad
from hangtui.report.stack_rows import stack_rows
from hangtui.report.text_report import to_text
from tests.unit.factories import (
    LIBC,
    LIBCUDA,
    abba,
    capture,
    cuda,
    holds,
    lock,
    native_frame,
    python_frame,
    thread,
    waits,
    with_thread,
)

EVAL = native_frame("_PyEval_EvalFrameDefault")


def drawing(made: Capture, width: int = 100) -> list[str]:
    graph = build(made)
    return cycle_rows(graph.cycles[0], actors_of(made), graph, ASCII, width)


def test_the_finding_comes_first() -> None:
    lines = to_text(diagnose(abba())).splitlines()

    assert lines[0] == (
        "ERROR: Deadlock: worker-a and worker-b wait for each other (Bank.right, Bank.left)  "
        "[proven]"
    )
    assert lines[2].startswith("  worker-a holds Bank.left (taken at bank.py:30)")
    assert "   4. Bank.left is held by worker-a, taken at bank.py:30" in "\n".join(lines)
    assert "3 threads: 2 deadlocked, 1 running." in lines


def test_a_healthy_process_is_said_to_be() -> None:
    lines = to_text(
        diagnose(capture(thread("MainThread", python=[python_frame("loop")])))
    ).splitlines()

    assert lines[:2] == ["No deadlock found.", "1 thread: 1 unknown."]


def test_nothing_read_is_not_called_healthy() -> None:
    blind = capture(Thread(100, 100, "MainThread", "S"))
    noticed = replace(blind, notices=(Notice("cpython", "not permitted", "run as root", 100),))
    lines = to_text(diagnose(noticed)).splitlines()

    assert " ".join(lines[:2]) == (
        "No deadlock found, but process 100 was not looked at well enough: not read: its stacks "
        "and waits (not permitted)."
    )
    assert "  no stack was read" in lines
    assert lines[lines.index("NOTICES") + 1 :][:2] == [
        "  cpython: not permitted (PID 100)",
        "    fix: run as root",
    ]


def test_the_cycle_is_drawn_in_wait_order() -> None:
    assert drawing(abba()) == [
        "+> * worker-a (TID 101)                 waits for v  bank.py:31 (transfer)",
        "|  # Bank.right (threading.Lock)        held by v",
        "|  * worker-b (TID 102)                 waits for v  bank.py:41 (audit)",
        "|  # Bank.left (threading.Lock)         held by ^ worker-a (TID 101)",
        "+--+",
    ]


def test_who_waits_behind_is_drawn_below_nested() -> None:
    near, far = thread("near", 104), thread("far", 105)
    other = lock("other", 0x9)
    made = with_thread(abba(), near, far, waits=[waits(near, "lock:100:0xb"), waits(far, other)])
    made = replace(
        made, resources=(*made.resources, other), holds=(*made.holds, holds(other, near))
    )

    assert drawing(made)[2:5] == [
        "|    `<-* near (TID 104)",
        "|       `<-# other",
        "|          `<-* far (TID 105)",
    ]


def test_a_crowd_behind_is_counted() -> None:
    crowd = [thread(f"v{n}", 200 + n) for n in range(30)]
    made = with_thread(abba(), *crowd, waits=[waits(v, "lock:100:0xa") for v in crowd])

    assert drawing(made)[-2] == "|    `<-... 22 more"
    assert len(drawing(made)) == 14


def test_a_long_chain_behind_is_cut() -> None:
    chain = [thread(f"c{n}", 200 + n) for n in range(20)]
    locks = [lock(f"k{n}", 0x100 + n) for n in range(20)]
    behind = [waits(chain[0], "lock:100:0xa")]
    behind += [waits(chain[n], locks[n - 1]) for n in range(1, 20)]
    made = with_thread(abba(), *chain, waits=behind)
    owned = [holds(locks[n], chain[n]) for n in range(20)]
    made = replace(made, resources=(*made.resources, *locks), holds=(*made.holds, *owned))

    assert "deeper" in drawing(made)[-2]
    assert len(drawing(made)) == 12


def test_an_inferred_edge_is_drawn_with_another_lane_and_a_question_mark() -> None:
    rows = drawing(cuda(Certainty.INFERRED))

    assert rows[1].startswith(":  # rwlock in libfakecuda.so")
    assert "held by? v" in rows[1]


@pytest.mark.parametrize("width", [40, 79, 80, 100, 160])
def test_no_line_is_wider_than_asked(width: int) -> None:
    report = to_text(diagnose(cuda()), width)

    assert max(cells(line) for line in report.splitlines()) <= width


def test_ascii_only_is_ascii() -> None:
    assert to_text(diagnose(cuda()), ascii_only=True).isascii()
    assert not to_text(diagnose(cuda())).isascii()


def test_stacks_stand_side_by_side_with_the_interpreter_folded() -> None:
    subject = thread(
        "t",
        python=[python_frame("inner", 3, entry=False), python_frame("outer", 9)],
        native=[
            native_frame("cuMemcpyAsync", LIBCUDA),
            native_frame("cfunction_call"),
            native_frame("_PyObject_Call"),
            EVAL,
            native_frame("start_thread", LIBC),
        ],
    )

    rows = [[cell.strip() for cell in row.split("|")] for row in stack_rows(subject, ASCII, 100)]
    assert rows == [
        ["PYTHON, innermost first", "NATIVE"],
        ["", "#0 cuMemcpyAsync libfakecuda.so"],
        ["", "... 2 interpreter frames"],
        ["main.py:3 inner", "#3 _PyEval_EvalFrameDefault libpython3.11.so.1.0"],
        [": main.py:9 outer", ""],
        ["", "#4 start_thread libc.so.6"],
    ]


def test_narrow_stacks_stand_below_each_other() -> None:
    subject = thread("t", python=[python_frame("f", 3)], native=[EVAL])

    assert stack_rows(subject, ASCII, 60) == [
        "PYTHON, innermost first",
        "  main.py:3 f",
        "NATIVE",
        "  #0 _PyEval_EvalFrameDefault libpython3.11.so.1.0",
    ]


def test_stacks_that_do_not_belong_together_say_why() -> None:
    subject = thread("t", python=[python_frame("f", 3)], native=[EVAL, EVAL])
    first, *rest = stack_rows(subject, UNICODE, 100)

    assert first == (
        "The columns do not belong together: 2 native eval frames for 1 entries into Python."
    )
    assert len(rest) == 3


def test_a_single_stack_needs_no_columns() -> None:
    assert stack_rows(thread("t", python=[python_frame("f", 3)]), ASCII, 100) == ["main.py:3 f"]


def test_endless_recursion_is_cut_in_the_middle() -> None:
    subject = thread("t", python=[python_frame(f"f{n}", n) for n in range(1000)])
    rows = stack_rows(subject, ASCII, 100)

    assert rows[99:102] == [
        "main.py:99 f99",
        "... 880 rows left out; --json has all",
        "main.py:980 f980",
    ]


def test_threads_with_equal_stacks_show_them_once() -> None:
    pool = [thread(f"p{n}", 200 + n, python=[python_frame("work", 5)]) for n in range(3)]
    report = to_text(diagnose(capture(*pool)))

    assert report.count("main.py:5 work") == 1
    assert report.count("the same stacks as p0, TID 200") == 2


def test_a_thread_says_its_holder_and_its_timeout() -> None:
    one, held = thread("a", 101), lock("L", 0x1)
    made = capture(
        one, resources=[held],
        waits=[waits(one, held, expires=True, where="/app/main.py:7")],
        holds=[holds(held, thread_id(100, 999))],
    )  # fmt: skip

    assert (
        "  waits for L at main.py:7, held by TID 999, not among the listed threads of process 100 "
        "(certain),\n    until its timeout\n"
    ) in to_text(diagnose(made))


def test_control_characters_never_reach_the_report() -> None:
    evil = capture(thread("a\x1b]0;x\x07b", python=[python_frame("f\x9b31m")]))

    assert not any(ord(char) < 32 or 0x7F <= ord(char) < 0xA0 for char in
                   to_text(diagnose(evil)).replace("\n", ""))  # fmt: skip


def test_wide_characters_take_two_columns() -> None:
    assert cells("線程e\u0301") == 5
    assert cut("線程線程", 5) == "線程…"
    assert pad("線", 4) == "線  "


@pytest.mark.parametrize(
    ("made", "blind"),
    [
        (capture(Thread(100, 100, "t", "S", still=True)), True),
        (capture(Thread(100, 100, "t", "R")), True),
        (capture(Thread(100, 100, "t", "Z")), True),
        (capture(Thread(100, 100, "t", "S", gil=GilState.WAITS)), False),
        (capture(Thread(100, 100, "t", "S", native_stack=())), False),
        (capture(thread("a", python=[]), Thread(100, 101, "t", "S")), False),
    ],
    ids=["asleep", "running", "zombie thread", "gil", "native", "one of two"],
)
def test_what_was_not_read_is_known(made: Capture, blind: bool) -> None:
    assert bool(unread(made)) is blind


def test_a_zombie_and_a_running_foreign_process_have_nothing_to_read() -> None:
    made = capture(Thread(100, 100, "t", "R", runs=7))
    (first,) = made.processes
    zombie, foreign = replace(first, state="Z"), replace(first, python=None)

    assert unread(replace(made, processes=(foreign,))) == ()
    assert unread(replace(made, processes=(zombie,))) == ()
    assert not nothing_read(replace(made, processes=(zombie,)))


def test_a_running_process_that_nobody_could_watch_was_not_read() -> None:
    made = capture(Thread(100, 100, "t", "R"))
    (first,) = made.processes
    dark, zombie = replace(first, python=None), replace(first, pid=7, state="Z", threads=())

    assert unread(replace(made, processes=(dark,))) == (dark,)
    assert nothing_read(replace(made, processes=(dark, zombie)))
    assert not nothing_read(abba())


def test_gpus_are_below_their_process() -> None:
    made = capture(thread("MainThread"))
    gpu = GpuUse(1, "NVIDIA H200", None, 512 * 2**20, 0.0)
    around = Surroundings(gpus=(gpu,))
    made = replace(made, processes=(replace(made.processes[0], around=around),))

    lines = to_text(diagnose(made)).splitlines()
    assert "  GPU 1 (NVIDIA H200): 512 MiB of this process, idle (busy 0 %)" in lines
