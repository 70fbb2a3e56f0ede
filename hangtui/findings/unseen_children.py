"""Children of a process that live, and that a capture did not look at."""

from hangtui.findings.english import listed
from hangtui.model import Capture, Process

_ENDED = "ZX"


def unseen_children(process: Process, capture: Capture) -> str:
    """That children of it which live were not looked at, as a clause; empty: there are none."""
    children = (process.around.children if process.around else None) or ()
    unseen = [one for one in children if not capture.process(one.pid) and one.state not in _ENDED]
    if not unseen:
        return ""
    names = listed([f"{child.pid} ({child.name})" for child in unseen])
    many = len(unseen) > 1
    return (
        f"its {len(unseen)} child process{'es' if many else ''} {names} "
        f"{'were' if many else 'was'} not looked at"
    )


def look_at_children(process: Process, capture: Capture) -> tuple[str, ...]:
    """The advice to look at those children too; empty: there are none that were not."""
    if not unseen_children(process, capture):
        return ()
    return (
        f"Look at its children too: hangtui --children {process.pid}, or f on the screens of it.",
    )
