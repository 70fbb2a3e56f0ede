"""hangtui's `dataclass` beside the standard one."""

import dataclasses
import pickle
from typing import Any

import pytest

from hangtui.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Point:
    """A place."""

    x: int
    y: int = 0
    note: str = dataclasses.field(default="", compare=False, repr=False)


@dataclasses.dataclass(frozen=True, slots=True)
class StandardPoint:
    """The same by the standard library."""

    x: int
    y: int = 0
    note: str = dataclasses.field(default="", compare=False, repr=False)


@dataclass(slots=True)
class Changing:
    """What can change has no hash."""

    words: list[str] = dataclasses.field(default_factory=list)


@dataclass
class Named(Changing):
    """Inherits fields."""

    name: str = "n"


@dataclass(frozen=True, slots=True, eq=False)
class Single:
    """Is equal to nothing but itself."""

    x: int


@dataclass(frozen=True)
class Empty:
    """Has no fields."""


@pytest.mark.parametrize(("one", "other"), [((1,), (1, 0)), ((1, 2, "a"), (1, 2, "b"))])
def test_equal_values_are_equal_and_hash_alike(one: Any, other: Any) -> None:
    assert Point(*one) == Point(*other)
    assert hash(Point(*one)) == hash(Point(*other))
    assert StandardPoint(*one) == StandardPoint(*other)
    assert hash(Point(*one)) == hash(StandardPoint(*one))


@pytest.mark.parametrize(
    ("one", "other"),
    [(Point(1), Point(2)), (Point(1, 0), StandardPoint(1, 0)), (Point(1), (1, 0)),
     (Single(1), Single(1)), (Changing(), Named())],
    ids=repr,
)  # fmt: skip
def test_other_values_and_other_classes_differ(one: object, other: object) -> None:
    assert one != other


def test_without_fields_all_are_equal() -> None:
    assert Empty() == Empty()


def test_what_can_change_compares_and_has_no_hash() -> None:
    assert Changing(["a"]) == Changing(["a"])
    with pytest.raises(TypeError, match="unhashable"):
        hash(Changing())


def test_the_standard_library_takes_it_for_its_own() -> None:
    point = Point(1, 2, "here")
    assert repr(point) == repr(StandardPoint(1, 2)).removeprefix("Standard")
    assert dataclasses.asdict(point) == {"x": 1, "y": 2, "note": "here"}
    assert dataclasses.replace(point, y=3) == Point(1, 3)
    assert not hasattr(point, "__dict__")
    assert pickle.loads(pickle.dumps(point)) == point
    assert repr(Named(["a"])) == "Named(words=['a'], name='n')"
