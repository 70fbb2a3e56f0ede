"""Who else of a process could give up a lock that it has itself, where one of its threads waits for
that lock inside SQLite."""

from hangtui.findings.chains import leads_back
from hangtui.findings.databases import sleeps_in_sqlite
from hangtui.findings.doing import doing
from hangtui.findings.enders import enders
from hangtui.findings.english import clauses
from hangtui.findings.loops import terms_for
from hangtui.findings.suspended import suspended
from hangtui.findings.thresholds import NAMES_LISTED
from hangtui.findings.words import Actor, Words
from hangtui.model import DatabaseLock, Task, Thread

_STEPS = 10


def other_processes(
    thread: Thread, writing: list[DatabaseLock], locks: list[DatabaseLock]
) -> list[int]:
    """The other processes that have the lock. Who writes itself, and is about to commit, waits for
    those that read."""
    paths = {lock.path for lock in writing}
    reading = {lock.pid for lock in locks if lock.path in paths} - {thread.pid}
    return list({lock.pid for lock in writing} - {thread.pid} or reading)


def waiting_behind(thread: Thread, words: Words) -> list[Thread]:
    """The other Python threads of its process that do not sleep in SQLite themselves, if each
    waits, in the end, for one that does, and one of them for *thread*."""
    process = words.capture.process(thread.pid)
    python = [one for one in process.threads if one.is_python is not False] if process else []
    asking = [one for one in python if one is thread or sleeps_in_sqlite(one)]
    others = [one for one in python if one not in asking]
    if not any(comes_back(one, [thread], words) for one in others):
        return []
    return others if all(comes_back(one, asking, words) for one in others) else []


def comes_back(actor: Actor, goals: list[Thread], words: Words) -> bool:
    """Whether it waits, in the end, for one of *goals*: each step is a wait that does not end by
    itself, and that one thread or task alone is known to end."""
    return way_back(actor, goals, words) is not None


def way_back(actor: Actor, goals: list[Thread], words: Words) -> list[Actor] | None:
    """Who is on that way, after *actor*; None: it does not lead there."""
    found, back = list[Actor](), False
    for _ in range(_STEPS):
        back = back or any(leads_back(actor.id, one.id, words) for one in goals)
        wait = words.graph.wait_of(actor.id)
        able = enders(wait, words) if wait and wait.stable and not wait.expires else []
        if len(able) != 1:
            break
        actor = able[0]
        if actor in goals:
            return found
        found.append(actor)
    return found if back else None


def beside(thread: Thread, words: Words) -> list[Task]:
    """The tasks and greenlets that wait below a line of the application and run in *thread*."""
    process = words.capture.process(thread.pid)
    found = suspended(process, words) if process else []
    return [task for task in found if task.loop_tid == thread.tid]


def kept_from_going_on(tasks: list[Task], thread: Thread, words: Words) -> str:
    """That none of *tasks* goes on while *thread* sleeps outside of their loop, as sentences."""
    terms = terms_for(tasks, words.capture)
    stand = clauses([doing(task, words) for task in tasks[:NAMES_LISTED]], len(tasks), NAMES_LISTED)
    name = words.thread_name(thread)
    return (
        f"SQLite's sleep stops the {terms.short}, so that no other {terms.unit} of {name} can go "
        f"on meanwhile, to commit or to close it: {stand}."
    )
