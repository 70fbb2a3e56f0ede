"""Keys in the order in which they were typed."""

from textual import events
from textual.app import App
from textual.widgets import Input

from hangtui.tui.widgets.filterprompt import FilterPrompt


class InOrderApp(App[int]):
    """An application that has done what a key says before it looks at the next one.

    Textual hands a key to the widget that has the focus when the key arrives, and looks for its
    binding later. On a busy machine, or in pasted text, what follows ``/`` would so go to the list,
    where ``q`` quits.
    """

    async def on_event(self, event: events.Event) -> None:
        """Do at once what a key is bound to; leave everything else to Textual."""
        if isinstance(event, events.Key) and not event.is_forwarded:
            self.app_focus = True
            if await self._done(event):
                return
        await super().on_event(event)

    async def _done(self, event: events.Key) -> bool:
        """Whether the key needs no widget, or was typed into the filter."""
        focused = self.focused
        if isinstance(focused, FilterPrompt) and event.is_printable:
            focused.put(event.character or "")
            return True
        if isinstance(focused, Input) and not isinstance(focused, FilterPrompt):
            return False  # it takes its keys from its own queue, one after the other
        key = event.key
        return await self._check_bindings(key, priority=True) or await self._check_bindings(key)
