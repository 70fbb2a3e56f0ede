"""What resources are called in a sentence, and which kinds of them are alike."""

import re

from hangtui.model import NodeKind, Resource

CHANNELS = {NodeKind.PIPE, NodeKind.SOCKET, NodeKind.PROCESS}
"""What nobody takes and gives back: whoever has an end of it, or is it, has to act."""
PYTHON_LOCKS = {NodeKind.LOCK, NodeKind.RLOCK, NodeKind.CONDITION, NodeKind.SEMAPHORE}
_NATIVE = {
    NodeKind.MUTEX,
    NodeKind.RWLOCK,
    NodeKind.ONCE,
    NodeKind.BARRIER,
    NodeKind.STDIO,
    NodeKind.FUTEX,
}
_UNNAMED = re.compile(r"(?P<type>\w[\w.]*) at 0x[0-9a-f]+")
"""What an object is called that no variable refers to."""


def is_native(resource: Resource | None) -> bool:
    """Whether it is a lock of C code rather than of Python."""
    return resource is not None and (resource.kind in _NATIVE or resource.module is not None)


def unnamed_type(resource: Resource) -> str | None:
    """The type of an object without a name of its own."""
    found = _UNNAMED.match(resource.label)
    return found["type"] if found else None


def resource_name(resource: Resource) -> str:
    """What to call a resource in a sentence: ``the GIL``, ``Bank.left``."""
    if resource.kind is NodeKind.GIL:
        return "the GIL"
    if resource.kind is NodeKind.PROCESS:
        return resource.label
    label = resource.label.partition(" (")[0] or resource.label
    plain_word = " " in label or is_native(resource)
    return f"the {label}" if plain_word and not label.startswith("the ") else label
