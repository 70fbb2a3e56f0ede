"""Who could end a wait of which the last of several captures saw nobody on the way: whoever an
earlier one saw there, and who has not left that call since."""

from collections.abc import Iterator, Sequence

from hangtui.analysis.polled_before import in_one_call, stacks_of
from hangtui.model import Capture, CouldWake, Nearness

_NEAR = (Nearness.IN, Nearness.AHEAD)


def wakers_before(captures: Sequence[Capture]) -> Iterator[CouldWake]:
    """Those of waits that lasted, of the newest look that saw any: one that polls is met awake now
    and then, where its frames are not read, or others than in its sleep."""
    *earlier, last = captures
    unseen = {(one.waiter, one.target) for one in last.waits}
    seen = {one.resource for one in last.could_wake}
    unseen = {(waiter, target) for waiter, target in unseen if target not in seen}
    now = stacks_of(last) if unseen else {}
    for capture in reversed(earlier):
        unseen &= {(one.waiter, one.target) for one in capture.waits}
        awaited = {target for _, target in unseen}
        near = (one for one in capture.could_wake if one.nearness in _NEAR)
        found = [one for one in near if one.resource in awaited]
        if not awaited:
            return
        then = stacks_of(capture) if found else {}
        for one in found:
            before, after = then.get(one.candidate, ()), now.get(one.candidate)
            if after is not None and (not after or in_one_call(before, after)):
                yield one
        unseen = {one for one in unseen if one[1] not in {each.resource for each in found}}
