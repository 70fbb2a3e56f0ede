"""Memory that grows from look to look, and the limit that it comes to."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from hangtui import findings
from hangtui.analysis.growth import growing
from hangtui.model import Capture, Surroundings
from tests.unit.factories import capture, thread

MIB = 2**20


def looks(sizes: Sequence[int | None], limit: int | None = 300) -> list[Capture]:
    """One second apart; sizes and limit in MiB."""
    made = capture(thread("MainThread"))
    around = Surroundings(memory_limit_bytes=None if limit is None else limit * MIB)
    captures = []
    for second, size in enumerate(sizes):
        rss = None if size is None else size * MIB
        process = replace(made.processes[0], rss_bytes=rss, around=around)
        taken = f"2030-01-02T03:04:{second:02}+00:00"
        captures.append(replace(made, taken_at=taken, processes=(process,)))
    return captures


@pytest.mark.parametrize(
    ("sizes", "grown"),
    [([10, 20, 40], [30]), ([10, 20, 20], []), ([10, None, 30], []), ([1, 9], [])],
)
def test_only_what_grows_from_each_look_to_the_next_counts(
    sizes: list[int | None], grown: list[int]
) -> None:
    found = list(growing(looks(sizes)))
    assert [one.grown_bytes // MIB for one in found] == grown


@pytest.mark.parametrize(
    ("sizes", "limit", "title"),
    [
        (
            [100, 130, 160],
            300,
            "grows, and at this pace reaches the memory limit of its cgroup in 5 s",
        ),
        ([100, 100, 160], 300, None),
        ([100, 101, 102], 300, None),
        ([100, 130, 160], None, None),
        ([250, 250, 250], 300, "uses 83% of the memory that its cgroup may have"),
    ],
)
def test_who_comes_to_the_limit_soon_is_told(
    sizes: list[int | None], limit: int | None, title: str | None
) -> None:
    captures = looks(sizes, limit)
    made = replace(captures[-1], growth=tuple(growing(captures)))
    found = [one.title for one in findings.run(made) if one.id == "memory-limit"]
    assert found == ([f"Process 100 {title}"] if title else [])
