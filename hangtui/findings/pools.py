"""What pools and limiters of libraries are called in a sentence, who has what they lend, and what
those do."""

from collections.abc import Iterable, Iterator

from hangtui.analysis.places import (
    application_index,
    line_and_function,
    place,
    short_path,
)
from hangtui.analysis.waitgraph import Edge
from hangtui.findings.english import article, counted, joined
from hangtui.findings.thresholds import NAMES_LISTED
from hangtui.findings.words import Actor, Words
from hangtui.model import OF_THREAD, SHARED, Hold, NodeId, NodeKind, Progress, Resource, Thread

POOLS = frozenset({NodeKind.POOL, NodeKind.LIMITER})
"""What a library lends things out of."""


_COUNTED = "unit"
"""What is lent of which there is only a count, so that nobody can refer to it."""


_WAKES = 4


def through_pool(nodes: Iterable[NodeId]) -> bool:
    """Whether a ring leads through a pool or limiter: a rule of its own tells of those."""
    return any(node.kind in POOLS for node in nodes)


def pool_of(edge: Edge, words: Words) -> Resource | None:
    """The pool or limiter that a wait is for; None: it is for something else."""
    found = words.resource(edge.target)
    return found if found is not None and found.kind in POOLS else None


def pools(words: Words) -> Iterator[Resource]:
    """The pools and limiters that somebody waits for."""
    for resource in words.capture.resources:
        if resource.kind in POOLS and words.graph.waiters_of(resource.id):
            yield resource


def lent_by(resource: Resource) -> str:
    """``a connection of SQLAlchemy's QueuePool (size 2, both out)``."""
    return f"{article(resource.lends or 'item')} of {resource.name}{state_of_pool(resource)}"


def until_back(resource: Resource) -> str:
    """``until no place of gevent's Pool (size 2, 1 out) is out``."""
    lends = resource.lends or "item"
    return f"until no {lends} of {resource.name}{state_of_pool(resource)} is out"


def state_of_pool(resource: Resource) -> str:
    """`` (size 2, both out)``; empty if it counts nothing."""
    size, out = resource.size, resource.out
    if size is None and out is None:
        return ""
    if size is None or out is None:
        return f" ({out} out)" if size is None else f" (size {size})"
    if not out:
        return f" (size {size}, none is out)"
    if out < size:
        return f" (size {size}, {out} out)"
    return f" (size {size}, {'all' if size > 2 else 'both' if size == 2 else 'which is'} out)"


def position(actor: Actor) -> str:
    """``main.py:17 (write_audit)``: the innermost line of the application."""
    stack = actor.python_stack or ()
    index = application_index(stack)
    return line_and_function(stack[index]) if index is not None else place(actor) or ""


def taken(hold: Hold) -> str:
    """``main.py:22 (place_order)``: where somebody got what he has."""
    where = hold.evidence.where
    if where is None:
        return ""
    return f"{short_path(where)} ({hold.function})" if hold.function else short_path(where)


def holds_of(resource: Resource, words: Words) -> dict[NodeId, Hold]:
    """Who has what it lends."""
    known = {edge.target for edge in words.graph.holders_of(resource.id)}
    holds = (hold for hold in words.capture.holds if hold.resource == resource.id)
    return {hold.holder: hold for hold in holds if hold.holder in known}


def held(resource: Resource, words: Words, waiter: NodeId | None = None) -> str:
    """``, which task feed (feed-0) at a.py:3 (watch) and task feed (feed-1) ... have``, or
    nothing; *waiter*: who alone is told to wait for it."""
    holds = list(holds_of(resource, words).items())
    if [holder for holder, _ in holds] == [waiter]:
        own = taken(holds[0][1])
        return f", which it has itself{f', at {own}' if own else ''}"
    who = [
        f"{words.name(holder)}{f' at {taken(hold)}' if taken(hold) else ''}"
        for holder, hold in holds[:NAMES_LISTED]
    ]
    who += [f"{len(holds) - len(who)} more"] if len(holds) > len(who) else []
    return f", which {joined(who)} {'has' if len(holds) == 1 else 'have'}" if who else ""


