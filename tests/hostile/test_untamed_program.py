"""A program that is too large to be looked through is not given to a gdb that nothing holds."""

import os
import shutil
import time
from pathlib import Path

import pytest

from hangtui.backends.debugger.factories import LiveDebuggers
from hangtui.model import TargetError
from tests.hostile.attacks import needs_root, nobodys, opens
from tests.hostile.test_gdb_files import linked, runs
from tests.integration.native_programs import await_sleep

pytestmark = [
    pytest.mark.skipif(
        not (shutil.which("gdb") and shutil.which("gcc")), reason="no gdb, or no compiler"
    ),
    needs_root,
]
_TOO_LARGE = (256 << 20) + 1
"""Bytes; nearly all of them a hole, which costs an attacker nothing."""


@pytest.mark.parametrize("kind", ["file", "pipe"])
async def test_a_stop_of_a_process_with_a_large_program(kind: str, shared: Path) -> None:
    (program, words), (trap,) = linked(shared)
    os.truncate(program, _TOO_LARGE)
    if kind == "pipe":
        trap.unlink()
        os.mkfifo(trap, 0o666)
    began = time.monotonic()
    with nobodys(program, words) as process, opens([trap]) as opened:
        await_sleep(process.pid)
        debugger = await LiveDebuggers().open(process.pid, {})
        try:
            with pytest.raises(TargetError, match="cannot be looked through"):
                await debugger.stop()
        finally:
            await debugger.close()
        assert runs(process.pid)
    assert time.monotonic() - began < 30
    assert opened == []
