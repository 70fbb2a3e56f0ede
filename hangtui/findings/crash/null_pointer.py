"""An access through a NULL pointer."""

from hangtui.analysis.places import line_and_function
from hangtui.findings.crash.crash_context import Explanation, Scene
from hangtui.model import NULL_PAGES, Access, Certainty, PointerKind

_INDEX_LIMIT = 1 << 24
"""A NULL array is indexed: the address is a multiple of something, not a pointer."""


def is_null_access(scene: Scene) -> bool:
    """Whether the fault address lies at or shortly behind address 0."""
    crash = scene.crash
    if crash.signal_name != "SIGSEGV" or crash.address is None:
        return False
    if crash.address < NULL_PAGES:
        return True
    operand = crash.operand
    return operand is not None and operand.value == 0 and crash.address < _INDEX_LIMIT


def explain(scene: Scene) -> Explanation | None:
    """SIGSEGV below 64 KiB, or indexed from a base register of 0."""
    crash, operand = scene.crash, scene.crash.operand
    if not is_null_access(scene):
        return None
    writes = operand is not None and operand.access is Access.WRITE
    verb = "writes" if writes else "reads" if operand and operand.access else "goes"
    offset = crash.address or 0
    member = (
        f"nothing is mapped there. The offset {offset:#x} suggests a field of a struct, or an "
        "element of an array, whose address is NULL."
        if offset
        else "the pointer is NULL (0x0)."
    )
    evidence = [f"{crash.title} {scene.access} ({scene.source})"]
    if crash.instruction:
        base = _base(scene)
        evidence.append(f"the instruction is {crash.instruction}{f'; {base}' if base else ''}")
    return Explanation(
        "crash-null-pointer",
        f"{verb} through a NULL pointer",
        f"{scene.access.capitalize()} failed: {member}{_handed(scene)}",
        Certainty.CERTAIN,
        tuple(evidence),
        unknown=("why the pointer is NULL",),
        advice=(
            (
                f"Look at what the call{_line(scene)} was given: NULL comes from a lookup or an "
                "allocation whose failure nobody checked, from an object used before it was set "
                "up or after close(), or from a None or 0 that was passed on."
            ),
        ),
    )


def _line(scene: Scene) -> str:
    frame = scene.program_line
    return f" at {line_and_function(frame)}" if frame else ""


def _base(scene: Scene) -> str:
    operand = scene.crash.operand
    if operand is None or operand.register is None or operand.value is None:
        return ""
    return f"{operand.register} = {operand.value:#x}"


def _handed(scene: Scene) -> str:
    """Which argument was NULL, where a function of the C library was called with one."""
    if not scene.in_c_library or scene.culprit is None:
        return ""
    for position, name in zip(("first", "second"), scene.crash.parameters, strict=False):
        if _is_null(scene, name):
            return f" The {position} argument register ({name}) is NULL."
    return ""


def _is_null(scene: Scene, name: str) -> bool:
    register = scene.register(name)
    return register is not None and register.kind is PointerKind.NULL
