"""Who waits to enter what it has entered already, further out on its own stack, in words."""

from collections.abc import Iterable

from hangtui.findings.words import Actor, Words
from hangtui.model import Task


def short_entered(threads: Iterable[Actor], words: Words) -> str:
    """``, inside of a Lock of the same name that it has entered itself``, or nothing."""
    for one in words.capture.entered_twice:
        if any(thread.id == one.thread for thread in threads):
            which = f"that very {one.manager}" if one.same else f"a {one.manager} of the same name"
            return f", inside of {which} that it has entered itself"
    return ""


def told_entered(threads: Iterable[Actor], words: Words) -> str:
    """`` MainThread has entered ... at main.py:24 (Pantry.take)``, or nothing."""
    for thread in threads:
        for one in words.capture.entered_twice:
            if thread.id == one.thread:
                which = f"that very {one.manager}" if one.same else (
                    f"another {one.manager} of that package that goes by the same name"
                )  # fmt: skip
                unless = "unless it may be entered twice" if one.same else "if the two are one lock"
                who = "task" if isinstance(thread, Task) else "thread"
                return (
                    f" {words.actor_name(thread)} has entered {which} itself, at {one.entered}, "
                    f"and leaves that only after this wait: {unless}, that {who} waits for itself."
                )
    return ""


def entered_advice(threads: Iterable[Actor], words: Words) -> tuple[str, ...]:
    """What to change about it; empty: there is no such thread."""
    ids = {thread.id for thread in threads}
    return tuple(
        f"Enter that {one.manager} once: call what needs it from outside of the block entered at "
        f"{one.entered}, or have it take for granted that its caller has entered it."
        for one in words.capture.entered_twice
        if one.thread in ids
    )[:1]
