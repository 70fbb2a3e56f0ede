"""Threads and tasks that wait for each other in a ring, so that none of them can go on."""

from collections import Counter

from hangtui.analysis.places import line_and_function, short_path
from hangtui.analysis.waitgraph import Cycle, Edge, Relation, WaitGraph
from hangtui.findings.actors import through_actor
from hangtui.findings.backlog import unaccepted
from hangtui.findings.claims import claim, reserve
from hangtui.findings.decrypted import READ_FIRST, told_decrypted
from hangtui.findings.english import counted, joined, listed
from hangtui.findings.greenlet_pools import told_as_starved
from hangtui.findings.grounds import RING
from hangtui.findings.messages import message_for
from hangtui.findings.native_locks import entered_by, told_purpose
from hangtui.findings.needs import Needs
from hangtui.findings.pending_calls import look_there, told_question
from hangtui.findings.pools import through_pool
from hangtui.findings.queued import is_queued
from hangtui.findings.rings import ended, feeders
from hangtui.findings.rings.actor_ring import ABOUT_ACTORS, actor_ring
from hangtui.findings.rings.at_messages import asker_and_server, rests_at_messages
from hangtui.findings.rings.behind import behind
from hangtui.findings.rings.closed import WHY_NEVER, may_be_given, never_ends
from hangtui.findings.rings.deadlock_advice import advice
from hangtui.findings.rings.needed import in_hand_in_title, is_process, told_needed
from hangtui.findings.rings.readers import behind_readers, told_sentence, told_title
from hangtui.findings.stack_queries import at_own_line
from hangtui.findings.standing import stood_still
from hangtui.findings.thresholds import NAMES_LISTED
from hangtui.findings.unflushed import ADVICE, told_unflushed, unflushed_in_title
from hangtui.findings.unheard_signals import told_unheard
from hangtui.findings.words import Actor, Words, ref, words_of
from hangtui.model import Capture, Finding, NodeId, NodeKind, Part, Severity, Task, Thread

ID = "deadlock"
GROUND = RING
NEEDS = Needs(frozenset({Part.WAITS, Part.STILLNESS}), whole=False)
HELP = f"""\
Threads, tasks or processes that wait for each other in a ring: each holds what the next one waits
for, or is the only one that can do it.

How it is known: each wait and each hold carries its evidence (*certain*: the kernel, the C library
or the interpreter records it; *proven*: it follows from the state of a frame's bytecode). A ring is
called a deadlock only if all of it is certain or proven, no wait has a timeout, and nobody ran
while it was read. With an inferred part it is a *possible* deadlock, a warning.

{ABOUT_ACTORS}"""

_RUN = {NodeKind.CALL, NodeKind.WORKER}
"""What nobody holds: somebody runs it."""
_CHANNELS = {NodeKind.SOCKET, NodeKind.PIPE}
"""By addresses and numbers alone nobody knows which ring it is."""


def check(capture: Capture, graph: WaitGraph) -> list[Finding]:
    """One finding for each cycle of two threads or tasks or more."""
    words = words_of(capture, graph)
    found = []
    for cycle in graph.cycles:
        members = words.actors(cycle.nodes)
        if len(members) > 1 and through_actor(cycle.nodes):
            found.append(actor_ring(ID, cycle, members, words))
        elif (
            len(members) > 1
            and not through_pool(cycle.nodes)
            and not may_be_given(cycle, members, words)
            and not told_as_starved(members, words)
            and not rests_at_messages(cycle, members, words)
        ):
            found.append(_finding(cycle, members, words))
    return found


