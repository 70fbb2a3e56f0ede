"""Threads that a server or a queue of tasks has called the application in, for one request or
task: whatever they wait for there, they do not rest."""

from hangtui.analysis.places import application_index
from hangtui.findings.stack_queries import name_of
from hangtui.model import Thread

_CALLS = (
    ("handle_request", "/gunicorn/workers/", "a request"),
    ("run_wsgi", "/werkzeug/serving.py", "a request"),
    ("run", "/wsgiref/handlers.py", "a request"),
    ("handle_one_request", "/http/server.py", "a request"),
    ("finish_request", "/socketserver.py", "a request"),
    ("service", "/waitress/", "a request"),
    ("respond", "/cheroot/", "a request"),
    ("_call_behavior", "/grpc/_server.py", "a request"),
    ("trace_task", "/celery/app/trace.py", "a task"),
    ("perform_job", "/rq/", "a task"),
)
"""Functions that call the application for one request or task, in which files."""
_NATIVE_CALLS = {"uwsgi_request_wsgi": "a request", "wsgi_process_request": "a request"}
"""And functions of servers that are written in C: of uWSGI and of mod_wsgi."""


def given_work(thread: Thread) -> str | None:
    """``a request``, ``a task``: what the innermost frame of the application was called for; None:
    nothing of that kind is seen."""
    stack = thread.python_stack or ()
    own = application_index(stack)
    for frame in stack[own + 1 :] if own is not None else ():
        for function, file, what in _CALLS:
            if file in frame.filename and name_of(frame) == function:
                return what
    for native in thread.native_stack or () if own is not None else ():
        if native.function in _NATIVE_CALLS:
            return _NATIVE_CALLS[native.function]
    return None
