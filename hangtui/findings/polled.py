"""Who would change what loops that sleep look at in between, and what only looks."""

import re
from collections.abc import Iterable, Mapping

from hangtui.analysis.places import application_index, package_of
from hangtui.findings.by_the_clock import is_soon
from hangtui.findings.english import joined, listed
from hangtui.findings.looked import looked_at, polled_by
from hangtui.findings.package_queries import (
    hands_over,
    is_job,
    library_entry,
    library_wait,
    package_entry,
)
from hangtui.findings.run_elsewhere import inside_others, is_inside
from hangtui.findings.stack_queries import does, name_of, own_frame, told
from hangtui.findings.thresholds import NAMES_LISTED, STILL_S
from hangtui.findings.words import Actor, Words
from hangtui.model import NodeId, Polled, PythonFrame, Task, Thread

_WAITS = re.compile(
    r"wait|result|join|get|acquire|lock|until|ready|done|complete|finish|flush|drain|gather|reply"
)
"""How packages call functions that do not come back before something has come."""


def told_changes(node: NodeId, words: Words) -> str:
    """`` The program changes that in Job.run (jobs.py:8), which nobody runs.``, of what a thread or
    task looks at; or who comes to it. Empty: nobody is known, and no code."""
    polled = polled_by(node, words)
    if polled is None:
        return ""
    actors = (words.actor(one.actor) for one in polled.changers)
    if names := [words.actor_name(one) for one in actors if one is not None]:
        places = joined(list(dict.fromkeys(one.place for one in polled.changers)))
        come = "comes" if len(names) == 1 else "come"
        return f" The program changes that in {places}, to which {joined(names)} {come}."
    written = (*polled.written, *polled.past)
    if away := inside_others(written, node.pid, words) if node.pid else {}:
        return _told_away(away, words)
    if written:
        runs = "nobody else is seen to run" if polled.past else "nobody runs"
        return f" The program changes that in {joined(written)}, which {runs}."
    if polled.file is not None and polled.is_there is not None:
        does = "deletes" if polled.is_there else "makes"
        if not polled.makers:
            return f" It goes on once somebody {does} that file; who should is not known."
        start = f" By its name, the program {does} that file in {joined(polled.makers)}"
        inside = listed([_place_in(words, one) for one in _making(polled, words)])
        is_so = f"inside of which is {inside}" if inside else "which no other thread is inside of"
        return f"{start}, {is_so}."
    return ""


def _told_away(away: Mapping[str, Thread], words: Words) -> str:
    """Who in another process is inside of such functions, and what those do now."""
    threads = list({one.id: one for one in away.values()}.values())
    runs = joined([words.thread_name(one) for one in threads])
    return (
        f" The program changes that in {joined(list(away))}, which {runs} is inside of: "
        "another process, whose memory is its own, unless that lies in shared memory. "
        f"Now {listed([_does_inside(one, words) for one in threads])}."
    )


def _does_inside(thread: Thread, words: Words) -> str:
    """What it does; with the package in which it sleeps for nothing that was recorded."""
    package = library_wait(thread) if thread.asleep else None
    lone = package is not None and words.graph.wait_of(thread.id) is None
    return f"{does(thread, words)}{f', in {package} ({library_entry(thread)})' if lone else ''}"


def polled_in_title(node: NodeId, words: Words) -> str:
    """``, by polling self.closing.is_set()``, of one that looks at something again and again."""
    polled = polled_by(node, words)
    return f", by polling {looked_at(polled)}" if polled else ""


def told_polled(node: NodeId, words: Words) -> str:
    """`` There it only looks, again and again, at self.closing.is_set(). The program changes that
    in ...``, of such a one; empty: it does not."""
    polled = polled_by(node, words)
    looks = looked_at(polled) if polled else ""
    return looks and (
        f" There it only looks, again and again, at {looks}.{told_changes(node, words)}"
    )


def _making(polled: Polled, words: Words) -> list[Thread]:
    """The other threads, of any process, that are inside of what makes or deletes the file which
    one asks for."""
    others = (one for one in words.capture.threads() if one.id != polled.waiter)
    return [one for one in others if any(is_inside(one, place) for place in polled.makers)]


def _makers_elsewhere(polled: Polled, words: Words) -> list[NodeId]:
    """The same, if who asks is not inside of one of these functions itself: which of those that
    are is to make the file is not known then."""
    own = words.thread(polled.waiter)
    alike = own is None or any(is_inside(own, place) for place in polled.makers)
    return [] if alike else [one.id for one in _making(polled, words)]


