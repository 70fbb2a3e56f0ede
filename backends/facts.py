"""Resources, waits and holds while they are gathered from several sources."""

from dataclasses import dataclass, field

from hangtui.model import EventLoop, Hold, Resource, Task, Wait


@dataclass(slots=True)
class Facts:
    """What is known so far of who waits for what, and who holds it."""

    resources: dict[str, Resource] = field(default_factory=dict)
    """By node id."""
    waits: list[Wait] = field(default_factory=list)
    holds: list[Hold] = field(default_factory=list)
    tasks: list[Task] = field(default_factory=list)
    event_loops: list[EventLoop] = field(default_factory=list)

    def add_hold(self, hold: Hold) -> None:
        """Add a hold, unless it is known."""
        if hold not in self.holds:
            self.holds.append(hold)

    def waits_of(self, waiter: str) -> list[Wait]:
        """The waits of one thread."""
        return [wait for wait in self.waits if wait.waiter == waiter]

    def awaited_holders(self) -> set[str]:
        """Node ids of those that hold what somebody waits for."""
        awaited = {wait.target for wait in self.waits}
        return {hold.holder for hold in self.holds if hold.resource in awaited}
