"""Samples of threads that run: what the kernel writes, and memory with a sampled stack in it."""

import os
import struct
import threading

import pytest

from hangtui.backends.memory.process_memory import ProcessMemory
from hangtui.backends.memory.sampled import SampledMemory
from hangtui.backends.unwind import perf
from hangtui.backends.unwind.perf import SamplingError, sample_threads


def test_a_thread_that_runs_is_sampled_and_one_that_sleeps_is_not() -> None:
    stop = threading.Event()
    sleeper = threading.Thread(target=stop.wait)
    sleeper.start()

    def spin() -> None:
        while not stop.is_set():
            pass

    spinner = threading.Thread(target=spin)
    spinner.start()
    tids = [spinner.native_id or 0, sleeper.native_id or 0]
    try:
        found = _sampled(tids)
    finally:
        stop.set()
        spinner.join()
        sleeper.join()

    assert list(found) == tids[:1]
    sample = found[tids[0]]
    assert sample.address
    assert sample.stack


def _sampled(tids: list[int]) -> dict[int, perf.Sample]:
    """Samples, once there are some: on a busy machine a thread may have to wait for its turn."""
    for _ in range(100):
        try:
            found = sample_threads(os.getpid(), tids, 0.1)
        except SamplingError as error:
            pytest.skip(f"threads cannot be sampled here: {error}")
        if found:
            return found
    return {}


def test_a_kernel_that_refuses_is_one_clear_error(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: int) -> int:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(perf, "_open", refuse)

    with pytest.raises(SamplingError, match="Operation not permitted"):
        sample_threads(os.getpid(), [os.getpid()], 0.1)


def test_a_thread_that_has_ended_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def gone(_: int) -> int:
        raise ProcessLookupError(3, "No such process")

    monkeypatch.setattr(perf, "_open", gone)

    assert sample_threads(2**22 - 1, [2**22 - 1], 0.1) == {}


def test_records_that_break_off_end_the_reading() -> None:
    whole = struct.pack("<IHH", 9, 0, 16) + b"x" * 8
    assert [kind for kind, _ in perf._records(whole + whole, 32)] == [9, 9]
    assert list(perf._records(whole[:12], 24)) == []
    assert list(perf._records(struct.pack("<IHH", 9, 0, 0), 8)) == []


def test_the_sampled_stack_lies_over_the_memory() -> None:
    with ProcessMemory(os.getpid()) as memory:
        mapping = next(one for one in memory.mappings if one.path == "[stack]")
        start = mapping.end - 4096 + 24
        before = memory.read(start - 8, 40)
        sampled = SampledMemory(memory, start, b"s" * 16)

        assert sampled.read(start - 8, 40) == before[:8] + b"s" * 16 + before[24:]
        assert sampled.u64(start) == int.from_bytes(b"s" * 8, "little")
        assert sampled.root == memory.root
