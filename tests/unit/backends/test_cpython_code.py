"""Line and exception tables, against what each interpreter itself says of its code."""

import json
import subprocess

import pytest

from hangtui.backends.cpython.code import parse_exception_table
from hangtui.backends.cpython.line_tables import line_before_3_10, line_in_3_10, line_since_3_11
from tests.integration.targets import Interpreter, interpreters

pytestmark = pytest.mark.processes

READERS = {f"3.{minor}": line_before_3_10 for minor in range(6, 10)}
READERS |= {"3.10": line_in_3_10}
READERS |= {f"3.{minor}": line_since_3_11 for minor in range(11, 16)}

PROGRAM = """
import dis, json, sys, threading, argparse
def codes(code):
    yield code
    for constant in code.co_consts:
        if hasattr(constant, "co_code"):
            yield from codes(constant)
out = []
for module in (threading, argparse):
    for code in codes(compile(open(module.__file__).read(), module.__file__, "exec")):
        new = sys.version_info >= (3, 10)
        table = code.co_linetable if new else code.co_lnotab
        lines = {}
        if new:
            for start, end, line in code.co_lines():
                for offset in range(start, end, 2):
                    lines[offset] = line
        else:
            starts = list(dis.findlinestarts(code)) + [(len(code.co_code), 0)]
            for (start, line), (end, _) in zip(starts, starts[1:]):
                for offset in range(start, end, 2):
                    lines[offset] = line
        handlers = []
        if sys.version_info >= (3, 11):
            handlers = [(e.start, e.end, e.target, e.depth)
                        for e in dis.Bytecode(code).exception_entries]
        raw = getattr(code, "co_exceptiontable", b"")
        out.append([table.hex(), code.co_firstlineno, sorted(lines.items()), raw.hex(), handlers])
json.dump(out, sys.stdout)
"""


@pytest.mark.every_python
@pytest.mark.parametrize("found", interpreters(), ids=lambda found: found.id)
def test_the_tables_say_what_the_interpreter_says(found: Interpreter) -> None:
    version, path = found.version.removesuffix("t"), found.path
    answer = subprocess.run([path, "-c", PROGRAM], capture_output=True, check=True)
    codes = json.loads(answer.stdout)
    assert len(codes) > 150
    for table, first_line, lines, exceptions, handlers in codes:
        raw = bytes.fromhex(table)
        mine = [[offset, READERS[version](raw, first_line, offset)] for offset, _ in lines]
        assert mine == lines
        parsed = parse_exception_table(bytes.fromhex(exceptions))
        assert [[h.start, h.end, h.target, h.depth] for h in parsed] == handlers


def test_damaged_tables_end() -> None:
    assert parse_exception_table(b"\xff\xff\xff") == ()
    with pytest.raises(IndexError):
        line_since_3_11(b"\xf0\x40", 1, 100)
