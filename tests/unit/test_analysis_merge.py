"""Python frames land on the rows of the eval frames that run them, or nowhere."""

from dataclasses import replace

import pytest

from hangtui.analysis.frame_classifier import foreign_frame, short_name
from hangtui.analysis.merge import MergedStack, interpreter_frame, merge
from hangtui.model import NativeFrame, PythonFrame, Thread
from tests.unit.factories import LIBC, LIBCUDA, native_frame, python_frame, thread

EVAL = native_frame("_PyEval_EvalFrameDefault")
FUTEX = native_frame("__futex_abstimed_wait", LIBC)
CALL = native_frame("_PyFunction_Vectorcall")
START = native_frame("start_thread", LIBC)


def make(python: list[PythonFrame] | None, native: list[NativeFrame] | None) -> Thread:
    return thread("t", python=python, native=native)


def columns(stack: MergedStack) -> list[tuple[str | None, str | None, bool]]:
    return [
        (
            row.python.function if row.python else None,
            row.native.function if row.native else None,
            row.shares_eval,
        )
        for row in stack.rows
    ]


def test_each_entry_frame_takes_its_own_eval_frame() -> None:
    stack = merge(
        make([python_frame("inner"), python_frame("outer")], [FUTEX, EVAL, CALL, EVAL, START])
    )

    assert stack.aligned
    assert columns(stack) == [
        (None, "__futex_abstimed_wait", False),
        ("inner", "_PyEval_EvalFrameDefault", False),
        (None, "_PyFunction_Vectorcall", False),
        ("outer", "_PyEval_EvalFrameDefault", False),
        (None, "start_thread", False),
    ]


def test_frames_that_share_an_eval_frame_follow_on_rows_without_native() -> None:
    python = [
        python_frame("flush", entry=False),
        python_frame("close", entry=False),
        python_frame("shutdown", entry=True),
        python_frame("on_exit", entry=False),
        python_frame("<module>", entry=True),
    ]
    stack = merge(make(python, [FUTEX, EVAL, CALL, EVAL]))

    assert columns(stack)[1:] == [
        ("flush", "_PyEval_EvalFrameDefault", False),
        ("close", None, True),
        ("shutdown", None, True),
        (None, "_PyFunction_Vectorcall", False),
        ("on_exit", "_PyEval_EvalFrameDefault", False),
        ("<module>", None, True),
    ]


@pytest.mark.parametrize("suffix", [".cold", ".lto_priv.0", ".isra.0", ".part.0.cold"])
def test_compilers_rename_the_eval_function(suffix: str) -> None:
    stack = merge(make([python_frame("f")], [native_frame(f"_PyEval_EvalFrameDefault{suffix}")]))

    assert [(row.python is not None, row.native is not None) for row in stack.rows] == [
        (True, True)
    ]


@pytest.mark.parametrize("evals", [1, 3])
def test_another_number_of_eval_frames_is_not_aligned_and_says_the_numbers(evals: int) -> None:
    stack = merge(make([python_frame("a"), python_frame("b")], [EVAL] * evals))

    assert not stack.aligned
    assert stack.reason == f"{evals} native eval frames for 2 entries into Python"
    assert [row.python is None for row in stack.rows] == [False, False] + [True] * evals
    assert all(row.native is None or row.python is None for row in stack.rows)


def test_a_cut_native_stack_is_not_aligned_unless_it_reaches_all_entries() -> None:
    short = make([python_frame("a"), python_frame("b")], [FUTEX, EVAL])
    enough = make([python_frame("a")], [FUTEX, EVAL])

    stack = merge(replace(short, native_complete=False))
    assert not stack.aligned
    assert stack.reason is not None
    assert stack.reason.endswith("the native stack is cut off")
    assert merge(replace(enough, native_complete=False)).aligned


def test_unknown_entries_are_not_guessed() -> None:
    stack = merge(make([python_frame("a", entry=None)], [EVAL]))

    assert not stack.aligned
    assert stack.reason is not None
    assert "does not tell" in stack.reason


def test_a_python_stack_that_ends_inside_an_eval_frame_is_not_aligned() -> None:
    stack = merge(make([python_frame("a"), python_frame("b", entry=False)], [EVAL]))

    assert not stack.aligned
    assert len(stack.rows) == 3


