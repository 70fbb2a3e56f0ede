"""The engine's commands on a terminal."""

from contextlib import AbstractContextManager

from tests import terminal
from tests.container import images
from tests.terminal import Terminal


def opened(
    *command: str, size: tuple[int, int] | None = (24, 80)
) -> AbstractContextManager[Terminal]:
    """The engine's command on a terminal of *size* rows and columns; None: it never got a size."""
    return terminal.opened("podman", *command, size=size, env=images.environment())
