"""A NULL from malloc that nobody checked."""

from hangtui.findings.crash.null_pointer import is_null_access
from hangtui.findings.crash.scene import Explanation, Scene
from hangtui.model import Certainty


def explain(scene: Scene) -> Explanation | None:
    """A NULL access in a thread whose last failure was for want of memory."""
    limit = scene.crash.memory_limit_hit
    if limit is None or not is_null_access(scene):
        return None
    return Explanation(
        "crash-out-of-memory",
        "out of memory: the result of malloc (NULL) was not checked",
        f"Memory could not be allocated, and the code {scene.place} used the NULL pointer that it "
        f"got instead, {scene.access}. A limit on memory was reached (ulimit -v, a cgroup, or the "
        "machine's own).",
        Certainty.INFERRED,
        (
            f"{scene.crash.title} {scene.access} ({scene.source})",
            limit,
        ),
        unknown=("which allocation failed, and how large it was",),
        advice=(
            (
                "Look at the limits: ulimit -v, and memory.max or memory.limit_in_bytes of its "
                "cgroup; and have the code check the result of malloc."
            ),
        ),
    )
