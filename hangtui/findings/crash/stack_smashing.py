"""A buffer on the stack that was written past its end, as the compiler's guard noticed."""

import re

from hangtui.findings.crash.crash_context import Explanation, Scene
from hangtui.model import Certainty

_MESSAGE = re.compile(r"(?P<what>stack smashing|buffer overflow) detected")
_FUNCTIONS = re.compile(r"__stack_chk_fail(_local)?|__fortify_fail(_abort)?|__chk_fail|__\w+_chk")


def explain(scene: Scene) -> Explanation | None:
    """By glibc's message, or by the functions that give it."""
    said = _MESSAGE.search(scene.last_words)
    frame = scene.within(_FUNCTIONS)
    if said is None and frame is None:
        return None
    smashed = said is None or said["what"] == "stack smashing"
    which = "That function" if scene.culprit else "A function"
    what = "stack buffer overflow (stack smashing)" if smashed else "buffer overflow"
    sentence = (
        f"{which} wrote past the end of a buffer on its stack and overwrote the guard "
        "value before its return address; the check at its end (__stack_chk_fail) aborted."
        if smashed
        else (
            "A function of the C library that checks sizes was asked to write more than its "
            "destination holds, and aborted first."
        )
    )
    evidence = [f"glibc said: {scene.crash.message} ({scene.source})"] if said else []
    if frame is not None:
        evidence.append(f"{frame.function} is on the stack of the crashed thread")
    return Explanation(
        "crash-stack-smashing",
        what,
        sentence,
        Certainty.CERTAIN,
        tuple(evidence),
        unknown=("which statement wrote too much: any before the return of that function",),
        advice=("Look in that function for strcpy, sprintf, memcpy or a loop into a local array.",),
    )
