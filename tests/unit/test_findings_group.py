"""Process groups of torch that lack a member."""

from dataclasses import replace

from hangtui.analysis.waitgraph import build
from hangtui.findings.wakeups.group_incomplete import check
from hangtui.model import (
    Capture,
    Joining,
    NodeKind,
    Progress,
    Resource,
    Severity,
    Thread,
    shared_id,
)
from tests.unit.factories import capture, holds, process, python_frame, thread

TORCH = "/venv/lib/python3.11/site-packages/torch/distributed/distributed_c10d.py"


def _stands(pid: int, function: str) -> Thread:
    stack = [python_frame(function, 15, "/app/main.py")]
    return replace(thread("MainThread", pid, python=stack), pid=pid)


def _family(*threads: Thread, joinings: tuple[Joining, ...]) -> Capture:
    made = replace(
        capture(),
        processes=tuple(process(one.pid, one) for one in threads),
        joinings=joinings,
    )
    return replace(made, progress=tuple(Progress(t.id, 5, 4.0, 4.0, 0.0) for t in threads))


def _here(member: Thread, store: str, rank: int, *called: str) -> Joining:
    actors = tuple(shared_id(NodeKind.ACTOR, one) for one in called)
    return Joining(
        member.id, True, "ProcessGroupGloo", "main.py:15", None, store, rank, 3, called=actors
    )


def test_who_comes_to_the_same_function_next_is_the_member_that_lacks() -> None:
    members, trainer = [_stands(pid, "join") for pid in (101, 102)], _stands(103, "connect")
    other = _stands(104, "connect")
    here = tuple(_here(one, "127.0.0.1:9", rank) for rank, one in enumerate(members, 1))
    comes = Joining(trainer.id, False, "TCPStore", "main.py:57", "join")
    elsewhere = Joining(other.id, False, "TCPStore", "main.py:80", "join_others")
    made = _family(*members, trainer, other, joinings=(*here, comes, elsewhere))
    (finding,) = check(made, build(made))
    assert finding.severity is Severity.WARNING
    assert "for rank 0 of 3: process 103 has not come" in finding.title
    assert "comes to join() at main.py:57 next" in finding.sentence
    assert not check(replace(made, joinings=here), build(made))  # nobody is known who would come


def test_groups_that_lack_each_others_members_are_told_as_one() -> None:
    stages, engines = [_stands(pid, "join") for pid in (101, 102)], [_stands(pid, "join")
                       for pid in (201, 202)]  # fmt: skip
    both = ("first", "second")
    joinings = tuple(
        one
        for number, store in enumerate(("127.0.0.1:7", "127.0.0.1:8"))
        for one in (
            _here(stages[number], store, 0, *both),
            _here(engines[number], store, 1),
        )
    )
    made = _family(*stages, *engines, joinings=joinings)
    actors = [shared_id(NodeKind.ACTOR, one) for one in both]
    resources = tuple(Resource(node, NodeKind.ACTOR, "the actor", 201, 0) for node in actors)
    held = tuple(holds(actor, one) for one, actor in zip(engines, resources, strict=True))
    made = replace(made, resources=resources, holds=held)
    (finding,) = check(made, build(made))
    assert len(finding.threads) == 4
    assert finding.title.endswith("for rank 2 of 3: process 202 has not come")
    assert "Each group lacks one that waits in another" in finding.sentence
