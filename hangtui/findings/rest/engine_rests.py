"""An engine of a server that has nothing to run while the requests of its server wait for it."""

from collections.abc import Sequence
from typing import NamedTuple

from hangtui.findings.engine_schedulers import scheduler_of
from hangtui.findings.english import counted
from hangtui.findings.protocols import requested, rests_in, servers_of
from hangtui.findings.stack_queries import at, below_application, main_thread, stood_s
from hangtui.findings.thresholds import STILL_S
from hangtui.findings.words import Words
from hangtui.model import Process, Task


class Resting(NamedTuple):
    """What is told of it."""

    short: str
    """``; VLLM::EngineCore (process 12), which owes it to them, has nothing to run``."""
    told: str
    """The same as sentences."""


def resting_engine(process: Process, tasks: Sequence[Task], words: Words) -> Resting | None:
    """The engine, a child of *process*, that stood at rest for a second or more while *tasks*, or
    some of them, waited for what it makes."""
    for engine in words.capture.processes:
        kinds = servers_of(engine) if engine.ppid == process.pid else ()
        main = main_thread(engine) if kinds else None
        frame = rests_in(main, kinds) if main is not None else None
        if main is None or frame is None or stood_s(main, words) < STILL_S:
            continue
        asking = [one for one in tasks if below_application(one) and requested(one, kinds)]
        if asking:
            return _told(engine, asking, at(frame), words)
    return None


def _told(engine: Process, asking: Sequence[Task], where: str, words: Words) -> Resting:
    name = words.process_name(engine.pid)
    requests = counted(len(asking), "request")
    wait = "waits" if len(asking) == 1 else "wait"
    known = scheduler_of(engine.pid, words.capture)
    rests = f"it waits for its next message{where}"
    if known is not None and known.paused:
        has = counted(known.requests, "request")
        short, who = _resumed(asking, words)
        return Resting(
            f"; the scheduler of {name}, which is to answer, is paused{short}",
            f" {requests} {wait} for {name}, whose scheduler is paused ({known.paused}) with {has} "
            f"in its hands: {rests}, and runs none until somebody has it go on.{who}",
        )
    lost = "they, or their answers, were lost on the way"
    if known is None:
        why = f"So its scheduler is paused, with them in its queue, or {lost}."
    elif known.requests:
        why = f"Its scheduler is not paused, and has {counted(known.requests, 'request')}."
    else:
        why = f"Its scheduler is not paused, and has no request: {lost}."
    return Resting(
        f"; {name}, which is to answer, has nothing to run",
        f" {requests} {wait} for {name}, which has nothing to run: {rests}. {why}",
    )


def _resumed(asking: Sequence[Task], words: Words) -> tuple[str, str]:
    """Who has it go on, if one alone is seen to come to that, for a title and as a sentence."""
    graph = words.graph
    seen = [one for one in words.capture.resumers if one.actor.pid == asking[0].pid]
    if len({one.actor for one in seen}) != 1:
        return "", ""
    one = seen[0]
    name, wait = words.name(one.actor), graph.wait_of(one.actor)
    does = f", and {words.waiting(wait)}" if wait else ""
    behind = one.actor in graph.behind_all(tuple(task.id for task in asking))
    short = f", and {name}, which comes to {one.call}, waits for these requests" if behind else ""
    each = " So they wait for each other." if behind else ""
    return short, f" Only {name} is seen to come to {one.call} ({one.line}){does}.{each}"
