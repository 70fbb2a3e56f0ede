"""A thread that asked a loop of tasks to run something, and waits for the result."""

from dataclasses import replace

from hangtui.backends.facts import Facts
from hangtui.model import (
    Certainty,
    Evidence,
    Hold,
    NodeId,
    NodeKind,
    Resource,
    Source,
    Wait,
    clean,
    label_of,
    resource_id,
    thread_id,
)


def ask(
    facts: Facts,
    tid: int,
    awaited: NodeId,
    function: str,
    call: str,
    answer: tuple[NodeId, str] | None,
    *,
    expires: bool = False,
) -> None:
    """Say that a thread which waits for *awaited*, a queue or an event, waits for the result of
    *function*, which it asked for by *call*.

    *answer*: who is to deliver it, and what shows that; None: it is on its way.
    """
    thread = thread_id(awaited.pid, tid)
    node = resource_id(NodeKind.FUTURE, awaited.pid, awaited.address)
    for index, wait in enumerate(facts.waits):
        if wait.waiter == thread and wait.target in (awaited, node):
            evidence = replace(wait.evidence, text=f"{call}: it waits for the result")
            facts.waits[index] = Wait(
                thread, node, evidence, expires, operation="result", call=call
            )
            break
    else:
        return
    if not any(wait.target == awaited for wait in facts.waits):
        facts.resources.pop(awaited, None)
    name = f"result of {clean(function, 80)}()"
    facts.resources[node] = Resource(
        node,
        NodeKind.FUTURE,
        label_of(name, call),
        awaited.pid,
        awaited.address or 0,
        name=name,
        type_name=call,
    )
    if answer is not None:
        holder, text = answer
        evidence = Evidence(Source.CPYTHON, Certainty.PROVEN, text)
        facts.add_hold(Hold(node, holder, evidence))
