"""Where a thread is, in a reader's terms: the Python line and the native function."""

import re
from collections.abc import Iterable, Sequence
from itertools import takewhile

from hangtui.analysis.frame_classifier import (
    base_name,
    eval_frame,
    foreign_frame,
    module_name,
    short_name,
)
from hangtui.analysis.latest import of_stack
from hangtui.analysis.origins import Owner, origin_of
from hangtui.model import NativeFrame, PythonFrame, Task, Thread

_LAUNCHER = re.compile(r".*/s?bin/[^/]+", re.DOTALL)
"""What an installer puts there to start a package: gunicorn, celery, pytest."""
_ENTRIES = {"_bootstrap", "_bootstrap_inner"}
"""Where a thread, or a process of multiprocessing, begins its own work."""
_HELPERS = ("/multiprocessing/", "/joblib/externals/loky/", "/billiard/")
"""What starts processes of its own by ``python -c``, as some of the `_HOSTS` do."""
_PROXIES = ("/multiprocessing/managers.py", "/multiprocess/managers.py", "/billiard/managers.py")
_HOSTS = frozenset(
    {
        *("gunicorn", "uvicorn", "hypercorn", "daphne", "granian", "waitress", "uwsgi", "cherrypy"),
        *("celery", "billiard", "kombu", "rq", "dramatiq", "huey", "arq", "apscheduler", "dask"),
        *("distributed", "tornado", "twisted", "gevent", "eventlet", "greenlet", "trio", "anyio"),
        *("pytest", "_pytest", "pluggy", "xdist", "execnet", "nose2", "behave", "locust"),
        *("ipykernel", "IPython", "jupyter_client", "debugpy", "coverage", "ddtrace", "newrelic"),
        *("flask", "django", "starlette", "fastapi", "werkzeug", "asgiref", "aiohttp", "sanic"),
        *("click", "typer", "fire", "streamlit", "gradio", "airflow", "luigi", "prefect", "scrapy"),
        *("torch", "ray", "pyspark", "joblib", "concurrent", "sentry_sdk", "opentelemetry"),
    }
)
"""Packages that call the application, not what it calls: servers, runners, frameworks."""
_SPINS = "pthread_spin_lock"
_ANONYMOUS = {"__init__.py", "__main__.py"}


_FROM_TEXT = "<string>"
_WITHIN = "<locals>."
_EXPRESSIONS = frozenset({"<genexpr>", "<listcomp>", "<setcomp>", "<dictcomp>"})


def short_path(path: str) -> str:
    """The file's name; with its folder where the name alone says nothing (``__init__.py``)."""
    parts = path.rsplit("/", 2)
    keep = 2 if parts[-1].partition(":")[0] in _ANONYMOUS else 1
    return "/".join(parts[-keep:])


def line_of(frame: PythonFrame) -> str:
    """``file:line`` of a frame, short."""
    name = short_path(frame.filename)
    return name if frame.line is None else f"{name}:{frame.line}"


def function_of(frame: PythonFrame) -> str:
    """The function's name, without those of the functions that it is defined in: the line tells
    which one is meant, and ``run.<locals>.helper`` takes a fifth of a narrow screen. A generator
    expression or a comprehension is called after the function whose line it is."""
    outer, _, name = frame.function.rpartition(_WITHIN)
    while outer and name in _EXPRESSIONS:
        outer, _, name = outer.removesuffix(".").rpartition(_WITHIN)
    return name or frame.function


def is_expression(frame: PythonFrame) -> bool:
    """Whether it is a generator expression or a comprehension."""
    return frame.function.rpartition(_WITHIN)[2] in _EXPRESSIONS


def line_and_function(frame: PythonFrame) -> str:
    """``main.py:29 (work)``."""
    return f"{line_of(frame)} ({function_of(frame)})"


def library_frame(frame: PythonFrame) -> bool:
    """Whether the frame is in the standard library: a step on the way to somebody's code."""
    return origin_of(frame.filename, frame.function).owner is Owner.STANDARD


def package_of(frame: PythonFrame) -> str | None:
    """The installed package that a frame is in, as it is imported; None: none."""
    return origin_of(frame.filename, frame.function).package


def package_of_module(frame: NativeFrame) -> str | None:
    """The installed package whose folder the module of a native frame lies in; None: none."""
    name = origin_of(frame.module).package if frame.module else None
    return name.partition(".")[0] if name else None  # ``x.libs`` lies beside ``x``


@of_stack
def application_index(stack: Sequence[PythonFrame]) -> int | None:
    """The index of the innermost frame of the application: neither of the standard library nor of
    an installed package, nor of the program that starts such a package.

    What started the thread or process that the stack is of is not looked at.
    """
    for index, frame in enumerate(stack):
        if origin_of(frame.filename, frame.function).owner is not Owner.APPLICATION:
            if frame.function.rpartition(".")[2] in _ENTRIES:
                return None
        elif not any(one(stack, index) for one in (_starts_another, _wraps, _given_to_package)):
            return index
    return None


def _wraps(stack: Sequence[PythonFrame], index: int) -> bool:
    """Whether the frame was made by a decorator of a package, from text and under the name of what
    it calls there, or as a method of a proxy (of multiprocessing's managers)."""
    frame = stack[index]
    if frame.filename != _FROM_TEXT:
        return False
    name = frame.function.rpartition(".")[2]
    inside = stack[index - 1] if index else None
    if inside is not None and inside.filename.endswith(_PROXIES):
        return inside.function.rpartition(".")[2] == "_callmethod"
    return any(
        one.function.rpartition(".")[2] == name and package_of(one) is not None
        for one in stack[:index]
    )


