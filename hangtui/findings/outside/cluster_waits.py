"""What somebody waits for in a cluster of Ray: results of actors and of tasks, placement groups,
blocks of a dataset; and whether anybody has begun that."""

from hangtui.analysis.waitgraph import Edge
from hangtui.findings.actors import REMOTE, remote_wait
from hangtui.findings.stack_queries import name_of
from hangtui.findings.thresholds import STILL_S
from hangtui.findings.words import Words
from hangtui.model import NodeKind, Thread

_GROUP = "ray-group"
"""How the node of a placement group ends, which only Ray itself places."""
_BLOCKS = ("get_output_blocking", "/ray/data/_internal/execution/streaming_executor_state.py")
"""In which function of which file somebody waits for blocks of a dataset."""


def is_placed(wait: Edge, words: Words) -> bool:
    """Whether a scheduler is to find a worker for what is waited for."""
    return wait.target.kind is NodeKind.WORKER and package_of_wait(wait, words) == "ray"


def is_group(wait: Edge) -> bool:
    """Whether it is a placement group that is waited for."""
    return wait.target.endswith(_GROUP)


def awaited(wait: Edge, words: Words) -> str:
    """What is waited for: ``tasks (square())``, ``the actor Cart of process 7 to run cart.add()``,
    as far as the waiter's code tells it."""
    known = words.wait(wait)
    asks = known.asks if known else None
    if is_placed(wait, words) and not is_group(wait):
        return f"tasks ({asks})" if asks else "tasks"
    actor = wait.target.kind is NodeKind.ACTOR
    return f"{words.name(wait.target)}{f' to run {asks}' if asks and actor else ''}"


def package_of_wait(wait: Edge, words: Words) -> str | None:
    """The library whose cluster it is."""
    resource = words.resource(wait.target)
    return resource.package if resource else None


def awaits_cluster(thread: Thread, words: Words) -> bool:
    """Whether it waits for a result, or in a library of Ray for what that has started."""
    if remote_wait(thread.id, words):
        return True
    seen = words.progress.get(thread.id)
    return in_dataset(thread) and (seen.same_line if seen is not None else thread.asleep)


def in_dataset(thread: Thread) -> bool:
    """Whether it waits for blocks of a dataset, which tasks are to make."""
    return any(
        name_of(frame) == _BLOCKS[0] and frame.filename.endswith(_BLOCKS[1])
        for frame in thread.python_stack or ()
    )


def is_stuck(thread: Thread, words: Words) -> bool:
    """Whether it waited for a second or more for what nobody has begun: tasks, or actors that no
    captured worker is."""
    seen = words.progress.get(thread.id)
    if seen is None or seen.stayed_s < STILL_S:
        return False
    waits = [wait for wait in words.graph.waits_of(thread.id) if wait.target.kind in REMOTE]
    if any(wait.expires or words.graph.holders_of(wait.target) for wait in waits):
        return False
    return all(is_placed(wait, words) or is_unborn(wait, words) for wait in waits)


def is_unborn(wait: Edge, words: Words) -> bool:
    """Whether it is an actor that is waited for, and none of the captured processes is it."""
    resource = words.resource(wait.target)
    actor = wait.target.kind is NodeKind.ACTOR
    return actor and resource is not None and resource.pid == wait.source.pid
