"""Memory that ran out: a NULL from malloc that nobody checked, or the kernel's OOM killer."""

from hangtui.findings.crash.crash_context import Explanation, Scene
from hangtui.findings.crash.null_pointer import is_null_access
from hangtui.model import Certainty


def explain(scene: Scene) -> Explanation | None:
    """A NULL access in a thread whose last failure was for want of memory."""
    if scene.crash.signal_name == "SIGKILL":
        return _killed(scene)
    limit = scene.crash.memory_limit_hit
    if limit is None or not is_null_access(scene):
        return None
    return Explanation(
        "crash-out-of-memory",
        "out of memory: the result of malloc (NULL) was not checked",
        f"Memory could not be allocated, and the code used the NULL pointer that it "
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


def _killed(scene: Scene) -> Explanation | None:
    """SIGKILL, and the kernel's own count of those that it kills for want of memory."""
    limit, growth = scene.crash.memory_limit_hit, scene.crash.text
    if limit is None:
        return None
    grew = f" Before, {growth}: a leak, or a limit that is too small." if growth else ""
    return Explanation(
        "crash-out-of-memory-kill",
        "killed by the kernel's OOM killer, out of memory",
        "The process used more memory than its cgroup (container, job) may have, so the kernel "
        f"killed it.{grew}",
        Certainty.CERTAIN,
        (limit, *([growth] if growth else [])),
        unknown=("who kept the memory: Python objects or C code",),
        advice=(
            (
                "Find who allocates: memray run, or python -X tracemalloc; memory that these do "
                "not see is C code's (a leak in an extension). Or raise the limit."
            ),
        ),
    )
