"""What is left on the terminal after a mistake of hangtui's own: where it was, and no data."""

from rich.traceback import Traceback


def last_words() -> Traceback:
    """The traceback of the exception being handled. Locals may hold a target's memory."""
    return Traceback(show_locals=False, width=None, max_frames=20)
