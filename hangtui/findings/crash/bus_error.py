"""A mapped file that is shorter than its mapping."""

from hangtui.findings.crash.crash_context import Explanation, Scene
from hangtui.model import Certainty


def explain(scene: Scene) -> Explanation | None:
    """SIGBUS with BUS_ADRERR: the mapping is there, what it shows is not."""
    crash, region = scene.crash, scene.crash.region
    if crash.signal_name != "SIGBUS" or crash.code not in ("BUS_ADRERR", "BUS_OBJERR"):
        return None
    name = region.name if region and region.hit and region.name else ""
    file = f"the mapped file {name}" if name else "a mapping"
    where = f"{crash.address:#x}" if crash.address is not None else "an address"
    evidence = [f"{crash.title} {scene.access} ({scene.source})"]
    if region is not None and region.hit:
        evidence.append(
            f"{where} lies in the mapping {region.start:#x}-{region.end:#x} "
            f"{region.permissions} {name or 'without a file'}"
        )
    return Explanation(
        "crash-bus-error",
        f"bus error: {file} has no data there",
        f"{scene.access.capitalize()} failed although {file} covers it: the file was truncated "
        "after it was mapped, or its disk (/dev/shm, a container's volume) is full or failing.",
        Certainty.CERTAIN if name else Certainty.INFERRED,
        tuple(evidence),
        unknown=("who truncated the file, and when",),
        advice=(
            (
                "Do not truncate files that are mapped (write a new one and rename it); for "
                "/dev/shm look at df -h /dev/shm and docker run --shm-size."
            ),
        ),
    )
