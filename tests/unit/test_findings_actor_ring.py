"""Rings that lead through actors, some of whose threads only wait behind them."""

from dataclasses import replace

from hangtui import findings
from hangtui.model import (
    Certainty,
    Evidence,
    Finding,
    Hold,
    NodeId,
    NodeKind,
    Resource,
    Severity,
    Source,
    Thread,
    Wait,
    shared_id,
)
from tests.unit.factories import capture, evidence, lock, native_frame, python_frame, thread

AUDITOR = shared_id(NodeKind.ACTOR, "ray-01")
LEDGER = shared_id(NodeKind.ACTOR, "ray-02")


def _inside(name: str, pid: int, tid: int, function: str) -> Thread:
    return thread(name, tid, pid, python=[python_frame(function, tid)])


def _actor(node: NodeId, name: str, pid: int) -> Resource:
    return Resource(node, NodeKind.ACTOR, name, pid, 0, name=name, package="ray")


def _asks(who: Thread, actor: NodeId, call: str) -> Wait:
    return Wait(who.id, actor, evidence(), expires=False, call="ray.get", asks=call)


def _runs(actor: NodeId, who: Thread, function: str, certainty: Certainty) -> Hold:
    return Hold(actor, who.id, Evidence(Source.CPYTHON, certainty, "it is in it"), function)


POOL = native_frame("ray::core::BoundedExecutor::BoundedExecutor", "/venv/ray/_raylet.so")


def _ring(*more: Thread, known: bool = False) -> Finding:
    book, other = (_inside(f"book-{n}", 200, 200 + n, "Ledger.book") for n in (1, 2))
    balance = _inside("balance", 200, 203, "Ledger.balance")
    audit = _inside("MainThread", 300, 300, "Auditor.audit")
    if known:
        book, other, balance = (
            replace(one, native_stack=(POOL,)) for one in (book, other, balance)
        )
    held = lock("Ledger.lock", 1, pid=200)
    made = capture(book, other, balance, *more, audit)
    several = Certainty.INFERRED
    made = replace(
        made,
        resources=(
            _actor(AUDITOR, "the actor Auditor of process 300", 300),
            _actor(LEDGER, "the actor Ledger of process 200", 200),
            held,
        ),
        waits=(
            _asks(book, AUDITOR, "auditor.audit()"),
            _asks(audit, LEDGER, "ledger.balance()"),
            Wait(balance.id, held.id, evidence(), expires=False),
            Wait(other.id, held.id, evidence(), expires=False),
        ),
        holds=(
            _runs(AUDITOR, audit, "Auditor.audit", Certainty.PROVEN),
            _runs(LEDGER, book, "Ledger.book", several),
            _runs(LEDGER, other, "Ledger.book", several),
            _runs(LEDGER, balance, "Ledger.balance", several),
            Hold(held.id, book.id, evidence()),
        ),
    )
    return next(one for one in findings.run(made) if one.id == "deadlock")


def test_who_runs_another_method_of_the_actor_waits_behind_the_ring() -> None:
    found = _ring()
    assert "wait for each other's answers, and for Ledger.lock" in found.title
    assert "book-2" not in found.title
    assert "1 more thread waits behind them: book-2" in found.sentence


def test_an_actor_that_has_threads_is_not_said_to_run_one_method_at_a_time() -> None:
    found = _ring()
    assert "one method at a time" not in found.sentence
    assert not any("max_concurrency" in advice for advice in found.advice)


def test_it_is_an_error_if_no_thread_of_the_actor_is_left_for_another_call() -> None:
    free = replace(thread("ray::Ledger", 204, 200), native_stack=(POOL,))
    assert _ring(known=True).severity is Severity.ERROR
    assert _ring(free, known=True).severity is Severity.WARNING
    assert _ring().severity is Severity.WARNING
