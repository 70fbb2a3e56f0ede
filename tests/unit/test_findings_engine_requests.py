"""Why an engine has nothing to run of what its server waits for, by its scheduler's record."""

from dataclasses import replace

import pytest

from hangtui import findings
from hangtui.model import Capture, Progress, Scheduler, Thread
from tests.unit.factories import capture, python_frame, thread

VLLM = "/venv/lib/python3.11/site-packages/vllm"


def server() -> Thread:
    return thread(
        "MainThread",
        200,
        200,
        python=[
            python_frame("get", 171, "/usr/lib/python3.11/queue.py"),
            python_frame("SyncMPClient.get_output", 993, f"{VLLM}/v1/engine/core_client.py"),
            python_frame("LLM.generate", 473, f"{VLLM}/entrypoints/llm.py"),
            python_frame("answer", 114),
        ],
    )


def engine(*functions: str) -> Thread:
    core = f"{VLLM}/v1/engine/core.py"
    return thread("MainThread", 301, 301, python=[python_frame(one, 9, core) for one in functions])


def waiting(scheduler: Scheduler, *functions: str) -> Capture:
    made = capture(server(), engine(*functions, "run_busy_loop"))
    processes = [replace(p, ppid=200) if p.pid == 301 else p for p in made.processes]
    seen = (Progress(one.id, 5, 2.0, 2.0, 0.0, same_line=True) for one in made.threads())
    return replace(made, processes=tuple(processes), schedulers=(scheduler,), progress=tuple(seen))


def said(made: Capture) -> tuple[str, str]:
    found = next(one for one in findings.run(made) if one.id == "waiting-in-library")
    return found.title, found.sentence


def test_requests_that_wait_for_blocks_which_nobody_loads() -> None:
    held = Scheduler(301, None, 2, (("WAITING_FOR_REMOTE_KVS", 2),))
    title, sentence = said(waiting(held, "_process_engine_step"))
    assert "has only requests that it cannot run (WAITING_FOR_REMOTE_KVS)" in title
    assert "has 2 requests, none of which it can run: 2 in the state WAITING_FOR_REMOTE_KVS." in (
        sentence
    )
    assert "They wait for blocks of the KV cache, which its connector has to load." in sentence


@pytest.mark.parametrize("states", [(), (("RUNNING", 1), ("WAITING_FOR_REMOTE_KVS", 1))])
def test_an_engine_that_has_something_to_run_is_not_said_to_be_kept(
    states: tuple[tuple[str, int], ...],
) -> None:
    title, _ = said(waiting(Scheduler(301, None, 2, states), "_process_engine_step"))
    assert "cannot run" not in title


def test_an_engine_without_requests_owes_nothing_any_more() -> None:
    title, sentence = said(waiting(Scheduler(301, None, 0), "_process_input_queue"))
    assert "which is to answer, has no request left" in title
    assert "has been taken by another one, or was lost on the way" in sentence
    title, _ = said(waiting(Scheduler(301, None, 0), "_process_engine_step"))
    assert "no request left" not in title


def test_a_grammar_is_told_with_the_thread_that_makes_it() -> None:
    state = "WAITING_FOR_STRUCTURED_OUTPUT_GRAMMAR"
    made = waiting(Scheduler(301, None, 1, ((state, 1),)), "_process_engine_step")
    file = f"{VLLM}/v1/structured_output/backend_xgrammar.py"
    makes = thread("pool_0", 301, 302, python=[python_frame("compile_grammar", 112, file)])
    processes = [
        replace(p, threads=(*p.threads, makes)) if p.pid == 301 else p for p in made.processes
    ]
    _, sentence = said(replace(made, processes=tuple(processes)))
    assert "It waits for its grammar, which is compiled first." in sentence
    assert "is at that, in backend_xgrammar.py:112 (compile_grammar)." in sentence
