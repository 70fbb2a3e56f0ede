"""Which tasks have a request in hand that a server of ASGI gave them: one that runs the application
in a task of its own leaves no frame of its own on that."""

from collections.abc import Sequence

from hangtui.backends.cpython.aio.containers import Containers
from hangtui.backends.cpython.frames import Frame, Frames
from hangtui.backends.cpython.objects import Objects
from hangtui.model import bracketed, clean

_ARGUMENTS = ("scope", "receive", "send")
"""What every application of ASGI is called with (asgi.readthedocs.io, version 3), by the names that
the specification gives them."""
_CALLED = "__call__"
"""How an application is called that a package has made, as a router of Channels is."""
_FEW = 5
_REQUEST = "http"
_NOT_KNOWN = "?"


def client_of(
    frames: Sequence[Frame], objects: Objects, containers: Containers, variables: Frames
) -> str:
    """Where the request came from that a task began with, ``127.0.0.1:40112``, or ``?``; empty: it
    began with none. *frames*: the task's, innermost first."""
    first = frames[-1] if frames else None
    if first is None or not set(_ARGUMENTS) <= set(first.code.variables[:_FEW]):
        return ""
    if first.installed and first.code.bare_name != _CALLED:
        return ""  # a function of the server's own, by which it is known
    scope = variables.variables(first).get(_ARGUMENTS[0], 0)
    keys = objects.named(scope) if scope and objects.kind(scope) == "dict" else {}
    kind = keys.get("type", 0)
    if objects.kind(kind) != "str" or objects.text(kind) != _REQUEST:
        return ""
    client = containers.sequence(keys["client"]) if "client" in keys else ()
    if len(client) != 2 or objects.kind(client[0]) != "str":
        return _NOT_KNOWN
    return f"{bracketed(clean(objects.text(client[0]), 80))}:{containers.integer(client[1]) or '?'}"
