"""Which calls on an object end a wait for it: the complement of the call that waits."""

from collections.abc import Mapping

from hangtui.model import Complement, NodeKind, Wait

_PUT = dict.fromkeys(("put", "put_nowait", "_put", "shutdown"), Complement.PUT)
_GET = dict.fromkeys(("get", "get_nowait", "_get", "shutdown"), Complement.GET)
_RESULT = ("set_result", "set_exception", "cancel")

_OF_KIND: Mapping[NodeKind, Mapping[str, Complement]] = {
    NodeKind.CONDITION: dict.fromkeys(("notify", "notify_all", "notifyAll"), Complement.NOTIFY),
    NodeKind.EVENT: {"set": Complement.SET},
    NodeKind.SEMAPHORE: {"release": Complement.RELEASE},
    NodeKind.BARRIER: dict.fromkeys(("wait", "abort", "reset"), Complement.ARRIVE),
    NodeKind.FUTURE: dict.fromkeys(_RESULT, Complement.SET_RESULT),
}
_OF_QUEUE: Mapping[str, Mapping[str, Complement]] = {
    "get": _PUT,
    "put": _GET,
    "join": {"task_done": Complement.TASK_DONE},
}
"""By the method that waits."""
KINDS = frozenset((*_OF_KIND, NodeKind.QUEUE))
"""What has no holder by nature."""
COMMON_NAMES = frozenset({"wait", "_get", "_put", "reset", "cancel", "shutdown"})
"""Names that objects of many types have for something else: only what is known to be the object
itself counts."""


def complements(wait: Wait) -> Mapping[str, Complement]:
    """The methods that end *wait*; none where it is not known which do."""
    kind = wait.target.kind
    if kind is NodeKind.QUEUE:
        return _OF_QUEUE.get(wait.method or wait.operation or "", {})
    return _OF_KIND.get(kind, {})
