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


def _messages(*halves: tuple[str, int]) -> Capture:
    threads = [
        rank(200 + number, (half, TORCH, 2799), ("pass_on", "/app/main.py", 21 + number))
        for number, (half, _) in enumerate(halves)
    ]
    known = tuple(
        Exchange(one.id, half, peer, 0) for one, (half, peer) in zip(threads, halves, strict=True)
    )
    return replace(seen_standing(ranks(*threads)), exchanges=known)


def test_ranks_that_wait_in_a_ring_for_the_other_half_of_a_message() -> None:
    made = _messages(("recv", 2), ("send", 0), ("recv", 1))
    first = findings.run(made)[0]
    assert first.title.startswith(
        "Rank 0, rank 2 and rank 1 wait in a ring for the other half of a message, recv at main.py"
    )
    assert "(pass_on) for a message of rank 2" in first.sentence
    assert "(pass_on), until rank 0 receives it" in first.sentence


def test_two_halves_that_meet_are_no_ring() -> None:
    for halves in ((("recv", 1), ("send", 0)), (("recv", 1), ("send", 0), ("recv", 1))):
        assert not any("in a ring" in one.title for one in findings.run(_messages(*halves)))


def _grouped(*calls: tuple[str, str, tuple[int, ...]]) -> Capture:
    threads = [
        rank(200 + number, (operation, TORCH, 3252), ("add_up", "/app/main.py", 21))
        for number, (operation, _, _) in enumerate(calls)
    ]
    known = tuple(
        Exchange(one.id, operation, None, None, group, members)
        for one, (operation, group, members) in zip(threads, calls, strict=True)
    )
    return replace(seen_standing(ranks(*threads)), exchanges=known)


def test_ranks_that_wait_for_each_other_in_operations_of_different_groups() -> None:
    made = _grouped(
        ("all_reduce", "1", (0, 1)), ("all_reduce", "2", (1, 2)), ("all_reduce", "3", (0, 2))
    )
    first = findings.run(made)[0]
    assert first.title.startswith(
        "Rank 0, rank 1 and rank 2 wait for each other in operations of different groups"
    )
    assert "(add_up), of the group of ranks 0-1, for rank 1" in first.sentence


def test_ranks_of_different_groups_need_not_be_in_one_operation() -> None:
    made = _grouped(
        ("all_reduce", "1", (0, 1)), ("all_reduce", "1", (0, 1)),
        ("barrier", "2", (2, 3)), ("barrier", "2", (2, 3)),
    )  # fmt: skip
    assert "collective-mismatch" not in [one.id for one in findings.run(made)]
    assert not any("it ends when" in one.sentence for one in findings.run(made))
