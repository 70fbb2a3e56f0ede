"""Waits inside of a generator that a pool reads to its end before it gives the first result."""

from hangtui.analysis.places import application_index, function_of, library_frame, package_of
from hangtui.analysis.waitgraph import Edge
from hangtui.findings.beyond_doubt import handled_signals
from hangtui.findings.run_elsewhere import is_inside
from hangtui.findings.stack_queries import name_of, stood_s
from hangtui.findings.thresholds import STILL_S
from hangtui.findings.words import Words
from hangtui.findings.written import nobody_comes
from hangtui.model import PythonFrame, Thread

_READS = {
    "/concurrent/futures/_base.py": {"map": "Executor.map"},
    "/multiprocessing/pool.py": {"_map_async": "Pool.map"},
}
"""Functions that go over all they are given first, by their files."""


def read_first(thread: Thread, wait: Edge, words: Words) -> str:
    """``; Executor.map reads all of Book.verses before it gives a result``, of one that has waited
    in that for a second for what nobody is on the way to bring; empty: somebody else may, a client
    that has yet to connect, say."""
    resource, reads = words.resource(wait.target), _reads(thread)
    if resource is None or reads is None or stood_s(thread, words) < STILL_S:
        return ""
    if not resource.enders or not nobody_comes(wait, words):
        return ""
    others = [one for one in words.capture.threads() if one.id != thread.id]
    inside = any(
        is_inside(one, place)
        for one in others
        if one.pid == thread.pid
        for place in resource.enders
    )
    process = words.capture.process(thread.pid)
    listens = any(one.thread.pid == thread.pid for one in words.capture.listening)
    if inside or listens or process is None or handled_signals(process) != ():
        return ""
    reader, frame = reads
    return f"; {reader} reads all of {function_of(frame)} before it gives a result"


def _reads(thread: Thread) -> tuple[str, PythonFrame] | None:
    """The function that goes over what the program waits in, and that; None: there is none."""
    stack = thread.python_stack or ()
    index = application_index(stack)
    if index is None:
        return None
    for frame in stack[index + 1 :]:
        if not library_frame(frame) or package_of(frame):
            break
        for file, names in _READS.items():
            if frame.filename.endswith(file) and name_of(frame) in names:
                return names[name_of(frame)], stack[index]
    return None