def _finding(cycle: Cycle, members: list[Actor], words: Words) -> Finding:
    never = never_ends(cycle, members, words)
    sure = cycle.certainty.supports_claim or never
    resources = [node for node in cycle.nodes if words.actor(node) is None]
    told = [words.name(node) for node in resources if not is_process(node, words)]
    locks = f" ({_type(resources, words)}{listed(told)})" if told else ""
    where = _where(members) if told and {node.kind for node in resources} <= _CHANNELS else ""
    what = claim(sure=sure)
    who = _who(members, words)
    title = f"{who} wait for each other{where}{_messages(members, cycle, words) or locks}"
    called = asker_and_server(cycle, members, words)
    title = (
        f"{told_question(*called, words)}{_unflushed_for(called[1], words)}{locks}"
        if called
        else title
    )
    readers = behind_readers(members, words)
    title = f"{told_title(readers, words)}{locks}" if readers else title
    told_readers = told_sentence(readers, words) if readers else ""
    buffered = any(one.unflushed for one in map(words.resource, resources) if one)
    carriers = [*readers, *words.carriers(members)]
    return Finding(
        id=ID,
        severity=Severity.ERROR if sure else Severity.WARNING,
        certainty=cycle.certainty,
        never_ends=never,
        owed=called is not None,
        title=f"{what}: {title}{in_hand_in_title(cycle.edges, words)}"
        f"{feeders.in_title(cycle.edges, words)}"
        f"{ended.in_title(cycle, members, words)}",
        sentence=reserve(sure=sure) + told_readers + _sentence(cycle, members, words),
        tells_victims=bool(behind(cycle, "them", words)),
        threads=tuple(ref(thread) for thread in carriers),
        tasks=tuple(member.id for member in members if isinstance(member, Task)),
        subject=members[0].id,
        resources=tuple(resources),
        evidence=(
            *(words.reading(edge) for edge in cycle.edges),
            stood_still(members, words),
            "none of these waits has a timeout",
            *(line for member in members[:NAMES_LISTED] if (line := words.stack_of(member))),
            *((WHY_NEVER,) if never else ()),
        ),
        unknown=tuple(_unknown(cycle, words)),
        advice=(
            *(
                [ADVICE]
                if buffered
                else [fed]
                if (fed := feeders.advice(cycle.edges, words))
                else [look_there(called[1], words)]
                if called
                else []
            ),
            *([READ_FIRST] if any(map(told_decrypted, map(words.resource, resources))) else []),
            *advice(cycle, members, words),
        ),
    )


def _unflushed_for(actor: Actor, words: Words) -> str:
    wait = words.graph.wait_of(actor.id)
    return unflushed_in_title(words.resource(wait.target) if wait else None, words)


def _where(members: list[Actor]) -> str:
    """The application's lines that the first of them stand at."""
    places = (at_own_line(one) for one in members[:NAMES_LISTED] if isinstance(one, Thread))
    found = joined([place.strip() for place in dict.fromkeys(places) if place])
    return f" {found}" if found else ""


def _messages(members: list[Actor], cycle: Cycle, words: Words) -> str:
    """``: the one for the greeting of the SMTP server, the other for data``, of two that wait for
    each other, if one is known to read a message of some protocol."""
    told = [message_for(one) for one in members] if len(members) == 2 else []
    if not any(told):
        return ""
    waits = [next((e for e in cycle.edges if e.source == one.id), None) for one in members]
    one, other = (
        f"for {message or 'data'}"
        if message or wait is None or words.is_channel(wait.target)
        else words.goal(wait)
        for message, wait in zip(told, waits, strict=True)
    )
    return f": the one {one}, the other {other}"


def _who(members: list[Actor], words: Words) -> str:
    """``worker-a and worker-b``, ``tasks move and rebalance``, ``5 threads``."""
    names = [words.actor_name(member) for member in members]
    kinds = Counter(member.id.kind for member in members)
    if len(names) > 3:
        return joined([counted(count, kind) for kind, count in sorted(kinds.items(), reverse=True)])
    (kind, *others) = kinds
    if others or kind is NodeKind.THREAD:
        return joined(names)
    return f"{kind}s {joined([name.removeprefix(f'{kind} ') for name in names])}"


def _type(resources: list[NodeId], words: Words) -> str:
    """``trio.Lock `` where that is what all of them are: one takes them for others else."""
    known = [resource for resource in map(words.resource, resources) if resource]
    types = {(one.type_module, one.type_name) for one in known if one.name}
    alike = len(types) == 1 and len(known) == len(resources)
    module, name = types.pop() if alike else (None, None)
    return f"{name} " if module in ("asyncio", "trio", "anyio") else ""


