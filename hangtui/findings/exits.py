"""Which threads are inside of nothing but the interpreter's exit: the program itself has ended."""

from hangtui.analysis.places import application_index, package_of, program_frame
from hangtui.dataclass import dataclass
from hangtui.findings.stack_queries import name_of, told
from hangtui.model import Thread

EXIT = "exit-waits-for-thread"
"""The id of what is told of an exit that waits for a thread."""
EXITS = {
    "_shutdown": ("threading.py", "threading._shutdown joins every thread that is not a daemon"),
    "_python_exit": (
        "concurrent/futures/thread.py",
        "concurrent.futures joins the workers of all pools at exit (_python_exit)",
    ),
    "_exit_function": (
        "multiprocessing/util.py",
        "multiprocessing joins its children and queue threads at exit (_exit_function)",
    ),
}
"""By the name of a function that the interpreter calls at exit: its file, and what it does."""


ENDING = (
    "the program itself has ended, and the interpreter closes what it left open (Py_FinalizeEx)"
)
"""What it means that it is ending, as a clause."""
ENDED_EARLY = (
    "Look why one rank is at its end already (an exception that nobody caught stands in its log), "
    "and have it tell the others, or end the job."
)
"""What to do where one rank of a job ends before the others."""
_FINALIZES = frozenset({"Py_FinalizeEx", "Py_Finalize"})
"""Functions of C that end the interpreter."""
_AT_EXIT = frozenset({"atexit_callfuncs", "atexit_run_exitfuncs", "call_py_exitfuncs"})
"""Functions of C that call what was registered for its end, while daemon threads still run."""
STOPPED = "probably a daemon thread, which the interpreter has stopped with it"
"""Who has a lock that is wanted after that."""


@dataclass(frozen=True, slots=True)
class Exit:
    """Where a thread is in it, in words."""

    inside: str
    """``inside the interpreter's exit (shutdown)``"""
    function: str
    """What of its stack alone is there."""
    why: str
    """Who calls that, and what for."""
    after: str = ""
    """What comes only after that, as a clause."""
    short: str = ""
    """Where in it, for a title; empty: the interpreter itself joins its threads."""


def exit_of(thread: Thread) -> Exit | None:
    """Where in the interpreter's exit it is; None: it is not, or runs a line of the application
    there."""
    name = exit_function(thread)
    if name is not None:
        # Threads are joined before the handlers of atexit run, multiprocessing's is one of these.
        later = "" if name == "_exit_function" else ", and runs the handlers of atexit only then"
        return Exit("inside the interpreter's exit (shutdown)", name, EXITS[name][1], later)
    stack = thread.python_stack or ()
    natives = {frame.function for frame in thread.native_stack or ()}
    if not stack or _AT_EXIT.isdisjoint(natives) or _FINALIZES.isdisjoint(natives):
        return None
    if application_index(stack) is not None:
        return None
    handler, package = told(stack[-1]), package_of(stack[-1])
    whose = f"{package}'s handler" if package else "the handler"
    return Exit(
        f"inside {whose} {handler}, which the interpreter runs at its exit (atexit),",
        handler,
        "atexit has called it",
        short=f", in {whose} {stack[-1].function},",
    )


def exit_function(thread: Thread) -> str | None:
    """Which of these functions runs, with nothing of the program below it."""
    stack = thread.python_stack or ()
    for index, frame in enumerate(stack):
        name = frame.function.rpartition(".")[2]
        if name in EXITS and frame.filename.endswith(EXITS[name][0]):
            return name if program_frame(stack[index + 1 :]) is None else None
    return None


def is_ending(thread: Thread) -> bool:
    """Whether the interpreter is at its end in it, and no line of the program is there but of what
    is destroyed then: what was left open is closed."""
    stack = thread.python_stack or ()
    native = [frame.function for frame in thread.native_stack or ()]
    destroys = bool(stack) and name_of(stack[-1]) == "__del__" and _AT_EXIT.isdisjoint(native)
    own = application_index(stack) is None or destroys
    return own and not _FINALIZES.isdisjoint(native)


def closing_advice(thread: Thread, *, lock: bool) -> str:
    """What to do about what is left to that."""
    if lock:
        return (
            "Have the threads end before the program does (an Event that they look at, and join() "
            "on each): at the interpreter's end it stops daemon threads wherever they are, with "
            "what they have locked."
        )
    package = next(filter(None, map(package_of, thread.python_stack or ())), None)
    what = f"what {package} has open" if package else "what is open"
    return (
        f"Close {what} before the program ends, by `with` or close(): at the interpreter's end no "
        "other thread is there to do its part."
    )
