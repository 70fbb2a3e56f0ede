"""Waits inside of what a package has called, for what another function beside that would bring: the
package calls it, in the same thread, once the first has returned."""

from collections.abc import Iterable, Sequence

from hangtui.analysis.places import (
    application_index,
    function_of,
    library_frame,
    line_and_function,
    package_of,
    short_path,
)
from hangtui.analysis.waitgraph import Edge
from hangtui.findings.english import joined
from hangtui.findings.left_lying import left_lying
from hangtui.findings.run_elsewhere import code_by_name, is_inside, nobody_inside
from hangtui.findings.stack_queries import main_thread, own_frame, stood_s
from hangtui.findings.thresholds import STILL_S
from hangtui.findings.words import Words
from hangtui.findings.written import nobody_comes
from hangtui.model import PythonFrame, Thread


def after_return(thread: Thread, wait: Edge, act: str, words: Words) -> str:
    """``; Hiker.echoed (hike.py:42) is to set it, which circuits, that has called hike.py:54
    (Clock.tick) in this thread, can call only after that``, over a second or more; empty: somebody
    is on the way, or another thread is inside of that package, too."""
    resource = words.resource(wait.target)
    places = (resource.enders or resource.alike) if resource else ()
    called = _called(thread)
    if not places or called is None or stood_s(thread, words) < STILL_S:
        return ""
    package, inner = called
    process = words.capture.process(thread.pid)
    alike = bool(code_by_name(resource, thread))
    others = [one for one in process.threads if one is not thread] if process else []
    if alike:  # those that wait there as well are no better
        others = [one for one in others if not _waits_alike(one, places, wait, words)]
        # What is to be heard may yet come over a connection that nobody has made.
        if process is None or not left_lying(process, words.capture):
            return ""
    if process is None or any(_is_in(one, package) for one in others):
        return ""
    beside = all(any(_beside(place, frame) for frame in inner) for place in places)
    if not beside or not nobody_comes(wait, words):
        return ""
    if not alike and not nobody_inside(places, thread.pid, words):
        return ""
    return (
        f"; {joined(list(places))} {'is' if len(places) == 1 else 'are'} to {act}, which {package},"
        f" that has called {line_and_function(inner[-1])} in this thread, can call only after that"
    )


def _waits_alike(thread: Thread, places: Sequence[str], wait: Edge, words: Words) -> bool:
    """Whether another thread is inside of one of *places*, too, and waits for good for the like."""
    own = words.graph.wait_of(thread.id)
    alike = own is not None and own.target.kind is wait.target.kind and not own.expires
    return alike and any(is_inside(thread, place) for place in places)


def awaited_first(waits: Iterable[tuple[Thread, Edge]], words: Words) -> list[tuple[Thread, Edge]]:
    """The same, those at the loop that their thread consists of last, unless the main thread waits
    for the end of one: they may have nothing to do."""

    def is_at_rest(found: tuple[Thread, Edge]) -> bool:
        thread, _ = found
        process = words.capture.process(thread.pid)
        main = main_thread(process) if process else None
        joining = words.graph.wait_of(main.id) if main else None
        if thread is main or (joining and joining.target == thread.id):
            return False
        stack = thread.python_stack or ()
        own = [one for one in stack if not library_frame(one) and package_of(one) is None]
        return len(own) == 1 and own[0] is own_frame(thread)

    return sorted(waits, key=is_at_rest)


def _called(thread: Thread) -> tuple[str, list[PythonFrame]] | None:
    """The package that has called the program, and the program's frames since; None: none has."""
    stack = thread.python_stack or ()
    index = application_index(stack)
    inner: list[PythonFrame] = []
    for frame in stack[index:] if index is not None else ():
        package = package_of(frame)
        if package is not None:
            return package, inner
        if library_frame(frame):
            return None
        inner.append(frame)
    return None


def _is_in(thread: Thread, package: str) -> bool:
    return any(package_of(frame) == package for frame in thread.python_stack or ())


def _beside(place: str, frame: PythonFrame) -> bool:
    """Whether ``Hiker.echoed (hike.py:42)`` is of the same class, or of the same file where classes
    are not known."""
    function, _, rest = place.partition(" (")
    file = rest.partition(":")[0]
    same = function.rpartition(".")[0] == function_of(frame).rpartition(".")[0]
    return same and short_path(frame.filename) == file
