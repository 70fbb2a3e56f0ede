"""The palette: every action by its words, and every thread by its name."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, cast

from textual.command import DiscoveryHit, Hit, Hits, Provider
from textual.content import Content

from hangtui.model import clean
from hangtui.tui.keys import KEYS, Key
from hangtui.tui.session import Session

if TYPE_CHECKING:
    from hangtui.tui.app import HangtuiApp

THREADS = 200
"""More threads than this are found by the filter, not here."""


def command_name(key: Key) -> str:
    """``export: capture, report and JSON as files``."""
    return f"{key.group}: {key.words}"


def commands(
    session: Session, scopes: set[object], table: Sequence[Key] = KEYS
) -> Iterator[tuple[str, str, Key | str]]:
    """Name, key and what it stands for: an entry of the key table or a thread's node id."""
    for key in table:
        if key.group and key.scope in scopes:
            yield command_name(key), key.shown, key
    view = session.current
    for thread in view.by_interest[:THREADS] if view else ():
        yield f"thread: {clean(thread.name)} {thread.tid}", "", thread.id


class Commands(Provider):
    """What hangtui's palette offers. Names are plain text, never markup."""

    async def discover(self) -> Hits:
        """Everything, as long as nothing is typed."""
        for name, shown, target in self._commands():
            yield DiscoveryHit(self._display(name, shown), self._run(target), text=name)

    async def search(self, query: str) -> Hits:
        """What matches."""
        matcher = self.matcher(query)
        for name, shown, target in self._commands():
            if (score := matcher.match(name)) > 0:
                yield Hit(score, self._display(name, shown), self._run(target), text=name)

    @property
    def _hangtui(self) -> "HangtuiApp":
        return cast("HangtuiApp", self.app)

    def _commands(self) -> Iterator[tuple[str, str, Key | str]]:
        app = self._hangtui
        return commands(app.session, set(app.scopes), app.table)

    def _display(self, name: str, shown: str) -> Content:
        return Content(f"{name}  ({shown})" if shown else name)

    def _run(self, target: Key | str) -> partial[None]:
        if isinstance(target, Key):
            return partial(self._hangtui.press, target)
        return partial(self._hangtui.open_thread, target)
