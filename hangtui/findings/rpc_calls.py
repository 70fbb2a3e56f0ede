"""Who has to answer a remote call of torch, and what is done there about it."""

from collections.abc import Mapping

from hangtui.analysis.latest import of_latest
from hangtui.findings.collectives import RPC, awaits_future, collective, runs_remote_call
from hangtui.findings.english import listed
from hangtui.findings.onward import chain, with_links
from hangtui.findings.roles import RPC_POOL, rpc_names
from hangtui.findings.stack_queries import at, does, main_thread, name_of, own_frame
from hangtui.findings.thresholds import NAMES_LISTED
from hangtui.findings.words import Words
from hangtui.model import Capture, NodeId, Pid, Process, RemoteCall, Thread

_REFERENCES = tuple(
    f"torch::distributed::rpc::{kind}RRef::{method}"
    for kind, method in (("Py", "toHere"), ("User", "toHere"), ("Owner", "getValue"))
)
"""How the functions of C++ begin that wait for the value of one."""
_LINKS = 3
"""Calls that are followed, one behind the other."""


def remote_call(thread: Thread, capture: Capture) -> RemoteCall | None:
    """The remote call for whose answer it waits."""
    return _calls(capture).get(thread.id)


@of_latest
def _calls(capture: Capture) -> Mapping[NodeId, RemoteCall]:
    return {one.thread: one for one in capture.remote_calls}


def awaited(call: RemoteCall) -> str:
    """``for the answer of price at stage1 (rpc_sync)``."""
    return f"for the answer of {call.function} at {call.to} (rpc_sync)"


def answering(thread: Thread, words: Words) -> str:
    """What the worker does that has to answer it, if it was looked at: the thread that runs the
    function; else that none does, and who is through with its calls. Of who waits for futures of
    such calls, or for a reference, what others run for somebody. Empty: it is not known, or it
    waits for no such call.
    """
    call = remote_call(thread, words.capture)
    told = _answers(call, words) if call else _for_others(thread, words)
    text = ". ".join(f"{one[:1].upper()}{one[1:]}" for one in told)
    return f"{text}." if text else ""


def awaited_later(thread: Thread) -> str | None:
    """``for its futures``: what it waits for of calls that it has made before; None: for nothing
    like that."""
    if awaits_future(thread):
        return "for its futures"
    native = (frame.function or "" for frame in thread.native_stack or ())
    fetches = any(name.startswith(_REFERENCES) for name in native)
    return "for the value of a remote reference (RRef.to_here)" if fetches else None


def _answers(call: RemoteCall, words: Words, links_left: int = _LINKS) -> list[str]:
    """The sentences of that."""
    capture = words.capture
    named = [pid for pid, name in rpc_names(capture).items() if name == call.to]
    there = [one for one in capture.processes if one.pid in named]
    others = [one for one in capture.processes if one.pid != call.thread.pid]
    running = [one for process in there or others for one in _running(call.function, process)]
    if running:
        return [one for each in running[:NAMES_LISTED] for one in _doing(each, words, links_left)]
    if len(there) != 1 or not _all_seen(there[0]):
        return []
    worker = words.process_name(there[0].pid)
    told = (
        f"no thread of {worker} is inside of {call.function}: it has not begun, or has left a "
        "future that is not done"
    )
    return [told, *_through(words)]


def _for_others(thread: Thread, words: Words) -> list[str]:
    """What other workers run that no known call waits for, while *thread* waits for one that it has
    made before."""
    if awaited_later(thread) is None or thread.pid not in rpc_names(words.capture):
        return []
    asked = {one.function for one in words.capture.remote_calls}
    pids = rpc_names(words.capture).keys() - {thread.pid}
    running = [
        each
        for process in words.capture.processes
        if process.pid in pids
        for each in process.threads
        if (served := _served(each)) and served not in asked
    ]
    return [one for each in running[:NAMES_LISTED] for one in _doing(each, words, _LINKS)]


def _served(thread: Thread) -> str | None:
    """The function that it runs for another worker."""
    index = runs_remote_call(thread)
    return name_of((thread.python_stack or ())[index - 1]) if index else None


def _running(function: str, process: Process) -> list[Thread]:
    """The threads of a worker that run it for another one."""
    return [thread for thread in process.threads if _served(thread) == function]


def _doing(thread: Thread, words: Words, links_left: int) -> list[str]:
    """``RPC worker stage1 (process 7) runs price in pt_thread_pool, which waits at price.py:9 (ask)
    for ...``, and what that leads to."""
    name, found = words.thread_name(thread), chain(thread.id, words)
    worker, where = words.process_name(thread.pid), name.partition(" of ")[0]
    runs = f"{worker} runs {_served(thread)} in {where}, which"
    call = remote_call(thread, words.capture)
    if call is not None:
        more = _answers(call, words, links_left - 1) if links_left else []
        return [f"{runs} waits{at(own_frame(thread))} {awaited(call)}", *more]
    here = does(thread, words).removeprefix(name)
    return [with_links(f"{runs}{here}", found, words)]


def _all_seen(process: Process) -> bool:
    pool = [one for one in process.threads if (one.comm or "") == RPC_POOL]
    return not process.incomplete and bool(pool)


def _through(words: Words) -> list[str]:
    """``RPC worker trainer1 at main.py:9 (run) is through with its own calls (shutdown)``"""
    mains = filter(None, map(main_thread, words.capture.processes))
    done = [one for one in mains if collective(one) is RPC and not _serves(one.pid, words)]
    names = [f"{words.process_name(one.pid)}{at(own_frame(one))}" for one in done]
    if not names:
        return []
    own = "is through with its own" if len(names) == 1 else "are through with their own"
    return [f"{listed(names)} {own} calls (shutdown)"]


def _serves(pid: Pid, words: Words) -> bool:
    """Whether a worker runs something for others."""
    process = words.capture.process(pid)
    return process is not None and any(map(_served, process.threads))
