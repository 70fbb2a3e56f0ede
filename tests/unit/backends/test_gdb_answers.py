"""Answers of gdb 13.1 in its machine interface, as they were recorded, and damaged ones."""

import ctypes.util

import pytest

from hangtui.backends.gdb import answers
from hangtui.backends.gdb.session import parse_answer
from hangtui.debugger import Instruction, Register, Variable
from hangtui.model import NativeFrame

THREADS = (
    rb'10^done,threads=[{id="1",target-id="Thread 0x7fc6b1091b80 (LWP 9265)",name="python3.11",'
    rb'frame={level="0",addr="0x00007fc6b08a3e96",func="x",args=[],arch="i386:x86-64"},'
    rb'state="stopped",core="1"},{id="2",target-id="LWP 9301",state="stopped"}],'
    rb'current-thread-id="1"'
)
STACK = (
    rb'11^done,stack=[frame={level="0",addr="0x00007fc6b08a3e96",'
    rb'func="__GI___futex_abstimed_wait64",file="./nptl/futex-internal.c",'
    rb'fullname="./nptl/./nptl/futex-internal.c",line="103",arch="i386:x86-64"},'
    rb'frame={level="1",addr="0x00007fc6b0460000",func="_ZNSt5mutex4lockEv",'
    rb'from="/tmp/x/core.root/lib/libsta[b]le.so.1",arch="i386:x86-64"},'
    rb'frame={level="2",addr="0x0000000000000006",func="??"}]'
)
NAMES = rb'13^done,register-names=["rax","rbx","","rdi","rip","eflags","fs_base"]'
VALUES = (
    rb'12^done,register-values=[{number="0",value="0xfffffffffffffe00"},'
    rb'{number="3",value="0x7fc6b046918c"},{number="4",value="0x7fc6b08a3e96"},'
    rb'{number="5",value="0x246"},{number="6",value="<unavailable>"}]'
)
CODE = (
    rb'14^done,asm_insns=[{address="0x00007fc6b08a3e94",func-name="_ZNSt5mutex4lockEv",'
    rb'offset="68",inst="syscall"},{address="0x00007fc6b08a3e96",func-name="_ZNSt5mutex4lockEv",'
    rb'offset="70",inst="call   0x7fc6b08a3ead <_ZNSt5mutex6unlockEv+93>"}]'
)


def payload(line: bytes) -> dict[str, object]:
    answer = parse_answer(line)
    assert answer.ok
    return answer.payload


def test_threads_are_found_by_their_tid() -> None:
    assert answers.thread_numbers(payload(THREADS)) == {9265: 1, 9301: 2}


def test_frames() -> None:
    inner, middle, outer = answers.frames(payload(STACK))

    assert (inner.function, inner.file, inner.line) == (
        "__futex_abstimed_wait64",
        "nptl/nptl/futex-internal.c",
        103,
    )
    assert (middle.function, middle.module) == ("std::mutex::lock()", "libsta[b]le.so.1")
    assert (outer.level, outer.function, outer.address) == (2, None, 6)


def test_registers_are_shown_in_the_order_that_matters() -> None:
    numbers = answers.register_numbers(payload(NAMES))

    found = answers.registers(payload(VALUES), numbers, outer=False)

    assert found == (
        Register("rip", 0x7FC6B08A3E96),
        Register("rax", 0xFFFFFFFFFFFFFE00),
        Register("rdi", 0x7FC6B046918C),
        Register("eflags", 0x246, text="PF ZF IF"),
    )


def test_registers_that_calls_do_not_save_are_the_innermost_frames() -> None:
    numbers = answers.register_numbers(payload(NAMES))

    found = answers.registers(payload(VALUES), numbers, outer=True)

    assert {register.name: register.inner for register in found} == {
        "rip": False,
        "rax": True,
        "rdi": True,
        "eflags": False,
    }


def test_variables_have_types_and_values() -> None:
    types = payload(
        rb'1^done,variables=[{name="fifo",arg="1",type="int",value="3"},{name="box",type="Box"}]'
    )
    values = payload(
        rb'2^done,variables=[{name="fifo",arg="1",value="3"},{name="box",value="{a = 1}"}]'
    )

    assert answers.variables(types, values) == (
        Variable("fifo", "int", "3", argument=True),
        Variable("box", "Box", "{a = 1}"),
    )


