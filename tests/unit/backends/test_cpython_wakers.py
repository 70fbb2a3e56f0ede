"""Which calls a function's code may still come to, from the code that this interpreter compiles."""

import dis
import sys
from collections.abc import Callable
from dataclasses import replace
from heapq import heappop
from threading import Event
from types import CodeType
from typing import Any, cast

import pytest

from hangtui.backends.cpython.bytecode import Bytecode, Expression, Instruction
from hangtui.backends.cpython.code import Code, parse_exception_table
from hangtui.backends.cpython.wakers.complements import complements
from hangtui.backends.cpython.wakers.mentions import Ahead, Mentions
from hangtui.backends.cpython.wakers.near import Near
from hangtui.backends.cpython.wakers.receivers import Place, Receivers
from hangtui.backends.cpython.wakers.values import Scope, Values
from hangtui.backends.limits import Spending
from hangtui.model import Complement, NodeKind
from tests.unit.factories import lock, waits


def code_of(function: Callable[..., Any]) -> Code:
    raw: CodeType = function.__code__
    return Code(
        address=id(raw),
        function=raw.co_name,
        filename=raw.co_filename,
        first_line=raw.co_firstlineno,
        lines=b"",
        instructions=raw.co_code,
        handlers=parse_exception_table(getattr(raw, "co_exceptiontable", b"")),
        variables=(*raw.co_varnames, *raw.co_cellvars, *raw.co_freevars),
        names=raw.co_names,
        stack_size=raw.co_stacksize,
        local_count=raw.co_nlocals,
    )


def ahead(function: Callable[..., Any], line: int) -> Ahead:
    """What a frame comes to that is in the last call of the line with this number, from 1 on."""
    wanted = function.__code__.co_firstlineno + line
    here, at = 0, 0
    for one in dis.get_instructions(function):
        here = one.starts_line or here
        if here == wanted and one.opname.startswith("CALL"):
            at = one.offset
    mentions = Mentions(Bytecode(sys.version_info[:3], Spending()), Spending())
    return mentions.ahead(code_of(function), at)


def names(function: Callable[..., Any], line: int) -> set[str]:
    code = code_of(function)
    return {one.text(code) for one in ahead(function, line).mentions}


def straight(box: Any, jobs: Any) -> None:
    box.lock.acquire()
    box.ready.notify()
    jobs[0].put(1)


def looped(box: Any) -> None:
    while box.open:
        box.fetch()
        box.jobs.put(1)


def asked(box: Any, entry: Any) -> None:
    box.send(entry.get("status"), box.jobs.get())


def guarded(box: Any) -> None:
    try:
        box.fetch()
    except OSError:
        box.jobs.put(1)
    box.close()


def finally_(box: Any) -> None:
    try:
        box.fetch()
    finally:
        box.jobs.put(1)


def worked(box: Any) -> None:
    while box.open:
        job = box.jobs.get()
        box.do(job.work)
        job.answer.put(1)


def given(box: Any) -> None:
    box.send(box.pack({"id": 1, "kind": "ask", **box.more}, f"{box.width:>4}", lie=2))
    box.wait()


def nested(box: Any) -> None:
    box.jobs.put(box.fetch())
    box.close()


def entered(box: Any) -> None:
    box.fetch()
    with box.span(box.work):
        box.call(box.rest)


def out_of(box: Any) -> None:
    box.fetch()
    heappop(box.heap)[2].release()
    box.turns["next"][0].set()
    min(box.heap).put(1)


def test_what_an_item_is_taken_out_of_by_a_function_or_again() -> None:
    assert names(out_of, 1) >= {
        "box.heap[...].release",
        "box.turns[...].set",
        "box.heap[...].put",
    }


def test_what_a_with_is_told_of_is_not_called() -> None:
    code = code_of(entered)
    told = {one.text(code) for one in ahead(entered, 1).mentions if one.told}
    assert told == {"box.work"}


def test_what_is_called_with_what_was_built_for_it() -> None:
    called = [one for one in ahead(given, 0).mentions if one.called < one.until]
    assert {one.text(code_of(given)) for one in called} >= {"box.send", "box.pack", "box.wait"}


def test_only_what_comes_later() -> None:
    assert names(straight, 1) >= {"box.ready.notify", "jobs[...].put"}
    assert "box.ready.notify" not in names(straight, 2)
    assert "box.lock.acquire" not in names(straight, 1)


def test_what_a_loop_comes_back_to() -> None:
    assert {"box.jobs.put", "box.fetch"} <= names(looped, 3)


def test_what_is_done_with_an_item_before_the_next_one_is_taken() -> None:
    code, found = code_of(worked), ahead(worked, 3)
    job = code.variables.index("job")
    kept = {one.text(code) for one in found.mentions if (one.start, job) in found.kept}

    assert job in found.stored
    assert kept == {"job.answer.put"}
    assert "job.work" in {one.text(code) for one in found.mentions}


def all_answered(box: Any) -> None:
    found = box.fetch()
    for one, answer in zip(box.batch.asked, found, strict=True):
        one.done.put(answer)


