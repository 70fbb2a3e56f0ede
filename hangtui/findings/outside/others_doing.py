"""What the other threads of a process do, while one waits for what any of them might end: those in
the application's own code first, and those together that do the same."""

from collections.abc import Iterable, Iterator

from hangtui.analysis.native_threads import library_of
from hangtui.analysis.places import application_index
from hangtui.findings.english import clauses, listed
from hangtui.findings.stack_queries import does
from hangtui.findings.words import Words
from hangtui.model import Thread


def told_others(others: Iterable[Thread], words: Words) -> str:
    """`` Of the other 3 threads, 1 ran: MainThread sleeps at main.py:5 (<module>); jobs_0 and
    jobs_1 wait at main.py:9 (fill) for jobs.``; empty: there are none."""
    threads = list(others)
    # Between the looks somebody may have run who rested in the last one.
    ran = [one for one in threads if one.still is not True or _ran(one, words)]
    told = clauses(list(_told(threads, words)))
    return f" {_awake(len(ran), len(threads))}: {told}." if told else ""


def _awake(awake: int, others: int) -> str:
    """How many of the others ran."""
    if others == 1:
        return f"The only other thread {'ran' if awake else 'stood still as well'}"
    if not awake:
        return f"The other {others} threads stood still as well"
    return f"Of the other {others} threads, {awake} ran"


def _ran(thread: Thread, words: Words) -> bool:
    seen = words.progress.get(thread.id)
    return seen is not None and seen.ran


def _told(others: Iterable[Thread], words: Words) -> Iterator[str]:
    """Those that stand in the code of one library alone come last."""
    alike: dict[str, list[str]] = {}
    libraries: dict[str, list[Thread]] = {}
    for other in sorted(others, key=_rank):
        if library := library_of(other, words.graph):
            libraries.setdefault(library, []).append(other)
        else:
            name, clause = words.thread_name(other), does(other, words)
            alike.setdefault(clause.removeprefix(name), []).append(name)
    for doing, names in alike.items():
        yield _together(names, doing)
    for library, those in libraries.items():
        if those[1:]:
            yield f"{len(those)} native threads wait in {library}"
        else:
            yield does(those[0], words)


def _rank(thread: Thread) -> tuple[bool, bool]:
    return application_index(thread.python_stack or ()) is None, thread.still is True


def _together(names: list[str], doing: str) -> str:
    """``jobs_0, jobs_1 wait at main.py:9 (fill) for jobs``, of `` waits at ...``."""
    if len(names) == 1:
        return names[0] + doing
    verb, _, rest = doing.strip().partition(" ")
    many = {"is": "are"}.get(verb, verb.removesuffix("s"))
    return f"{listed(names)} {many} {rest}"
