"""A function that a package has called, by its C code or in a thread that runs nothing else, and
that has called the same package again."""

import re

from hangtui.analysis.frame_classifier import eval_frame, foreign_frame
from hangtui.analysis.merge import merge
from hangtui.analysis.places import (
    application_index,
    function_of,
    library_frame,
    line_and_function,
    line_of,
    package_of,
    package_of_module,
    program_frame,
)
from hangtui.findings.stack_queries import name_of
from hangtui.findings.words import Actor
from hangtui.model import NativeFrame, PythonFrame, Thread

_BEGINS = re.compile(r"main|run|invoke|call|start|launch|serve|wrap|catch|decorat|inner|exec")
"""How those functions of packages are called that begin a program, or are wrapped around a function
of it: it may rest below these."""


def re_entered(actor: Actor) -> tuple[str, PythonFrame] | None:
    """The package, and what of Python it has called; None: it is in none, or for the first time."""
    merged = merge(actor) if isinstance(actor, Thread) else None
    package, between = "", None
    for row in merged.rows if merged is not None and merged.aligned else ():
        if row.python is not None:
            between = row.python if package else None
        elif row.native is not None and foreign_frame(row.native):
            here = _package(row.native)
            if between is not None and here == package:
                return package, between
            package = package or here
    return None


def begun_by(thread: Thread) -> NativeFrame | None:
    """The outermost frame of somebody's C code, if that was there before any Python: the thread is
    a package's own. None: it is the program's, or its native stack was not read."""
    for frame in reversed(thread.native_stack or ()):
        if eval_frame(frame):
            return None
        if foreign_frame(frame):
            return frame
    return None


def told_again(actor: Actor) -> str:
    """``, which duckdb called, and which has called duckdb again``, of its own line; of another one
    with that before it: ``, below is_known (main.py:12), which ...``."""
    if not (found := re_entered(actor)):
        return ""
    package, frame = found
    own = program_frame(actor.python_stack or ()) == frame
    below = "" if own else f", below {function_of(frame)} ({line_of(frame)})"
    return f"{below}, which {package} called, and which has called {package} again"


def told_own(actor: Actor) -> str:
    """``lxml has called resolve (parts.py:14), and that lxml again before the first call was over:
    that one may have it, and then the thread waits for itself``; of a lock of the package's."""
    if not (found := re_entered(actor)):
        return ""
    package, frame = found
    return (
        f"{package} has called {function_of(frame)} ({line_of(frame)}), and that {package} again "
        "before the first call was over: that one may have it, and then the thread waits for itself"
    )


def told_further_out(actor: Actor) -> str:
    """``As lxml has called resolve (parts.py:14), and that lxml again before the first call was
    over, it may wait for the end of that one, and so for itself``; of what is to happen there."""
    if not (found := re_entered(actor)):
        return ""
    package, frame = found
    return (
        f"As {package} has called {function_of(frame)} ({line_of(frame)}), and that {package} "
        "again before the first call was over, it may wait for the end of that one, and so for "
        "itself"
    )


def called_by_its_own(thread: Thread) -> tuple[str, PythonFrame, PythonFrame] | None:
    """The package in which the program waits in a thread that runs nothing but this package; the
    line of the program, and the function of the package that the thread runs. None: it runs
    another one, or the program itself; or it is the main thread."""
    stack = thread.python_stack or ()
    own = application_index(stack)
    if own is None or thread.tid == thread.pid:
        return None
    inner = {package_of(frame) for frame in stack[:own]} - {None}
    outer = [frame for frame in stack[own + 1 :] if package_of(frame)]
    packages = {package_of(frame) for frame in outer}
    if len(packages) != 1 or not packages <= inner or application_index(stack[own + 1 :]):
        return None
    return str(package_of(outer[0])), stack[own], outer[-1]


def told_by_its_own(thread: Thread) -> str:
    """``paramiko has called check (gate.py:16) in the thread that runs Transport.run
    (transport.py:2099): if that thread is to bring it, it waits for itself``."""
    if not (found := called_by_its_own(thread)):
        return ""
    package, frame, runs = found
    return (
        f"{package} has called {function_of(frame)} ({line_of(frame)}) in the thread that runs "
        f"{function_of(runs)} ({line_of(runs)}): if that thread is to bring it, it waits for itself"
    )


def short_by_its_own(thread: Thread) -> str:
    """``; paramiko has called check in its own Transport.run``: the same, for a title."""
    if not (found := called_by_its_own(thread)):
        return ""
    package, frame, runs = found
    return f"; {package} has called {function_of(frame)} in its own {function_of(runs)}"


def called_further_out(thread: Thread) -> tuple[str, PythonFrame, PythonFrame] | None:
    """The package in which the program waits, where that has called the program further out in the
    same thread; the line of the program, and the function of the package that called it."""
    stack = thread.python_stack or ()
    own = application_index(stack)
    package = package_of(stack[own - 1]) if own else None
    if own is None or package is None:
        return None
    outer = next((i for i in range(own + 1, len(stack)) if package_of(stack[i]) == package), None)
    if outer is None:
        return None
    between = stack[own:outer]
    called = [one for one in between if not package_of(one) and not library_frame(one)]
    return package, called[-1], stack[outer]


def called_back_in(thread: Thread) -> str | None:
    """The package that the program has called, and that has called the program back where it waits,
    as for the next part of what it is to send: who waits there does not rest. None: there is none,
    or it may only be what began the program, or what is wrapped around a function of it."""
    stack = thread.python_stack or ()
    own = application_index(stack)
    if own is None:
        return None
    outer = stack[own + 1 :]
    between = [frame for frame in outer[: application_index(outer)] if package_of(frame)]
    if application_index(outer) is None or all(_BEGINS.search(name_of(one)) for one in between):
        return None
    return package_of(between[0])


def told_called_further_out(thread: Thread) -> str:
    """`` bacpypes has called Stoker.process_task (main.py:42) further out in this thread, at
    core.py:120 (run): what that is still to do comes only after it.``; empty: it has not."""
    if not (found := called_further_out(thread)):
        return ""
    package, frame, runs = found
    return (
        f" {package} has called {function_of(frame)} ({line_of(frame)}) further out in this "
        f"thread, at {line_and_function(runs)}: what that is still to do comes only after it."
    )


def _package(frame: NativeFrame) -> str:
    return package_of_module(frame) or ""
