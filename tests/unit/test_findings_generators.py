"""A lock that a suspended generator has, in words."""

from dataclasses import replace

import pytest

from hangtui import findings
from hangtui.findings.resources import given_back_by_nobody, kept_by_generator
from hangtui.model import NodeKind, NoHolder, Syscall
from tests.unit.factories import capture, lock, python_frame, stood, thread, waits

NOTE = "the generator on_shelf has it, which is suspended at main.py:14 inside of `with`"


@pytest.mark.parametrize(
    ("type_name", "close"), [("asyncio.locks.Lock", "aclose()"), ("threading.Lock", "close()")]
)
def test_what_would_make_it_give_the_lock_back(type_name: str, close: str) -> None:
    made = replace(lock("Catalogue.lending", 0x1, NodeKind.LOCK), note=NOTE, type_name=type_name)

    assert kept_by_generator(made) == (
        "The generator on_shelf has it, which is suspended at main.py:14 inside of `with`: only "
        f"its next item, or {close}, would end that, and who began it is not known"
    )


@pytest.mark.parametrize("note", [None, "it is locked, and nothing tells by which task"])
def test_of_any_other_nothing_is_said(note: str | None) -> None:
    assert not kept_by_generator(replace(lock("Catalogue.lending", 0x1), note=note))
    assert not kept_by_generator(None)


def test_a_thread_that_waits_for_it_is_told_of_the_generator_and_not_of_a_thread() -> None:
    door = replace(lock("Catalogue.door", 0x1), note=NOTE, no_holder=NoHolder.UNTOLD)
    main = thread("MainThread", python=[python_frame("begin", 17)])
    other = thread("restorer", 101, python=[python_frame("add", 16)])
    meter = thread("meter", 102, syscall=Syscall("nanosleep"), python=[python_frame("run", 5)])
    both = [waits(main, door), waits(other, door)]
    made = capture(main, other, meter, resources=[door], waits=both)
    found = [one for one in findings.run(stood(made)) if one.id == "waiting-for-others"]

    assert all(one.title.endswith(f"; {NOTE}") for one in found)
    assert found
    assert "no stack of a living thread" not in found[0].sentence
    assert found[0].advice[0].startswith("Close a generator")


def test_nobody_else_is_said_to_have_gone_on_without_giving_it_back() -> None:
    made = replace(lock("Catalogue.lending", 0x1), no_holder=NoHolder.GONE)

    assert given_back_by_nobody(made)
    assert not given_back_by_nobody(replace(made, note=NOTE))
