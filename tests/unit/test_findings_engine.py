"""The rule engine: ranking, what hides what, victims, filters, and rules that cannot judge."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from types import ModuleType

import pytest

from hangtui import findings
from hangtui.analysis.waitgraph import WaitGraph, build
from hangtui.diagnosis import diagnose
from hangtui.findings.engine import Rule, judge
from hangtui.findings.grounds import COUNTED, CRASH, GROUNDS, ONE_WAIT, RING, Ground
from hangtui.findings.outcome import NotEnough, Result
from hangtui.findings.words import ref
from hangtui.model import (
    Capture,
    Certainty,
    Finding,
    NodeKind,
    Reason,
    Severity,
    Thread,
    process_id,
    task_id,
)
from tests.unit.factories import (
    abba,
    capture,
    holds,
    lock,
    python_frame,
    thread,
    waits,
    with_thread,
)


@dataclass(frozen=True)
class Fixed:
    """A rule with a fixed answer."""

    ID: str
    result: Result
    GROUND: Ground = RING

    def check(self, capture: Capture, graph: WaitGraph) -> Result:  # noqa: ARG002
        return self.result


def made(name: str, *threads: Thread, severity: Severity = Severity.WARNING) -> Finding:
    refs = tuple(ref(one) for one in threads)
    return Finding(name, severity, Certainty.CERTAIN, name, f"It is {name}.", refs)


def told(rules: Sequence[Rule], base: Capture) -> list[str]:
    return [finding.id for finding in judge(rules, base, build(base)).findings]


def test_the_worst_comes_first_and_then_the_more_specific_rule() -> None:
    one, two, three = thread("one", 101), thread("two", 102), thread("three", 103)
    rules = [
        Fixed("note", [made("note", one, severity=Severity.NOTE)]),
        Fixed("specific", [made("specific", two)]),
        Fixed("general", [made("general", three)]),
        Fixed("error", [made("error", two, severity=Severity.ERROR)]),
    ]

    assert told(rules, capture(one, two, three)) == ["error", "general", "note"]


def test_a_finding_about_victims_alone_is_hidden() -> None:
    root, victim, other = thread("root", 101), thread("victim", 102), thread("other", 103)
    base = capture(root, victim, other, waits=[waits(victim, root)])
    rules = [
        Fixed("cause", [made("cause", root)]),
        Fixed("consequence", [made("consequence", victim)]),
        Fixed("elsewhere", [made("elsewhere", victim, other)]),
    ]
    cause, elsewhere = judge(rules, base, build(base)).findings

    assert (cause.id, elsewhere.id) == ("cause", "elsewhere")
    assert [one.name for one in cause.victims] == ["victim"]
    assert cause.sentence == "It is cause. 1 more thread waits behind that: victim."


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        (NodeKind.FILE_LOCK, "victim, for the file lock book.txt."),
        (NodeKind.QUEUE, "victim, for an item of the file lock book.txt."),
        (NodeKind.MUTEX, "victim."),
    ],
)
def test_who_waits_behind_it_is_told_with_what_that_waits_for(kind: NodeKind, said: str) -> None:
    root, victim = thread("root", 101), thread("victim", 102)
    book = lock("the file lock book.txt", 0x1, kind)
    wait = waits(victim, book, text="Queue.get: it waits for an item")
    base = capture(root, victim, resources=[book], waits=[wait], holds=[holds(book, root)])
    (cause,) = judge([Fixed("cause", [made("cause", root)])], base, build(base)).findings
    assert cause.sentence.endswith(f"1 more thread waits behind that: {said}")


def test_an_error_is_hidden_only_by_one_of_the_same_threads() -> None:
    one, two = thread("one", 101), thread("two", 102)
    error = Severity.ERROR
    rules = [
        Fixed("special", [made("special", one, severity=error)]),
        Fixed("same", [made("same", one, severity=error)]),
        Fixed("wider", [made("wider", one, two, severity=error)]),
    ]

    assert told(rules, capture(one, two)) == ["special", "wider"]


def test_a_rule_that_cannot_judge_says_why() -> None:
    verdict = judge(
        [Fixed("blind", NotEnough("nothing was read"))], capture(thread("a")), WaitGraph()
    )

    assert verdict.findings == ()
    assert verdict.undecided == (("blind", "nothing was read"),)


def test_findings_are_allowed_and_chosen_by_id() -> None:
    assert findings.run(abba(), allow={"deadlock"}) == ()
    assert [f.id for f in findings.run(abba(), only={"deadlock"})] == ["deadlock"]
    assert findings.run(abba(), only={"idle"}) == ()


def test_who_waits_behind_a_busy_thread_is_told_and_hidden_by_nothing() -> None:
    busy, waiting = thread("busy", 101), thread("waiting", 102)
    base = capture(busy, waiting, waits=[waits(waiting, busy)])
    rules = [
        Fixed("work", [made("work", busy, severity=Severity.NOTE)], COUNTED),
        Fixed("rest", [made("rest", waiting, severity=Severity.NOTE)]),
    ]
    found = judge(rules, base, build(base)).findings
    assert [[one.name for one in finding.victims] for finding in found] == [["waiting"], []]


def test_what_waits_behind_something_equally_bad_does_not_come_before_it() -> None:
    root, victim = thread("root", 101), thread("victim", 102)
    base = capture(root, victim, waits=[waits(victim, root)])
    specific, cause = (
        Fixed("specific", [made("specific", victim)]),
        Fixed("cause", [made("cause", root)]),
    )
    assert told([specific, cause], base) == ["cause"]
    worse = Fixed("worse", [made("worse", victim, severity=Severity.ERROR)])
    assert told([worse, cause], base) == ["worse", "cause"]
    ring = capture(root, victim, waits=[waits(victim, root), waits(root, victim)])
    assert told([specific, cause], ring)[0] == "specific"


@pytest.mark.parametrize("tells", [False, True])
def test_victims_are_told_once_whatever_the_sentence_says(tells: bool) -> None:
    root, victim = thread("root", 101), thread("victim", 102)
    base = capture(root, victim, waits=[waits(victim, root)])
    said = replace(made("cause", root), sentence="It is in behind().", tells_victims=tells)
    (cause,) = judge([Fixed("cause", [said])], base, build(base)).findings
    assert cause.victims == (ref(victim),)
    assert ("waits behind that: victim" in cause.sentence) is not tells


def test_who_of_another_process_waits_behind_is_told_where_those_of_its_own_are() -> None:
    root, beside, other = thread("root", 101), thread("beside", 102), thread("other", 200, 200)
    base = capture(root, beside, other, waits=[waits(beside, root), waits(other, root)])
    said = replace(made("cause", root), tells_process=True)
    (cause,) = judge([Fixed("cause", [said])], base, build(base)).findings

    assert "1 more thread waits behind that: other" in cause.sentence


def test_what_a_library_runs_for_itself_is_not_said_to_wait_behind_anything() -> None:
    """A thread that watches for the end of the process that hangs."""
    root, victim = thread("root", 101), thread("victim", 102)
    file = "/venv/lib/python3.12/site-packages/engine/monitor.py"
    watcher = thread("DeathMonitor", 103, python=[python_frame("watch", 9, file)])
    pipe = lock("pipe", 0x1, NodeKind.PIPE)
    base = capture(
        root, victim, watcher, resources=[pipe], holds=[holds(pipe, root)],
        waits=[waits(victim, root), replace(waits(watcher, pipe), operation="read")],
    )  # fmt: skip
    (cause,) = judge([Fixed("cause", [made("cause", root)])], base, build(base)).findings

    assert cause.sentence == "It is cause. 1 more thread waits behind that: victim."
    assert ref(watcher) in cause.victims


def test_who_could_end_a_wait_is_not_said_to_wait_behind_it() -> None:
    """A server's thread waits for the next request of the client that waits for an answer."""
    client, server, other = (thread(name, 101 + n) for n, name in enumerate(("a", "server", "b")))
    answer, request = lock("answer", 0x1, NodeKind.SOCKET), lock("request", 0x2, NodeKind.SOCKET)
    base = capture(
        client,
        server,
        other,
        resources=[answer, request],
        waits=[waits(client, answer), waits(server, request), waits(other, answer)],
        holds=[holds(answer, server), holds(request, client)],
    )
    cause = replace(made("cause", client), resources=(answer.id,), sentence="It waits.")
    (found,) = judge([Fixed("cause", [cause])], base, build(base)).findings
    assert found.sentence == "It waits. 1 more thread waits behind that: b."
    assert set(found.victims) == {ref(server), ref(other)}
    cause = replace(cause, resources=())  # of a finding that is about the thread alone
    (found,) = judge([Fixed("cause", [cause])], base, build(base)).findings
    assert found.sentence == "It waits. 1 more thread waits behind that: b."


