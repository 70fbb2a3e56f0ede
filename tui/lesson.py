"""A lesson: one line below the screens says which key to press next, until it was pressed."""

from collections.abc import Iterable, Sequence

from hangtui.dataclass import dataclass
from hangtui.tui.keys import Key, ViewName


@dataclass(frozen=True, slots=True)
class Step:
    """One line of a lesson."""

    text: str
    """What to try; ``{list.choose}`` stands for the key with this id."""
    leads_to: ViewName | None = None
    """The screen on which the next step comes; None: this is the last."""


class Lesson:
    """Where somebody is in a lesson."""

    def __init__(self, steps: Sequence[Step] = ()) -> None:
        self._left = list(steps)

    def reached(self, view: ViewName) -> None:
        """A screen was opened: the step that leads there is done."""
        if self._left and self._left[0].leads_to is view:
            del self._left[0]

    def line(self, keys: Iterable[Key]) -> str | None:
        """What to press now, with the user's own keys; None: there is nothing left to teach."""
        if not self._left:
            return None
        text = self._left[0].text
        for key in keys:
            text = text.replace(f"{{{key.id}}}", key.shown.split()[0] if key.shown else ":")
        return text


TOUR = (
    Step(
        "Above: what hangs, and why. {list.choose}: the stacks of the chosen thread",
        ViewName.THREAD,
    ),
    Step(
        "Python beside C, innermost first; [ and ]: other threads. {back}: back", ViewName.OVERVIEW
    ),
    Step("{view.waits}: who waits for whom, and how each link is known", ViewName.WAITS),
    Step("{view.findings}: all that was found, the evidence, what to try", ViewName.FINDINGS),
    Step("That was the way through a hang. {help.open}: all keys. {quit}: ends this demo"),
)
"""The way through the screens over a process that hangs."""
CRASH_TOUR = (
    Step(
        "Above: signal, address, whose code. {view.thread}: the thread that crashed",
        ViewName.THREAD,
    ),
    Step(
        "Python beside C, innermost first; [ and ]: others. {view.crash}: the crash", ViewName.CRASH
    ),
    Step("{view.findings}: all that was found, the evidence, what to try", ViewName.FINDINGS),
    Step("That was the way through a crash. {help.open}: all keys. {quit}: ends this demo"),
)
"""The way through the screens over a crash."""
