"""Who could end the first wait of a process that makes no progress, in sentences."""

from hangtui.analysis.places import application_index, package_of
from hangtui.analysis.waitgraph import Edge
from hangtui.findings.awaited_signals import sent_by_whom
from hangtui.findings.backlog import told_knocks_at_itself
from hangtui.findings.collectives import ONLY_RANKS, awaited_of_ranks
from hangtui.findings.ended import told_any_gone, told_threads_gone
from hangtui.findings.english import clauses
from hangtui.findings.looked import polled_by
from hangtui.findings.other_end import (
    at_other_end,
    told_other_end,
)
from hangtui.findings.outside.library_peers import asks_dns, told_there
from hangtui.findings.package_queries import hands_over
from hangtui.findings.polled import told_changes, told_forgotten
from hangtui.findings.resources import noted, noted_cancelled
from hangtui.findings.rest.by_whom import tasks_of_package
from hangtui.findings.rest.signalled_by import told_children
from hangtui.findings.rest.unanswered import Unanswered, left_to
from hangtui.findings.run_elsewhere import inside_others
from hangtui.findings.shapes import stops_clock
from hangtui.findings.stack_queries import below_application, does, main_thread
from hangtui.findings.thresholds import NAMES_LISTED
from hangtui.findings.to_come import told_to_come
from hangtui.findings.words import Words
from hangtui.findings.written import (
    elsewhere,
    nobody_comes,
    told_sharing,
    told_written,
    who_else,
)
from hangtui.model import (
    NodeId,
    Thread,
    Watched,
)


def left_to_whom(connections: list[Watched], due: Unanswered | None, words: Words) -> str:
    """Who at the other end of a connection is to end the wait; empty: that is not it."""
    if connections:
        return left_to(connections, due.owed if due else "to answer", words)
    if due is None or due.says is None:
        return ""
    who = f" As far as can be seen, whoever has the other end of that is {due.owed}."
    return f"{who}{told_there(due.over, words)}{due.limit}"


def unheard(first: NodeId, words: Words) -> str:
    """That it is not known who should end the first wait, with what is."""
    wait, actor = words.graph.wait_of(first), words.actor(first)
    resource = words.resource(wait.target) if wait else None
    if wait and actor and (there := at_other_end(wait, words)):
        written = told_written(resource, actor, words) if nobody_comes(wait, words) else ""
        return f"{told_other_end(there, words)}{written}"
    if wait and asks_dns(wait, words):
        return (
            " The name server has to answer; before it gives up, the resolver asks again, and "
            "other name servers if it knows any (options timeout and attempts of resolv.conf)."
        )
    if wait and (told := told_knocks_at_itself(first, words) or _left_to_serve(wait, words)):
        return told
    unknown = f" Who should end that is not known{noted(resource)}"
    process = words.capture.process(first.pid) if first.pid else None
    if isinstance(actor, Thread) and process and (signals := sent_by_whom(actor, process)):
        return f"{signals}{told_children(first, words)}"
    if isinstance(actor, Thread) and awaited_of_ranks(actor):
        return f" {ONLY_RANKS}"
    if told := told_to_come(resource, first.pid):
        return told
    if wait is None or actor is None or not nobody_comes(wait, words):
        return f"{unknown}.{noted_cancelled(resource)}"
    shared = f" in process {first.pid}" if (others := elsewhere(wait, words)) else ""
    nobody = f"no thread and no task that is there{shared} is seen on the way to"
    written = told_written(resource, actor, words)  # then it is known which code should
    seen = f"{unknown}: {nobody} do so"
    if written:
        seen = f" {nobody.capitalize()} end that{noted(resource)}"
    told = f"{written}{told_sharing(wait, words)}"
    if own := tasks_of_package(resource.enders if resource else (), first, words):
        told += f" Meanwhile {own}."
    return f"{seen}.{told}{who_else(others, words)}"


