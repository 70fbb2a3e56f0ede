"""Merged stacks: all threads of all captured processes in one tree, equal ones together."""

from collections.abc import Sequence
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical

from hangtui.analysis.ranks import CallNode, StackClass, merged_stacks, merged_tree
from hangtui.model import Thread
from hangtui.tui.bindings import bindings
from hangtui.tui.keys import Scope, ViewName
from hangtui.tui.rows.labels import plural
from hangtui.tui.rows.merged import (
    NamedClass,
    class_lines,
    class_rows,
    named_classes,
    tree_heading,
    tree_rows,
)
from hangtui.tui.session import CaptureView, Session
from hangtui.tui.status import Status
from hangtui.tui.views.base import ThreadPicked, View, ViewWanted, waiting_words
from hangtui.tui.widgets.rowlist import Narrowing, RowList
from hangtui.tui.widgets.textpane import TextPane


class MergedView(View):
    """What all threads have in common, and who differs."""

    BINDINGS: ClassVar[list[BindingType]] = bindings(Scope.MERGED)
    NAME = ViewName.MERGED
    MAIN = "calls"

    def __init__(self) -> None:
        super().__init__(id=ViewName.MERGED.value)
        self._view: CaptureView | None = None
        self._stacks: tuple[StackClass, ...] = ()
        self._named: list[NamedClass] = []
        self._call_tree: tuple[CallNode, ...] = ()
        self._folded: set[str] = set()
        self._libraries = False
        self._depth: int | None = None
        self._rarest: dict[str, NamedClass] = {}
        """The first class of those at a call, by the call's id."""
        self._stepped: NamedClass | None = None
        """The group that was gone to, until the cursor moves."""

    def compose(self) -> ComposeResult:
        """The tree, and the classes with their stacks beside or below it."""
        yield RowList(id="calls", narrowing=Narrowing.SEARCH)
        with Vertical(id="merged-side"):
            yield RowList(id="classes")
            yield TextPane(id="class")

    @property
    def note(self) -> str:
        """How many stacks there are, and what is cut off."""
        if self.main.query_words:
            return f"search: {self.main.query_words} (n N)"
        if not self._named:
            return ""
        depth = f" · depth {self._depth}" if self._depth else ""
        frames = "" if self._libraries else " · z: library"
        return f"{plural(len(self._named), 'stack')}{depth}{frames}"

    def present(self, session: Session, status: Status) -> None:
        """Show the stacks of the present capture."""
        view = session.current
        if view is None:
            self.main.set_rows((), empty=waiting_words(session, status))
            return
        if view is not self._view:
            self._view, self._stepped = view, None
            self._stacks = merged_stacks(view.capture)
            self._named = named_classes(view, self._stacks)
            classes = self.query_one("#classes", RowList)
            classes.set_rows(class_rows(view, self._named), empty="no threads")
            classes.set_titles("Equal stacks", "the odd one first")
            self._show_tree()
        self._show_class()

    def _show_tree(self) -> None:
        if self._view is None:
            return
        stacks = [one.stack for one in self._named]
        self._rarest = {}
        self._call_tree = merged_tree(stacks, libraries=self._libraries, depth=self._depth)
        rows = tree_rows(self._view, self._call_tree, self._named, self._folded)
        self.main.set_rows(rows, heading=tree_heading, empty="no stack was read")
        threads = len(self._view.capture.threads())
        processes = plural(len(self._view.capture.processes), "process")
        self.main.set_titles("Merged stacks", f"{plural(threads, 'thread')} of {processes}")
        self.refresh_note()

    def _show_class(self) -> None:
        view, one = self._view, self._selected()
        pane = self.query_one("#class", TextPane)
        if view is None or one is None:
            pane.show(lambda _width: ())
            return
        pane.set_titles(f"Stack {one.letter}", "Enter: the thread")
        pane.show(lambda width: class_lines(view, one, width), key=(id(view), one.letter))

    def _selected(self) -> NamedClass | None:
        """The class that was gone to, else the one under the cursor of the focused list."""
        if self._stepped is not None:
            return self._stepped
        classes = self.query_one("#classes", RowList)
        if not self.main.has_focus and (key := classes.cursor_key):
            return next((one for one in self._named if one.letter == key), None)
        if not self._named:
            return None
        key = self.main.cursor_key or ""
        if key not in self._rarest:
            node = _find(self._call_tree, key)
            # Threads with the same stack are at the same calls: the first of them tells.
            there = set(map(id, node.threads)) if node else set()
            found = (one for one in self._named if id(one.stack.threads[0]) in there)
            self._rarest[key] = next(found, self._named[0])
        return self._rarest[key]

    def step(self, distance: int) -> bool:
        """Go to the previous or next group of equal stacks, in the list and in the tree."""
        now = self._selected()
        if now is None:
            return True
        index = min(max(self._named.index(now) + distance, 0), len(self._named) - 1)
        one = self._stepped = self._named[index]
        self.query_one("#classes", RowList).select(one.letter)
        thread = one.stack.threads[0]
        for node_id in reversed(_way_to(self._call_tree, thread)):
            if self.main.select(node_id):
                break  # below a fold there are no rows
        self.post_message(ThreadPicked(thread.id))
        self._show_class()
        return True

    @on(RowList.Highlighted)
    def _highlighted(self) -> None:
        self._stepped = None
        self._show_class()

    @on(RowList.Chosen)
    def _chosen(self) -> None:
        if (thread := self._first_thread()) is not None:
            self.post_message(ThreadPicked(thread.id))
            self.post_message(ViewWanted(ViewName.THREAD))

    def _first_thread(self) -> Thread | None:
        one = self._selected()
        return one.stack.threads[0] if one else None

    def action_classes(self) -> None:
        """Go to the list of equal stacks, or back to the tree."""
        classes = self.query_one("#classes", RowList)
        to_classes = not self.has_class("-classes")
        self.set_class(to_classes, "-classes")
        (classes if to_classes else self.main).focus()
        self.call_after_refresh(self._show_class)

    def action_libraries(self) -> None:
        """Show or hide the standard library's frames."""
        self._libraries = not self._libraries
        self._show_tree()

    def action_depth(self, step: int) -> None:
        """Cut the tree after fewer or more calls."""
        height = max((len(one.calls) for one in self._stacks), default=1)
        depth = min(max((self._depth or height) + step, 1), height)
        self._depth = None if depth == height else depth
        self._show_tree()

    def action_fold(self, fold: int) -> None:
        """Hide or show what is below a call."""
        if (key := self.main.cursor_key) is None:
            return
        if fold:
            self._folded.add(key)
        else:
            self._folded.discard(key)
        self._show_tree()


def _way_to(nodes: Sequence[CallNode], thread: Thread) -> list[str]:
    """The ids of the nodes that *thread* went through, outermost first."""
    way: list[str] = []
    while node := next((one for one in nodes if any(t is thread for t in one.threads)), None):
        way.append(node.id)
        nodes = node.children
    return way


def _find(nodes: Sequence[CallNode], key: str | None) -> CallNode | None:
    """The node with this id: ids are paths, so only one branch has to be followed."""
    for node in nodes:
        if key == node.id:
            return node
        if key is not None and key.startswith(node.id) and (found := _find(node.children, key)):
            return found
    return None
