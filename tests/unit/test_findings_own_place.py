"""What the place of a wait says that nobody is left to end: the interpreter's end, or a package
that is in the midst of something else."""

from dataclasses import replace

import pytest

from hangtui import findings
from hangtui.model import Capture, Finding, NativeFrame, NodeKind, PythonFrame
from tests.unit.factories import capture, lock, native_frame, python_frame, stood, thread, waits

SITE = "/app/.venv/lib/python3.12/site-packages"
EVAL = native_frame("_PyEval_EvalFrameDefault")
IN_PACKAGE = native_frame("parse", f"{SITE}/lxml/etree.so")
ITEMS = lock("items (queue.Queue)", 1, NodeKind.QUEUE)


def told(made: Capture) -> Finding:
    return next(one for one in findings.run(stood(made)) if one.id == "nobody-left-to-wake")


def closing(*native: NativeFrame, stack: tuple[PythonFrame, ...] = ()) -> Finding:
    flush = python_frame("Writer.flush", 9, f"{SITE}/threaded/files.py")
    main = thread("MainThread", 100, python=[flush, *stack], native=[EVAL, *native])
    return told(
        capture(main, resources=[ITEMS], waits=[waits(main, ITEMS, operation="join", text="join")])
    )


def test_what_is_closed_at_the_end_of_the_interpreter() -> None:
    ends = native_frame("finalize_modules"), native_frame("Py_FinalizeEx")

    found = closing(*ends)
    assert found.title.endswith("at files.py:9 (Writer.flush), at the interpreter's end")
    assert "the program itself has ended" in found.sentence
    assert found.advice[0].startswith("Close what threaded has open before the program ends")

    assert "end" not in closing(*ends, stack=(python_frame("save", 3),)).title.split()
    assert "interpreter" not in closing(native_frame("Py_RunMain")).title


@pytest.mark.parametrize("runs", ["finalize_modules", "atexit_callfuncs"])
def test_what_is_destroyed_at_the_end_of_the_interpreter_may_want_a_stopped_threads_lock(
    runs: str,
) -> None:
    main = thread(
        "MainThread",
        100,
        python=[python_frame("Seal.__del__", 13)],
        native=[EVAL, native_frame(runs), native_frame("Py_FinalizeEx")],
    )
    plain = lock("Seal.lock (threading.Lock)", 0x1)
    found = findings.run(stood(capture(main, resources=[plain], waits=[waits(main, plain)])))[0]
    at_end = runs == "finalize_modules"
    assert found.title.endswith("the interpreter ran it as it ended") is at_end
    assert ("probably a daemon thread" in found.sentence) is at_end
    assert ("daemon" in found.advice[0]) is at_end


def calling_back(*inner: NativeFrame) -> Finding:
    resolve = replace(python_frame("resolve", 14, "/app/parts.py"), entry=True)
    main = replace(python_frame("read_notice", 17, "/app/main.py"), entry=True)
    native = [native_frame("sem_wait"), *inner, EVAL, IN_PACKAGE, EVAL]
    one = thread("MainThread", 100, python=[resolve, main], native=native)
    mutex = replace(lock("lock in etree.so", 2, NodeKind.SEMAPHORE), module=f"{SITE}/lxml/etree.so")
    return told(capture(one, resources=[mutex], waits=[waits(one, mutex, text="blocked")]))


def test_a_package_that_is_called_again_by_what_it_has_called() -> None:
    found = calling_back(IN_PACKAGE)
    assert found.title.endswith("at parts.py:14 (resolve), in what lxml has called")
    assert "lxml has called resolve (parts.py:14), and that lxml again" in found.sentence
    assert found.advice == (
        (
            "Do not use at parts.py:14 (resolve) what the call of lxml uses that is still at work "
            "further out (the same parser, connection, ...): give it one of its own."
        ),
    )
    assert "lxml" not in calling_back().title


@pytest.mark.parametrize("calls", ["bacpypes", "click"])
def test_who_waits_in_what_a_package_has_called_for_that_package_does_not_rest(calls: str) -> None:
    """Though a signal is handled: what that package has to do next comes only after the call."""
    main = thread(
        "MainThread",
        100,
        python=[
            python_frame("IOCB.wait", 149, f"{SITE}/bacpypes/iocb.py"),
            python_frame("Stoker.read_degrees", 38),
            python_frame("Stoker.process_task", 42),
            python_frame("TaskManager.process_task", 376, f"{SITE}/{calls}/task.py"),
            python_frame("main", 49),
        ],
    )
    done = lock("IOCB.ioComplete", 1, NodeKind.EVENT)
    made = capture(main, resources=[done], waits=[waits(main, done, operation="wait")])
    handling = stood(made, "SIGUSR1", "SIGTERM")
    found = findings.run(handling)[0]
    asked = calls == "bacpypes"
    assert found.title.endswith(", in what bacpypes has called") is asked
    assert (found.id == "nobody-left-to-wake") is asked
    after = "bacpypes has called Stoker.process_task (main.py:42) further out in this thread, at "
    assert (f"{after}task.py:376 (TaskManager.process_task)" in found.sentence) is asked
    advice = "Do not wait at main.py:38 (Stoker.read_degrees) for what bacpypes may"
    assert found.advice[0].startswith(advice) is asked
