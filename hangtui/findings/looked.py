"""What loops that sleep look at in between, in words."""

from hangtui.findings.english import joined
from hangtui.findings.words import Words
from hangtui.model import NodeId, Polled


def polled_by(node: NodeId, words: Words) -> Polled | None:
    """What a thread or task looks at; None: it does not, or that is not known."""
    return next((one for one in words.capture.polled if one.waiter == node), None)


def looked_at(polled: Polled) -> str:
    """``job.done (False) and self.inbox (empty)``; ``os.path.exists() of /tmp/lock, which is
    there``; ``self.source.next() (the program's Grid answers that)``."""
    values = (*polled.values, *[None] * len(polled.looks_at))
    looks = joined(
        [
            f"{one} ({value})" if value else one
            for one, value in zip(polled.looks_at, values, strict=False)
        ]
    )
    if polled.asks is not None:
        looks += f" (the program's {polled.asks} answers that)"
    if polled.file is None or polled.is_there is None:
        return looks
    return f"{looks} of {polled.file}, which is {'' if polled.is_there else 'not '}there"


def spins_for(node: NodeId, words: Words) -> Polled | None:
    """What a thread looks at again and again without a pause, and does nothing else; None: it does
    not, or that is not known."""
    return next((one for one in words.capture.spinning if one.waiter == node), None)
