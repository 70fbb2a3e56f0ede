"""Logs of faulthandler, py-spy and gdb in all the shapes in which they are found."""

import contextlib
import gzip
import json
from pathlib import Path

import pytest

from hangtui import findings
from hangtui.backends.crashlog import LogKind, read_log, recognise
from hangtui.model import Capture, GilState, InputError, MessageKind, Thread

OLD = """\
Fatal Python error: Segmentation fault

Current thread 0x00007f6dfbfff6c0 (most recent call first):
  File "/srv/app/conv.py", line 320 in forward
  File "/srv/app/main.py", line 37 in predict
  File "/usr/lib/python3.6/threading.py", line 884 in _bootstrap

Thread 0x00007f6e088616c0 (most recent call first):
  File "/srv/app/conv.py", line 320 in forward
  File "/srv/app/main.py", line 37 in predict
"""
NEW = """\
free(): invalid next size (normal)
Fatal Python error: Aborted

Current thread 0x00007ff72affd6c0 [crasher] (most recent call first):
  File "/srv/app/main.py", line 38 in native
  File "/srv/app/main.py", line ??? in <lambda>

Thread 0x00007ff72b7fe6c0 [worker-2] (most recent call first):
  File "/srv/app/main.py", line 125 in wait
  ...

Current thread's C stack trace (most recent call first):
  Binary file "/usr/bin/python3.14", at _Py_DumpStack+0x4a [0x49b2f9]
  Binary file "/usr/bin/python3.14" [0x53d28e]
  Binary file "/usr/lib/libc.so.6", at +0x406b0 [0x7ff73152c6b0]
  Binary file "/srv/app/libnet.so", at read_null+0x1c [0x7ff7305651f5]
  <truncated rest of calls>

Extension modules: numpy.core._multiarray_umath, torch._C (total: 2)
"""


def _read(tmp_path: Path, text: str) -> Capture:
    path = tmp_path / "crash.log"
    path.write_text(text)
    return read_log(path)


def _crashed(capture: Capture) -> Thread:
    assert capture.crash is not None
    return next(t for t in capture.threads() if t.tid == capture.crash.tid)


def test_an_old_faulthandler(tmp_path: Path) -> None:
    capture = _read(tmp_path, OLD)

    assert capture.crash is not None
    assert (capture.crash.signal_name, capture.crash.signal) == ("SIGSEGV", 11)
    assert len(capture.threads()) == 2
    frames = _crashed(capture).python_stack
    assert frames is not None
    assert [(f.function, f.line) for f in frames[:2]] == [("forward", 320), ("predict", 37)]
    (found,) = findings.run(capture)
    assert "conv.py:320" in found.title
    assert "1 other thread" in found.sentence  # it ran the same function: maybe a race
    assert "the heap had been damaged" in found.unknown[0]


def test_a_new_one_with_names_a_c_stack_and_last_words(tmp_path: Path) -> None:
    capture = _read(tmp_path, NEW)

    assert capture.crash is not None
    assert capture.crash.message == "free(): invalid next size (normal)"
    assert capture.crash.message_kind is MessageKind.C_LIBRARY
    assert [thread.name for thread in capture.threads()] == ["crasher", "worker-2"]
    native = _crashed(capture).native_stack
    assert native is not None
    assert [(f.function, f.module) for f in native] == [("read_null", "/srv/app/libnet.so")]
    assert any("cut off" in notice.message for notice in capture.notices)
    assert capture.crash.extensions == ("numpy.core._multiarray_umath", "torch._C")
    (found,) = findings.run(capture)
    assert found.id == "crash-heap-corruption"


@pytest.mark.parametrize(
    ("name", "signal"),
    [
        ("Bus error", "SIGBUS"),
        ("Floating point exception", "SIGFPE"),
        ("Floating-point exception", "SIGFPE"),
        ("Illegal instruction", "SIGILL"),
        ("Aborted", "SIGABRT"),
    ],
)
def test_all_signals(name: str, signal: str, tmp_path: Path) -> None:
    capture = _read(tmp_path, OLD.replace("Segmentation fault", name))
    assert capture.crash is not None
    assert capture.crash.signal_name == signal


def test_the_loaded_extensions_are_named_where_nothing_else_is(tmp_path: Path) -> None:
    text = OLD + "\nExtension modules: fastimage, torch._C (total: 2)\n"
    (found,) = findings.run(_read(tmp_path, text))
    assert "extension modules that were loaded: fastimage, torch._C" in found.evidence


def test_a_fatal_error_of_the_interpreter(tmp_path: Path) -> None:
    text = "PyThreadState_Get: the function must be called with the GIL held"
    capture = _read(tmp_path, OLD.replace("Segmentation fault", text))
    (found,) = findings.run(capture)
    assert found.id == "crash-missing-gil"


def test_prefixes_and_foreign_lines(tmp_path: Path) -> None:
    lines = [f"pod-1  | 2026-08-30T12:11:04Z {line}" for line in OLD.splitlines()]
    for place in (4, 5, 9):
        lines.insert(place, "pod-1  | INFO request 200 in 3 ms File in line")
    assert len(_read(tmp_path, "\n".join(lines)).threads()) == 2


def test_the_last_fatal_error_of_several_dumps(tmp_path: Path) -> None:
    timeout = 'Timeout (0:00:30)!\nThread 0x01 (most recent call first):\n  File "a", line 1 in b\n'
    capture = _read(tmp_path, f"{timeout}\n{OLD}\nrestarted\n{NEW}\n{timeout}")
    assert capture.crash is not None
    assert capture.crash.signal_name == "SIGABRT"
    assert any("4 dumps" in notice.message for notice in capture.notices)


