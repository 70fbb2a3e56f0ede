"""Python's C API called by a thread that does not hold the GIL."""

import re

from hangtui.findings.crash.crash_context import Explanation, Scene, is_interpreter, native_place
from hangtui.model import NULL_PAGES, Certainty, GilState, MessageKind

_MESSAGE = re.compile(
    r"GIL (is|was) released|without holding the GIL|must be called with the GIL held"
    r"|must hold the GIL|no current thread|tstate is NULL|current Python thread state is NULL"
    r"|thread state (?:(?!thread state ).)*NULL|attached thread state",
    re.IGNORECASE,
)

_LARGEST_OBJECT = 0x400
"""Bytes: more than a type has, the largest object whose size is fixed (PyHeapTypeObject)."""
_NAMELESS = "the interpreter"


def explain(scene: Scene) -> Explanation | None:
    """By the interpreter's message, else by a fault in it below foreign code without the GIL."""
    said = _MESSAGE.search(scene.said(MessageKind.PYTHON))
    culprit = scene.culprit
    detached = not said and _detached(scene)
    if not (said or detached or _without(scene)):
        return None
    who = native_place(culprit) if culprit else "native code"
    entered = _entered(scene)
    evidence = [f"the interpreter said: {scene.crash.message}"] if said else []
    if not said:
        evidence.append(f"the fault is in the interpreter, in {entered}, called by {who}")
    if detached:
        evidence.append(f"{scene.access} through NULL: only the thread state is that large")
    evidence += [_holder(scene)] if scene.gil_is_known else []
    missing = "a thread state" if detached else "the GIL"
    return Explanation(
        "crash-missing-gil",
        f"Python API called without {missing}",
        f"It called {_named(entered)} without a thread state: the thread was not "
        "attached to the interpreter, which also a free-threaded CPython demands."
        if detached
        else f"It called {_named(entered)} without holding the GIL, the lock without "
        "which no thread may touch a Python object: others change them at the same time.",
        Certainty.CERTAIN if said else Certainty.INFERRED,
        tuple(evidence),
        advice=(
            (
                "Take the GIL around the call: PyGILState_Ensure() and PyGILState_Release(), or "
                "py::gil_scoped_acquire; and call no Python API between Py_BEGIN_ALLOW_THREADS and "
                "Py_END_ALLOW_THREADS."
            ),
        ),
    )


def _named(entered: str) -> str:
    return entered if entered == _NAMELESS else f"{_NAMELESS} ({entered})"


def _without(scene: Scene) -> bool:
    thread = scene.thread
    if thread is None or scene.culprit is None or not scene.in_interpreter:
        return False
    if not scene.gil_is_known or scene.crash.signal_name != "SIGSEGV":
        return False
    return thread.gil is not GilState.HOLDS


def _detached(scene: Scene) -> bool:
    """Whether a free-threaded interpreter missed the thread state, which foreign code must have."""
    process, operand, address = scene.process, scene.crash.operand, scene.crash.address
    if process is None or process.python is None or not process.python.free_threaded:
        return False
    if scene.culprit is None or not scene.in_interpreter or operand is None or address is None:
        return False
    return operand.value == 0 and _LARGEST_OBJECT <= address < NULL_PAGES


def _entered(scene: Scene) -> str:
    """The outermost frame of the interpreter that the culprit called."""
    found = _NAMELESS
    for frame in scene.native:
        if frame is scene.culprit:
            break
        if is_interpreter(frame) and frame.function:
            found = frame.function
    return found


def _holder(scene: Scene) -> str:
    holder = scene.gil_holder
    if holder is None:
        return "nobody holds the GIL (the interpreter's own record)"
    return f"the GIL is held by {holder.name} (the interpreter's own record)"
