"""A C++ exception that nobody caught."""

import re

from hangtui.findings.crash.crash_context import Explanation, Scene
from hangtui.model import Certainty, MessageKind

_TERMINATES = re.compile(
    r"std::terminate\(?\)?|(__cxxabiv1::)?__terminate.*|__cxa_throw|__verbose_.*"
)


def explain(scene: Scene) -> Explanation | None:
    """By the exception itself, or by the runtime's ``terminate`` on the stack."""
    said = scene.said(MessageKind.CXX_EXCEPTION)
    frame = scene.within(_TERMINATES)
    if not said and frame is None:
        return None
    name = scene.crash.exception_type or "unknown type"
    text = said.partition(f"{name}: ")[2]
    evidence = [f"{said} ({scene.source})"] if said else []
    if frame is not None:
        evidence.append(f"{frame.function} is on the stack: the C++ runtime gave up")
    return Explanation(
        "crash-cxx-exception",
        f"uncaught C++ exception {name}" + (f": {text}" if text else ""),
        f"C++ code threw {name}{f' ({text})' if text else ''} and no caller caught it, so the C++ "
        f"runtime ended the process (std::terminate, abort). Exceptions must not leave "
        "C++ code that Python calls, nor a thread's or a noexcept function.",
        Certainty.CERTAIN,
        tuple(evidence),
        advice=(
            (
                "Catch it where C++ is called from Python (pybind11 does so by itself; a plain "
                "extension and ctypes do not), or avoid the call that throws."
            ),
        ),
    )
