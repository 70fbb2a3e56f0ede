"""Rings of a library's own threads that read for others: who waits for what these would bring."""

from collections.abc import Sequence

from hangtui.analysis.places import application_index, package_of
from hangtui.findings.english import joined
from hangtui.findings.package_queries import library_wait
from hangtui.findings.stack_queries import at_own_line, does
from hangtui.findings.words import Actor, Words
from hangtui.model import Thread


def behind_readers(members: Sequence[Actor], words: Words) -> list[Thread]:
    """The threads of the application that wait in the package whose threads are the *members*, one
    for each of these; empty: that is not so, or not known of all."""
    found: list[Thread] = []
    for member in members:
        stack = member.python_stack or ()
        package = next(filter(None, map(package_of, stack)), None)
        process = words.capture.process(member.pid)
        if not package or process is None or application_index(stack) is not None:
            return []
        waits = [
            one
            for one in process.threads
            if one is not member and one.blocked and library_wait(one) == package
        ]
        if len(waits) != 1:
            return []
        found += waits
    return found if len(set(found)) == len(members) else []


def told_title(threads: Sequence[Thread], words: Words) -> str:
    """``MainThread of process 1 and MainThread of process 2 wait for each other at a.py:9 (ask) and
    at b.py:3 (answer), in execnet``."""
    names = joined([words.thread_name(one) for one in threads])
    places = joined([at_own_line(one).strip() for one in threads])
    return f"{names} wait for each other {places}, in {library_wait(threads[0])}"


def told_sentence(threads: Sequence[Thread], words: Words) -> str:
    """What each of them waits for, and that only the other's process could bring it."""
    clauses = "; ".join(does(one, words) for one in threads)
    return f"{clauses}. What comes to them is read by threads of {library_wait(threads[0])}: "
