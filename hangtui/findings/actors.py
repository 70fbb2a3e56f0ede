"""What actors and workers of a cluster are called in a sentence, and who waits for them."""

from collections.abc import Iterable

from hangtui.analysis.waitgraph import Edge
from hangtui.findings.stack_queries import below_application, name_of
from hangtui.findings.words import Words
from hangtui.model import NodeId, NodeKind, Process

REMOTE = frozenset({NodeKind.ACTOR, NodeKind.CALL, NodeKind.WORKER})
"""What answers from a process that a cluster has started."""

ACTOR_TITLE = "ray::"
_LOOPS = ("run_forever", "run_until_complete")


def runs_method(process: Process) -> str | None:
    """``Reader.rows``: the method that an actor of Ray is inside of, which Ray writes into the
    title of its process meanwhile; None: it is inside of none, or is no actor."""
    role = process.role or ""
    return role.removeprefix(ACTOR_TITLE) if role.startswith(ACTOR_TITLE) and "." in role else None


def rests_as_actor(process: Process) -> bool:
    """Whether it is an actor of Ray that is inside of no method: by its title, and every stack."""
    titled = (process.role or "").startswith(ACTOR_TITLE) and runs_method(process) is None
    stacks = [thread.python_stack for thread in process.threads if thread.is_python]
    return titled and all(stacks) and not any(map(below_application, process.threads))


def owes_answer(thread: NodeId, words: Words) -> bool:
    """Whether somebody waits for what it alone is to bring: an answer, a batch."""
    holds = (hold for hold in words.graph.held_by(thread) if hold.source.kind in REMOTE)
    return any(words.graph.waiters_of(hold.source) for hold in holds)


def suspended_in(wait: Edge, words: Words) -> str | None:
    """The method that the actor which has to answer is inside of, although no thread of its
    process is: a generator that was left meanwhile."""
    resource = words.resource(wait.target)
    process = words.capture.process(resource.pid) if resource else None
    if process is None or wait.target.kind is not NodeKind.ACTOR:
        return None
    method = runs_method(process)
    if method is None or not runs_nothing(process, words):
        return None
    # What Ray itself has written is its.
    stacks = [thread.python_stack or () for thread in process.threads]
    inside = any(name_of(frame) == method.rpartition(".")[2] for stack in stacks for frame in stack)
    return None if inside else method


def runs_nothing(process: Process, words: Words) -> bool:
    """Whether no thread of an actor's process is in code of the application, as far as its stacks
    were all read, and none runs coroutines: those of an asynchronous actor are on no stack, and nor
    is a loop of C code that runs them."""
    stacks = [thread.python_stack for thread in process.threads if thread.is_python]
    if not all(stacks) or any(map(below_application, process.threads)):
        return False
    if any(one.pid == process.pid and one.tid is not None for one in words.capture.event_loops):
        return False
    return not any(name_of(frame) in _LOOPS for stack in stacks for frame in stack or ())


def through_actor(nodes: Iterable[NodeId]) -> bool:
    """Whether a ring leads through an actor: its members answer one call at a time."""
    return any(node.kind is NodeKind.ACTOR for node in nodes)


def remote_wait(thread: NodeId, words: Words) -> Edge | None:
    """What of a cluster a thread waits for, if it does."""
    waits = words.graph.waits_of(thread)
    return next((wait for wait in waits if wait.target.kind in REMOTE), None)
