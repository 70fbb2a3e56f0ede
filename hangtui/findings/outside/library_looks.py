"""How several looks saw a thread that waits in a library, as a line of evidence."""

from hangtui.findings.english import counted
from hangtui.findings.outside.library_goals import polls
from hangtui.findings.words import Words
from hangtui.model import Thread


def how_seen(thread: Thread, words: Words) -> str | None:
    """How several looks saw it."""
    one = words.progress.get(thread.id)
    if one is None:
        return None
    name, looks = words.thread_name(thread), counted(one.looks, "look")
    if one.returned:
        return (
            f"{name} left these lines and came back to them between {looks}: a variable of the "
            "application changed, or a wait ended other than by a timeout"
        )
    if polls(one):
        return (
            f"{name} was on the same lines in each of {looks} over {one.lasted_s:.1f} s, and woke "
            "up in between: it waits by polling"
        )
    return f"{name} did not run for the last {one.unchanged_s:.1f} s of {looks}"
