"""What a stack shows of the packages that the application has called: where it went into one, and
whether it was left to that to serve."""

import re
from collections.abc import Sequence
from itertools import dropwhile, takewhile

from hangtui.analysis.places import (
    application_index,
    called_frame,
    function_of,
    library_frame,
    line_and_function,
    native_name,
    package_of,
    package_of_module,
)
from hangtui.findings.library_waits import hears_of_end
from hangtui.findings.lookup import Actor
from hangtui.findings.resources import OWED
from hangtui.findings.stack_queries import at, at_call, name_of, own_frame
from hangtui.model import NativeFrame, NodeKind, PythonFrame, Thread

_SERVES = frozenset(
    {
        *(
            "run",
            "serve",
            "start",
            "main",
            "mainloop",
            "run_app",
            "_run_app",
            "run_forever",
            "serve_forever",
        ),
        *("loop_forever", "start_consuming", "wait_for_termination", "worker_main", "main_loop"),
        *("cmdloop", "run_polling", "infinity_polling", "run_until_complete", "run_server", "work"),
        *("polling", "start_polling", "requestLoop", "run_until_shutdown", "StartTcpServer"),
    }
)
"""What packages call the function that an application hands its main thread to, for good."""
_UNTIL_STOPPED = frozenset({"wait_for_termination"})
"""And those that do nothing else than to wait for that, whatever they wait with: gRPC's looks again
every 0.2 s, and takes a lock for that."""
_SERVES_OF = frozenset(
    {
        *(("azure", "receive"), ("cherrypy", "block"), ("cherrypy", "quickstart")),
        *(("gradio", "launch"), ("pylsp_jsonrpc", "listen")),
        *(("pygls", "start_io"), ("pygls", "start_tcp"), ("pygls", "start_ws")),
    }
)
"""And what some packages alone call so: from others, one message is received."""
_RELOADERS = frozenset({"run_with_reloader"})
"""And what they call within, to look after a server's code (Django, werkzeug): by which command
line they came to it does not matter."""
_SERVES_IN_LIBRARY = frozenset({"serve_forever", "run_forever", "mainloop", "cmdloop"})
"""And the standard library."""
_SERVES_IN_C = frozenset({"pyuwsgi_run", "zmq_proxy", "zmq_proxy_steerable"})
"""And those of packages that are written in C."""
_RUNS_WINDOWS = re.compile(r"(?:meth_|Sbk_|Qt\.)Q(?:Gui|Core)?Application(?:Func_|_|\.)exec_?$")
"""And how the bindings of Qt call what runs the event loop of an application."""
_TAKES = ("recv", "receive", "poll", "accept")
"""How functions of packages are called that take what comes."""
_ITEMS = ("get", "pop", "take", "consume", "dequeue", "fetch", "next", "__next__")  # of many
_CONNECTS = re.compile(r"_*(re)?connect|_*create_conn|_*handshake|_*bootstrap$|_*log_?in$")
"""What is on its way to serve, or to ask for the first time, and may not get there."""
_SLEEPS = ("sleep", "clock_tick", "time_delay", "time_wait")
"""What names of functions in C hold that only sleep."""
_LAUNCHERS = frozenset({"click", "typer", "rich_click", "fire"})
"""Packages that only parse a command line, and then run another one."""
_MAKES = frozenset({"__init__", "__new__", "__enter__"})
"""How what an application makes comes to be."""
_ENTERS = frozenset({"__enter__", "__aenter__"})
_WRAPPERS = frozenset(
    {
        *("wrapper", "wrapped", "wrap", "inner", "decorated", "decorator", "new_func", "fn"),
        *("wrapped_f", "wrapped_func", "inner_wrapper", "func_wrapper", "sync_wrapper"),
        *("async_wrapper", "decorate_context", "<lambda>"),
    }
)
"""What functions are called that decorators put around others."""


def library_wait(thread: Thread) -> str | None:
    """The package in which the application waits; None: it does not wait in one."""
    entry = package_entry(thread)
    if entry is not None:
        return None if _sleeps_through(thread) else package_of(entry)
    index = application_index(thread.python_stack or ())
    if index == 0 and (called := called_frame(thread)):
        return None if _is_sleep(called, thread) else package_of_module(called)
    return None


def _sleeps_through(thread: Thread) -> bool:
    """Whether the application sleeps by functions of several packages that do nothing else, one by
    the other, as the ``socketio.sleep()`` of a loop of its own that ticks."""
    stack = thread.python_stack or ()
    inside = stack[: application_index(stack) or 0]
    call = thread.syscall  # none of one that is awake at the moment
    only = all(name_of(frame) == "sleep" for frame in inside)
    several = len({package_of(frame) for frame in inside} - {None}) > 1
    return only and several and (call is None or call.sleeps)


