"""What to change where all who could end a wait wait for one another."""

from hangtui.analysis.ring_kinds import over_streams, waits_for_its_result, waits_for_itself
from hangtui.analysis.waitgraph import Edge
from hangtui.analysis.wakers import WakerRing
from hangtui.findings.english import joined
from hangtui.findings.queued import is_queued
from hangtui.findings.stack_queries import at, own_frame, way_of
from hangtui.findings.wakeups.mutual_wait_words import by_call
from hangtui.findings.wakeups.nobody_left_advice import act
from hangtui.findings.words import Words
from hangtui.model import NodeKind, Task

_ENDS = frozenset({NodeKind.TASK, NodeKind.GREENLET, NodeKind.THREAD})
"""Of these the end is waited for."""
_NOT_AS_THREADS = (
    "Do not wait as threads do where others of the thread's greenlets have to get on: look whether "
    "it is there, and switch to them if it is not."
)


def advice(ring: WakerRing, words: Words) -> list[str]:
    full = [wait for wait in ring.waits if way_of(wait, words) == "put"]
    waiting = {wait.source: wait for wait in ring.waits}
    blocked = next((words.thread(hold.target) for hold in ring.holds if is_queued(hold)), None)
    if blocked is not None:
        line = (
            f"Do not block the event loop of {words.thread_name(blocked)}{at(own_frame(blocked))}: "
            "the coroutine that was sent to it has to run there. Await the call, or make it in a "
            "thread (await asyncio.to_thread(...))."
        )
        return [line]
    for hold in ring.holds:
        wait = waiting.get(hold.target)
        lent = hold.source.kind is not NodeKind.FUTURE  # nobody takes a future and gives it back
        if wait is not None and wait.target != hold.source and lent:
            awaited, held = words.name(wait.target), words.name(hold.source)
            line = (
                f"Do not wait for {awaited} with {held} held, as {words.name(hold.target)} does: "
                f"whoever should {act(wait, words)} it needs {held} first. Wait outside it, or "
                "make one Condition of both."
            )
            return [line]
    kinds = {wait.target.kind for wait in ring.waits}
    if full and not kinds & _ENDS:
        names = joined([words.name(wait.target) for wait in full])
        line = (
            f"Do not put into {names} in the thread that takes from the other one: give one "
            "direction a queue without a bound, or a thread of its own, or put with a timeout."
        )
        return [line]
    if kinds & {NodeKind.TASK, NodeKind.GREENLET}:
        return [_end_advice(ring, words)]
    if over_streams(ring):
        return [_stream_advice(ring, words)]
    if waits_for_itself(ring) or waits_for_its_result(ring):
        instead = "call this in another thread (threading.Thread(target=...).start())"
        if isinstance(words.actor(ring.actors[0]), Task):
            instead = "ask for it in a task of its own, or do without it there"
        line = (
            f"Do not wait for it in {words.name(ring.actors[0])}, which comes to what ends that"
            f"{by_call(ring.wakers[0])} only afterwards: {instead}."
        )
        return [line]
    if NodeKind.THREAD in kinds:
        actors = map(words.actor, ring.actors)
        by_hand = any(isinstance(one, Task) and one.by_hand for one in actors)
        turn = next((wait for wait in ring.waits if words.operation(wait) == "run"), None)
        plain = _NOT_AS_THREADS if by_hand else "Do first what the thread waits for, then join it."
        return [_turn_advice(turn, ring, words) if turn else plain]
    return ["Bound one of the waits with a timeout, so that the ring opens and the error is seen."]


def _end_advice(ring: WakerRing, words: Words) -> str:
    """Of those who wait for the end of a task or greenlet."""
    units = (NodeKind.TASK, NodeKind.GREENLET)
    kind = min(wait.target.kind for wait in ring.waits if wait.target.kind in units)
    nested = [wait.source for wait in ring.waits if words.operation(wait) == "nested"]
    if nested:
        return (
            f"Do not run the loop again while it runs: {joined(list(map(words.name, nested)))} can "
            "go on only once the runs above have ended. Make these functions `async def` and await "
            "them."
        )
    if any(words.operation(wait) == "started" for wait in ring.waits):
        return (
            f"Do first what the {kind} waits for, or have the {kind} call task_status.started() "
            "before it waits."
        )
    return (
        f"Do first what the {kind} waits for, then wait for its end (a TaskGroup, a nursery or "
        "gather() waits for it too), or cancel it."
    )


def _turn_advice(turn: Edge, ring: WakerRing, words: Words) -> str:
    """*turn*: the wait of one that could go on if its thread ran its loop or hub."""
    waits = [wait for wait in ring.waits if wait.source == turn.target]
    what = joined([words.name(wait.target) for wait in waits]) or "it"
    return (
        f"Do not wait for {what} in {words.name(turn.target)} by a call that stops its loop or "
        "hub: wait in the way of that library (its own queues, locks and events, await), or in "
        "another thread."
    )


def _stream_advice(ring: WakerRing, words: Words) -> str:
    if all(way_of(wait, words) == "send" for wait in ring.waits):
        return (
            "Read while you write: when both sides send more than the connection holds before "
            "they read, both wait for ever. Give reading a task of its own."
        )
    return (
        "Look at what each side takes for the end of a message: read() without a size returns only "
        "when the other side calls write_eof() or close(), readline() needs the newline, "
        "readexactly(n) all n bytes. Or bound the read: asyncio.wait_for(..., timeout)."
    )
