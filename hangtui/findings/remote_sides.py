"""Who waits at which side of a call of gRPC, and who has the other one."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from hangtui.analysis.places import application_index, program_frame
from hangtui.findings.doing import doing
from hangtui.findings.english import clauses
from hangtui.findings.library_waits import ITS_REQUEST, is_handler, stands_in, takes_request
from hangtui.findings.pools import waited_s
from hangtui.findings.stack_queries import at, below_application, name_of, polls
from hangtui.findings.thresholds import NAMES_LISTED, STILL_S
from hangtui.findings.words import Actor, Words
from hangtui.model import NodeId, Pid, Thread

_SYNC, _AIO, _SERVER = "/grpc/_channel.py", "/grpc/aio/_call.py", "/grpc/_server.py"
_ANSWERS = {(_SYNC, "_next"), (_AIO, "_read"), (_AIO, "_fetch_stream_responses")}
"""Where a client waits for the next answer of a stream."""
_ONE_ANSWER = {(_SYNC, "__call__"), (_SYNC, "result"), (_AIO, "__await__")}
"""Where it waits for the only one of a call: it sends a stream if a stream's function is there."""
_SENDS_STREAM = ("StreamUnary", "_conduct_rpc")
_HANDLES = {(_SERVER, "_call_behavior"), (_SERVER, "_take_response_from_response_iterator")}
"""Where a server runs the program's handlers."""
_REQUESTS = {(_SERVER, "_next")}
_ENDS = "wait_for_termination"
"""Where who has started a server does nothing more."""


class OtherSide(NamedTuple):
    """Who has the other side of a stream of gRPC, and waits for the next message there as well."""

    actor: Actor
    client: Pid
    answers: bool
    """It is the handler; else the client."""
    closed: bool
    """Nobody else of either process is there to say something."""

    def short(self, words: Words) -> str:
        """``; there task sew waits at shop.py:9 (sew) for its client's next message (gRPC)``."""
        end = ": each waits for the other" if self.closed else " as well"
        return f"; {'there' if self.answers else 'its client'} {self._waits(words)}{end}"

    def told(self, words: Words) -> str:
        """The same, as a sentence."""
        return (
            f" {'What answers it' if self.answers else 'Its client'} waits as well: "
            f"{self._waits(words)}. Neither goes on before {words.process_name(self.client)} sends "
            "another message on that stream, or ends it (done_writing(), or the end of the "
            "iterator of requests)."
        )

    def _waits(self, words: Words) -> str:
        own = at(program_frame(self.actor.python_stack or ()))
        what = ITS_REQUEST if self.answers else "for the answer"
        return f"{words.actor_name(self.actor)} waits{own} {what}"

    @property
    def advice(self) -> tuple[str]:
        """What to do about it."""
        return (
            (
                "End the stream of requests before its answer is awaited, or have the handler "
                "answer each message as it comes; a timeout of the call makes an error of it."
            ),
        )


def short_handlers(node: NodeId, words: Words) -> str:
    """``; there task post waits at bank.py:13 (post) for Ledger.posted``: the handlers of gRPC in
    the process that alone has the other end of its connections, of who waits for an answer there;
    empty: it does not, or there are none or many."""
    client = words.actor(node)
    if client is None or not asks(client):
        return ""
    there = _process_there(client.pid, words)
    handlers = [] if there is None else _of(there, words, lambda one, _: handles(one))
    if not 0 < len(handlers) <= NAMES_LISTED:
        return ""
    told = [doing(one, words, alone=len(handlers) == 1) for one in handlers]
    return f"; there {clauses(told, len(told))}"


def asks(actor: Actor) -> bool:
    """Whether the application waits there for an answer of gRPC."""
    return _inside(actor, {*_ANSWERS, *_ONE_ANSWER})


def _inside(actor: Actor, places: Collection[tuple[str, str]]) -> bool:
    """Whether the application has called one of these functions there."""
    stack = actor.python_stack or ()
    return stands_in(stack[: application_index(stack) or 0], places)


def handles(actor: Actor) -> bool:
    """Whether it runs the program's handler of a call of gRPC."""
    if isinstance(actor, Thread):
        return stands_in(actor.python_stack or (), _HANDLES)
    return is_handler(actor.name) and below_application(actor)


