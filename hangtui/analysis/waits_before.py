"""Who asks again and again for a lock on a file, and was met awake by the last of several captures:
it waits as an earlier one saw it."""

from collections.abc import Sequence
from dataclasses import replace

from hangtui.analysis.places import application_index
from hangtui.analysis.polled_before import stacks
from hangtui.model import Capture, Hold, NodeKind, PythonFrame, Resource, Wait

Stack = tuple[PythonFrame, ...]


def waited_before(captures: Sequence[Capture], last: Capture) -> Capture:
    """*last*, with these waits, and with who has what is waited for. *captures*: it is the last."""
    missing = {one.id for one in last.threads() if one.is_python}
    missing -= {one.waiter for one in last.waits}
    waits, holds, resources = list[Wait](), list[Hold](), list[Resource]()
    now, there = stacks(last), {one.id for one in last.threads()}
    known = {one.id for one in last.resources}
    for capture in reversed(captures[:-1]):
        polls = [one for one in capture.waits if one.waiter in missing and _asks(one)]
        then = stacks(capture) if polls else {}
        for wait in polls:
            missing.discard(wait.waiter)
            if not _still_inside(then.get(wait.waiter, ()), now.get(wait.waiter, ())):
                continue
            waits.append(wait)
            if wait.target not in known:
                known.add(wait.target)
                resources += [one for one in capture.resources if one.id == wait.target]
                had = (one for one in capture.holds if one.resource == wait.target)
                holds += [one for one in had if one.holder in there]
    if not waits:
        return last
    return replace(
        last,
        waits=(*last.waits, *waits),
        holds=(*last.holds, *holds),
        resources=(*last.resources, *resources),
    )


def _still_inside(then: Stack, now: Stack) -> bool:
    """Whether a library asks, and the application is still at the line that called it. A loop of
    the application's own may go on in the same function once it has the lock."""
    own = application_index(then)
    if not own:
        return False
    rest = then[own:]
    return len(now) > len(rest) and now[-len(rest) :] == rest


def _asks(wait: Wait) -> bool:
    """Whether it polls for a lock on a file, as its code tells."""
    inferred = not wait.evidence.certainty.supports_claim
    return wait.target.kind is NodeKind.FILE_LOCK and wait.expires and inferred
