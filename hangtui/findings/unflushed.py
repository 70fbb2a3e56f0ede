"""What somebody has written for who waits, and not flushed, in words."""

from hangtui.findings.english import counted, joined
from hangtui.findings.words import Words
from hangtui.model import Resource

ADVICE = (
    "Flush what is written before you wait for the answer: file.flush(), print(..., flush=True), "
    "or open the pipe with bufsize=1 and text=True, which flushes at each line."
)


def unflushed_in_title(resource: Resource | None, words: Words) -> str:
    """``: 12 bytes for it lie in a buffer of process 12, which has not flushed them``; empty: none
    are known."""
    told = _told(resource, "it", words)
    return f": {told}" if told else ""


def told_unflushed(resource: Resource | None, words: Words) -> str:
    """The same as a sentence, with the name of the pipe or connection."""
    told = _told(resource, words.name(resource.id), words) if resource else ""
    return f" But {told}." if told else ""


def _told(resource: Resource | None, what: str, words: Words) -> str:
    parts = [
        f"{counted(count, 'byte')} for {what} {'lies' if count == 1 else 'lie'} in a buffer of "
        f"{words.process_name(pid)}, which has not flushed {'it' if count == 1 else 'them'}"
        for pid, count in (resource.unflushed if resource else ())
    ]
    return joined(parts)
