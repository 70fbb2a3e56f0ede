"""An instruction that this processor does not have, or that only marks the impossible."""

from hangtui.findings.crash.crash_context import Explanation, Scene
from hangtui.model import Certainty

_VECTORS = ("zmm", "ymm", "xmm", "{k", "vp", "vf", "vm")


def explain(scene: Scene) -> Explanation | None:
    """SIGILL."""
    crash = scene.crash
    if crash.signal_name != "SIGILL":
        return None
    text = crash.instruction or "an instruction that could not be read"
    if text.startswith("ud"):
        what, why = (
            "a trap that the compiler put there (ud2)",
            (
                "The code ran into a place that its author or compiler declared impossible: a "
                "failed check, a missing return, undefined behaviour."
            ),
        )
    elif any(mark in text for mark in _VECTORS):
        what, why = (
            f"the processor lacks the instruction {text.split()[0]}",
            (
                "The library was built for a newer processor than this machine has (AVX, AVX-512), "
                "or the virtual machine hides it."
            ),
        )
    else:
        what, why = "illegal instruction", "The bytes there are no instruction of this processor."
    return Explanation(
        "crash-illegal-instruction",
        f"illegal instruction: {what}",
        why,
        Certainty.CERTAIN,
        (f"{crash.title} ({scene.source})", f"the instruction is {text}"),
        advice=(
            "Install a build for this processor: grep flags /proc/cpuinfo shows what it has."
            if not text.startswith("ud")
            else "Look at the checks and asserts of that function, with the arguments it had; a "
            "debug build of it says which one failed.",
        ),
    )
