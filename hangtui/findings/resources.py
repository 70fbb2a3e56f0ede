"""What resources are called in a sentence, and which kinds of them are alike."""

from collections.abc import Collection, Sequence

from hangtui.analysis.places import function_of, short_path
from hangtui.analysis.waitgraph import Edge
from hangtui.findings.english import joined
from hangtui.findings.native_locks import library_name
from hangtui.model import NodeKind, NoHolder, PythonFrame, Resource

CHANNELS = {NodeKind.PIPE, NodeKind.SOCKET, NodeKind.PROCESS}
"""What nobody takes and gives back: whoever has an end of it, or is it, has to act."""
PYTHON_LOCKS = {NodeKind.LOCK, NodeKind.RLOCK, NodeKind.CONDITION, NodeKind.SEMAPHORE}
OWED = PYTHON_LOCKS - {NodeKind.CONDITION} | {
    NodeKind.IMPORT_LOCK,
    NodeKind.MUTEX,
    NodeKind.RWLOCK,
    NodeKind.ONCE,
    NodeKind.GIL,
    NodeKind.STDIO,
    NodeKind.IO_LOCK,
    NodeKind.FILE_LOCK,
    NodeKind.BARRIER,
    NodeKind.FUTURE,
    NodeKind.TASK,
    NodeKind.PROCESS,
}
"""What somebody has, or is to deliver: waiting for it is never a rest."""
_SUSPENDED = "has it, which is suspended at"
_NATIVE = {
    NodeKind.MUTEX,
    NodeKind.RWLOCK,
    NodeKind.ONCE,
    NodeKind.BARRIER,
    NodeKind.STDIO,
    NodeKind.FUTEX,
}

WITHOUT_RELEASE = "whoever took it has ended, or went on, without giving it back"
NOBODY_RELEASES = (
    "none of the tasks and threads that are there is between taking and giving back, and nothing "
    "is kept to be called that would give it back: whoever took it has ended, or went on, without "
    "release()"
)
"""Of what is taken, with `NoHolder.GONE`."""
BY_ITSELF = (
    "it takes more and more in a loop that gives nothing back, or whoever took it went on without "
    "giving it back"
)
NOBODY_ELSE_RELEASES = (
    "none of the other tasks and threads is between taking and giving back, and "
    "nothing is kept to be called that would give it back. Who waits takes it in a loop that gives "
    "nothing back: it has taken all of it itself, or others did without release()"
)
"""The same, with `NoHolder.AGAIN`."""


def taken_at(hold: Edge, stack: Sequence[PythonFrame] = ()) -> str:
    """`` (taken at app.py:7)``, of what somebody has, with the function of *stack* that has it
    unless it is the innermost of its file; empty: it is not known where."""
    where = hold.evidence.where
    if not where:
        return ""
    file, _, line = where.partition(":")
    same = [one for one in stack if one.filename.endswith(f"/{file}") and one.line]
    # Lines of functions do not cross: it is the first that is at that line, or past it.
    past = [one for one in same if line.isdecimal() and (one.line or 0) >= int(line)]
    owner = min(past, key=lambda one: one.line or 0, default=None)
    told = owner is not None and owner is not same[0]
    inside = f", in {function_of(owner)}" if told and owner else ""
    return f" (taken at {short_path(where)}{inside})"


def is_native(resource: Resource | None) -> bool:
    """Whether it is a lock of C code rather than of Python."""
    if resource is None:
        return False
    in_c = resource.kind in _NATIVE and resource.type_name is None  # Python has barriers, too
    return in_c or resource.module is not None


def given_back_by_nobody(resource: Resource | None) -> bool:
    """Whether it is taken, and nobody comes to give it back; not where a generator has it."""
    if resource is None or kept_by_generator(resource):
        return False
    return resource.no_holder in (NoHolder.GONE, NoHolder.AGAIN)


def why_taken(resource: Resource | None) -> str:
    """Of such a one, where it may be, for a title."""
    again = resource is not None and resource.no_holder is NoHolder.AGAIN
    return BY_ITSELF if again else WITHOUT_RELEASE


def releases_nobody(resource: Resource | None) -> str:
    """The same as a sentence."""
    again = resource is not None and resource.no_holder is NoHolder.AGAIN
    return NOBODY_ELSE_RELEASES if again else NOBODY_RELEASES


def lies_in_no_loop(resource: Resource | None) -> bool:
    """Whether it is to come of a call that lies in an event loop which no thread runs."""
    return resource is not None and resource.no_holder is NoHolder.UNRUN


