"""What resources are called in a sentence."""

from dataclasses import replace

import pytest

from hangtui.findings.resources import resource_name
from hangtui.model import NodeKind
from tests.unit.factories import lock


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("one", "the threading.Event one"),
        ("one at 0x7f00", "the threading.Event one at 0x7f00"),
        ("stored", "stored"),
        ("Page.next", "Page.next"),
        ("checking's event", "the checking's event"),
    ],
)
def test_a_variable_that_is_called_like_a_word_is_told_with_its_type(name: str, said: str) -> None:
    event = replace(lock("x", 1, NodeKind.EVENT), name=name, type_name="threading.Event")
    assert resource_name(event) == said
