"""A lock that a suspended generator has, in words."""

from dataclasses import replace

import pytest

from hangtui.findings.resources import given_back_by_nobody, kept_by_generator
from hangtui.model import NodeKind, NoHolder
from tests.unit.factories import lock

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


def test_nobody_else_is_said_to_have_gone_on_without_giving_it_back() -> None:
    made = replace(lock("Catalogue.lending", 0x1), no_holder=NoHolder.GONE)

    assert given_back_by_nobody(made)
    assert not given_back_by_nobody(replace(made, note=NOTE))