def test_what_a_loop_over_several_containers_goes_over() -> None:
    code = code_of(all_answered)
    mentions = Mentions(Bytecode(sys.version_info[:3], Spending()), Spending())
    from_these = mentions.unpacked_from(code, code.variables.index("one"))

    assert [one.text(code) for one in from_these] == ["zip", "box.batch.asked", "found"]
    assert not mentions.unpacked_from(code, code.variables.index("found"))


def test_what_an_exception_alone_leads_to_is_not_ahead() -> None:
    assert "box.jobs.put" not in names(guarded, 2)
    assert "box.close" in names(guarded, 2)
    assert "box.jobs.put" in names(finally_, 2)


def test_the_constant_that_a_call_begins_with() -> None:
    code = code_of(asked)
    mentions = Mentions(Bytecode(sys.version_info[:3], Spending()), Spending()).of(code)
    first = {
        one.text(code): asked.__code__.co_consts[one.constant]
        for one in mentions
        if one.constant is not None
    }

    assert first == {"entry.get": "status"}


def test_of_two_variables_that_are_loaded_at_once_both_are_arguments() -> None:
    """``report(dried, what)``, from CPython 3.13 on."""
    bytecode = Bytecode((3, 13, 0), Spending())
    code = replace(code_of(straight), variables=("report", "dried", "what"))
    made = tuple(
        Instruction(2 * at, 2 * at, name, argument, 2 * at + 2)
        for at, (name, argument) in enumerate(
            (("LOAD_FAST", 0), ("LOAD_FAST_LOAD_FAST", 0x12), ("CALL", 2), ("POP_TOP", 0))
        )
    )
    bytecode.__dict__["instructions"] = lambda _code: made
    found = Mentions(bytecode, Spending()).of(code)

    assert [one.text(code) for one in found] == ["report", "dried", "what"]
    assert {one.called for one in found} == {made[2].start}


def test_what_is_called_with_what_is_being_fetched() -> None:
    code, found = code_of(nested), ahead(nested, 1)
    current = {one.text(code) for one in found.current}

    assert "box.jobs.put" in current
    assert {one.text(code) for one in found.mentions} == {"box.close"}


def test_the_complement_is_that_of_the_method_that_waits() -> None:
    jobs = lock("jobs (queue.Queue)", 0x1, NodeKind.QUEUE)

    def ends(text: str) -> set[Complement]:
        return set(complements(waits("thread:1:1", jobs, text=text)).values())

    assert ends("Queue.get: it waits") == {Complement.PUT}
    assert ends("Queue.put: it waits") == {Complement.GET}
    assert ends("Queue.join: it waits") == {Complement.TASK_DONE}
    assert ends("as read") == set()


def called_with(box: Any, jobs: Any) -> None:
    job = jobs.get()
    box.answer.put(job)


def test_an_argument_is_stored_nowhere() -> None:
    code = code_of(called_with)
    mentions = Mentions(Bytecode(sys.version_info[:3], Spending()), Spending())
    stored = {name: mentions.stores(code, slot) for slot, name in enumerate(code.variables)}

    assert stored == {"box": False, "jobs": False, "job": True}


async def set_when_fetched(done: Any, box: Any) -> None:
    done.set_result(await box.fetch())


def test_a_call_of_which_an_argument_is_awaited_is_about_to_come() -> None:
    code = code_of(set_when_fetched)
    yields = [
        one.offset
        for one in dis.get_instructions(set_when_fetched)
        if one.opname.startswith("YIELD")
    ]
    mentions = Mentions(Bytecode(sys.version_info[:3], Spending()), Spending())
    current = mentions.ahead(code, yields[0]).current
    assert [one.text(code) for one in current] == ["done.set_result"]


def loaded(box: Any, key: str) -> None:
    ready = box.known.get(key)
    if ready is None:
        ready = box.known[key] = Event()
        box.load(key)
        ready.set()
    ready.wait()


def met(box: Any, key: str) -> None:
    ready = box.known.pop(key)
    if ready is None:
        ready = box.known[key] = Event()
        ready.wait()
    ready.set()


class _Values:
    """That ``Event`` is a class, ``box.known`` something, and nothing else is known."""

    def of(self, expression: Expression, _scope: object) -> int | None:
        return {"Event": 7}.get(expression.name, 8)

    def attribute(self, _owner: int, _name: str) -> int | None:
        return None

    def is_class(self, value: int) -> bool:
        return value == 7

    def follow(self, value: int, _attributes: tuple[str, ...]) -> int:
        return value


class _Near:
    def items(self, _source: int) -> frozenset[int]:
        return frozenset({1})

    def by_key(self, _source: int) -> bool:
        return False


@pytest.mark.parametrize(("function", "known"), [(loaded, set()), (met, {1})])
def test_of_who_makes_it_or_waits_for_it_the_first_ends_what_it_made(
    function: Callable[..., Any], known: set[int]
) -> None:
    code = code_of(function)
    mentions = Mentions(Bytecode(sys.version_info[:3], Spending()), Spending())
    wanted = {1: {"set": Complement.SET}}
    receivers = Receivers(wanted, mentions, cast("Values", _Values()), cast("Near", _Near()))
    place = Place(code, cast("Scope", None), frozenset(), frozenset(), 0)
    (sets,) = (one for one in mentions.of(code) if one.text(code) == "ready.set")

    assert receivers.sources(sets, place) == known
