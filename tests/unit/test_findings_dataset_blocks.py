"""Who waits for blocks of a dataset of Ray Data, and who makes these."""

from dataclasses import replace

from hangtui import findings
from hangtui.analysis.waitgraph import build
from hangtui.findings.outside import waiting_in_library
from hangtui.model import Capture, NodeKind, Progress, Severity
from tests.unit.factories import capture, holds, lock, process, python_frame, thread, waits

_DATA = "/venv/lib/python3.11/site-packages/ray/data/"
_EXECUTION = f"{_DATA}_internal/execution/"


def _made() -> Capture:
    stack = [
        python_frame("get_output_blocking", 567, f"{_EXECUTION}streaming_executor_state.py"),
        python_frame("_wrapped_iterator", 357, f"{_DATA}iterator.py"),
        python_frame("train", 41),
    ]
    takes = replace(thread("MainThread", 100, 100, python=stack), is_python=True)
    stack = [
        python_frame("score", 9),
        python_frame("_map_task", 500, f"{_EXECUTION}operators/map_operator.py"),
    ]
    makes = thread("MainThread", 200, 200, python=stack)
    peer = lock("the TCP connection to 10.0.0.9:80", 1, NodeKind.SOCKET, pid=200)
    made = capture(resources=(peer,), waits=(replace(waits(makes, peer), operation="receive"),))
    made = replace(made, processes=(process(100, takes), process(200, makes)))
    seen = [Progress(one.id, 5, 4.0, 4.0, 0.0, same_line=True) for one in made.threads()]
    return replace(made, progress=tuple(seen))


def test_what_those_do_who_make_the_blocks_that_are_waited_for() -> None:
    made = _made()
    found = waiting_in_library.check(made, build(made))
    (finding,) = (one for one in found if one.threads[0].pid == 100)
    assert "for blocks of a dataset (Ray Data)" in finding.title
    assert "Of the workers that make such blocks MainThread" in finding.sentence
    assert "waits at main.py:9 (score)" in finding.sentence


def test_who_waits_for_blocks_waits_behind_who_makes_them() -> None:
    found = findings.run(_made())
    worse = [one for one in found if one.severity is not Severity.NOTE]
    (first,) = (one for one in worse if one.threads[0].pid == 200)
    assert "waits behind that: MainThread of process 100 at main.py:41 (train)." in first.sentence
    assert 100 in {one.pid for one in first.victims}


def test_who_makes_them_waits_for_who_wants_them() -> None:
    made = _made()
    takes, makes = made.threads()
    grind = lock("the actor Miller", 2, NodeKind.ACTOR, pid=100)
    made = replace(
        made,
        resources=(grind,),
        waits=(waits(makes, grind),),
        holds=(holds(grind, takes),),
    )
    found = waiting_in_library.check(made, build(made))
    (finding,) = (one for one in found if one.threads[0].pid == 100)
    assert finding.severity is Severity.WARNING
    assert "which makes such, waits at main.py:9 (score) for it in turn" in finding.title
