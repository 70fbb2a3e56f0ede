"""An access that the mapping does not allow: a write to constants, a jump into data."""

from hangtui.findings.crash.crash_context import Explanation, Scene
from hangtui.model import Access, Certainty


def _may(rights: str) -> str:
    """What the memory map's letters allow."""
    verbs = [verb for letter, verb in zip("rwx", ("read", "written", "run"), strict=True)
             if letter in rights]  # fmt: skip
    return f"may only be {' and '.join(verbs)} ({rights})" if verbs else "may not be used at all"


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
        f"{scene.access.capitalize()} is not allowed there: {name} {_may(rights)}. It is a string "
        "constant or a read-only buffer, or the pointer has gone astray.",
        Certainty.CERTAIN,
        (
            f"{crash.title} {scene.access} ({scene.source})",
            f"the address lies in {name}, rights {rights}",
        ),
        unknown=("where the pointer came from",),
        advice=(
            (
                "Give C code memory of its own to write to: ctypes.create_string_buffer(), a "
                "bytearray, a copy of the array. bytes, str and constants must not be changed."
            ),
        )
        if writes
        else (),
    )
