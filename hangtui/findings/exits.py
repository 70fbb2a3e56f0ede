"""Which threads are inside of nothing but the interpreter's exit: the program itself has ended."""

from hangtui.analysis.places import application_index, package_of, program_frame
from hangtui.model import Thread

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
_FINALIZES = frozenset({"Py_FinalizeEx", "Py_Finalize"})
"""Functions of C that end the interpreter."""


def exit_function(thread: Thread) -> str | None:
    """Which of these functions runs, with nothing of the program below it."""
    stack = thread.python_stack or ()
    for index, frame in enumerate(stack):
        name = frame.function.rpartition(".")[2]
        if name in EXITS and frame.filename.endswith(EXITS[name][0]):
            return name if program_frame(stack[index + 1 :]) is None else None
    return None


def is_ending(thread: Thread) -> bool:
    """Whether the interpreter is at its end in it, and no line of the program is there: what was
    left open is closed."""
    ends = any(frame.function in _FINALIZES for frame in thread.native_stack or ())
    return ends and application_index(thread.python_stack or ()) is None


def closing_advice(thread: Thread) -> str:
    """What to do about what is left to that."""
    package = next(filter(None, map(package_of, thread.python_stack or ())), None)
    what = f"what {package} has open" if package else "what is open"
    return (
        f"Close {what} before the program ends, by `with` or close(): at the interpreter's end no "
        "other thread is there to do its part."
    )
