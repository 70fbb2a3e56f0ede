"""Which calls on an object end a wait for it: the complement of the call that waits."""

from collections.abc import Mapping

from hangtui.model import Complement, NodeKind, Wait

_PUT = dict.fromkeys(("put", "put_nowait", "_put", "shutdown"), Complement.PUT)
_GET = dict.fromkeys(("get", "get_nowait", "_get", "shutdown"), Complement.GET)
_RESULT = ("set_result", "set_exception", "cancel", "callback", "errback")
"""The last two are a Deferred's."""

_OF_KIND: Mapping[NodeKind, Mapping[str, Complement]] = {
    NodeKind.CONDITION: dict.fromkeys(("notify", "notify_all", "notifyAll"), Complement.NOTIFY),
    NodeKind.EVENT: {"set": Complement.SET},
    NodeKind.SEMAPHORE: {"release": Complement.RELEASE},
    NodeKind.LOCK: {"release": Complement.RELEASE},
    NodeKind.BARRIER: dict.fromkeys(("wait", "abort", "reset"), Complement.ARRIVE),
    NodeKind.FUTURE: dict.fromkeys(_RESULT, Complement.SET_RESULT),
    NodeKind.SOCKET: dict.fromkeys(("close", "abort"), Complement.CLOSE),
}
_OF_QUEUE: Mapping[str, Mapping[str, Complement]] = {
    "get": _PUT,
    "put": _GET,
    "join": {"task_done": Complement.TASK_DONE},
}
"""By the method that waits."""
NEXT = "__anext__"
"""What an ``async for`` calls, without a name in the bytecode."""
KINDS = frozenset((*_OF_KIND, NodeKind.QUEUE))
"""What has no holder by nature."""
_CLOSE = ("close", "aclose")
CLOSES = frozenset({"close"})
"""What leaving a ``with`` does to a channel's end."""
_OF_END: Mapping[str, Mapping[str, Complement]] = {
    "get": dict.fromkeys(("send", "send_nowait", *_CLOSE), Complement.PUT),
    "put": dict.fromkeys(("receive", "receive_nowait", NEXT, *_CLOSE), Complement.GET),
    "receive": dict.fromkeys(
        ("write", "writelines", "write_eof", "close", "abort"), Complement.SEND
    ),
    "send": dict.fromkeys(
        ("read", "readline", "readexactly", "readuntil", NEXT, "close", "abort"), Complement.RECEIVE
    ),
}
"""Of the other end of a channel or of a stream, by the method that waits at this one."""
COMMON_NAMES = frozenset(
    {
        *("wait", "_get", "_put", "reset", "cancel", "shutdown"),
        *("callback", "errback"),
        *("send", "send_nowait", "receive", "receive_nowait", *_CLOSE),
        *("write", "writelines", "write_eof", "abort"),
        *("read", "readline", "readexactly", "readuntil"),
    }
)
"""Names that objects of many types have for something else: only what is known to be the object
itself counts."""


def of_end(wait: Wait) -> Mapping[str, Complement]:
    """The methods of a channel's other end that end *wait*."""
    return _OF_END.get(wait.operation or "", {})


def complements(wait: Wait) -> Mapping[str, Complement]:
    """The methods that end *wait*; none where it is not known which do."""
    kind = wait.target.kind
    if kind is NodeKind.QUEUE:
        return _OF_QUEUE.get(wait.method or wait.operation or "", {})
    return _OF_KIND.get(kind, {})
