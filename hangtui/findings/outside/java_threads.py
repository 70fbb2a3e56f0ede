"""The end of a Java machine in the process, and the threads of Java that it waits for."""

from collections.abc import Sequence

from hangtui.findings.english import joined
from hangtui.findings.thresholds import NAMES_LISTED
from hangtui.findings.words import Words
from hangtui.model import NativeFrame, Process, Thread

GOAL = "for all threads of Java to end that are no daemons"
_MACHINE = "libjvm.so"
_ENDS = "Threads::destroy_vm"
_PARKS = ("Unsafe_Park", "JVM_MonitorWait", "JVM_Sleep", "JVM_ThreadSleep")
"""Functions of the machine that its own code in Java calls to wait."""
_OWN = ("Reference Handl", "Finalizer", "Common-Cleaner", "Python Referenc")
"""Daemons in Java that the machine starts, and JPype, as Linux names them."""


def ends_java(thread: Thread) -> bool:
    """Whether it waits in the end of a Java machine."""
    return any(_in(frame, (_ENDS,)) for frame in thread.native_stack or ())


def told_java(thread: Thread, words: Words) -> str:
    """Which threads in Java are there; empty: it does not wait for them."""
    process = words.capture.process(thread.pid)
    if process is None or not ends_java(thread):
        return ""
    waiting = _in_java(process)
    if not waiting:
        return "None of them is seen to wait in Java."
    names = joined([one.name for one in waiting[:NAMES_LISTED]])
    more = f" and {len(waiting) - NAMES_LISTED} more" if waiting[NAMES_LISTED:] else ""
    verb = "wait" if len(waiting) > 1 else "waits"
    return (
        f"In Java {names}{more} {verb}: an executor of Java, for one, keeps its threads until "
        "somebody calls its shutdown(). Which of them are daemons is not read."
    )


def _in_java(process: Process) -> Sequence[Thread]:
    """Its threads that wait in code of Java, but the machine's own."""
    return [
        one
        for one in process.threads
        if not one.is_python
        and one.name not in _OWN
        and any(_in(frame, _PARKS) for frame in one.native_stack or ())
    ]


def _in(frame: NativeFrame, functions: tuple[str, ...]) -> bool:
    named = frame.function is not None and frame.function.startswith(functions)
    return named and frame.module is not None and frame.module.endswith(_MACHINE)