def test_a_dump_without_a_crash_is_none(tmp_path: Path) -> None:
    text = 'Timeout (0:00:30)!\nThread 0x0a (most recent call first):\n  File "a.py", line 1 in b\n'
    capture = _read(tmp_path, text)
    assert capture.crash is None
    assert [thread.tid for thread in capture.threads()] == [10]


def test_an_uncaught_exception_before_it(tmp_path: Path) -> None:
    thrown = "terminate called after throwing an instance of 'app::Error'\n  what():  no space\n"
    capture = _read(tmp_path, thrown + OLD.replace("Segmentation fault", "Aborted"))
    (found,) = findings.run(capture)
    assert (found.id, "app::Error: no space" in found.title) == ("crash-cxx-exception", True)


@pytest.mark.parametrize("length", range(40, len(NEW), 97))
def test_logs_that_end_anywhere(length: int, tmp_path: Path) -> None:
    path = tmp_path / "cut.log"
    path.write_text(NEW[:length])
    with contextlib.suppress(InputError):  # nothing else may come of it
        assert read_log(path).threads()


def test_binary_garbage_between(tmp_path: Path) -> None:
    path = tmp_path / "garbage.log"
    path.write_bytes(bytes(range(256)) * 40 + b"\n" + OLD.encode() + b"\xff\x00\x1b[31m" * 99)
    assert len(read_log(path).threads()) == 2


def test_a_packed_log(tmp_path: Path) -> None:
    path = tmp_path / "crash.log.gz"
    path.write_bytes(gzip.compress(OLD.encode()))
    assert len(read_log(path).threads()) == 2


PYSPY = """\
Process 4711: python main.py --password hunter2
Python v3.11.7 (/usr/bin/python3.11)

Thread 4711 (idle): "MainThread"
    futex_wait (libc.so.6)
    wait (threading.py:320)
        Arguments:
            self: <Condition>
    <module> (main.py:3)
Thread 0x7F4A (active+gil): "worker (1)"
    work (a (b).py:9)
"""


def test_text_of_pyspy(tmp_path: Path) -> None:
    capture = _read(tmp_path, PYSPY)

    (process,) = capture.processes
    assert (process.pid, process.python and process.python.version) == (4711, "3.11.7")
    assert "hunter2" not in " ".join(process.cmdline)
    main, worker = process.threads
    assert main.python_stack is not None
    assert [(f.function, f.filename, f.line) for f in main.python_stack] == [
        ("wait", "threading.py", 320),
        ("<module>", "main.py", 3),
    ]
    assert main.native_stack is not None
    assert main.native_stack[0].function == "futex_wait"
    assert (worker.name, worker.gil, worker.tid) == ("worker (1)", GilState.HOLDS, 0x7F4A)


def test_json_of_pyspy(tmp_path: Path) -> None:
    frame = {"name": "work", "filename": "/srv/a.py", "line": 9, "module": None}
    entry = {
        "pid": 4711,
        "thread_id": 140,
        "thread_name": "w",
        "os_thread_id": 4712,
        "active": True,
        "owns_gil": True,
        "frames": [frame],
    }
    (thread,) = _read(tmp_path, json.dumps([entry])).threads()
    assert (thread.tid, thread.gil, len(thread.python_stack or ())) == (4712, GilState.HOLDS, 1)


GDB = """\
Core was generated by `python main.py'.
Program terminated with signal SIGSEGV, Segmentation fault.
#0  0x00007f0000001234 in dot (l=0x0) at fastops.c:14
[Current thread is 1 (Thread 0x7f00 (LWP 12))]

Thread 2 (Thread 0x7f01 (LWP 11) "python"):
#0  0x00007f0000004444 in __futex_abstimed_wait_common () from /lib/libc.so.6

Thread 1 (Thread 0x7f00 (LWP 12) "trainer"):
#0  0x00007f0000001234 in dot (l=0x0) at fastops.c:14
#1  0x00007f0000001300 in std::vector<int>::at (
    this=0x0) at fastops.c:20
#2  _PyEval_EvalFrameDefault (f=Frame 0x7f3, for file /srv/main.py, line 17, in forward_pass ())
    at Python/ceval.c:100
"""


def test_text_of_gdb(tmp_path: Path) -> None:
    capture = _read(tmp_path, GDB)

    assert capture.crash is not None
    assert (capture.crash.signal_name, capture.crash.tid) == ("SIGSEGV", 12)
    crashed = _crashed(capture)
    assert crashed.name == "trainer"
    assert crashed.native_stack is not None
    assert [(f.function, f.file, f.line) for f in crashed.native_stack[:2]] == [
        ("dot", "fastops.c", 14),
        ("std::vector<int>::at", "fastops.c", 20),
    ]
    assert crashed.python_stack is not None
    assert [(f.function, f.line) for f in crashed.python_stack] == [("forward_pass", 17)]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (OLD, LogKind.FAULTHANDLER),
        (NEW, LogKind.FAULTHANDLER),
        (PYSPY, LogKind.PYSPY_TEXT),
        (GDB, LogKind.GDB),
        ("Traceback (most recent call last):\n  File 'x', line 3, in f\n", None),
        ("hello\n", None),
    ],
)
def test_kinds_are_told_by_content(text: str, kind: LogKind | None) -> None:
    assert recognise(text) is kind


def test_other_text_is_not_supported(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="not supported"):
        _read(tmp_path, "nothing of interest\n")