def _is_sleep(called: NativeFrame, thread: Thread) -> bool:
    """Whether the application's line called what does nothing but sleep: ``QThread::sleep``, or the
    ``clock_tick`` of a game."""
    function = (called.function or "").partition("(")[0].rpartition("::")[2].lower()
    call = thread.syscall  # none of one that is awake at the moment
    sleeps = any(word in function for word in _SLEEPS)
    return sleeps and (call is None or call.sleeps)


def package_entry(actor: Actor) -> PythonFrame | None:
    """The function of an installed package that the application's line called; one that a decorator
    puts around it says nothing of what that is."""
    stack = actor.python_stack or ()
    inside = stack[: application_index(stack) or 0]
    found = [frame for frame in reversed(inside) if package_of(frame)]
    said = (frame for frame in found if name_of(frame).strip("_") not in _WRAPPERS)
    return next(said, found[0] if found else None)


def inner_package(actor: Actor) -> str | None:
    """The package whose own code waits, which another one that the application has called may have
    called in turn; None: the application's does."""
    stack = actor.python_stack or ()
    inside = map(package_of, stack[: application_index(stack) or 0])
    return next(filter(None, inside), None)


def serving_package(stack: Sequence[PythonFrame]) -> str | None:
    """The package that is in charge where nothing of the application runs: the outermost one that
    does more than to parse a command line; None: there is none."""
    packages = filter(None, map(package_of, reversed(stack)))
    return next((one for one in packages if one not in _LAUNCHERS), None)


def called_within(actor: Actor) -> tuple[PythonFrame, PythonFrame] | None:
    """The function of a package in which it waits, if that was called from what an earlier call of
    the same function has called; with the application's line that did so. None: it was not."""
    entry = package_entry(actor)
    return _called_again(actor.python_stack or (), entry) if entry else None


def entered_again(actor: Actor) -> str:
    """``, in a call of wrap within an earlier one, which has come to main.py:29 (fare)``, if one of
    the package's functions through which it came to wait was called so; else empty."""
    stack = actor.python_stack or ()
    inner = (frame for frame in stack[: application_index(stack) or 0] if package_of(frame))
    found = next(filter(None, (_called_again(stack, frame) for frame in inner)), None)
    if found is None:
        return ""
    entry, caller = found
    where = line_and_function(caller)
    return f", in a call of {function_of(entry)} within an earlier one, which has come to {where}"


def _called_again(
    stack: Sequence[PythonFrame], entry: PythonFrame
) -> tuple[PythonFrame, PythonFrame] | None:
    inner = stack.index(entry)
    for index, frame in enumerate(stack[inner + 1 :], inner + 1):
        if (frame.function, frame.filename) == (entry.function, entry.filename):
            between = [one for one in stack[inner + 1 : index] if not package_of(one)]
            return (entry, between[-1]) if between else None
    return None


def library_entry(actor: Actor) -> str:
    """Where it went into that package: ``pool.py:46 (connection)``, ``flush (cimpl.so)``."""
    entry = package_entry(actor)
    if entry is not None:
        return line_and_function(_named(entry, actor.python_stack or ()))
    called = called_frame(actor) if isinstance(actor, Thread) else None
    return native_name(called) if called else ""


def _named(entry: PythonFrame, stack: Sequence[PythonFrame]) -> PythonFrame:
    """What a `with` has entered: the method of the same package that its ``__enter__`` has called,
    which says more, unless that is one of the package's own."""
    index = stack.index(entry)
    if name_of(entry) not in _ENTERS or index == 0:
        return entry
    inner = stack[index - 1]
    public = not name_of(inner).startswith(("_", "<"))
    return inner if public and package_of(inner) == package_of(entry) else entry


def at_entry(thread: Thread) -> str:
    """`` at main.py:25 (start), in mirakuru (base.py:521 (Executor.start))``: its line, and what
    that called."""
    package = library_wait(thread)
    if package is None:
        return at_call(thread)
    return f"{at(own_frame(thread))}, in {package} ({library_entry(thread)})"


def waits_at(thread: Thread) -> str:
    """The same, with a comma behind it; the line alone of one that waits in no package."""
    return f"{at_entry(thread)}," if library_wait(thread) else at(own_frame(thread))


