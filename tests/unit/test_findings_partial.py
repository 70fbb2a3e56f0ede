"""What rules say of captures that are not complete: nothing that rests on what is missing.

Each recorded capture is made partial in two ways: it still grows, or its processes were read only
up to a bound.
"""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from hangtui import capture_file, findings
from hangtui.analysis.coverage import gaps, sentence
from hangtui.analysis.waitgraph import build
from hangtui.diagnosis import diagnose
from hangtui.findings.engine import Rule, judge, needs_of
from hangtui.findings.grounds import RING
from hangtui.findings.outcome import NotEnough
from hangtui.findings.reassurance import reassuring
from hangtui.model import Capture, Certainty, Finding, Gap, Notice, Part, Severity, Syscall
from tests.unit.factories import abba, capture, lock, thread, waits

SNAPSHOTS = sorted((Path(__file__).parents[2] / "snapshots").glob("*.hang"))
WITHOUT_STILLNESS = ("memory-limit", "descriptors-used-up")
"""What the kernel says by itself, whatever is known of the threads."""


def recorded(path: Path) -> Capture:
    return capture_file.load(path)


def growing(base: Capture, *pending: str) -> Capture:
    """*base* as it was while *pending* had not arrived."""
    processes = base.processes
    if Part.STILLNESS in pending:
        processes = tuple(
            replace(
                process,
                threads=tuple(
                    replace(one, still=None, still_ms=None, gil=None, gil_kept_ms=None)
                    for one in process.threads
                ),
            )
            for process in processes
        )
    return replace(base, processes=processes, pending=pending)


def cut_off(base: Capture) -> Capture:
    """*base* as if a bound had cut frames off in each of its processes."""
    processes = (replace(process, incomplete=("Python frames",)) for process in base.processes)
    return replace(base, processes=tuple(processes))


def variants(base: Capture) -> Iterator[Capture]:
    yield growing(base, *Part)
    yield growing(base, Part.NATIVE, Part.STILLNESS)
    yield growing(base, "something of a later version")
    yield cut_off(base)


def of(rule: Rule, base: Capture) -> tuple[Finding, ...]:
    return judge([rule], base, build(base)).findings


def test_the_recorded_captures_have_findings_of_many_rules() -> None:
    found = {one.id for path in SNAPSHOTS for one in findings.run(recorded(path))}

    assert {"deadlock", "self-deadlock", "gil-held-while-blocked", "nobody-left-to-wake"} <= found


@pytest.mark.parametrize("path", SNAPSHOTS, ids=lambda path: path.stem)
@pytest.mark.parametrize("rule", findings.RULES, ids=lambda rule: rule.ID)
def test_no_rule_judges_by_what_is_missing(rule: Rule, path: Path) -> None:
    base = recorded(path)
    for partial in variants(base):
        found = of(rule, partial)
        if needs_of(rule).missing(partial):
            assert found == ()
        if any(process.incomplete for process in partial.processes):
            assert found == () or not needs_of(rule).whole
        certain = (one.certainty is Certainty.CERTAIN for one in found if _worst(one))
        assert base.crash or all(certain)


@pytest.mark.parametrize("path", SNAPSHOTS, ids=lambda path: path.stem)
def test_what_grows_has_no_finding_of_what_stands_still_or_goes_on(path: Path) -> None:
    base = recorded(path)
    if base.crash is None:
        grown = diagnose(growing(base, Part.NATIVE, Part.STILLNESS))

        assert [one.id for one in grown.findings if one.id not in WITHOUT_STILLNESS] == []
        assert {reason for _, reason in grown.undecided} >= {
            "not read yet: native stacks, stillness"
        }


@pytest.mark.parametrize("rule", findings.RULES, ids=lambda rule: rule.ID)
def test_only_rules_that_look_at_single_threads_do_without_the_whole(rule: Rule) -> None:
    """A rule that says that nobody, or everybody, does something has to see all of them."""
    alone = {
        "crash",
        "actor-deadlock",
        "deadlock",
        "self-deadlock",
        "gil-held-while-blocked",
        "held-from-outside",
    }

    assert needs_of(rule).whole or rule.ID in {*alone, *WITHOUT_STILLNESS}


