"""The distributions that the Python frames of a crashed process belong to."""

from dataclasses import replace

from hangtui.backends.door import Root
from hangtui.backends.packages.python import package_of
from hangtui.model import Process, Thread


def with_packages(process: Process, root: Root) -> Process:
    """*process* with the package of each Python frame; *root*: where its files lie."""
    return replace(process, threads=tuple(_thread(thread, root) for thread in process.threads))


def _thread(thread: Thread, root: Root) -> Thread:
    if not thread.python_stack:
        return thread
    frames = (
        replace(frame, package=package_of(frame.filename, root)) for frame in thread.python_stack
    )
    return replace(thread, python_stack=tuple(frames))
