"""Ranks that take each other for the root of a collective operation."""

from dataclasses import replace

from hangtui import findings
from hangtui.model import Capture, Exchange
from tests.unit.test_findings_ranks import TORCH, rank, ranks, seen_standing


def _broadcasts(*roots: int | None, seen: bool = True) -> Capture:
    threads = [
        rank(200 + number, ("broadcast", TORCH, 3151), ("load_weights", "/app/main.py", 21))
        for number in range(len(roots))
    ]
    made = ranks(*threads)
    known = tuple(
        Exchange(one.id, "broadcast", root, None) for one, root in zip(threads, roots, strict=True)
    )
    return replace(seen_standing(made) if seen else made, exchanges=known)


def test_ranks_that_take_each_other_for_the_root() -> None:
    first = findings.run(_broadcasts(1, 0))[0]
    assert first.id == "collective-mismatch"
    assert first.title == (
        "Rank 0 and rank 1 take each other for the root of a broadcast at main.py:21 (load_weights)"
    )
    assert "with rank 1 as the root" in first.sentence
    assert "it ends when" not in first.sentence


def test_ranks_each_of_which_is_its_own_root() -> None:
    first = findings.run(_broadcasts(0, 1))[0]
    assert first.title.startswith("Rank 0 and rank 1 each take themselves for the root of a")
    assert "each of these takes itself for it: none of the others takes what it sends" in (
        first.sentence
    )


def test_one_root_of_all_is_no_ring() -> None:
    for roots in ((0, 0), (1, 1), (None, 0), (0, 1, 0), (0, 1, None)):
        assert not any("root" in one.title for one in findings.run(_broadcasts(*roots)))


def test_one_look_may_have_met_two_operations() -> None:
    assert not any("root" in one.title for one in findings.run(_broadcasts(1, 0, seen=False)))