def other_side(node: NodeId, words: Words) -> OtherSide | None:
    """Who has the other side of the stream that a thread or task waits at, if both have waited for
    a second or more and each process has only one such wait; None: not so, or not known."""
    actor = words.actor(node)
    if actor is None:
        return None
    client_side = _awaits_answer(actor, words)
    if not client_side and not awaits_request(actor, words):
        return None
    there = _process_there(actor.pid, words)
    sides = (_awaits_answer, awaits_request)
    own, its = sides if client_side else sides[::-1]
    if there is None or len(_of(actor.pid, words, own)) != 1:
        return None
    found = _of(there, words, its)
    if len(found) != 1:
        return None
    both = actor, found[0]
    if min(met_s(one, words.met_s, words) for one in both) < STILL_S:
        return None
    sure = min(met_s(one, words.stays, words) for one in both) >= STILL_S
    client = actor if client_side else found[0]
    return OtherSide(found[0], client.pid, client_side, sure and _closed(both, words))


def met_s(actor: Actor, stays: Mapping[NodeId, float], words: Words) -> float:
    """For how many seconds several looks saw it there, tasks by *stays*: a thread of gRPC looks
    again and again."""
    seen = words.progress.get(actor.id)
    if seen is not None and seen.same_line and not seen.returned:
        return seen.stayed_s
    return max(waited_s(actor, words), stays.get(actor.id, 0.0))


def _awaits_answer(actor: Actor, words: Words) -> bool:
    """Whether it waits for an answer to a stream of requests."""
    stack = actor.python_stack or ()
    inside = stack[: application_index(stack) or 0]
    if _inside(actor, _ANSWERS):
        return True
    wait = words.graph.wait_of(actor.id)
    awaited = words.actor(wait.target) if wait else None
    frames = (*inside, *((awaited.python_stack if awaited else None) or ()))
    streams = any(part in one.function for one in frames for part in _SENDS_STREAM)
    return streams and stands_in(inside, _ONE_ANSWER)


def awaits_request(actor: Actor, words: Words) -> bool:
    """Whether it is a handler of gRPC that waits for its client's next message."""
    if isinstance(actor, Thread):
        return _inside(actor, _REQUESTS)
    wait = words.graph.wait_of(actor.id)
    resource = words.resource(wait.target) if wait else None
    return resource is not None and takes_request(actor.name, resource.label)


def _of(pid: Pid, words: Words, side: Callable[[Actor, Words], bool]) -> list[Actor]:
    """Who of a process waits at that side of a stream."""
    process = words.capture.process(pid)
    tasks = (task for task in words.capture.tasks if task.pid == pid)
    actors: Iterable[Actor] = (*(process.threads if process else ()), *tasks)
    return [one for one in actors if side(one, words)]


def _process_there(pid: Pid, words: Words) -> Pid | None:
    """The process, itself perhaps, that has the other end of every connection which C code watches
    in this one; None: there are several, or one is not known."""
    ends = others_there(pid, words)
    return next(iter(ends)) if ends is not None and len(ends) == 1 else None


def others_there(pid: Pid, words: Words) -> set[Pid] | None:
    """The processes, itself perhaps, that have the other ends of the connections which C code
    watches in this one; None: of one that is not known, or there are none."""
    native = {
        thread.id
        for process in words.capture.processes
        for thread in process.threads
        if process.pid == pid and not thread.is_python
    }
    watched = [one.peers for one in words.capture.watched if one.thread in native]
    return {peer for peers in watched for peer in peers} if watched and all(watched) else None


def _closed(sides: Sequence[Actor], words: Words) -> bool:
    """Whether nobody else of their processes is below a line of the application, but for who waits
    for one of *sides* or for a server to be stopped; and no timer of their event loops runs."""
    pids = {one.pid for one in sides}
    processes = [one for one in words.capture.processes if one.pid in pids]
    threads = [one for process in processes for one in process.threads if one.is_python]
    if any(not thread.blocked and not polls(thread, words) for thread in threads):
        return False
    if any(one.timers for one in words.capture.event_loops if one.pid in pids):
        return False
    known = {one.id for one in sides}
    looping = {thread.id for thread in words.carriers(sides)}
    others = [
        one
        for pid in pids
        for one in _of(pid, words, lambda actor, _: below_application(actor))
        if one.id not in known | looping
    ]
    return all(_ends_with(one, known, words) for one in others)


def _ends_with(actor: Actor, sides: Collection[NodeId], words: Words) -> bool:
    """Whether it waits for one of *sides*, or has left a server to serve."""
    wait = words.graph.wait_of(actor.id)
    inside = (one for one in actor.python_stack or () if "/grpc/" in one.filename)
    return (wait is not None and wait.target in sides) or any(
        name_of(one) == _ENDS for one in inside
    )
