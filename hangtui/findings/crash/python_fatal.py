"""Any other fatal error that the interpreter itself announced."""

from hangtui.findings.crash.crash_context import Explanation, Scene
from hangtui.model import Certainty, MessageKind


def explain(scene: Scene) -> Explanation | None:
    """By its message."""
    said = scene.said(MessageKind.PYTHON)
    if not said:
        return None
    return Explanation(
        "crash-python-fatal",
        said,
        "The interpreter found its own state impossible and ended the process (Py_FatalError, "
        "abort). The words after 'Fatal Python error' name the check that failed.",
        Certainty.CERTAIN,
        (f"the interpreter said: {said} ({scene.source})",),
        unknown=("what brought it into that state",),
    )
