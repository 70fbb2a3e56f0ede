"""An arithmetic error: division by zero."""

import re

from hangtui.findings.crash.crash_context import Explanation, Scene
from hangtui.model import Certainty, Register


def explain(scene: Scene) -> Explanation | None:
    """SIGFPE."""
    crash = scene.crash
    if crash.signal_name != "SIGFPE":
        return None
    divisor = _divisor(scene)
    divides = crash.code == "FPE_INTDIV" or "div" in (crash.instruction or "")
    overflowed = divisor is not None and divisor.value != 0
    what = "integer division by zero" if divides else "arithmetic error (floating point exception)"
    if overflowed:
        what = "integer division whose result does not fit (overflow)"
    evidence = [f"{crash.title}: arithmetic exception ({scene.source})"]
    if crash.instruction:
        held = f"; {divisor.name} = {divisor.value:#x}" if divisor else ""
        evidence.append(f"the instruction is {crash.instruction}{held}")
    return Explanation(
        "crash-division",
        what,
        f"The processor could not divide: {what}. Despite its name SIGFPE comes from "
        "integers; Python's own division raises ZeroDivisionError instead.",
        Certainty.CERTAIN if crash.code == "FPE_INTDIV" else Certainty.INFERRED,
        tuple(evidence),
        advice=("Check the divisor before the call, or in the C code: an empty group, no rows?",),
    )


def _divisor(scene: Scene) -> Register | None:
    """The register that was divided by, cut to the width that the instruction names."""
    words = (scene.crash.instruction or "").replace(",", " ").split()
    if len(words) < 2 or "div" not in words[0]:
        return None
    name = words[1]
    full = {"e": f"r{name[1:]}"}.get(name[0], name)
    full = full.removesuffix("d") if re.fullmatch(r"r\d+d", full) else full
    register = scene.register(full)
    if register is None:
        return None
    wide = name.startswith("r") and not name.endswith("d")
    return Register(name, register.value if wide else register.value & 0xFFFFFFFF)