def _sentence(cycle: Cycle, members: list[Actor], words: Words) -> str:
    told = members[:NAMES_LISTED]
    clauses = [_clause(member, cycle, words, first=member is members[0]) for member in told]
    if len(members) > len(told):
        clauses.append(f"and so on, {_who(members, words)} in all")
    end = "Neither can go on." if len(members) == 2 else "None of them can go on."
    known = [one for node in cycle.nodes if (one := words.resource(node))]
    purposes = "".join(told_purpose(one) for one in known)
    buffered = "".join(told_unflushed(one, words) for one in known)
    buffered += "".join(map(told_decrypted, known))
    awaited = dict.fromkeys(edge.target for edge in cycle.edges)
    unheard = "".join(told_unheard(one, words) for one in awaited)
    return (
        f"{'; '.join(clauses)}. {end}{ended.told(cycle, members, words)}{unheard}{purposes}"
        f"{buffered}{words.loops(members)}{behind(cycle, 'them', words)}"
    )


def _clause(member: Actor, cycle: Cycle, words: Words, *, first: bool) -> str:
    waits = [e for e in cycle.edges if e.source == member.id]
    held = [
        edge
        for edge in cycle.edges
        if edge.target == member.id
        and edge.relation is Relation.HELD_BY
        and not words.is_channel(edge.source)
    ]
    # The ring closes at the first thread: what it holds is said at once, and not again at the end.
    start = f"{words.actor_name(member)} "
    if first and held:
        verb = _has(held[0].source, words)
        start += f"{verb} {joined([words.name(e.source) + _taken(e, words) for e in held])} and "
    return start + " or ".join(words.waiting(e) + _holders(e, cycle, words) for e in waits)


def _holders(wait: Edge, cycle: Cycle, words: Words) -> str:
    holds = [edge for edge in cycle.edges if edge.source == wait.target]
    first = cycle.nodes[0]
    if words.is_channel(wait.target):
        if unaccepted(wait, words):
            names = [words.name(edge.target) for edge in holds]
            return f", which nobody has accepted: {_to_accept(names)}"
        return told_needed(wait, holds, words)
    if words.actor(wait.target) is not None or all(edge.target == first for edge in holds):
        return ""
    if len(holds) == 1:
        verb = _has(wait.target, words)
        return f", which {words.name(holds[0].target)} {verb}{_taken(holds[0], words)}"
    who = joined([words.name(edge.target) for edge in holds])
    return f", which {who} {_HAVE[_has(wait.target, words)]}"


_HAVE = {"runs": "run", "has to set": "have to set", "holds": "hold"}
"""The same of several."""


def _has(resource: NodeId, words: Words) -> str:
    """What one does with what it is to give back."""
    if resource.kind in _RUN:
        return "runs"
    return "has to set" if words.is_future(resource) else "holds"


def _to_accept(names: list[str]) -> str:
    if len(names) == 1:
        return f"{names[0]} is to do so, where it listens"
    return f"it lies in the queue of the listening socket that {joined(names)} have open"


def _taken(hold: Edge, words: Words) -> str:
    """Where somebody took a lock; nobody takes a future: he is to set it, and if that is for a call
    to do that his event loop has not come to, which."""
    if is_queued(hold):
        return f" ({hold.evidence.text})"
    where = None if words.is_future(hold.source) else hold.evidence.where
    if where:
        return f" (taken at {short_path(where)})"
    resource, holder = words.resource(hold.source), words.actor(hold.target)
    if resource is None or not isinstance(holder, Thread):
        return ""
    frame = entered_by(holder, resource)
    # Where it waits is told as well.
    if frame is None or line_and_function(frame) in words.position(holder):
        return ""
    library = (resource.module or "").rpartition("/")[2]
    return f" (it is inside of {library}, called at {line_and_function(frame)})"


def _unknown(cycle: Cycle, words: Words) -> list[str]:
    lines = []
    for edge in cycle.edges:
        if not edge.evidence.certainty.supports_claim:
            verb = words.verb(edge)
            claim = f"{words.name(edge.source)} {verb} {words.name(edge.target)}"
            lines.append(f"whether {claim}: that is inferred, not read")
        node = words.graph.node(edge.source)
        is_hold = edge.relation is Relation.HELD_BY and not words.is_channel(edge.source)
        untaken = (NodeKind.GIL, NodeKind.FUTURE, NodeKind.EVENT, *_RUN)
        if is_hold and not edge.evidence.where and node and node.kind not in untaken:
            lines.append(
                f"the line at which {words.name(edge.target)} took {words.name(edge.source)}"
            )
    notes = (words.resource(node) for node in cycle.nodes)
    return lines + [f"{words.name(r.id)}: {r.note}" for r in notes if r and r.note]