def test_a_finding_says_whom_it_covers_what_it_is_about_and_why() -> None:
    one, two = thread("one", 101), thread("two", 102)
    base = capture(one, two)
    (plain,) = judge([Fixed("x", [made("x", two, one)])], base, build(base)).findings
    assert (plain.subject, plain.processes, plain.reason) == (two.id, (100,), Reason.RING)
    task = task_id(200, 0x50)
    of_task = replace(made("x", one), tasks=(task,), processes=(300,))
    (about,) = judge([Fixed("x", [of_task])], base, build(base)).findings
    assert (about.subject, about.processes) == (task, (300, 200, 100))
    bare = replace(made("x"), processes=(300,))
    (about,) = judge([Fixed("x", [bare])], base, build(base)).findings
    assert about.subject == process_id(300)


def test_who_waits_behind_a_deadlock_is_a_victim_and_no_finding() -> None:
    victim = thread("victim", 201)
    base = abba()
    found = findings.run(with_thread(base, victim, waits=[waits(victim, base.resources[0])]))

    assert [finding.id for finding in found] == ["deadlock"]
    assert [one.name for one in found[0].victims] == ["victim"]


def test_processor_time_that_was_not_read_is_no_verdict() -> None:
    assert dict(diagnose(abba()).undecided)["busy"].startswith("the processor time")


