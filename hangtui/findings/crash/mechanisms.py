"""The mechanisms of crashes, one module each, and which of them explains a crash."""

from typing import Protocol

from hangtui.findings.crash import (
    aborted,
    arithmetic,
    bad_call,
    bus_error,
    cxx_exception,
    heap_corruption,
    illegal_instruction,
    missing_gil,
    null_pointer,
    out_of_memory,
    protected_memory,
    python_fatal,
    reference_count,
    signalled,
    stack_overflow,
    stack_smashing,
    use_after_free,
    wild_pointer,
)
from hangtui.findings.crash.blame import finding
from hangtui.findings.crash.crash_context import Explanation, Scene
from hangtui.model import Capture, Crash, Finding


class _Rule(Protocol):
    def explain(self, scene: Scene) -> Explanation | None:
        """What it makes of a crash; None: it is of another kind."""


_RULES: tuple[_Rule, ...] = (
    stack_smashing,
    heap_corruption,
    cxx_exception,
    stack_overflow,
    missing_gil,
    reference_count,
    python_fatal,
    out_of_memory,
    bus_error,
    arithmetic,
    illegal_instruction,
    bad_call,
    use_after_free,
    null_pointer,
    protected_memory,
    wild_pointer,
    aborted,
    signalled,
)
"""The first one that knows the mechanism explains the crash."""


def explained(capture: Capture, crash: Crash) -> list[Finding]:
    """What the first mechanism that knows the crash says of it."""
    scene = Scene(capture, crash)
    for rule in _RULES:
        explanation = rule.explain(scene)
        if explanation is not None:
            return [finding(scene, explanation)]
    return []
