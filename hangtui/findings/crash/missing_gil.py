"""Python's C API called by a thread that does not hold the GIL."""

import re

from hangtui.findings.crash.scene import Explanation, Scene, is_interpreter, native_place
from hangtui.model import Certainty, GilState, MessageKind

_MESSAGE = re.compile(
    r"GIL (is|was) released|without holding the GIL|must be called with the GIL held"
    r"|must hold the GIL|no current thread|tstate is NULL|current Python thread state is NULL"
    r"|thread state .*NULL|attached thread state",
    re.IGNORECASE,
)


def explain(scene: Scene) -> Explanation | None:
    """By the interpreter's message, else by a fault in it below foreign code without the GIL."""
    said = _MESSAGE.search(scene.said(MessageKind.PYTHON))
    culprit = scene.culprit
    if not said and not _without(scene):
        return None
    who = native_place(culprit) if culprit else "native code"
    entered = _entered(scene)
    evidence = [f"the interpreter said: {scene.crash.message}"] if said else []
    if not said:
        evidence.append(f"the fault is in the interpreter, in {entered}, called by {who}")
    evidence += [_holder(scene)] if scene.gil_is_known else []
    return Explanation(
        "crash-missing-gil",
        "Python API called without the GIL",
        f"It called the interpreter ({entered}) without holding the GIL, the lock without which "
        "no thread may touch a Python object: others change them at the same time.",
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


def _without(scene: Scene) -> bool:
    thread = scene.thread
    if thread is None or scene.culprit is None or not scene.in_interpreter:
        return False
    if not scene.gil_is_known or scene.crash.signal_name != "SIGSEGV":
        return False
    return thread.gil is not GilState.HOLDS


def _entered(scene: Scene) -> str:
    """The outermost frame of the interpreter that the culprit called."""
    found = "the interpreter"
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