@pytest.mark.parametrize("rule", findings.RULES, ids=lambda rule: rule.ID)
def test_every_rule_is_silent_about_an_empty_capture(rule: Rule) -> None:
    empty = capture()
    assert rule.check(empty, build(empty)) == []


def test_ids_are_unique() -> None:
    ids = findings.ids()
    assert len(set(ids)) == len(ids)
    modules = [rule for rule in findings.RULES if isinstance(rule, ModuleType)]
    assert len(modules) == len(findings.RULES)


def test_a_lock_that_nobody_waits_for_says_nothing() -> None:
    assert findings.run(capture(thread("a"), resources=[lock("L", 1)])) == ()


@pytest.mark.parametrize(
    ("crash", "left"), [("crash-null-pointer", []), ("crash-signalled", ["waiting"])]
)
def test_what_others_waited_for_is_not_why_a_process_crashed(crash: str, left: list[str]) -> None:
    crashed, other = thread("crashed", 101), thread("other", 102)
    rules = [
        Fixed("crash", [made(crash, crashed, severity=Severity.ERROR)], CRASH),
        Fixed("waiting", [made("waiting", other)]),
    ]

    assert told(rules, capture(crashed, other)) == [crash, *left]


@pytest.mark.parametrize("ground", GROUNDS, ids=lambda ground: ground.anchor)
def test_nothing_is_worse_than_what_it_rests_on_can_support(ground: Ground) -> None:
    one = thread("one", 101)
    rule = Fixed("bad", [made("bad", one, severity=Severity.ERROR)], ground)
    base = capture(one)
    (found,) = judge([rule], base, build(base)).findings

    assert found.severity is ground.worst


def test_what_keeps_a_started_program_is_told_from_the_line_that_waits_for_it() -> None:
    main = thread("MainThread", python=[python_frame("read_branches", 14)])
    git = replace(thread("git", 200, 200), is_python=False)
    output = replace(lock("pipe", 0x1, NodeKind.PIPE), name="stdout pipe of process 200")
    base = capture(
        main,
        git,
        resources=[output],
        waits=[waits(main, output, operation="read")],
        holds=[holds(output, git)],
    )
    program = replace(base.processes[1], python=None, cmdline=("git", "fetch"))
    base = replace(base, processes=(base.processes[0], program))
    name = "process 200 (git)"
    finding = replace(
        made("peer", git), title=f"{name} waits for its peer", sentence=f"{name} waits for data."
    )

    (found,) = judge([Fixed("peer", [finding])], base, build(base)).findings
    start = (
        f"MainThread waits at main.py:14 (read_branches) for data from the stdout pipe of {name}"
    )
    assert found.title == f"{start}, which waits for its peer"
    assert found.sentence == f"{start}: that waits for data."
    assert found.where is not None
    assert found.where.function == "read_branches"


def test_what_a_started_process_waits_for_comes_behind_what_keeps_the_one_that_started_it() -> None:
    main, child = thread("MainThread", 100), thread("MainThread", 200, pid=200)
    base = capture(main, child, waits=[waits(child, main)])
    parent, started = base.processes
    rules = [
        Fixed("child", [made("child", child, severity=Severity.NOTE)], ONE_WAIT),
        Fixed("parent", [made("parent", main, severity=Severity.NOTE)], ONE_WAIT),
    ]

    assert told(rules, base) == ["child", "parent"]
    started = replace(started, ppid=parent.pid)
    assert told(rules, replace(base, processes=(parent, started))) == ["parent", "child"]


def test_who_waits_for_one_that_goes_on_comes_behind_what_is_told_of_that_one() -> None:
    serves, asks = replace(thread("server", 101), still=False), thread("client", 102)
    answer = lock("answer", 0x1)
    base = capture(
        serves, asks, resources=[answer], waits=[waits(asks, answer)], holds=[holds(answer, serves)]
    )
    client, server = Fixed("client", [made("client", asks)]), Fixed("server", [made("s", serves)])

    assert told([client, server], base) == ["s", "client"]
    worse = Fixed("client", [made("client", asks, severity=Severity.ERROR)])
    assert told([worse, server], base) == ["client", "s"]
