"""Threads that a native library has started for itself, and that stand in its code alone: workers
of BLAS and OpenMP, what drivers, NCCL and ZeroMQ run."""

from hangtui.analysis.frame_classifier import foreign_frame, module_name
from hangtui.analysis.waitgraph import WaitGraph
from hangtui.model import Thread


def library_of(thread: Thread, graph: WaitGraph) -> str | None:
    """The library whose code alone a sleeping thread is in, without the end of its name:
    ``libcuda``.

    None: it runs, Python knows it, its stack was not read to its end, or it has a part in what
    others wait for: it holds something, waits for what somebody holds, or for itself.
    """
    stack = thread.native_stack
    if thread.is_python or not thread.asleep or not stack or not thread.native_complete:
        return None
    modules = {module_name(frame) for frame in stack if foreign_frame(frame)}
    if len(modules) != 1 or graph.held_by(thread.id) or graph.cycle_of(thread.id):
        return None
    if any(graph.holders_of(wait.target) for wait in graph.waits_of(thread.id)):
        return None
    return modules.pop().partition(".")[0] or None