def in_its_words(actor: Actor | None) -> str:
    """`` Of Lock.acquire, its documentation says: "Acquire lock using spin-lock algorithm".``, with
    what the library says of the function that it waits in; empty: it says nothing."""
    stack = (actor.python_stack if actor else None) or ()
    frame = next((frame for frame in stack if frame.doc), None)
    if frame is None or name_of(frame) == "sleep":
        return ""  # everybody knows what that does
    return f' Of {frame.function}, its documentation says: "{frame.doc}".'


def serves(thread: Thread, kind: NodeKind | None) -> bool:
    """Whether it was left to a library to serve, and rests there; *kind*: of what it waits for."""
    stack = thread.python_stack or ()
    index = application_index(stack)
    if index is None:
        return False
    if index and name_of(stack[index - 1]) in _UNTIL_STOPPED:
        return True
    if kind in OWED:
        return False
    return hands_over(stack, index) or server_in_c(thread) is not None


def server_in_c(thread: Thread) -> str | None:
    """The function of C code that the application's own line has left the thread to, to serve until
    it is stopped; None: it has not."""
    called = called_frame(thread) if application_index(thread.python_stack or ()) == 0 else None
    name = (called.function if called else thread.calling) or ""
    return name if name in _SERVES_IN_C or _RUNS_WINDOWS.match(name) else None


def makes_object(stack: Sequence[PythonFrame], index: int | None) -> bool:
    """Whether the application's frame at *index* makes an object of a package: that is no server
    left to serve, and what comes next waits for it."""
    called = stack[index - 1] if index else None
    return called is not None and bool(package_of(called)) and name_of(called) in _MAKES


def hands_over(stack: Sequence[PythonFrame], index: int) -> bool:
    """Whether the application's frame at *index* has left its thread or task to a library, to serve
    until it is stopped."""
    if not index:
        return False
    if hears_of_end(stack[:index]):
        return True
    called = stack[index - 1]
    if library_frame(called):
        return name_of(called) in _SERVES_IN_LIBRARY
    if any(name_of(frame) in _RELOADERS and package_of(frame) for frame in stack[: index - 1]):
        return True
    begins = any(_CONNECTS.match(name_of(frame)) for frame in stack[: index - 1])
    own = (package_of(called), name_of(called)) in _SERVES_OF
    return (own or name_of(called) in _SERVES) and not begins


def takes_one_request(stack: Sequence[PythonFrame], index: int | None) -> bool:
    """Whether a package that the application's frame at *index* has called serves until one request
    has come, as for what a person does in a browser: then it goes on with that."""
    inside = stack[:index] if index is not None else ()
    return any(
        name_of(frame) == "handle_request"
        and frame.filename.endswith("/socketserver.py")
        and any(map(package_of, inside[at:]))
        for at, frame in enumerate(inside)
    )


def takes_one_connection(thread: Thread, index: int | None) -> bool:
    """Whether a library that the application's frame at *index* has called waits for one to connect
    to it, in no loop: for the other half of what it has asked for, as FTP does in active mode."""
    inside = (thread.python_stack or ())[:index] if index is not None else ()
    called = [name_of(frame) for frame in inside]
    once = thread.takes_next is False and called[:1] == ["accept"]
    return once and any(name != "accept" for name in called)


def takes_message(thread: Thread) -> bool:
    """Whether it waits for what somebody sends who connects, as a server does."""
    frame = package_entry(thread)
    if frame is not None:
        return name_of(frame).startswith(_TAKES)
    called = called_frame(thread)  # compiled code of a package has no frame of its own
    return called is not None and not {*_TAKES}.isdisjoint((called.function or "").split("_"))


def takes_items(thread: Thread) -> bool:
    """Whether it is a thread whose own function takes what comes out of some queue of a library:
    between two items that is its rest."""
    frame, stack = package_entry(thread), thread.python_stack or ()
    own = [f for f in stack if not library_frame(f) and package_of(f) is None]
    takes = frame is not None and name_of(frame).startswith((*_TAKES, *_ITEMS))
    return thread.tid != thread.pid and takes and len(own) == 1


def is_job(actor: Actor, package: str) -> bool:
    """Whether the innermost functions of the application on its stack were called by the package,
    be that by way of another one."""
    stack = actor.python_stack or ()
    own = application_index(stack)
    outside = () if own is None else stack[own + 1 :]
    packages = [package_of(frame) for frame in outside if not library_frame(frame)]
    called = takewhile(bool, dropwhile(lambda one: one is None, packages))
    return package in called
