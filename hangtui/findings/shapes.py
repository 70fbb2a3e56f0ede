"""What the shape of a stack tells of the thread that it is of: who called whom, and how deep."""

from hangtui.analysis.places import application_index, library_frame, package_of
from hangtui.findings.stack_queries import POOL_FILES, name_of
from hangtui.model import NodeKind, PythonFrame

Stack = tuple[PythonFrame, ...]


def depth(stack: Stack, enough: int) -> int:
    """How many functions of the application are on it, counted up to *enough*."""
    count = 0
    while count < enough and (index := application_index(stack)) is not None:
        count, stack = count + 1, stack[index + 1 :]
    return count


def whole_work(stack: Stack, index: int) -> bool:
    """Whether the thread has no other function of the application but its own ``run``."""
    outer = stack[index + 1 :]
    above = application_index(outer)
    if above is None:
        return True
    return name_of(outer[above]) == "run" and application_index(outer[above + 1 :]) is None


_STARTERS = ("/threading.py", "runpy.py", "runpy>", "/multiprocessing/process.py")


def called_by_library(stack: Stack, index: int) -> bool:
    """Whether a library called the application, as for a request: then it is at work there."""
    return any(
        (library_frame(frame) or package_of(frame)) and not frame.filename.endswith(_STARTERS)
        for frame in stack[index:]
    )


_TO_END = frozenset(
    {
        *("close", "end", "finish", "shut_down", "shutdown", "stop", "terminate"),
        *("__del__", "__exit__", "tearDown", "tearDownClass", "teardown_method"),
    }
)
"""How functions are called in which a program does not rest, but ends what it had at work."""


_POOL_ENDS = (
    *((file, "join") for file in POOL_FILES),
    ("/concurrent/futures/thread.py", "shutdown"),
    ("/concurrent/futures/process.py", "shutdown"),
)
"""Where a library waits until the threads of a pool have done what they were given."""

_FAILED = ("/threading.py", "invoke_excepthook")
"""Where a thread reports the exception that has ended it: `threading.excepthook`."""


def ends_others(stack: Stack) -> bool:
    """Whether a function of the application is on it that is to end something, a library's that
    waits for the end of all work of a pool, or what a thread calls once an exception has ended it.
    """
    return any(
        name_of(frame) in _TO_END and not library_frame(frame) and package_of(frame) is None
        for frame in stack
    ) or any(
        name_of(frame) == name and frame.filename.endswith(file)
        for frame in stack
        for file, name in (*_POOL_ENDS, _FAILED)
    )


_TAKES_ITEM = (("get", "multiprocessing/queues.py"), ("get_payload", "billiard/queues.py"))


def takes_from_queue(stack: Stack) -> bool:
    """Whether it is about to read from a queue between processes: one of its readers waits for the
    item, and all others for that one's lock."""
    return any(
        name_of(frame) == name and frame.filename.endswith(file)
        for frame in stack
        for name, file in _TAKES_ITEM
    )


_SERVERS = ("/socketserver.py", "/http/server.py", "/wsgiref/", "/gunicorn/", "/uvicorn/",
            "/xmlrpc/server.py", "/waitress/", "/cheroot/")  # fmt: skip


def serves_client(stack: Stack, kind: NodeKind | None) -> bool:
    """Whether it has one client to serve, and is not the loop that takes all of them."""
    loop = any(name_of(frame) == "serve_forever" for frame in stack)
    served = kind is NodeKind.SOCKET and not loop
    return served and any(m in f.filename for f in stack for m in _SERVERS)


def awaits_unread(stack: Stack) -> bool:
    """Whether tornado's run_sync() waits: a coroutine of ``gen.coroutine`` is no task."""
    return any(
        frame.function.endswith("run_sync") and "/tornado/" in frame.filename for frame in stack
    )


_STOPS_CLOCK = ("freezegun",)
"""Packages that stop the time for what they call, unless they were told to let it run."""


def stops_clock(stack: Stack) -> str | None:
    """The package on a stack that may have stopped the clock for what it called, as tests do: then
    no timeout that is counted by that runs out."""
    packages = map(package_of, stack)
    return next((name for name in packages if name in _STOPS_CLOCK), None)
