"""What findings about ranks that wait for each other in a circle have in common."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from hangtui.findings.jobs import caller
from hangtui.findings.outside.job_at_rest import calm, nobody_left
from hangtui.findings.stack_queries import at, still
from hangtui.findings.words import Words, ref
from hangtui.model import Certainty, Finding, Severity, Thread

OTHER_THREADS = "whether another thread of theirs would take part"
TIMEOUT = "when a timeout of the group makes an error of that"
"""What is not known of them."""


def ways_round(following: Mapping[int, int]) -> Iterator[list[int]]:
    """From each number whose way by *following* comes back to it, that way; not of those that lead
    to themselves at once."""
    for start in following:
        way: list[int] = []
        one = start
        while one in following and one not in way:
            way.append(one)
            one = following[one]
        if one == start and len(way) > 1:
            yield way


class Circle(NamedTuple):
    """What is said of one."""

    threads: list[Thread]
    """One of each rank."""
    title: str
    """Up to where the first of them is in its call."""
    sentence: str
    read: list[str]
    """What of their calls' variables tells it, as evidence."""
    unknown: tuple[str, ...]
    advice: str


def circle_finding(id_: str, circle: Circle, words: Words) -> Finding:
    """An error if nobody that is seen could have them get on, else a warning."""
    threads = circle.threads
    never = nobody_left(threads, words)
    sure = never or calm(threads, words)
    return Finding(
        id=id_,
        severity=Severity.ERROR if sure else Severity.WARNING,
        certainty=Certainty.INFERRED,
        title=f"{circle.title}{at(caller(threads[0]))}",
        sentence=circle.sentence,
        threads=tuple(map(ref, threads)),
        evidence=(
            *(f"{one}: read from the call's variables" for one in circle.read),
            still(threads),
        ),
        unknown=circle.unknown,
        advice=(circle.advice,),
        never_ends=never,
    )
