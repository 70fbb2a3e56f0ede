"""Waits for keys of a store of torch that lies in the memory of one process."""

from dataclasses import replace

import pytest

from hangtui import findings
from hangtui.model import Capture, Progress, Severity, StoreKeys, Thread
from tests.unit.factories import capture, native_frame, python_frame, thread

TORCH_CPU = "/venv/lib/python3.11/site-packages/torch/lib/libtorch_cpu.so"
GET = "c10d::HashStore::get(std::__cxx11::basic_string<char> const&)"
OVER = "c10d::PrefixStore::wait(std::vector<std::string> const&)"


def _asks(name: str, tid: int, function: str, *below: str) -> Thread:
    made = thread(name, tid, 100, python=[python_frame(function, tid - 90)])
    stack = tuple(native_frame(one, TORCH_CPU) for one in ("pthread_cond_timedwait", GET, *below))
    return replace(made, native_stack=stack)


def _made(*threads: Thread, keys: tuple[str, ...]) -> Capture:
    return replace(
        capture(*threads),
        store_keys=tuple(
            StoreKeys(one.id, (key,)) for one, key in zip(threads, keys, strict=False)
        ),
        progress=tuple(
            Progress(one.id, 5, 2.0, 2.0, 0.0, same_stack=True, same_line=True) for one in threads
        ),
    )


@pytest.mark.parametrize("below", [(), (OVER,)])
def test_threads_of_one_process_wait_for_keys_of_each_other(below: tuple[str, ...]) -> None:
    reader, planner = _asks("MainThread", 100, "read_plan", *below), _asks("planner", 101, "plan")

    first = findings.run(_made(reader, planner, keys=("plan-3", "receipt-3")))[0]

    assert first.id == "waiting-in-library"
    assert first.severity is Severity.WARNING
    assert 'for the key "plan-3" of the store in its process (HashStore)' in first.title
    assert (
        "any thread of its process may. Meanwhile planner waits at main.py:11 (plan) for the key "
        '"receipt-3".'
    ) in first.sentence
    assert "of the job" not in first.sentence


def test_a_thread_that_goes_on_may_set_it() -> None:
    reader, planner = (
        _asks("MainThread", 100, "read_plan"),
        thread("planner", 101, 100, python=[python_frame("plan", 11)]),
    )
    made = _made(reader, keys=("plan-3",))
    made = replace(_made(reader, planner, keys=("plan-3",)), progress=made.progress)

    first = next(one for one in findings.run(made) if one.id == "waiting-in-library")

    assert first.severity is Severity.NOTE