def unaccounted(resource: Resource) -> int:
    """How many are out of which nothing shows who has them."""
    return max(0, (resource.out or 0) - (resource.accounted or 0))


def lost(resource: Resource) -> str:
    """The same as a sentence; empty: none are."""
    behalf = on_behalf(resource)
    count = unaccounted(resource) - len(resource.on_behalf)
    if count <= 0:
        return behalf
    if behalf:
        return f"{behalf} {count} more {'is' if count == 1 else 'are'} out."
    what = counted(count, resource.lends or "item")
    more = "more " if resource.accounted else ""
    are = "is" if count == 1 else "are"
    it = "it" if count == 1 else "them"
    if resource.lends == _COUNTED:
        return f"{what} {are} out: a semaphore does not record who took {it}."
    why = "never given back, kept elsewhere, or not connected yet"
    threads = [one.removeprefix(OF_THREAD) for one in resource.kept_in if OF_THREAD in one]
    if threads:
        live = "that thread lives" if len(threads) == 1 else "these threads live"
        back = "it is given back" if count == 1 else "they are given back"
        who = joined(threads[:NAMES_LISTED])
        why = f"the thread-locals of {who} lead to {it}, for as long as {live}, or until {back}"
    elif all(one.startswith(SHARED) for one in resource.kept_in) and resource.kept_in:
        names = [one.removeprefix(SHARED) for one in resource.kept_in]
        which, lead = ("each of which", "they lead") if len(names) > 1 else ("which", "it leads")
        why = f"{joined(names)}, {which} several threads or tasks refer to: {lead} to {it}"
    elif resource.kept_in:
        several = len(resource.kept_in) > 1
        variables = "global variables" if several else "global variable"
        leads = "lead" if several else "leads"
        why = f"the {variables} {joined(list(resource.kept_in))} {leads} to {it}"
    return (
        f"{what.replace(' ', f' {more}', 1)} {are} out, and no frame of a thread or task refers to "
        f"{it}: {why}."
    )


def unmade(resource: Resource) -> str:
    """That the pool could not make what it lends, as a sentence; empty: it did, or that is not
    known."""
    if not resource.failed or resource.out:
        return ""
    return f"None is out: {counted(resource.failed, 'attempt')} of the pool to make one failed."


def on_behalf(resource: Resource) -> str:
    """Those that are out for what is no task and no thread, as a sentence; empty: none are."""
    ones = resource.on_behalf
    if not ones:
        return ""
    named = [article(one) for one in ones[:NAMES_LISTED]]
    named += [f"{len(ones) - NAMES_LISTED} more"] if len(ones) > NAMES_LISTED else []
    what = resource.lends or "item"
    is_what = "which is no task" if len(ones) == 1 else "which are no tasks"
    it = "it" if len(ones) == 1 else "them"
    out = f"The {what} that is out was" if resource.out == 1 else f"{counted(len(ones), what)} "
    if resource.out != 1:
        out += "that is out was" if len(ones) == 1 else "that are out were"
    return (
        f"{out} taken on behalf of {joined(named)}, {is_what}: nothing records who gives {it} back."
    )


def lent_on(resource: Resource, words: Words) -> bool:
    """Whether it was seen to go from one to the next while it was watched, or a thread woke up
    again and again to sleep with what it has to take anew for that."""
    return resource.id in words.capture.given or any(
        hold.renewed and _woke(words.progress.get(hold.holder))
        for hold in holds_of(resource, words).values()
    )


def _woke(seen: Progress | None) -> bool:
    """Whether it did so more often than for the end of one sleep and for the GIL."""
    return seen is not None and seen.same_line and (seen.wakes or 0) >= _WAKES


def waited_s(actor: Actor, words: Words) -> float:
    """For how long several looks saw it wait; of a task, for how long its loop did not run."""
    (thread,) = words.carriers([actor])[:1] or (None,)
    seen = words.progress.get(thread.id) if thread else None
    if seen is None:
        return 0.0
    return seen.waited_s if isinstance(actor, Thread) else seen.unchanged_s