def _given_to_package(stack: Sequence[PythonFrame], index: int) -> bool:
    """Whether the frame is a text that the program handed to a package, as a formula, and that the
    package evaluates: the program's own line is further out."""
    caller = index + 1
    if not _is_text(stack[index]) or caller == len(stack) or package_of(stack[caller]) is None:
        return False
    outwards = stack[caller : _beginning(stack)]
    owners = (origin_of(one.filename, one.function).owner for one in outwards if not _is_text(one))
    return Owner.APPLICATION in owners


def _beginning(stack: Sequence[PythonFrame]) -> int:
    """The index at which the thread's or the process's own work begins: a fork copies what lies
    below it."""
    for index, frame in enumerate(stack):
        if frame.function.rpartition(".")[2] in _ENTRIES and library_frame(frame):
            return index
    return len(stack)


def _starts_another(stack: Sequence[PythonFrame], index: int) -> bool:
    """Whether the frame only starts a package (``bin/celery``), or a process of a library."""
    frame = stack[index]
    if frame.function != "<module>":
        return False
    # What such a program executes may be another text that does.
    inside = next((one for one in reversed(stack[:index]) if not _is_text(one)), None)
    if inside is None:
        return False
    if _is_text(frame):
        helper = any(part in inside.filename for part in _HELPERS)
        return helper or package_of(inside) in _HOSTS
    is_script = _LAUNCHER.fullmatch(frame.filename) and not frame.filename.endswith(".py")
    return bool(is_script) and package_of(inside) is not None


def _is_text(frame: PythonFrame) -> bool:
    """Whether it is a program without a file, as of ``python -c``."""
    return (frame.function, frame.filename) == ("<module>", "<string>")


def program_frame(stack: Sequence[PythonFrame]) -> PythonFrame | None:
    """The innermost frame of the application. Without one, as where the application itself is
    installed as a package: of the first package that was called and that is known for more than
    calling others."""
    index = application_index(stack)
    if index is not None:
        return stack[index]
    stack = stack[: _beginning(stack)]
    packages = dict.fromkeys(filter(None, map(package_of, reversed(stack))))
    own = next((name for name in packages if name not in _HOSTS), None)
    own = own or next(reversed(packages), None)
    found = (frame for frame in stack if own is not None and package_of(frame) == own)
    return next(found, None) or next((f for f in stack if not library_frame(f)), None)


def frame_at(thread: Thread | Task, where: str | None) -> int | None:
    """The index of the innermost Python frame at *where* (``file:line``), whose file may be given
    without its folder."""
    if where is None:
        return None
    for index, frame in enumerate(thread.python_stack or ()):
        if frame.line is None:
            continue
        line = line_of(frame)
        if f"{frame.filename}:{frame.line}" == where or line == short_path(where):
            return index
        if line.endswith(f"/{where}"):
            return index
    return None


def place(thread: Thread | Task, where: str | None = None) -> str | None:
    """``main.py:29 (work)``: the line of *where*, else the innermost one; from a line of the
    standard library or of a package the line of the program that led there, and where that went:
    ``main.py:29 (work), in peewee (pool.py:46 (get))``."""
    stack = thread.python_stack or ()
    index = frame_at(thread, where)
    if index is None and where is not None:
        return short_path(where)
    index = index or 0
    if index >= len(stack):
        return None
    frame = stack[index]
    text = line_and_function(frame)
    if not (library_frame(frame) or package_of(frame)):
        return text
    caller = program_frame(stack[index + 1 :])
    if caller is None:
        return text
    if application_index((caller,)) is None:
        return f"{text}, called from {line_and_function(caller)}"
    package = package_of(frame)
    inside = f"{package} ({text})" if package else f"{function_of(frame)} ({line_of(frame)})"
    return f"{line_and_function(caller)}, in {inside}"


def function_in(thread: Thread, modules: Iterable[str]) -> str | None:
    """The innermost named native function of one of *modules* on the thread's stack."""
    wanted = set(modules)
    frames = thread.native_stack or ()
    return next((short_name(f) for f in frames if f.function and f.module in wanted), None)


def blocking_frame(thread: Thread) -> NativeFrame | None:
    """The innermost native frame that is neither CPython's nor the C runtime's."""
    return next((f for f in thread.native_stack or () if foreign_frame(f)), None)


def called_last(thread: Thread | Task, function: str) -> bool:
    """Whether a native function, as `function_in` or `native_name` call it, stands above the
    innermost Python frame."""
    frames = natives_until_python(thread) if isinstance(thread, Thread) else ()
    return any(function in (short_name(frame), native_name(frame)) for frame in frames)


def natives_until_python(thread: Thread) -> tuple[NativeFrame, ...]:
    """Its native frames above the first eval frame, innermost first."""
    return tuple(takewhile(lambda frame: not eval_frame(frame), thread.native_stack or ()))


def called_frame(thread: Thread) -> NativeFrame | None:
    """The native function that Python called: the outermost foreign one above the first eval
    frame. Its author is who can release the GIL."""
    found = None
    for frame in natives_until_python(thread):
        if foreign_frame(frame) and frame.function:
            found = frame
    return found


def innermost_foreign(thread: Thread) -> NativeFrame | None:
    """The innermost frame of somebody's C code above the first eval frame, or of the function of
    the C library that may run for ever."""
    frames = natives_until_python(thread)
    return next((f for f in frames if foreign_frame(f) or base_name(f) == _SPINS), None)


def native_name(frame: NativeFrame) -> str:
    """``read_message (serial.so)``."""
    module = module_name(frame)
    return f"{short_name(frame)} ({module})" if frame.function else module