def unnamed_type(resource: Resource) -> str | None:
    """The type of an object without a name of its own."""
    return None if resource.name is not None else resource.type_name or resource.kind.value


def at_queue(kind: NodeKind, ways: Collection[str | None], type_name: str | None, name: str) -> str:
    """What one waits for who has called one of *ways*, methods of a queue or a condition: ``for an
    item of jobs``, ``to send on Writer.pages``; empty: it is neither, or another method."""
    if kind is NodeKind.CONDITION and not {"wait", "wait_for"}.isdisjoint(ways):
        return f"for a notification of {'' if 'Condition' in name else 'the Condition '}{name}"
    if kind is not NodeKind.QUEUE:
        return ""
    sends = (type_name or "").endswith(("Stream", "Channel"))
    said = {
        "join": f"for all items of {name} to be done (join)",
        "put": f"to send on {name}" if sends else f"for room in {name}",
        "get": f"for an item of {name}",
    }
    return next((what for way, what in said.items() if way in ways), "")


def of_processes(resource: Resource | None) -> bool:
    """Whether it is a lock of ``multiprocessing``, which several processes may share; a result that
    threads work for is none."""
    if resource is None or resource.kind is NodeKind.FUTURE:
        return False
    return (resource.type_module or "").startswith("multiprocessing")


_PRONOUNS = frozenset(
    "all another any both each every it none one some that them these they this those".split()
)
"""Names of variables that a sentence would swallow: ``waits for one``."""


def resource_name(resource: Resource) -> str:
    """What to call a resource in a sentence: ``the GIL``, ``Bank.left``."""
    if resource.kind is NodeKind.GIL:
        return "the GIL"
    if resource.lends is not None:
        return resource.name or resource.label
    if known := library_name(resource):
        return known
    if resource.kind is NodeKind.PROCESS:
        return resource.label
    name = resource.label if is_native(resource) else resource.name or resource.label
    if name.partition(" at 0x")[0] in _PRONOUNS:
        name = f"{resource.type_name or resource.kind} {name}"
    plain_word = " " in name or is_native(resource)
    return f"the {name}" if plain_word and not name.startswith(("the ", "a ")) else name


def noted_ended(resource: Resource | None) -> str:
    """`` ReaderWriterLock._readers has thread export, which has ended.``"""
    if resource is None or not resource.noted_ended:
        return ""
    return f" {joined([f'{one}, which has ended' for one in resource.noted_ended])}."


def setter_ended(resource: Resource | None) -> bool:
    """Whether one of those ended threads began in a function that would end the wait: what it was
    started for is not done. From CPython 3.10 on, threads are called by that."""
    if resource is None:
        return False
    enders = (*resource.enders, *resource.called_back)
    names = {one.partition(" (")[0].rpartition(".")[2] for one in enders}
    return any(f"({name})" in one for name in names for one in resource.noted_ended)


def kept_by_generator(resource: Resource | None) -> str:
    """``The generator rows has it, which is suspended at ...``, of a lock that no thread or task
    can be said to have, and what would give that back; empty: it is none."""
    note = resource.note if resource else None
    if resource is None or not note or _SUSPENDED not in note:
        return ""
    close = "aclose" if (resource.type_name or "").startswith("asyncio.") else "close"
    return (
        f"{note[:1].upper()}{note[1:]}: only its next item, or {close}(), would end that, and who "
        "began it is not known"
    )


def noted_cancelled(resource: Resource | None) -> str:
    """`` Of what is cancelled, wait() is told once ...``, of futures some of which are."""
    if resource is None or resource.kind is not NodeKind.FUTURE or not resource.note:
        return ""
    text = f" {resource.note[0].upper()}{resource.note[1:]}."
    return text if "cancelled" in (resource.name or "") else ""


def noted(resource: Resource | None) -> str:
    """`` (process 12 has the file mapped)``, what else is known of a thing that processes share and
    nobody is known to have."""
    return f" ({resource.note})" if resource and resource.note and resource.id.shared else ""


def missing_at(resource: Resource) -> str | None:
    """Who has still to arrive at a barrier: ``the last of the 3 parties``; None: it is none, or how
    many there are is not known."""
    size, there = resource.size, resource.waiting
    if resource.kind is not NodeKind.BARRIER or size is None or there is None or there >= size:
        return None
    left = size - there
    return f"{'the last' if left == 1 else f'{left} more'} of the {size} parties"
