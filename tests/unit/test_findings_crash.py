"""What is concluded from the facts of a crash."""

from dataclasses import replace
from typing import Any

import pytest

from hangtui import findings
from hangtui.model import (
    Access,
    Capture,
    Certainty,
    Crash,
    GilState,
    MessageKind,
    NativeFrame,
    NodeKind,
    Operand,
    PointerKind,
    Process,
    PythonFrame,
    Region,
    Register,
    Resource,
    Source,
    Thread,
    resource_id,
)
from tests.unit.factories import only

PID, CRASHED = 100, 101
LIBC, LIBPYTHON = "/usr/lib/libc.so.6", "/usr/lib/libpython3.12.so.1.0"
NET = "/srv/venv/lib/python3.12/site-packages/net/_net.so"


def native(function: str | None, module: str | None = LIBC, **more: Any) -> NativeFrame:
    return NativeFrame(function, module, 0x1000, **more)


def culprit(function: str = "decode") -> NativeFrame:
    return native(function, NET, package="net 1.4")


LINE = PythonFrame("load", "/srv/app/images.py", 64, entry=True)
STARTED = PythonFrame("Thread.run", "/usr/lib/python3.12/threading.py", 1010)
EVAL = native("_PyEval_EvalFrameDefault", LIBPYTHON)


def capture(crash: Crash, *stack: NativeFrame, others: tuple[Thread, ...] = ()) -> Capture:
    crashed = Thread(
        PID,
        CRASHED,
        "loader",
        "R",
        still=True,
        python_stack=(LINE,),
        native_stack=(*stack, EVAL),
        is_python=True,
    )
    process = Process(PID, 1, ("python", "main.py"), "S", threads=(crashed, *others))
    return Capture("2026-08-30T12:11:00+00:00", "host", processes=(process,), crash=crash)


def crash(signal: str = "SIGSEGV", **facts: Any) -> Crash:
    return Crash(PID, Source.CORE, tid=CRASHED, signal_name=signal, **facts)


def sibling(tid: int, *stack: NativeFrame) -> Thread:
    return Thread(PID, tid, f"worker-{tid}", "S", python_stack=(LINE,), native_stack=(*stack, EVAL))


def said(message: str, kind: MessageKind = MessageKind.C_LIBRARY) -> Crash:
    return crash("SIGABRT", code="SI_TKILL", message=message, message_kind=kind)


def accessing(address: int, code: str = "SEGV_MAPERR", **facts: Any) -> Crash:
    access = facts.pop("access", Access.READ)
    value = facts.pop("value", address)
    kind = facts.pop("kind", PointerKind.UNMAPPED)
    return crash(
        code=code,
        address=address,
        instruction="mov rax,QWORD PTR [rdi]",
        operand=Operand("[rdi]", "rdi", value, address, access, 8),
        registers=(Register("rdi", value, kind), *facts.pop("registers", ())),
        **facts,
    )


STACK = (native("__pthread_kill_implementation"), native("abort"), culprit())
FULL = tuple(culprit("parse") for _ in range(60))

