"""What keeps one rank of a job is told with the other ranks that wait for it."""

from dataclasses import replace

from hangtui import findings
from hangtui.analysis.waitgraph import build
from hangtui.diagnosis import diagnose
from hangtui.findings.other_ranks import with_other_ranks
from hangtui.findings.outside_in import outside_in
from hangtui.findings.words import ref
from hangtui.model import (
    Capture,
    Certainty,
    Finding,
    JobPlace,
    NodeKind,
    Progress,
    PythonFrame,
    Resource,
    Severity,
    Surroundings,
    Thread,
)
from hangtui.report.markdown import to_markdown
from tests.unit.factories import capture, holds, lock, python_frame, thread, waits

TORCH = "/venv/lib/python3.11/site-packages/torch/distributed/distributed_c10d.py"
SIZE = 8
REDUCES = (python_frame("all_reduce", 2501, TORCH), python_frame("train", 41))
ENDS = (python_frame("barrier", 4500, TORCH), python_frame("finish", 60))
RECEIVES = (python_frame("recv", 2520, TORCH), python_frame("step", 52))
A, B = lock("prices", 1, pid=203), lock("stock", 2, pid=203)


def main_of(number: int, *stack: PythonFrame) -> Thread:
    return thread("MainThread", 200 + number, 200 + number, python=stack)


def job(*mains: Thread, beside: tuple[Thread, ...] = (), looks: bool = True) -> Capture:
    """Ranks by the order of their main threads; rank 3's waits for a lock that its refresher has,
    and which waits for the other lock."""
    made = capture(*mains, *beside)
    size = len(mains)
    processes = [
        replace(one, ppid=50, around=Surroundings(job=JobPlace(one.pid - 200, 0, size)))
        for one in made.processes
    ]
    seen = tuple(Progress(t.id, 5, 2.0, 2.0, 0.0) for t in made.threads()) if looks else ()
    return replace(made, processes=tuple(processes), progress=seen)


def deadlocked(*others: Thread, looks: bool = True) -> Capture:
    main = main_of(3, python_frame("charge", 27))
    refresher = thread("refresh", 303, 203, python=[python_frame("refresh", 33)])
    mains = (*others[:3], main, *others[3:])
    resources: tuple[Resource, ...] = (A, B)
    return replace(
        job(*mains, beside=(refresher,), looks=looks),
        resources=resources,
        waits=(waits(main, A), waits(refresher, B)),
        holds=(holds(A, refresher), holds(B, main)),
    )


def ranks(*stack: PythonFrame, but: int = 3) -> list[Thread]:
    return [main_of(number, *stack) for number in range(SIZE) if number != but]


def first(made: Capture) -> Finding:
    return findings.run(made)[0]


def test_a_deadlock_in_a_rank_names_the_ranks_that_wait_for_it() -> None:
    found = findings.run(deadlocked(*ranks(*REDUCES)))

    assert [one.id for one in found] == ["deadlock"], "that ranks wait is no finding besides"
    assert found[0].severity is Severity.ERROR
    said = "Ranks 0-2, 4-7 wait for rank 3 in all_reduce at main.py:41 (train)."
    assert found[0].sentence.endswith(said)
    assert found[0].title.endswith(
        "; ranks 0-2, 4-7 wait for rank 3 in all_reduce at main.py:41 (train)"
    )
    assert [one.pid for one in found[0].victims] == [200, 201, 202, 204, 205, 206, 207]
    assert "no collective is on the stack of rank 3" in found[0].evidence[-1]


def test_ranks_in_several_operations_are_told_by_line() -> None:
    mains = ranks(*REDUCES)
    finding = first(deadlocked(*mains[:-1], main_of(7, *ENDS)))
    assert finding.sentence.endswith(
        "Ranks 0-2, 4-6 wait for rank 3 in all_reduce at main.py:41 (train); "
        "rank 7 in barrier at main.py:60 (finish)."
    )


def test_in_one_look_it_is_not_known_whether_they_wait_for_one_that_may_come() -> None:
    said = "Ranks 0-2, 4-7 wait for rank 3 in all_reduce at main.py:41 (train)."
    assert first(deadlocked(*ranks(*REDUCES), looks=False)).sentence.endswith(said)

    made = deadlocked(*ranks(*REDUCES), looks=False)
    (main,) = (one for one in made.threads() if one.tid == 203)
    about = Finding("rule", Severity.WARNING, Certainty.PROVEN, "t", "It waits.", (ref(main),))
    (told,) = with_other_ranks([about], made, build(made))
    assert told.sentence == (
        "It waits. Ranks 0-2, 4-7 are in all_reduce at main.py:41 (train), which rank 3 has not "
        "called."
    )


