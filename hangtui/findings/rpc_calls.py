"""Who has to answer a remote call of torch, and what is done there about it."""

from collections.abc import Mapping

from hangtui.analysis.latest import of_latest
from hangtui.findings.collectives import RPC, collective, runs_remote_call
from hangtui.findings.english import joined, listed
from hangtui.findings.onward import chain, links, told_last
from hangtui.findings.roles import RPC_POOL, rpc_names
from hangtui.findings.stack_queries import at, does, main_thread, name_of, own_frame
from hangtui.findings.thresholds import NAMES_LISTED
from hangtui.findings.words import Words
from hangtui.model import Capture, NodeId, Process, RemoteCall, Thread


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
    function; else that none does, and who is through with its calls. Empty: it is not known, or
    this waits for no remote call."""
    capture = words.capture
    call = remote_call(thread, capture)
    if call is None:
        return ""
    named = [pid for pid, name in rpc_names(capture).items() if name == call.to]
    there = [one for one in capture.processes if one.pid in named]
    others = [one for one in capture.processes if one.pid != call.thread.pid]
    running = [one for process in there or others for one in _running(call.function, process)]
    if running:
        told = joined([_doing(one, words) for one in running[:NAMES_LISTED]])
        return f"{told[:1].upper()}{told[1:]}."
    if len(there) != 1 or not _all_seen(there[0]):
        return ""
    worker = words.process_name(there[0].pid)
    told = (
        f"No thread of {worker} is inside of {call.function}: it has not begun, or has left a "
        f"future that is not done.{_through(words)}"
    )
    main = main_thread(there[0])
    return f"{told} Now {does(main, words)}." if main is not None and own_frame(main) else told


def _running(function: str, process: Process) -> list[Thread]:
    """The threads of a worker that run it for another one."""
    found = []
    for thread in process.threads:
        index = runs_remote_call(thread)
        if index and name_of((thread.python_stack or ())[index - 1]) == function:
            found.append(thread)
    return found


def _doing(thread: Thread, words: Words) -> str:
    """``RPC worker stage1 (process 7) runs it in pt_thread_pool, which waits at price.py:9 (ask)
    for ...``, and what that leads to."""
    name, found = words.thread_name(thread), chain(thread.id, words)
    runs = f"{words.process_name(thread.pid)} runs it in {name.partition(' of ')[0]}"
    here = does(thread, words).removeprefix(name)
    return ", ".join([f"{runs}, which{here}", *links(found, words)]) + told_last(found, words)


def _all_seen(process: Process) -> bool:
    pool = [one for one in process.threads if (one.comm or "") == RPC_POOL]
    return not process.incomplete and bool(pool)


def _through(words: Words) -> str:
    """`` RPC worker trainer1 is in the shutdown of remote calls at main.py:9 (run).``"""
    mains = filter(None, map(main_thread, words.capture.processes))
    done = [one for one in mains if collective(one) is RPC]
    names = [f"{words.process_name(one.pid)}{at(own_frame(one))}" for one in done]
    if not names:
        return ""
    own = "is through with its own" if len(names) == 1 else "are through with their own"
    return f" {listed(names)} {own} calls (shutdown)."
