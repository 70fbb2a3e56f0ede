"""What instructions a code object has, before and after the interpreter made them faster."""

import sys
from dataclasses import replace
from typing import Any

import pytest

from hangtui.backends.cpython.bytecode import Bytecode
from hangtui.backends.limits import Spending
from tests.unit.backends.test_cpython_wakers import code_of

LONG = "\n".join(
    ["def long(values, turns):", "    for turn in range(turns):"]
    + [f"        name_{i} = values.get({i + 1000})" for i in range(300)]
    + ["        if name_299: continue", "    return name_299"]
)


@pytest.mark.skipif(sys.version_info < (3, 11), reason="nothing is replaced there")
def test_replaced_instructions_are_read_as_what_they_stand_for() -> None:
    made: dict[str, Any] = {}
    exec(LONG, made)
    function = made["long"]
    for turns in (100, 100):
        function({1299: 1}, turns)
    code = code_of(function)
    fast = function.__code__._co_code_adaptive
    assert fast != code.instructions

    def read(raw: bytes) -> list[tuple[int, str, int, int]]:
        found = Bytecode(sys.version_info[:3], Spending()).instructions(
            replace(code, instructions=raw)
        )
        return [(one.start, one.name, one.argument, one.end) for one in found]

    assert read(fast) == read(code.instructions)
