"""An access that the mapping does not allow: a write to constants, a jump into data."""

from hangtui.findings.crash.scene import Explanation, Scene
from hangtui.model import Access, Certainty


def explain(scene: Scene) -> Explanation | None:
    """SIGSEGV with SEGV_ACCERR, or a write into a mapping that may not be written."""
    crash, region = scene.crash, scene.crash.region
    if crash.signal_name != "SIGSEGV" or crash.address is None or crash.code != "SEGV_ACCERR":
        return None
    writes = crash.operand is not None and crash.operand.access is Access.WRITE
    name = (region.name if region and region.hit else "") or "memory without a file"
    rights = region.permissions if region and region.hit else "no access"
    what = "writes to read-only memory" if writes else "accesses protected memory"
    return Explanation(
        "crash-protected-memory",
        f"{what} of {name.rsplit('/', 1)[-1]}",
        f"{scene.access.capitalize()} is not allowed there: the mapping ({name}) has the rights "
        f"{rights}. A string constant, a read-only buffer, or a stray pointer.",
        Certainty.CERTAIN,
        (
            f"{crash.title} {scene.access} ({scene.source})",
            f"the address lies in {name}, rights {rights}",
        ),
        unknown=("where the pointer came from",),
    )