def _left_to_serve(wait: Edge, words: Words) -> str:
    """`` oven was left to cheroot to serve (Server.serve), and ends once somebody stops that: who
    should is not known.``, of who waits for such a thread to end; of one that waits for work in
    the program's own code that; empty: it waits for somebody else."""
    server = words.actor(wait.target)
    stack = (server.python_stack if isinstance(server, Thread) else None) or ()
    index = application_index(stack)
    if isinstance(server, Thread) and index is None:
        return _package_alone(server, words)
    if index is None or not isinstance(server, Thread):
        return ""
    if not index or not hands_over(stack, index):
        its = words.graph.wait_of(server.id)
        rests = its is not None and words.method(its) == "get"
        return f" It is left to that thread to end: {does(server, words)}." if rests else ""
    called = stack[index - 1]
    whose = f" to {package}" if (package := package_of(called)) else ""
    return (
        f" {words.thread_name(server)} was left{whose} to serve ({called.function}), and ends once "
        "somebody stops that: who should is not known."
    )


def _package_alone(server: Thread, words: Words) -> str:
    """`` manager runs code of ws4py alone (Manager.run): it ends once that is done, or told
    to stop. Who should tell it is not known.``; empty: it runs that of no one package."""
    inside = [one for one in server.python_stack or () if package_of(one)]
    packages = {package_of(one) for one in inside}
    if len(packages) != 1:
        return ""
    return (
        f" {words.thread_name(server)} runs code of {packages.pop()} alone "
        f"({inside[-1].function}): it ends once that is done, or told to stop. Who should tell it "
        "is not known."
    )


def who_changes(first: NodeId, words: Words) -> str:
    """That its timeout may never run out, and who comes to change what it looks at, or what its
    children do."""
    told = f"{by_stopped_clock(first, words)}{told_changes(first, words)}"
    told += told_forgotten(first, words) or _threads_gone(first, words)
    return f"{told}{_children_do(first, words)}"


def _threads_gone(first: NodeId, words: Words) -> str:
    """`` Threads of it that have ended: house.``, of one that looks whether a package has noted
    something, or at what nobody runs the code to change; of that also how many they are, if none is
    known by its name."""
    polled, process = polled_by(first, words), words.capture.process(first.pid)
    if polled is None or polled.of_packages:
        return told_threads_gone(process) if polled else ""
    unrun = bool(polled.written) and not polled.changers and not polled.past
    unrun = unrun and not inside_others(polled.written, first.pid, words)
    return told_any_gone(process, "it") if unrun else ""


def _children_do(first: NodeId, words: Words) -> str:
    """`` What its child does meanwhile: MainThread of process 12 waits at service.py:3 (serve) for
    ...``, of the children of one that polls which run the application and were looked at; empty: it
    does not poll, or those who come to change what it looks at are told, or it has none."""
    process, polled = words.capture.process(first.pid), polled_by(first, words)
    if process is None or polled is None or told_changes(first, words):
        return ""
    around = process.around.children if process.around else None
    living = [one for one in around or () if one.state not in "ZX" and not one.helper]
    found = [child for one in living if (child := words.capture.process(one.pid))]
    mains = [main for one in found if (main := main_thread(one)) and below_application(main)]
    if not mains:
        return ""
    told = clauses([does(one, words) for one in mains[:NAMES_LISTED]], len(mains))
    one = len(mains) == 1
    return f" {'What its child does' if one else 'What its children do'} meanwhile: {told}."


def by_stopped_clock(first: NodeId, words: Words) -> str:
    """That the timeout of the first wait may never run out."""
    actor = words.actor(first)
    package = stops_clock((actor.python_stack if actor else None) or ())
    timed = isinstance(actor, Thread) and actor.syscall is not None and actor.syscall.timed
    if not package or not timed:
        return ""
    return (
        f" {package} called that line, and stops the clock of Python code unless it is told not "
        "to: a timeout that is counted by that does not run out."
    )
