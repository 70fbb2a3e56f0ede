"""Whether a thread waits for the answer of the fork server that ``multiprocessing`` started."""

from hangtui.backends.cpython.aio.coroutines import runs
from hangtui.backends.cpython.reader import PythonReader

_FILES = ("/multiprocessing/forkserver.py", "/multiprocess/forkserver.py")


def asks_fork_server(python: PythonReader, tid: int) -> bool:
    """It reads what the server writes once it has started a process: ``Process.start()``."""
    stack = python.stacks.get(tid, ())
    return bool(stack) and runs(stack[0], "read_signed", _FILES)
