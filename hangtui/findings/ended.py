"""Tasks and threads that have ended, and what they would have done, in words."""

from collections.abc import Iterable

from hangtui.analysis.places import short_path
from hangtui.findings.english import counted, listed
from hangtui.model import Ended, Process, Resource


def failures(resources: Iterable[Resource | None]) -> list[Ended]:
    """Those that would have ended waits for *resources*, each once."""
    return list(dict.fromkeys(one for found in resources if found for one in found.ended))


def told_threads_gone(process: Process | None, whose: str = "it") -> str:
    """`` Threads of it that have ended: house.``, and those that never began; empty: none is
    known."""
    python = process.python if process else None
    gone, never = (listed(python.ended), listed(python.unstarted)) if python else ("", "")
    ended = f" Threads of {whose} that have ended: {gone}." if gone else ""
    made = f" Threads that were made for {whose}, and that nobody has started: {never}."
    return f"{ended}{made if never else ''}"


def told_any_gone(process: Process | None, whose: str) -> str:
    """The same; or, where none of those that have ended is known by its name, `` 1 thread that ran
    Python in it has ended, or does so no more.``: the interpreter numbers them; a forked one goes
    on from the numbers of its parent's, so that nothing is said of that."""
    told, python = told_threads_gone(process, whose), process.python if process else None
    ever = python.threads_ever if python else None
    if told or process is None or ever is None or process.incomplete:
        return told
    around = process.around
    gone = ever - sum(bool(one.is_python) for one in process.threads)
    if gone < 1 or around is None or around.forked_from is not None:
        return ""
    has, does = ("has", "does") if gone == 1 else ("have", "do")
    threads = counted(gone, "thread")
    return f" {threads} that ran Python in {whose} {has} ended, or {does} so no more."


def told_failure(one: Ended, act: str, name: str) -> str:
    """``Task drain (drainer), whose code would notify room, has ended with OSError at ...``."""
    function = f" ({one.function})" if one.function else ""
    where = f" at {short_path(one.place)}{function}" if one.place else ""
    who = one.name[:1].upper() + one.name[1:]
    return f"{who}, whose code would {act} {name}, has ended with {one.error}{where}."


def failure_advice(one: Ended) -> str:
    """What to change about it."""
    return (
        f"Mend what raised {one.error} in {one.name}; and await it, or give it a callback with "
        "add_done_callback(), so that a failure is seen at once: nobody waits for its end now."
    )
