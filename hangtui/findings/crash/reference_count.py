"""Objects whose reference count was damaged."""

import re

from hangtui.findings.crash.crash_context import Explanation, Scene
from hangtui.model import Certainty, MessageKind

_MESSAGE = re.compile(
    r"deallocating (None|True|False|\w+)|negative ref|refcount|reference count|"
    r"object already tracked|object is freed|gc_refs|_Py_NegativeRefcount|none_dealloc",
    re.IGNORECASE,
)
_FUNCTIONS = re.compile(
    r"_?Py_Dealloc|subtype_dealloc|\w+_dealloc|visit_(decref|reachable|move)\S*"
    r"|subtract_refs\S*|move_unreachable\S*|update_refs\S*|deduce_unreachable\S*|_PyObject_AssertFailed"
    r"|gc_collect_main\S*|\w+_traverse|_?Py_X?(DECREF|INCREF)\w*|_?(list|dict|tuple|set|frame)(?=\w*_clear)\w*+"
)


def explain(scene: Scene) -> Explanation | None:
    """By the interpreter's message, else by a fault while it frees or searches objects."""
    said = _MESSAGE.search(scene.said(MessageKind.PYTHON))
    frame = scene.within(_FUNCTIONS, 3)
    inside = frame is not None and scene.in_interpreter and scene.crash.signal_name == "SIGSEGV"
    if not said and not inside:
        return None
    evidence = [f"the interpreter said: {scene.crash.message}"] if said else []
    if inside and frame is not None:
        evidence.append(f"the fault is in {frame.function}, which follows the fields of an object")
        evidence.append(f"{scene.crash.title} {scene.access} ({scene.source})")
    return Explanation(
        "crash-reference-count",
        "damaged Python object or reference count",
        "The interpreter came upon a Python object that was freed too early or overwritten: some "
        "native code released a reference that it did not own (Py_DECREF too often, a borrowed "
        "reference kept), or wrote into the object.",
        Certainty.CERTAIN if said else Certainty.INFERRED,
        tuple(evidence),
        unknown=("which extension released the reference: it happened before",),
        advice=(
            (
                "Run with a debug build of Python (python3-dbg, or configure --with-pydebug) and "
                "PYTHONMALLOC=debug, which notice it earlier."
            ),
        ),
        victim=True,
    )