CASES: dict[str, tuple[Capture, str, str]] = {
    "null": (capture(accessing(0x18, value=0), culprit()), "crash-null-pointer", "NULL"),
    "null array": (capture(accessing(0x80000, value=0), culprit()), "crash-null-pointer", "NULL"),
    "wild": (capture(accessing(0x7F0000001000), culprit()), "crash-wild-pointer", "wild"),
    "no address": (
        capture(accessing(1 << 60, "SI_KERNEL", kind=PointerKind.NO_ADDRESS), culprit()),
        "crash-wild-pointer",
        "wild",
    ),
    "freed": (
        capture(
            accessing(0xDDDDDDDDDDDDDDE5, "SI_KERNEL", kind=PointerKind.NO_ADDRESS), culprit()
        ),
        "crash-use-after-free",
        "freed",
    ),
    "text": (
        capture(
            accessing(0x656D616E656C6966, "SI_KERNEL", kind=PointerKind.NO_ADDRESS), culprit()
        ),
        "crash-overwritten-pointer",
        "text",
    ),
    "protected": (
        capture(
            accessing(
                0x7F0000005000,
                "SEGV_ACCERR",
                access=Access.WRITE,
                region=Region(hit=True, start=0x7F0000005000, end=0x7F0000006000,
                              permissions="r--p", name=NET),
            ),
            culprit(),
        ),
        "crash-protected-memory",
        "read-only memory of _net.so",
    ),
    "bad call": (
        capture(accessing(0, access=Access.EXECUTE), native(None, None), culprit()),
        "crash-bad-call",
        "NULL function pointer",
    ),
    "overflow": (
        capture(
            accessing(
                0x7F0000000FF8,
                "SEGV_ACCERR",
                guard_distance=-8,
                stack=0x7F0000000FF8,
            ),
            *FULL,
        ),
        "crash-stack-overflow",
        "recursion of parse",
    ),
    "double free": (
        capture(said("free(): double free detected in tcache 2"), *STACK),
        "crash-double-free",
        "double free",
    ),
    "heap": (
        capture(said("corrupted size vs. prev_size"), *STACK),
        "crash-heap-corruption",
        "heap",
    ),
    "number": (
        capture(accessing(0x18C1, kind=PointerKind.NULL), culprit()),
        "crash-overwritten-pointer",
        "0x18c1",
    ),
    "small number": (
        capture(accessing(0xE1, value=0x21, kind=PointerKind.NULL), culprit()),
        "crash-overwritten-pointer",
        "0x21",
    ),
    "inside malloc": (
        capture(accessing(0x7F0000001000), native("_int_malloc"), native("malloc"), culprit()),
        "crash-heap-corruption",
        "heap",
    ),
    "smashed": (
        capture(said("*** stack smashing detected ***: terminated"), *STACK),
        "crash-stack-smashing",
        "stack smashing",
    ),
    "exception": (
        capture(
            replace(
                said("uncaught C++ exception net::Error: lost", MessageKind.CXX_EXCEPTION),
                exception_type="net::Error",
            ),
            *STACK,
        ),
        "crash-cxx-exception",
        "net::Error: lost",
    ),
    "assertion": (
        capture(said("main.c:3: f: Assertion `n > 0' failed."), *STACK),
        "crash-abort",
        "assertion failed: n > 0",
    ),
    "abort": (capture(crash("SIGABRT", code="SI_TKILL"), *STACK), "crash-abort", "abort()"),
    "no gil": (
        capture(
            said("Fatal Python error: the function must be called with the GIL held",
                 MessageKind.PYTHON), *STACK,
        ),
        "crash-missing-gil",
        "without the GIL",
    ),
    "references": (
        capture(said("Fatal Python error: deallocating None", MessageKind.PYTHON), *STACK),
        "crash-reference-count",
        "reference count",
    ),
    "fatal": (
        capture(said("Fatal Python error: init_fs_encoding", MessageKind.PYTHON), *STACK),
        "crash-python-fatal",
        "init_fs_encoding",
    ),
    "bus": (
        capture(
            crash(
                "SIGBUS",
                code="BUS_ADRERR",
                address=0x7F0000001000,
                region=Region(hit=True, start=0x7F0000000000, end=0x7F0000009000,
                              permissions="r--s", name="/data/weights.bin"),
            ),
            culprit(),
        ),
        "crash-bus-error",
        "/data/weights.bin",
    ),
    "division": (
        capture(
            crash("SIGFPE", code="FPE_INTDIV", instruction="idiv ecx",
                  registers=(Register("rcx", 0),)),
            culprit(),
        ),
        "crash-division",
        "division by zero",
    ),
    "illegal": (
        capture(crash("SIGILL", code="ILL_ILLOPN", instruction="vaddps zmm0,zmm1,zmm2"), culprit()),
        "crash-illegal-instruction",
        "the processor lacks",
    ),
    "no memory": (
        capture(accessing(0, memory_limit_hit="errno is ENOMEM"), culprit()),
        "crash-out-of-memory",
        "out of memory",
    ),
    "oom": (
        capture(crash("SIGKILL", memory_limit_hit="one more OOM kill in /x"), culprit()),
        "crash-out-of-memory-kill",
        "OOM killer",
    ),
    "sent": (
        capture(crash("SIGABRT", code="SI_USER", sender_pid=77), culprit()),
        "crash-signalled",
        "process 77",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_every_mechanism_has_its_finding(name: str) -> None:
    taken, expected, words = CASES[name]
    found = only(taken, "crash")
    assert found.id == expected
    assert words in found.title
    assert found.evidence
    assert found.advice


@pytest.mark.parametrize("name", [name for name in CASES if name not in ("oom", "sent")])
def test_the_package_and_the_python_line_are_named(name: str) -> None:
    found = only(CASES[name][0], "crash")
    text = " ".join([found.title, found.sentence, *found.evidence])
    assert "net 1.4" in text
    assert "images.py:64 (load)" in text


def test_which_argument_was_null_is_told_by_the_processors_own_registers() -> None:
    fault = crash(
        code="SEGV_MAPERR",
        address=0,
        operand=Operand("[x1]", "x1", 0, 0, Access.READ, 8),
        registers=(
            Register("x0", 0x7F0000001000, PointerKind.HEAP),
            Register("x1", 0, PointerKind.NULL),
        ),
        parameters=("x0", "x1"),
    )
    found = only(capture(fault, native("memcpy"), culprit()), "crash")
    assert "The second argument register (x1) is NULL." in found.sentence


def test_no_crash_no_finding() -> None:
    taken = replace(capture(crash(), culprit()), crash=None)
    assert [one for one in findings.run(taken) if one.id.startswith("crash")] == []


def test_threads_in_the_same_code_make_a_race_likely() -> None:
    others = (sibling(102, culprit()), sibling(103, native("read")))
    found = only(capture(said("corrupted size vs. prev_size"), *STACK, others=others), "crash")
    assert "1 other thread ran inside _net.so too" in found.sentence
    assert {thread.tid for thread in found.threads} == {CRASHED, 102}
    assert any("one thread at a time" in line for line in found.advice)


def test_a_bad_pointer_beside_threads_of_the_same_kind_may_be_a_race() -> None:
    begun = PythonFrame("work", "/srv/app/main.py", 9, entry=True)
    taken = capture(accessing(0, value=0), culprit(), others=(sibling(102, native("read")),))
    (process,) = taken.processes
    threads = tuple(replace(t, python_stack=(LINE, begun, STARTED)) for t in process.threads)
    gil = (Resource(resource_id(NodeKind.GIL, PID, 0x5000), NodeKind.GIL, "GIL", PID, 0x5000),)
    free = replace(taken, resources=gil, processes=(replace(process, threads=threads),))
    found = only(free, "crash")
    assert found.id == "crash-null-pointer"
    assert "data race" in found.unknown[-1]
    assert "one thread at a time" in found.advice[1]
    assert "does not prove" in found.sentence

    holder = replace(threads[0], gil=GilState.HOLDS)  # then nobody else ran Python's data
    held = replace(free, processes=(replace(process, threads=(holder, *threads[1:])),))
    assert "data race" not in " ".join(only(held, "crash").unknown)


def test_what_glibc_said_is_not_why_a_fault_happened() -> None:
    fault = replace(
        accessing(0x18, value=0),
        message="free(): invalid pointer",
        message_kind=MessageKind.C_LIBRARY,
    )
    assert only(capture(fault, culprit()), "crash").id == "crash-null-pointer"


def test_a_victim_is_not_blamed() -> None:
    found = only(capture(said("corrupted size vs. prev_size"), *STACK), "crash")
    assert "does not prove" in found.sentence
    certain = only(CASES["null"][0], "crash")
    assert "That code belongs to net 1.4" in certain.sentence
    assert certain.certainty is Certainty.CERTAIN


def test_a_fault_in_the_interpreter_with_the_gil_is_no_missing_gil() -> None:
    taken = capture(accessing(0x18, value=0), native("PyList_New", LIBPYTHON), culprit())
    (process,) = taken.processes
    holder = replace(process.threads[0], gil=GilState.HOLDS)
    taken = replace(taken, processes=(replace(process, threads=(holder,)),))
    assert only(taken, "crash").id == "crash-null-pointer"


def test_a_crash_without_any_stack() -> None:
    taken = replace(capture(crash("SIGSEGV")), processes=())
    assert only(taken, "crash").id == "crash-signal"