@pytest.mark.parametrize("missing", [None, []])
def test_one_missing_stack_leaves_one_column_empty(missing: list[PythonFrame] | None) -> None:
    stack = merge(make(missing, [FUTEX, START]))

    assert stack.aligned
    assert stack.reason is None
    assert all(row.python is None for row in stack.rows)
    assert columns(merge(make([python_frame("f")], None))) == [("f", None, False)]


def test_a_thread_without_stacks_has_no_rows() -> None:
    assert merge(make(None, None)) == MergedStack((), aligned=True, reason=None)


@pytest.mark.parametrize(
    "name",
    [
        "_PyEval_Vector", "_PyFunction_Vectorcall.localalias", "PyObject_Call", "method_vectorcall",
        "cfunction_vectorcall_FASTCALL", "_PyObject_MakeTpCall", "slot_tp_call", "Py_RunMain",
        "pymain_run_python.constprop.0", "thread_run", "_TAIL_CALL_CALL",
    ],
)  # fmt: skip
def test_machinery_between_frames_is_folded(name: str) -> None:
    assert interpreter_frame(native_frame(name))


@pytest.mark.parametrize("name", ["start_thread", "__clone", "clone3", "__libc_start_main_impl"])
def test_the_start_of_a_thread_is_folded(name: str) -> None:
    assert interpreter_frame(native_frame(name, LIBC))


@pytest.mark.parametrize(
    "name",
    [
        "take_gil", "PyGILState_Ensure", "PyThread_acquire_lock_timed", "PyEval_RestoreThread",
        "_PyEval_EvalFrameDefault", "lock_PyThread_acquire_lock", None,
    ],
)  # fmt: skip
def test_what_a_thread_does_is_not_folded(name: str | None) -> None:
    assert not interpreter_frame(native_frame(name))


def test_main_is_folded_only_where_it_is_the_interpreters() -> None:
    assert interpreter_frame(native_frame("main", "/usr/bin/python3.11"))
    assert not interpreter_frame(native_frame("main", "/opt/app/server"))


@pytest.mark.parametrize(
    "module",
    [
        LIBC, "/usr/lib/libpython3.11.so.1.0", "/usr/bin/python3.11", "/usr/bin/python3", "[vdso]",
        "/lib64/ld-linux-x86-64.so.2", "/lib/libpthread.so.0", "/lib/libc-2.31.so",
        "/usr/lib/python3.11/lib-dynload/_ctypes.cpython-311-x86_64-linux-gnu.so",
        "/usr/lib/libffi.so.8", "/usr/lib/libstdc++.so.6", None,
    ],
)  # fmt: skip
def test_the_runtime_is_not_foreign(module: str | None) -> None:
    assert not foreign_frame(native_frame("f", module))


@pytest.mark.parametrize("module", [LIBCUDA, "/opt/python3-tools/libcurl.so", "/opt/app/server"])
def test_somebody_elses_code_is_foreign(module: str) -> None:
    assert foreign_frame(native_frame("f", module))
    assert not foreign_frame(native_frame("PyGILState_Ensure", module))


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        ("cuMemcpyAsync", "cuMemcpyAsync"),
        ("read_message.isra.0", "read_message"),
        ("subscribe(_object*, _object*)", "subscribe"),
        ("std::map<int, std::pair<int, int> >::at(int const&) const", "std::map::at"),
        ("void (anonymous namespace)::run<int>(int)", "run"),
        ("bus::deliver(...)", "bus::deliver"),
        ("Foo::operator()(int)", "Foo::operator()(int)"),
        ("recvProxyProgress(Args*) [clone .constprop.6]", "recvProxyProgress"),
        ("<bus::Line as Send>::deliver::<u8>", "bus::Line::deliver"),
        ("<Queue<fn() -> <A as B>::C>>::take::{closure#0}", "Queue::take::{closure#0}"),
        ("__pyx_pw_6mpi4py_3MPI_4Comm_283gather", "mpi4py.MPI.Comm.gather"),
        (
            "__pyx_pw_7pyarrow_8_dataset_7Dataset_16to_table(_object*)",
            "pyarrow._dataset.Dataset.to_table",
        ),
        ("__pyx_pw_3foo_3get_x", "foo.get_x"),
        ("__pyx_f_6mpi4py_3MPI_PyMPI_gather", "mpi4py.MPI.PyMPI_gather"),
        ("a<b", "a"),
        ("(((", "((("),
        (None, ""),
    ],
)
def test_native_names_are_short(function: str | None, expected: str) -> None:
    assert short_name(native_frame(function)) == expected
