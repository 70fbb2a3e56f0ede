"""Threads that a server or a queue of tasks has called the application in, for one request or
task: whatever they wait for there, they do not rest."""

from collections.abc import Sequence

from hangtui.analysis.places import application_index
from hangtui.findings.library_waits import hears_of_end, is_handler
from hangtui.findings.stack_queries import name_of
from hangtui.model import PythonFrame, Task, Thread

_REQUEST = "a request"
_CALLS = (
    ("handle_request", "/gunicorn/workers/", _REQUEST),
    ("run_wsgi", "/werkzeug/serving.py", _REQUEST),
    ("run", "/wsgiref/handlers.py", _REQUEST),
    ("handle_one_request", "/http/server.py", _REQUEST),
    ("finish_request", "/socketserver.py", _REQUEST),
    ("service", "/waitress/", _REQUEST),
    ("respond", "/cheroot/", _REQUEST),
    ("_call_behavior", "/grpc/_server.py", _REQUEST),
    ("trace_task", "/celery/app/trace.py", "a task"),
    ("perform_job", "/rq/", "a task"),
    ("process_message", "/dramatiq/worker.py", "a task"),
    ("execute", "/huey/api.py", "a task"),
    ("run_application", "/gevent/pywsgi.py", _REQUEST),
    ("_next_index", "/torch/utils/data/dataloader.py", "the drawing of a batch"),
    ("fetch", "/torch/utils/data/_utils/fetch.py", "a batch"),
    ("_worker_loop", "/torch/utils/data/_utils/worker.py", "a worker's beginning"),
)
"""Functions that call the application for one request or task, in which files."""
_AWAITS = (
    ("run_asgi", "/uvicorn/protocols/http/", _REQUEST),
    ("run_asgi", "/uvicorn/protocols/websockets/", "a connection"),
    ("main", "/uvicorn/lifespan/", "its startup or shutdown"),
    ("_handle_request", "/aiohttp/web_protocol.py", _REQUEST),
    ("startup", "/aiohttp/web_app.py", "its startup"),
    ("shutdown", "/aiohttp/web_app.py", "its shutdown"),
    ("cleanup", "/aiohttp/web_app.py", "its cleanup"),
    ("handle_lifespan", "/hypercorn/", "its startup or shutdown"),
    ("handle_stream", "/hypercorn/", _REQUEST),
    ("future_watcher", "/granian/_futures.py", _REQUEST),
    ("handle_request", "/quart/asgi.py", _REQUEST),
    ("_execute", "/tornado/web.py", _REQUEST),
    ("protocol_handler", "/websockets/asyncio/server.py", "a connection"),
    ("handler", "/websockets/legacy/server.py", "a connection"),
    ("run_job", "/arq/worker.py", "a task"),
    ("run_task", "/taskiq/receiver/", "a task"),
    ("run_coroutine_job", "/apscheduler/executors/", "a job"),
    ("_run", "/tornado/ioloop.py", "a periodic callback"),
    ("_dispatch_message", "/textual/message_pump.py", "a message's handler"),
    ("handle_request", "/sanic/app.py", _REQUEST),
    ("run_application", "/gevent/pywsgi.py", _REQUEST),
    ("handle_one_response", "/eventlet/wsgi.py", _REQUEST),
    ("handle_request", "/gunicorn/workers/", _REQUEST),
    ("_process_update", "/aiogram/dispatcher/", "an update"),
    ("process_update", "/telegram/ext/", "an update"),
    ("_run_event", "/discord/client.py", "an event"),
    ("_handle_event_internal", "/socketio/async_server.py", "an event"),
    ("_call_handler_hook", "/aiosmtpd/smtp.py", "a command of SMTP"),
    ("_handle_request", "/mcp/", _REQUEST),
    ("process_message", "/faststream/", "a message"),
    ("_process_job", "/procrastinate/worker.py", "a job"),
)
"""The same of servers of asyncio, in tasks: somebody waits until the application returns."""
_REQUESTS = tuple(one for one in _AWAITS if one[-1] == _REQUEST)
_NATIVE_CALLS = {"uwsgi_request_wsgi": _REQUEST, "wsgi_process_request": _REQUEST}
"""And functions of servers that are written in C: of uWSGI and of mod_wsgi."""


def given_work(thread: Thread) -> str | None:
    """``a request``, ``a task``: what the innermost frame of the application was called for; None:
    nothing of that kind is seen."""
    stack = thread.python_stack or ()
    own = application_index(stack)
    if own is None:
        return None
    native = (_NATIVE_CALLS.get(frame.function or "") for frame in thread.native_stack or ())
    return _called_for(stack[own + 1 :]) or next(filter(None, native), None)


def inside_request(thread: Thread) -> bool:
    """The same of a thread that carries out what it was given in packages alone, as where these
    hand it to an event loop."""
    stack = thread.python_stack or ()
    return given_work(thread) is not None or _called_for(stack) is not None


def called_by_server(task: Task) -> str | None:
    """``a request``, ``its startup``: what a server awaits the application for in a task; None:
    nothing of that kind is seen."""
    stack = task.python_stack or ()
    own = application_index(stack)
    if own is None or hears_of_end(stack[:own]):
        return None
    return _REQUEST if _answers(task) else _called_for(stack[own + 1 :], _AWAITS)


def handed_on(task: Task) -> str | None:
    """The same of a task of the server's that has no frame of the application: it awaits another
    task for that, as arq's worker does. None: it is none, or nothing of that kind is seen."""
    stack = task.python_stack or ()
    return _called_for(stack, _AWAITS) if application_index(stack) is None else None


def in_request(task: Task) -> bool:
    """Whether a function of a server is on a task's stack that runs for as long as one request is
    not answered."""
    return _answers(task) or _called_for(task.python_stack or (), _REQUESTS) is not None


def _answers(task: Task) -> bool:
    return bool(task.answers) or is_handler(task.name)


def _called_for(
    frames: Sequence[PythonFrame], calls: Sequence[tuple[str, str, str]] = _CALLS
) -> str | None:
    for frame in frames:
        for function, file, what in calls:
            if file in frame.filename and name_of(frame) == function:
                return what
    return None
