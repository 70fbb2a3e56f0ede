"""A call to an address that holds no code."""

from hangtui.findings.crash.crash_context import Explanation, Scene
from hangtui.model import NULL_PAGES, Access, Certainty


def explain(scene: Scene) -> Explanation | None:
    """A fault in fetching the instruction itself."""
    crash = scene.crash
    operand = crash.operand
    if operand is None or operand.access is not Access.EXECUTE or crash.signal_name != "SIGSEGV":
        return None
    target = crash.address or 0
    null = target < NULL_PAGES
    kind = "a NULL function pointer" if null else f"{target:#x}, which is no code"
    return Explanation(
        "crash-bad-call",
        f"call through {kind}",
        f"That code called, or returned to, the address {target:#x}, where there is no code: "
        + (
            "a function pointer that was never set, a missing symbol."
            if null
            else "an object that was freed or overwritten, a library that was unloaded, or a "
            "smashed stack."
        ),
        Certainty.CERTAIN,
        (f"{crash.title}: {operand.register or 'pc'} = {target:#x} ({scene.source})",),
        unknown=("where the bad pointer came from",),
    )