def _place_in(words: Words, thread: Thread) -> str:
    """``MainThread of server (process 8) at app.py:3 (serve)``."""
    frame = own_frame(thread)
    return f"{words.thread_name(thread)}{f' at {told(frame)}' if frame else ''}"


def asks_forgotten(node: NodeId, words: Words) -> str:
    """``carrier (process 12)``, of one that only asks whether children have ended of which none is
    there any more, and whose end nobody tells it; empty: it does not, or one may tell it."""
    looking = words.looking.get(node)
    process = words.capture.process(node.pid) if node.pid else None
    around = process.around if process else None
    if looking is None or not looking.asks_children or around is None or around.children is None:
        return ""
    left = [one for one in around.children if not one.helper and one.state != "X"]
    return "" if left else listed(list(around.forgotten))


def told_forgotten(node: NodeId, words: Words) -> str:
    """`` carrier (process 12) has ended, ...``, of one that asks for such children."""
    names = asks_forgotten(node, words)
    return names and (
        f" These have ended: {names}. Their parent ignores SIGCHLD, so that the kernel kept "
        "nothing of them: multiprocessing cannot learn it from there, and takes them for alive "
        "for ever."
    )


def polls_in_package(node: NodeId, words: Words) -> bool:
    """Whether several looks, over a second, met a task in a function of a package that the
    application has called to wait, which only sleeps and looks whether something has come. One that
    serves until it is stopped does so, too."""
    task = words.actor(node)
    entry = package_entry(task) if isinstance(task, Task) else None
    if task is None or entry is None or not _WAITS.search(name_of(entry).lower()):
        return False
    stack = task.python_stack or ()
    served = hands_over(stack, application_index(stack) or 0)
    return not served and not _jobs_sleep(task, entry, words) and bool(told_polling(node, words))


def _jobs_sleep(task: Actor, entry: PythonFrame, words: Words) -> bool:
    """Whether the package that it waits in has called the program in other tasks, and these sleep
    for less than a minute, to look at nothing then: what it waits for may be what they do."""
    package = package_of(entry)
    others = (one for one in words.capture.tasks if one.pid == task.pid and one.id != task.id)
    jobs = [one for one in others if package and is_job(one, package)]
    return bool(jobs) and all(
        one.sleep and is_soon(one.sleep) and one.id not in words.looking for one in jobs
    )


def told_polling(node: NodeId, words: Words) -> str:
    """`` for 2 s or more``, of one that only looks again and again; empty: not for a second."""
    actor = words.actor(node)
    if actor is None or polled_by(node, words) is None:
        return ""
    lasted = stayed_s(actor, words)
    return f" for {lasted:.0f} s or more" if lasted >= STILL_S else ""


def stayed_s(actor: Actor, words: Words) -> float:
    """For how long its thread, or that of its event loop, surely did not leave its lines."""
    seen = [words.progress.get(one.id) for one in words.carriers([actor])]
    return min((one.stayed_s if one else 0.0 for one in seen), default=0.0)


def polling_each_other(node: NodeId, ran: Iterable[Thread], words: Words) -> str:
    """``; server polls self.inbox itself, who would change that: a possible deadlock``, if those
    who look at something only wait for one another, as several looks saw. *ran*: the threads that
    woke up in between."""
    lasted = max((words.progress[thread.id].stayed_s for thread in ran), default=0.0)
    told = []
    for one in ring(node, words)[1:] if lasted >= STILL_S else ():
        polled, actor = polled_by(one, words), words.actor(one)
        if polled and actor:
            told.append(f"{words.actor_name(actor)} polls {looked_at(polled)} itself")
    if not told:
        return ""
    who = "who would change that" if len(told) == 1 else "who would change what the others look at"
    return f"; {joined(told[:NAMES_LISTED])}, {who}: a possible deadlock"


def ring(node: NodeId, words: Words) -> list[NodeId]:
    """Those that look, in turn for each other, at what only others of them come to change, the one
    *node* first; empty: somebody else may change it, or that is not known."""
    members = [node]
    for one in members:
        polled = polled_by(one, words)
        if polled is None or polled.written:
            return []
        enders = [c.actor for c in polled.changers] or _makers_elsewhere(polled, words)
        if not enders:
            return []
        members += [ender for ender in enders if ender not in members]
    return members
