"""Who waits to enter what it has entered already, further out on its own stack, in words."""

from collections.abc import Iterable

from hangtui.findings.doing import doing
from hangtui.findings.on_the_way import onward
from hangtui.findings.words import Actor, Words
from hangtui.model import EnteredTwice, Task


def short_entered(threads: Iterable[Actor], words: Words) -> str:
    """``, inside of a Lock of the same name that it has entered itself``, or nothing."""
    for one in words.capture.entered_twice:
        if one.by is None and any(thread.id == one.thread for thread in threads):
            which = f"that very {one.manager}" if one.same else f"a {one.manager} of the same name"
            return f", inside of {which} that it has entered itself"
    return ""


def told_entered(threads: Iterable[Actor], words: Words) -> str:
    """`` MainThread has entered ... at main.py:24 (Pantry.take)``, or nothing."""
    for thread in threads:
        for one in words.capture.entered_twice:
            if one.by is None and thread.id == one.thread:
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


def short_had(threads: Iterable[Actor], words: Words) -> str:
    """``; MainThread has entered a Lock of the same name at house.py:28 (Auditor.year), and waits
    at house.py:30 (Auditor.check) for count``; or nothing."""
    one, by = _had_by(threads, words)
    if one is None or by is None:
        return ""
    which = f"that very {one.manager}" if one.same else f"a {one.manager} of the same name"
    does_so = doing(by, words).removeprefix(f"{words.actor_name(by)} ")
    return f"; {words.actor_name(by)} has entered {which} at {one.entered}, and {does_so}"


def told_had(threads: Iterable[Actor], words: Words) -> str:
    """The same as a sentence, with where the wait of that one leads."""
    asking = list(threads)
    one, by = _had_by(asking, words)
    if one is None or by is None:
        return ""
    which = f"that very {one.manager}" if one.same else (
        f"another {one.manager} of that package that goes by the same name"
    )  # fmt: skip
    on = onward(by.id, words)
    back = on.told & {thread.id for thread in asking}
    each = " So neither goes on before the other one does." if back else ""
    return (
        f" {words.actor_name(by)} has entered {which}, at {one.entered}, and gives it back only "
        f"after its own wait: {doing(by, words)}.{on.text}{each}"
    )


def _had_by(threads: Iterable[Actor], words: Words) -> tuple[EnteredTwice | None, Actor | None]:
    """Who else has entered what the first of *threads* of which that is known waits to enter."""
    known = {one.thread: one for one in words.capture.entered_twice if one.by is not None}
    one = next((known[thread.id] for thread in threads if thread.id in known), None)
    return one, words.actor(one.by) if one and one.by else None


def entered_advice(threads: Iterable[Actor], words: Words) -> tuple[str, ...]:
    """What to change about it; empty: there is no such thread."""
    ids = {thread.id for thread in threads}
    return tuple(
        f"Enter that {one.manager} once: call what needs it from outside of the block entered at "
        f"{one.entered}, or have it take for granted that its caller has entered it."
        for one in words.capture.entered_twice
        if one.by is None and one.thread in ids
    )[:1]
