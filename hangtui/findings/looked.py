"""What loops that sleep look at in between, in words."""

from collections.abc import Sequence

from hangtui.analysis.places import line_and_function, line_of
from hangtui.findings.english import joined
from hangtui.findings.words import Words
from hangtui.model import NodeId, Polled, PythonFrame


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


def looked_there(polled: Polled, stack: Sequence[PythonFrame], told: PythonFrame | None) -> str:
    """`looked_at`, and where the loop stands, if that is another function of *stack* than the one
    that is *told*: ``job.done (False) at jobs.py:40 (follow)``."""
    looks = looked_at(polled)
    loop = next((one for one in stack if line_of(one) == polled.where), None)
    if loop is None or told is None or loop.function == told.function:
        return looks
    return f"{looks} at {line_and_function(loop)}"


def spins_for(node: NodeId, words: Words) -> Polled | None:
    """What a thread looks at again and again without a pause, and does nothing else; None: it does
    not, or that is not known."""
    return next((one for one in words.capture.spinning if one.waiter == node), None)
