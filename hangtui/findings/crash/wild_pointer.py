"""An access through a pointer that leads nowhere."""

from hangtui.findings.crash.crash_context import Explanation, Scene
from hangtui.findings.crash.siblings import company
from hangtui.model import Certainty

_FAR = 1 << 30
"""Bytes from which on the nearest mapping says nothing of what was meant."""


def explain(scene: Scene) -> Explanation | None:
    """SIGSEGV at an address where nothing is mapped, or that is none."""
    crash, region = scene.crash, scene.crash.region
    if crash.signal_name != "SIGSEGV" or crash.code not in ("SEGV_MAPERR", "SI_KERNEL", None):
        return None
    if crash.address is None and crash.code is None:
        return None
    impossible = crash.code == "SI_KERNEL"
    evidence = [f"{crash.title} {scene.access} ({scene.source})"]
    if crash.instruction:
        operand = crash.operand
        base = f"; {operand.register} = {operand.value:#x}" if operand and operand.value else ""
        evidence.append(f"the instruction is {crash.instruction}{base}")
    if region is not None and not region.hit and (region.distance or 0) < _FAR:
        name = region.name or "memory without a file"
        evidence.append(f"nothing is mapped there; the nearest is {name}, {region.distance} off")
    others = company(scene)
    evidence += [others.evidence] if others else []
    why = (
        "no program can have memory at such an address" if impossible else "nothing is mapped there"
    )
    return Explanation(
        "crash-wild-pointer",
        "follows a wild pointer",
        f"{scene.access.capitalize()} failed: {why}. The pointer was never set, or was overwritten "
        "or freed before (heap corruption)." + (others.sentence if others else ""),
        Certainty.CERTAIN,
        tuple(evidence),
        unknown=("where the pointer came from", "whether another thread damaged it"),
        advice=others.advice if others else (),
        victim=True,
        threads=others.threads if others else (),
    )
