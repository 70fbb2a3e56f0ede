"""A thread of a package's own C code that has called the program, and waits there: what the package
does in that thread, it does not do meanwhile."""

from hangtui.analysis.frame_classifier import module_name, short_name
from hangtui.analysis.places import application_index, line_and_function
from hangtui.analysis.waitgraph import Edge
from hangtui.findings.re_entered import begun_by
from hangtui.findings.rings.called_back import has_called_python, package_of_native
from hangtui.findings.stack_queries import at, own_frame
from hangtui.findings.wakeups.nobody_left_advice import act
from hangtui.findings.words import Words
from hangtui.model import Thread


def told_called_in(thread: Thread, wait: Edge, words: Words) -> str:
    """`` worker is a thread of vlc 3.0's own, which has called on_end (main.py:9) ...``; empty: it
    was not begun by such a package."""
    begun = begun_by(thread)
    calls = has_called_python(thread, package_of_native(begun)) if begun else None
    called = _first(thread)
    if begun is None or calls is None or called is None:
        return ""
    package = begun.package or module_name(begun)
    name = words.thread_name(thread)
    return (
        f" {name} is a thread of {package}'s own, which has called {called} in {short_name(calls)}:"
        f" until that returns, {package} does nothing else in this thread. If it would "
        f"{act(wait, words)} {words.name(wait.target)} there, that thread waits for itself."
    )


def called_in_advice(thread: Thread, wait: Edge, words: Words) -> list[str]:
    """What to change about such a wait; empty: it is none."""
    if not told_called_in(thread, wait, words):
        return []
    called = _first(thread)
    return [
        (
            f"Do not wait{at(own_frame(thread))}: let {called} return at once, and do what comes "
            "after the wait in a thread of the program's own, or in a callback."
        )
    ]


def _first(thread: Thread) -> str | None:
    """The line of the program that was called first: ``main.py:9 (on_end)``."""
    found, stack = None, list(thread.python_stack or ())
    while (index := application_index(stack)) is not None:
        found, stack = stack[index], stack[index + 1 :]
    return line_and_function(found) if found else None
