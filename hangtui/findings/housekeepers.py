"""Threads and tasks of libraries that wake up by the clock to look after others, and have nothing
to do as long as none of these does anything.

What is known of each was read in its library's source: it starts workers in place of those that
have ended, or waits to be told to stop, and ends nobody's wait for a result, a lock or an item. One
that calls whatever it was given, as a timer does, is none.
"""

from collections.abc import Iterable

from hangtui.analysis.places import application_index
from hangtui.findings.stack_queries import name_of
from hangtui.model import Capture, Task, Thread

_HOUSEKEEPERS = (
    ("/Pyro5/svr_threads.py", "run"),
    ("/hypercorn/utils.py", "check_multiprocess_shutdown_event"),
    ("/multiprocessing/managers.py", "serve_forever"),  # until somebody sets its stop_event
    ("/multiprocessing/pool.py", "_handle_workers"),  # with a sleep, up to CPython 3.7
    ("/multiprocessing/resource_sharer.py", "_serve"),  # hands out what others may open as well
    ("/parsl/utils.py", "_wake_up_timer"),  # jobs outside of the process
    ("/pebble/pool/thread.py", "pool_manager_loop"),
    ("/prompt_toolkit/application/application.py", "_poll_output_size"),  # draws anew
    ("/tqdm/_monitor.py", "run"),  # draws bars anew
    ("/xdist/dsession.py", "loop_once"),  # does what its workers' reports, which threads read, say
    ("/uvicorn/server.py", "main_loop"),  # sets a header, and looks whether it is told to stop
)
"""The end of a file's name, and its function in which such a thread spends its life."""
_NAMED = ("/cherrypy/process/plugins.py", "run", frozenset({"Autoreloader", "Session cleanup"}))
"""The same of threads that call what they were given: what those of these names call ends no wait.
It makes the process begin anew once a file has changed, or drops the locks that nobody has."""
_SERVERS = (
    ("/Pyro5/svr_threads.py", "loop"),
    ("/cheroot/connections.py", "_run"),
    ("/paramiko/packet.py", "read_all"),  # asks for a sign of life, or for new keys
    ("/socketserver.py", "serve_forever"),
    ("/waitress/wasyncore.py", "loop"),
)
"""The same of those that wait for connections and what comes over them, and do nothing else when
they wake up by the clock: what is in hand they leave to others."""


def keeps_house(actor: Thread | Task) -> bool:
    """Whether it is such a thread or task, between two turns."""
    file, function, names = _NAMED
    named = actor.name in names and _runs(actor, ((file, function),))
    return named or _runs(actor, _HOUSEKEEPERS)


def serves(thread: Thread) -> bool:
    """Whether it waits for somebody to connect, or to ask, and by the clock does nothing."""
    return _runs(thread, _SERVERS)


def listens(thread: Thread, capture: Capture) -> bool:
    """Whether it waits for somebody to connect."""
    return serves(thread) or any(one.accepts for one in capture.inward if one.thread == thread.id)


def _runs(actor: Thread | Task, functions: Iterable[tuple[str, str]]) -> bool:
    stack = actor.python_stack or ()
    inside = stack[: application_index(stack)]
    return any(
        name_of(frame) == function and frame.filename.endswith(file)
        for frame in inside
        for file, function in functions
    )
