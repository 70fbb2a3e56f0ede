"""What killed a process, in whose code, and what to try: one rule per mechanism."""

from typing import Protocol

from hangtui.analysis.waitgraph import WaitGraph
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
from hangtui.findings.crash.scene import Explanation, Scene
from hangtui.model import Capture, Finding

ID = "crash"
IDS = tuple(
    f"{ID}-{name}"
    for name in (
        "abort bad-call bus-error cxx-exception division double-free heap-corruption"
        " illegal-instruction missing-gil null-pointer out-of-memory out-of-memory-kill"
        " overwritten-pointer protected-memory python-fatal python-recursion reference-count"
        " signal signalled stack-overflow stack-smashing use-after-free wild-pointer"
    ).split()
)


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


def check(capture: Capture, _graph: WaitGraph) -> list[Finding]:
    """One finding for a crash."""
    if capture.crash is None:
        return []
    scene = Scene(capture, capture.crash)
    for rule in _RULES:
        explanation = rule.explain(scene)
        if explanation is not None:
            return [finding(scene, explanation)]
    return []
