"""A thread of a package's own that has called the program, and waits in it for ever."""

from dataclasses import replace

import pytest

from hangtui import findings
from hangtui.analysis.waitgraph import build
from hangtui.findings.outside.others_doing import told_others
from hangtui.findings.rest.rests import rests_of
from hangtui.findings.words import words_of
from hangtui.model import Capture, Finding, NativeFrame, NodeKind
from tests.unit.factories import LIBC, capture, lock, native_frame, python_frame, thread, waits

MQTT = "/venv/lib/python3.12/site-packages/mqtt/_mqtt.so"
PACKAGED = "/venv/lib/python3.12/site-packages/mqtt/client.py"


def packaged(function: str) -> NativeFrame:
    return replace(native_frame(function, MQTT), package="mqtt 1.2")


def client(*, begun: bool = True) -> Capture:
    """A callback waits for a future; *begun*: the package has begun its thread, not the program."""
    outer = [packaged("on_message"), packaged("loop_thread")] if begun else []
    called = thread(
        "MqttLoop",
        101,
        python=[
            python_frame("follow", 18),
            python_frame("on_request", 12),
            replace(python_frame("wrapper", 60, PACKAGED), package="mqtt 1.2"),
        ],
        native=[
            native_frame("PyThread_acquire_lock_timed"),
            native_frame("_PyEval_EvalFrameDefault"),
            *outer,
            native_frame("start_thread", LIBC),
        ],
    )
    rests = thread("MainThread", python=[python_frame("run", 30)])
    done = lock("done", 0x1, NodeKind.FUTURE)
    changed = lock("changed", 0x2, NodeKind.EVENT)
    return capture(
        called,
        rests,
        resources=[done, changed],
        waits=[waits(called, done), waits(rests, changed)],
    )


def told(made: Capture) -> Finding:
    (found,) = (one for one in findings.run(made) if one.id == "nobody-left-to-wake")
    return found


def test_what_a_package_does_in_a_thread_waits_for_the_callback_there() -> None:
    found = told(client())

    assert (
        "MqttLoop is a thread of mqtt 1.2's own, which has called main.py:12 (on_request) in "
        "on_message: until that returns, mqtt 1.2 does nothing else in this thread."
    ) in found.sentence
    assert "If it would finish done there, that thread waits for itself." in found.sentence
    assert "let main.py:12 (on_request) return at once" in found.advice[0]


def test_a_thread_of_the_programs_own_is_none_of_a_package() -> None:
    found = told(client(begun=False))

    assert "'s own, which has called" not in found.sentence


@pytest.mark.parametrize("begun", [True, False])
def test_who_takes_one_item_for_a_package_is_no_loop_at_rest(begun: bool) -> None:
    outer = [packaged("next_batch"), packaged("worker_main")] if begun else []
    takes = thread(
        "worker-0",
        101,
        python=[
            python_frame("wait", 355, "/usr/lib/python3.12/threading.py"),
            python_frame("get", 171, "/usr/lib/python3.12/queue.py"),
            python_frame("Hopper.next_batch", 16),
        ],
        native=[native_frame("_PyEval_EvalFrameDefault"), *outer],
    )
    back = lock("Hopper.back", 0x1, NodeKind.QUEUE)
    made = capture(takes, resources=[back], waits=[replace(waits(takes, back), call="Queue.get")])
    words = words_of(made, build(made))

    assert (rests_of(words).of(takes) is None) is begun
    told_so = "No thread and no task that is there is seen on the way to end the wait of worker-0"
    wakers = replace(back, wakers_known=True)
    known = replace(made, resources=(wakers,))
    assert (told_so in told_others([takes], words_of(known, build(known)))) is begun
