"""What the scheduler of an engine has, by its own record."""

from collections.abc import Sequence
from typing import NamedTuple

from hangtui.findings.english import counted, joined, listed
from hangtui.findings.protocols import requested, rests_in, servers_of
from hangtui.findings.stack_queries import main_thread, stood_s, told
from hangtui.findings.thresholds import STILL_S
from hangtui.findings.words import Words
from hangtui.model import Capture, Pid, Process, Scheduler, Thread

_HELD = {
    "WAITING_FOR_REMOTE_KVS": "blocks of the KV cache, which its connector has to load",
    "WAITING_FOR_FSM": "its grammar, which is compiled first",
    "WAITING_FOR_STRUCTURED_OUTPUT_GRAMMAR": "its grammar, which is compiled first",
    "WAITING_FOR_STREAMING_REQ": "more of it from the client",
}
"""By the state of a request of vLLM in which its scheduler cannot run it: for what it waits."""
_MADE_IN = dict.fromkeys(
    ("WAITING_FOR_FSM", "WAITING_FOR_STRUCTURED_OUTPUT_GRAMMAR"), "/vllm/v1/structured_output/"
)
"""In which code a thread of the engine makes that."""


class Held(NamedTuple):
    """What keeps an engine from what its server waits for."""

    short: str
    """``; VLLM::EngineCore (process 12), which is to answer, has no request``."""
    told: str
    """The same as sentences."""


def held_requests(thread: Thread, words: Words) -> Held | None:
    """Why the engine whose output a thread of its server waits for has nothing to run; None: it
    has, or is none."""
    capture = words.capture
    for engine in capture.processes:
        kinds = servers_of(engine) if engine.ppid == thread.pid else ()
        known = scheduler_of(engine.pid, capture) if kinds else None
        if known is None or known.paused or not requested(thread, kinds):
            continue
        main, name = main_thread(engine), words.process_name(engine.pid)
        which = f"; {name}, which is to answer, has"
        states = [state for state, _ in known.states]
        if only_held(engine.pid, capture):
            many = listed([f"{count} in the state {state}" for state, count in known.states])
            what = joined(list(dict.fromkeys(f"for {_HELD[state]}" for state in states)))
            wait = "It waits" if known.requests == 1 else "They wait"
            has = counted(known.requests, "request")
            return Held(
                f"{which} only requests that it cannot run ({joined(states)})",
                f" {name} has {has}, none of which it can run: {many}. {wait} {what}."
                f"{_made(engine, states, words)}",
            )
        if main and has_no_request(main, capture) and stood_s(main, words) >= STILL_S:
            return Held(
                f"{which} no request left",
                f" {name} has no request left, and waits for the next one: what is waited for here "
                "has been taken by another one, or was lost on the way.",
            )
    return None


def _made(engine: Process, states: Sequence[str], words: Words) -> str:
    """`` ThreadPoolExecutor-4_0 is at that: backend_xgrammar.py:112 (compile_grammar).``"""
    folders = {_MADE_IN[state] for state in states if state in _MADE_IN}
    for thread in engine.threads:
        for frame in thread.python_stack or ():
            if any(folder in frame.filename for folder in folders):
                return f" {words.thread_name(thread)} is at that, in {told(frame)}."
    return ""


def only_held(pid: Pid, capture: Capture) -> bool:
    """Whether a process is an engine that has requests, and none that it can run."""
    known = scheduler_of(pid, capture)
    states = known.states if known else ()
    return bool(states) and all(state in _HELD for state, _ in states)


def scheduler_of(pid: Pid, capture: Capture) -> Scheduler | None:
    """That of a process; None: it is no engine, or its record was not read."""
    return next((one for one in capture.schedulers if one.pid == pid), None)


def has_no_request(thread: Thread, capture: Capture) -> bool:
    """Whether it is an engine's, and waits for the next request, having none."""
    known, process = scheduler_of(thread.pid, capture), capture.process(thread.pid)
    if known is None or process is None or known.paused or known.requests:
        return False
    return rests_in(thread, servers_of(process)) is not None
