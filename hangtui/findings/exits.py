"""Which threads are inside of nothing but the interpreter's exit: the program itself has ended."""

from hangtui.analysis.places import program_frame
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


def exit_function(thread: Thread) -> str | None:
    """Which of these functions runs, with nothing of the program below it."""
    stack = thread.python_stack or ()
    for index, frame in enumerate(stack):
        name = frame.function.rpartition(".")[2]
        if name in EXITS and frame.filename.endswith(EXITS[name][0]):
            return name if program_frame(stack[index + 1 :]) is None else None
    return None
