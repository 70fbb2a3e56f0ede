"""Findings of a thread or task that waits while it handles an error: it does so in an ``except``, a
``finally`` or at the end of a ``with``, and what it handles is often what somebody looks for."""

from collections.abc import Mapping
from dataclasses import replace
from itertools import islice

from hangtui.analysis.latest import of_latest
from hangtui.findings.words import Words
from hangtui.model import Capture, Finding, Handled, NodeId, Reason, Retried, Thread, thread_id

_ASKS = frozenset(
    {
        *("queue.Empty", "_queue.Empty", "queue.Full", "BlockingIOError", "InterruptedError"),
        *("asyncio.queues.QueueEmpty", "asyncio.queues.QueueFull"),
        *("anyio.WouldBlock", "anyio._core._exceptions.WouldBlock", "trio.WouldBlock"),
        *("StopIteration", "StopAsyncIteration", "GeneratorExit"),
    }
)
"""Errors that only say that there is nothing yet."""
_LOOKS_UP = frozenset(
    {
        *("KeyError", "IndexError", "AttributeError", "LookupError", "TypeError", "ValueError"),
        *("ImportError", "ModuleNotFoundError"),
    }
)
"""The same, where the code that asks handles them itself."""
_MOST = 3


def told_handled(finding: Finding, words: Words) -> Finding:
    """*finding*, with the error that the first of those who wait in it or behind it handles; as it
    is if there is none, or that is told already."""
    if finding.reason is Reason.REASSURANCE:
        return finding
    actors = (*finding.tasks, *(thread_id(one.pid, one.tid) for one in finding.threads))
    subject = [finding.subject] if finding.subject in actors else []
    behind = (thread_id(one.pid, one.tid) for one in finding.victims)
    asked = (*subject, *actors[:_MOST], *islice(behind, _MOST))
    found = (handled_by(one, words) for one in asked)
    handled = next(filter(None, found), None)
    actor = words.actor(handled.actor) if handled else None
    if handled is None or actor is None:
        return finding
    name, what = words.actor_name(actor), _with_place(handled)
    evidence = f"the interpreter records {what} as the error that {name} handles"
    text = (
        f" {name} waits so while it handles {what}: in an except, a finally or at the end of a "
        "with."
    )
    told = what in finding.sentence
    return replace(
        finding,
        sentence=finding.sentence if told else finding.sentence + text,
        evidence=(*finding.evidence, evidence),
    )


def after_error(node: NodeId, words: Words) -> str:
    """`` after sqlite3.OperationalError, raised at shop.py:7 (save)``, of one who sleeps between
    tries; empty: it handles none."""
    handled = handled_by(node, words)
    return f" after {_with_place(handled)}" if handled else ""


def tries_again(node: NodeId, words: Words) -> str:
    """``between calls of fetch (rates.py:4)``, of one that sleeps in a package that comes to call
    that; ``while Thread-3 runs fetch (rates.py:4)``, if that is so: it may be this call of it that
    the package waits for; empty: nothing of that kind is known."""
    found = retried_by(node, words)
    if found is None:
        return ""
    if runs := _runs(found, words):
        return f"while {words.thread_name(runs)} runs {found.call}"
    what = "tries" if handled_by(node, words) else "calls"
    return f"between {what} of {found.call}{_attempt(found)}"


def _runs(retried: Retried, words: Words) -> Thread | None:
    """Another thread that is inside of the function that is called again."""
    process = words.capture.process(retried.actor.pid) if retried.actor.pid else None
    function = retried.call.partition(" (")[0]
    others = (one for one in (process.threads if process else ()) if one.id != retried.actor)
    inside = (one for one in others if function in {f.function for f in one.python_stack or ()})
    return next(inside, None)


def retried_by(node: NodeId, words: Words) -> Retried | None:
    """What a package in which it is comes to call again."""
    return next((one for one in words.capture.retried if one.actor == node), None)


def _attempt(retried: Retried) -> str:
    return f", of which it counts {retried.times}" if retried.times else ""


def handled_by(actor: NodeId, words: Words) -> Handled | None:
    """The error that a thread or task handles; None: there is none that says anything."""
    found = _by_actor(words.capture).get(actor)
    if found is None or found.error in _ASKS or (found.inner and found.error in _LOOKS_UP):
        return None
    return found


@of_latest
def _by_actor(capture: Capture) -> Mapping[NodeId, Handled]:
    return {one.actor: one for one in capture.handled}


def _with_place(handled: Handled) -> str:
    about = [f"of {handled.peer}"] if handled.peer else []
    about += [f"for {handled.cause}"] if handled.cause else []
    about += [f"{handled.file} is there already"] if handled.file else []
    error = f"{handled.error} ({', '.join(about)})" if about else handled.error
    return f"{error}, raised at {handled.where}" if handled.where else error