def test_who_receives_is_told_to_wait_for_another_rank() -> None:
    mains = ranks(*REDUCES)
    finding = first(deadlocked(*mains[:-1], main_of(7, *RECEIVES)))
    assert finding.sentence.endswith(
        "wait for rank 3 in all_reduce at main.py:41 (train); rank 7 waits in recv at main.py:52 "
        "(step) until another rank takes part."
    )
    finding = first(deadlocked(*ranks(*RECEIVES)))
    assert finding.sentence.endswith(
        "Ranks 0-2, 4-7 wait in recv at main.py:52 (step) until another rank takes part."
    )


def test_of_several_findings_the_first_has_the_ranks_as_victims() -> None:
    made = deadlocked(*ranks(*REDUCES))
    (main,) = (one for one in made.threads() if one.tid == 203)
    about = [
        Finding(f"rule-{n}", Severity.WARNING, Certainty.PROVEN, "t", "It waits.", (ref(main),))
        for n in range(2)
    ]
    told = with_other_ranks(about, made, build(made))
    assert [len(one.victims) for one in told] == [7, 0]
    assert told[0].sentence == told[1].sentence != "It waits."

    of_them = replace(about[0], threads=tuple(map(ref, made.threads())))
    note = replace(about[0], severity=Severity.NOTE)
    for other in (of_them, note):
        assert with_other_ranks([other], made, build(made)) == [other]


def test_the_chain_begins_with_all_ranks_that_wait_alike() -> None:
    made = deadlocked(*ranks(*REDUCES))
    (main,) = (one for one in made.threads() if one.tid == 203)
    (outer,) = outside_in(made, build(made), (main.id,))
    assert (outer.inferred, outer.ranks) == (True, "ranks 0-2, 4-7")


def test_a_rank_that_waits_with_a_lock_which_the_others_need_is_in_a_ring() -> None:
    mains = [main_of(0, *ENDS), *(main_of(n, python_frame("fill", 45)) for n in range(1, 4))]
    cache = lock("the file lock /tmp/cache", 5, NodeKind.FILE_LOCK, pid=0)
    made = replace(
        job(*mains),
        resources=(cache,),
        waits=tuple(waits(one, cache) for one in mains[1:]),
        holds=(holds(cache, mains[0]),),
    )
    finding = first(made)
    assert finding.id == "file-locked"
    assert finding.sentence.endswith(
        "Rank 0 waits for ranks 1-3 in barrier at main.py:60 (finish), so none of these gets on."
    )


def test_markdown_tells_the_ranks_that_wait_behind_it_as_one() -> None:
    text = to_markdown(diagnose(deadlocked(*ranks(*REDUCES))))
    assert "Ranks 0-2, 4-7 wait for rank 3 in all_reduce at main.py:41 (train)." in text
    assert "1. MainThread of ranks 0-2, 4-7\n" in text
    assert "MainThread (TID" not in text


def test_a_lock_that_is_polled_for_and_had_by_a_rank_in_a_collective_is_a_ring() -> None:
    reads, builds = main_of(0, *ENDS), main_of(1, python_frame("load_rows", 21))
    beside = replace(thread("pt_gloo_runloop", 300, 200), is_python=False)
    cache = lock("the file lock /tmp/rows.lock", 5, NodeKind.FILE_LOCK, pid=0)
    polls = replace(waits(builds, cache, Certainty.INFERRED), expires=True)
    made = replace(
        job(reads, builds, beside=(beside,)),
        resources=(cache,),
        waits=(polls,),
        holds=(holds(cache, beside),),
    )
    finding = first(made)
    assert (finding.id, finding.severity) == ("file-locked", Severity.WARNING)
    assert finding.title.startswith("Possible deadlock: ")
    assert "Rank 0 waits for rank 1 in barrier at main.py:60 (finish)" in finding.sentence
    assert finding.advice == ("Give the lock back before waiting for whoever needs it.",)
    assert not first(replace(made, progress=())).title.startswith("Possible deadlock: ")
