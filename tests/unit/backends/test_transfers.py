"""What the kernel counts of a thread's reads and writes."""

import os
import threading
from pathlib import Path

import pytest

from hangtui.backends.procfs.transfers import transfers_of
from hangtui.model import Transfers

COUNTS = "rchar: 90\nwchar: 7\nsyscr: 3\nsyscw: 1\nread_bytes: 0\nwrite_bytes: 0\n"


def test_the_counters_of_one_thread(tmp_path: Path) -> None:
    (tmp_path / "io").write_text(COUNTS)
    assert transfers_of(tmp_path) == Transfers(3, 90, 1, 7)


@pytest.mark.parametrize("text", ["", "rchar: 90\n", COUNTS.replace("7", "x"), "\n:\n"])
def test_what_is_not_told_as_it_should_be(tmp_path: Path, text: str) -> None:
    (tmp_path / "io").write_text(text)
    assert transfers_of(tmp_path) is None
    assert transfers_of(tmp_path / "gone") is None


def test_reads_at_the_end_of_a_pipe_are_counted_and_bring_nothing() -> None:
    reader, writer = os.pipe()
    os.close(writer)
    found: list[Transfers | None] = []

    def read() -> None:
        own = Path(f"/proc/self/task/{threading.get_native_id()}")
        found.append(transfers_of(own))
        for _ in range(500):
            os.read(reader, 10)
        found.append(transfers_of(own))

    thread = threading.Thread(target=read)
    thread.start()
    thread.join()
    os.close(reader)
    before, after = found
    if before is None or after is None:
        pytest.skip("this kernel does not count that")
    moved = after.since(before)

    assert moved.reads >= 500
    assert moved.read_bytes < 2000, "that of reading the counters"