def contention() -> Capture:
    main, other = thread("MainThread", python=[]), thread("other", 102, python=[])
    inner = lock("inner", 0x10)
    moving = replace(main, still=False), replace(other, still=False)
    return capture(*moving, resources=[inner], waits=[waits(main, inner), waits(other, inner)])


def alive() -> Capture:
    return capture(replace(thread("MainThread", state="R", still=False, python=[]), runs=7))


def idle() -> Capture:
    return capture(replace(thread("MainThread", syscall=Syscall("nanosleep"), python=[]), runs=7))


def test_nothing_is_called_well_of_a_process_in_which_something_was_not_read() -> None:
    """What is known of it stays: a deadlock is one, whatever else is missing."""
    musl = Gap("who holds locks of C code", "its C library is musl")

    def with_gap(base: Capture) -> Capture:
        return replace(base, processes=tuple(replace(p, gaps=(musl,)) for p in base.processes))

    for identifier, base in (
        ("lock-contention", contention()),
        ("alive", alive()),
        ("idle", idle()),
    ):
        judged = diagnose(with_gap(base))
        assert {one.id for one in judged.findings}.isdisjoint(reassuring(findings.RULES))
        assert any(rule == identifier and "musl" in why for rule, why in judged.undecided)
    (sure,) = (one for one in findings.run(with_gap(abba())) if one.id == "deadlock")
    assert sure.severity is Severity.ERROR


@pytest.mark.parametrize(
    ("identifier", "base"),
    [("lock-contention", contention()), ("alive", alive()), ("idle", idle())],
)
def test_nothing_is_called_well_before_all_of_it_is_known(identifier: str, base: Capture) -> None:
    """While it was read, an innocent self-deadlock was held by one "which goes on and is about to
    pass it on"."""
    assert identifier in {one.id for one in findings.run(base)}
    for partial in variants(base):
        judged = diagnose(partial)
        assert judged.findings == ()
        assert identifier in {rule for rule, _ in judged.undecided}


def test_a_ring_by_frames_is_only_possible_where_frames_were_cut_off() -> None:
    whole = abba()
    (sure,) = (one for one in findings.run(whole) if one.id == "deadlock")
    (unsure,) = (one for one in findings.run(cut_off(whole)) if one.id == "deadlock")

    assert sure.severity is Severity.ERROR
    assert (unsure.severity, unsure.certainty) == (Severity.WARNING, Certainty.INFERRED)
    assert unsure.title.startswith("Possible deadlock")


def test_a_finding_about_others_stays_where_one_process_was_cut_off() -> None:
    mine, strange = thread("mine", 101, pid=7), thread("strange", 201, pid=8)
    base = capture(mine, strange)
    processes = tuple(
        replace(process, incomplete=("objects",)) if process.pid == 8 else process
        for process in base.processes
    )
    base = replace(base, processes=processes, notices=(Notice("cpython", "cut", None, 8),))
    rule = _Each()

    found = judge([rule], base, build(base))

    assert [one.threads[0].pid for one in found.findings] == [7]
    assert found.undecided == (
        (
            "each",
            sentence(8, gaps(base, base.processes[1])),
        ),
    )


class _Each:
    """A rule with one finding for each thread."""

    ID = "each"
    GROUND = RING

    def check(self, capture: Capture, graph: object) -> tuple[Finding, ...] | NotEnough:  # noqa: ARG002
        from hangtui.findings.words import ref

        return tuple(
            Finding("each", Severity.WARNING, Certainty.CERTAIN, "t", "s", (ref(one),))
            for one in capture.threads()
        )


def _worst(finding: Finding) -> bool:
    return finding.severity is Severity.ERROR
