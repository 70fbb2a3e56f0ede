"""How the debugger's panes look; what they say is tested as text elsewhere."""

from collections.abc import Callable

import pytest

from hangtui.provider import CaptureRequest
from hangtui.tui.app import HangtuiApp
from tests.tui import samples
from tests.tui.debugging import FakeDebugger, FakeDebuggers
from tests.tui.driving import NARROW, WIDE, FakeProvider, pressing

SnapCompare = Callable[..., bool]
SIZES = pytest.mark.parametrize(
    "size", [pytest.param(WIDE, id="120x40"), pytest.param(NARROW, id="80x24")]
)


def app() -> HangtuiApp:
    provider = FakeProvider([samples.deadlock()])
    return HangtuiApp(provider, CaptureRequest((1,)), debuggers=FakeDebuggers(FakeDebugger()))


@pytest.mark.one_in(2)
@SIZES
@pytest.mark.parametrize(
    "keys",
    [
        pytest.param(("v", "x"), id="source-registers"),
        pytest.param(("d", "l"), id="code-variables"),
        pytest.param(("p",), id="lock"),
        pytest.param(("P", *"bt", "enter"), id="console"),
        pytest.param(("A", "y", "v", "b", *"1", "enter"), id="stopped-memory"),
    ],
)
def test_panes(snap_compare: SnapCompare, keys: tuple[str, ...], size: tuple[int, int]) -> None:
    assert snap_compare(app(), terminal_size=size, run_before=pressing("2", *keys))
