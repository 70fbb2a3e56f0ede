"""A pool of actors that have all ended, while blocks wait for one."""

from dataclasses import replace

from hangtui import findings
from hangtui.analysis.waitgraph import build
from hangtui.findings.outside.actors_ended import check
from hangtui.model import (
    ActorPool,
    Capture,
    NodeKind,
    Progress,
    Resource,
    Severity,
    shared_id,
)
from tests.unit.factories import capture, python_frame, thread

RAY = "/venv/lib/python3.11/site-packages/ray"
MAIN = thread(
    "MainThread",
    100,
    100,
    python=[
        python_frame("Dataset.materialize", 7957, f"{RAY}/data/dataset.py"),
        python_frame("score_all", 25),
    ],
)
ACTOR = shared_id(NodeKind.ACTOR, "ray-01")
POOL = ActorPool(100, "MapWorker(MapBatches(Scorer))", (MAIN.id,), 0, (ACTOR,), 0, 1)


def waits(*resources: Resource, looks: float = 2.0) -> Capture:
    seen = Progress(MAIN.id, 5, looks, 0.0, 0.0, same_line=True)
    return replace(capture(MAIN), actor_pools=(POOL,), progress=(seen,), resources=tuple(resources))


def test_its_only_actor_has_ended() -> None:
    made = waits()
    (finding,) = check(made, build(made))
    assert finding.severity is Severity.WARNING
    assert finding.title == (
        "MainThread waits at main.py:25 (score_all) for 2 s or more, in ray, for a pool of "
        "MapWorker(MapBatches(Scorer)): its only actor has ended, and 1 block waits for one"
    )


def test_a_moment_is_no_hang() -> None:
    made = waits(looks=0.2)
    (finding,) = check(made, build(made))
    assert finding.severity is Severity.NOTE


def test_an_actor_that_lives_in_a_process() -> None:
    lives = Resource(ACTOR, NodeKind.ACTOR, "the actor Scorer of process 200", 200, 0)
    made = waits(lives)
    assert not check(made, build(made))


def test_actors_that_are_started_anew_are_told_where_it_waits() -> None:
    made = replace(waits(), actor_pools=(replace(POOL, coming=2, queued=5),))
    assert not check(made, build(made))
    (finding,) = (one for one in findings.run(made) if one.id == "waiting-in-library")
    assert (
        "Of the actors of MapWorker(MapBatches(Scorer)) 1 has ended and 2 are being started, or "
        "started anew, and 5 blocks wait for one."
    ) in finding.sentence