def test_variables_with_secrets_are_masked() -> None:
    values = payload(
        rb'2^done,variables=[{name="api_key",value="0x1 \"abc\""},'
        rb'{name="url",value="0x2 \"ftp://ada:hunter2@db/\""}]'
    )

    key, url = answers.variables(values, values)

    assert key.value == "***"
    assert "hunter2" not in url.value


def test_instructions() -> None:
    found = answers.instructions(payload(CODE), 0x7FC6B08A3E96)

    assert found == (
        Instruction(0x7FC6B08A3E94, "syscall", "std::mutex::lock() + 68"),
        Instruction(
            0x7FC6B08A3E96,
            "call   0x7fc6b08a3ead <std::mutex::unlock()+93>",
            "std::mutex::lock() + 70",
            current=True,
        ),
    )
    assert answers.function_start(payload(CODE)) == 0x7FC6B08A3E50


def test_libraries() -> None:
    line = (
        rb'1^done,shared-libraries=[{id="/lib/a.so",target-name="/lib/a.so",'
        rb'host-name="/r/lib/a.so",symbols-loaded="0",thread-group="i1",'
        rb'ranges=[{from="0x1000",to="0x2000"}]},{id="b",ranges=[{}]}]'
    )

    assert answers.libraries(payload(line)) == [(range(0x1000, 0x2000), "/r/lib/a.so")]


@pytest.mark.parametrize("line", [rb'1^done,threads="none"', rb"1^done", rb'1^done,stack=["x"]'])
def test_answers_of_another_shape_say_nothing(line: bytes) -> None:
    found = payload(line)

    assert answers.thread_numbers(found) == {}
    assert answers.frames(found) == ()
    assert answers.register_numbers(found) == {}
    assert answers.instructions(found, 0) == ()
    assert answers.function_start(found) is None


def test_what_gdb_prints_is_cleaned_and_demangled() -> None:
    records = [rb'~"\033]0;x\007_ZNSt5mutex4lockEv\n"', rb'&"a\tb\n"', rb"*stopped", rb"(gdb)"]

    text = answers.console_text([answers.printed(record) for record in records])

    assert text == "\ufffd]0;x\ufffdstd::mutex::lock()\na       b"


@pytest.mark.parametrize(
    ("entry", "frame"),
    [
        (
            {"addr": "0x10", "func": "__GI___read", "fullname": "./io/../a/read.c", "line": "26"},
            NativeFrame("__read", None, 0x10, "a/read.c", 26),
        ),
        ({"addr": "0x10", "func": "??"}, NativeFrame(None, None, 0x10)),
        (
            {"addr": "0x10", "func": "a\x1b[1m", "file": "b\x07.c", "line": "x"},
            NativeFrame("a\ufffd[1m", None, 0x10, "b\ufffd.c", None),
        ),
        ({"addr": "<PENDING>"}, NativeFrame(None, None, 0)),
    ],
)
def test_single_frames(entry: dict[str, object], frame: NativeFrame) -> None:
    (found,) = answers.frames({"stack": [entry]})

    assert found.shown() == frame


def test_demangled_names() -> None:
    if "libstdc++" not in str(ctypes.util.find_library("stdc++")):
        pytest.skip("no C++ runtime")

    assert answers.function_name("_ZN1a1bEv") == "a::b()"


@pytest.mark.parametrize(
    ("payload", "numbers"),
    [
        ({}, {}),
        ({"threads": "odd"}, {}),
        ({"threads": [{"id": "1", "target-id": "LWP 17"}, {"id": "2"}, None]}, {17: 1}),
        ({"threads": [{"id": "1", "target-id": "process 17"}]}, {17: 1}),
        ({"threads": [{"id": "3", "target-id": "Thread 0x7f00 (LWP 18)"}]}, {18: 3}),
    ],
)
def test_thread_numbers(payload: dict[str, object], numbers: dict[int, int]) -> None:
    assert answers.thread_numbers(payload) == numbers


def test_long_texts_are_unescaped_in_pieces() -> None:
    """As found by damaged answers: 92 KB without a backslash took minutes."""
    assert answers.printed(b'~"' + b"," * 100_000 + b'"') == "," * 100_000
    assert answers.printed(b'~"' + b"\\303\\244" * 1000 + b'\\n"') == "ä" * 1000 + "\n"
    assert answers.printed(b'~"lone \\q, and at the end \\') == "lone \\q, and at the end "
