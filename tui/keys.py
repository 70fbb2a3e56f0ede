"""All keys in one table: bindings, footer, help and palette are made from it."""

from enum import Enum

from hangtui.dataclass import dataclass


class Scope(Enum):
    """Where a key works; the value is what the help calls it."""

    MACHINE = "All processes"
    OVERVIEW = "Overview"
    THREAD = "Thread"
    WAITS = "Waits"
    FINDINGS = "Findings"
    CRASH = "Crash"
    MERGED = "Merged stacks"
    LIST = "Lists"
    PANE = "Moving"
    GLOBAL = "Everywhere"


class ViewName(Enum):
    """The screens; the value is the widget's id."""

    OVERVIEW = "overview"
    THREAD = "thread"
    WAITS = "waits"
    FINDINGS = "findings"
    CRASH = "crash"
    MERGED = "merged"


SCOPE_OF_VIEW = {
    ViewName.OVERVIEW: Scope.OVERVIEW,
    ViewName.THREAD: Scope.THREAD,
    ViewName.WAITS: Scope.WAITS,
    ViewName.FINDINGS: Scope.FINDINGS,
    ViewName.CRASH: Scope.CRASH,
    ViewName.MERGED: Scope.MERGED,
}


@dataclass(frozen=True, slots=True)
class Key:
    """One action and the keys for it."""

    id: str
    """Stable, so that a keymap can name it."""
    keys: str
    """As Textual spells them, separated by commas; empty: only in the palette."""
    shown: str
    """As a reader sees them."""
    action: str
    label: str
    """One or two words for the footer."""
    words: str
    """A phrase for help and palette."""
    scope: Scope = Scope.GLOBAL
    rank: int | None = None
    """Place in the footer, lowest first; None: not there."""
    group: str = ""
    """The palette's prefix; empty: not in the palette."""
    priority: bool = False
    stop: str = ""
    """For how long the process stands still for it; empty: it does not."""

    @property
    def told(self) -> str:
        """*words*, and for how long the process stands still."""
        return f"stops the process {self.stop}: {self.words}" if self.stop else self.words


STOPS = "*"
"""Behind a key for which the process stands still."""
_FOR_COPY = "for some ms, once"
_HELD = "for 30 s or until R"

DEBUGGER_KEYS = frozenset(
    f"thread.{name}"
    for name in "source variables registers disassembly lock bytes console full stop".split()
)
"""Keys that ask the process or core file behind a capture."""

MOVING = (
    Key("move.down", "j,down", "j ↓", "line(1)", "down", "next line", Scope.PANE),
    Key("move.up", "k,up", "k ↑", "line(-1)", "up", "previous line", Scope.PANE),
    Key("move.half-down", "ctrl+d", "^d", "half(1)", "½ down", "half a page down", Scope.PANE),
    Key("move.half-up", "ctrl+u", "^u", "half(-1)", "½ up", "half a page up", Scope.PANE),
    Key("move.page-down", "pagedown", "PgDn", "page(1)", "page", "page down", Scope.PANE),
    Key("move.page-up", "pageup", "PgUp", "page(-1)", "page", "page up", Scope.PANE),
    Key("move.first", "g,home", "g Home", "edge(-1)", "first", "first line", Scope.PANE),
    Key("move.last", "G,end", "G End", "edge(1)", "last", "last line", Scope.PANE),
)

LIST = (
    Key("list.choose", "enter", "Enter", "choose", "open", "open the item", Scope.LIST, rank=10),
)

MACHINE = (
    Key("machine.all", "a", "a", "all", "all at once", "all processes on one screen",
        Scope.MACHINE, rank=12),
    Key("machine.again", "r", "r", "again", "look now", "look into the process now",
        Scope.MACHINE, rank=14),
)  # fmt: skip

OVERVIEW = (
    Key("overview.sort", "s", "s", "sort", "sort", "sort by the next column",
        Scope.OVERVIEW, rank=40, group="view"),
    Key("overview.invert", "S", "S", "invert", "invert", "invert the order",
        Scope.OVERVIEW, group="view"),
    Key("overview.idle", "i", "i", "idle", "idle", "hide or show idle threads",
        Scope.OVERVIEW, rank=50, group="view"),
    Key("overview.merge", "m", "m", "merge", "unfold",
        "one row for each, or one for all that are alike", Scope.OVERVIEW, rank=52, group="view"),
    Key("overview.explain", "h", "h", "explain", "explain",
        "what the finding means, and the words in it", Scope.OVERVIEW, rank=46, group="view"),
    Key("overview.waits", "w", "w", "app.waits", "waits", "show the thread among the waits",
        Scope.OVERVIEW, rank=45, group="thread"),
)  # fmt: skip

THREAD = (
    Key("thread.source", "v", "v", "drawer('source')", "source",
        "source around the frame's line", Scope.THREAD, rank=11, group="view"),
    Key("thread.variables", "l", "l", "drawer('variables')", "locals",
        "arguments and locals of the frame", Scope.THREAD, rank=12, group="view"),
    Key("thread.registers", "x", "x", "drawer('registers')", "regs",
        "registers, and what they point to", Scope.THREAD, rank=13, group="view",
        stop=_FOR_COPY),
    Key("thread.disassembly", "d", "d", "drawer('disassembly')", "disasm",
        "instructions around the frame's program counter", Scope.THREAD, rank=14, group="view",
        stop=_FOR_COPY),
    Key("thread.lock", "p", "p", "lock", "lock",
        "print the lock it waits for, or at a register", Scope.THREAD, rank=16,
        group="lock", stop=_FOR_COPY),
    Key("thread.bytes", "b", "b", "bytes", "bytes",
        "memory at the chosen register, or at an address", Scope.THREAD, rank=18, group="view"),
    Key("thread.console", "P", "P", "console", "gdb", "gdb console", Scope.THREAD, rank=17,
        group="debugger", stop=_FOR_COPY),
    Key("thread.full", "L", "L", "full", "full", "locals in full, or short again",
        Scope.THREAD, group="view"),
    Key("thread.outwards", "J", "J", "frame(1)", "frame", "next frame, from any pane",
        Scope.THREAD, group="view"),
    Key("thread.inwards", "K", "K", "frame(-1)", "frame", "previous frame, from any pane",
        Scope.THREAD, group="view"),
    Key("thread.stop", "A", "A", "stop", "stop",
        "attach gdb to the process, after a question", Scope.THREAD, group="debugger",
        stop=_HELD),
    Key("thread.go", "R", "R", "go", "run", "let the stopped process run",
        Scope.THREAD, group="debugger"),
    Key("thread.extend", "T", "T", "extend", "30 s more",
        "let the process stand still for 30 s more", Scope.THREAD, group="debugger"),
    Key("thread.catch", "", "", "catch", "signal", "wait for a signal (stops the process)",
        Scope.THREAD, group="debugger"),
    Key("thread.core", "", "", "core", "core", "write a core file (stops the process)",
        Scope.THREAD, group="debugger"),
    Key("thread.print", "", "", "print", "print", "print an expression", Scope.THREAD,
        group="debugger"),
    Key("thread.lock-mutex", "", "", "lock_as('mutex')", "mutex", "print as mutex",
        Scope.THREAD, group="lock"),
    Key("thread.lock-rwlock", "", "", "lock_as('rwlock')", "rwlock", "print as rwlock",
        Scope.THREAD, group="lock"),
    Key("thread.lock-condition", "", "", "lock_as('condition')", "condition",
        "print as condition", Scope.THREAD, group="lock"),
    Key("thread.lock-semaphore", "", "", "lock_as('semaphore')", "semaphore",
        "print as semaphore", Scope.THREAD, group="lock"),
    Key("thread.lock-barrier", "", "", "lock_as('barrier')", "barrier", "print as barrier",
        Scope.THREAD, group="lock"),
    Key("thread.search-all", "F", "F", "search_all", "find", "search the stacks of all threads",
        Scope.THREAD, rank=27, group="view"),
    Key("thread.fold", "z", "z", "fold", "fold", "fold or unfold interpreter frames",
        Scope.THREAD, rank=30, group="view"),
    Key("thread.order", "o", "o", "order", "order", "innermost or outermost frame first",
        Scope.THREAD, rank=35, group="view"),
    Key("thread.waits", "w", "w", "app.waits", "waits", "show the thread among the waits",
        Scope.THREAD, rank=45, group="thread"),
)  # fmt: skip

WAITS = (
    Key("waits.evidence", "v", "v", "evidence", "evidence", "show or hide the evidence",
        Scope.WAITS, rank=30, group="view"),
    Key("waits.cycle", "c", "c", "cycle", "next ring", "go to the next ring of waits",
        Scope.WAITS, rank=35, group="view"),
    Key("waits.mermaid", "m", "m", "app.copy_graph('mermaid')", "Mermaid",
        "the waits as a Mermaid drawing", Scope.WAITS, rank=40, group="copy"),
)  # fmt: skip

FINDINGS = (
    Key("findings.explain", "h", "h", "explain", "explain",
        "what the finding means, and the words in it", Scope.FINDINGS, rank=12, group="view"),
)  # fmt: skip

CRASH = (
    Key("crash.explain", "h", "h", "explain", "explain",
        "what the finding means, and the words in it", Scope.CRASH, rank=29, group="view"),
    Key("crash.registers", "x", "x", "drawer('registers')", "registers", "registers at the fault",
        Scope.CRASH, rank=30, group="view"),
    Key("crash.instructions", "d", "d", "drawer('instructions')", "code",
        "instructions around the fault", Scope.CRASH, rank=31, group="view"),
    Key("crash.mappings", "M", "M", "drawer('mappings')", "maps",
        "memory mappings around the fault", Scope.CRASH, rank=32, group="view"),
    Key("crash.bytes", "b", "b", "drawer('bytes')", "bytes", "memory around the fault",
        Scope.CRASH, rank=33, group="view"),
)  # fmt: skip

MERGED = (
    Key("merged.classes", "=", "=", "classes", "equal stacks", "list of equal stacks, or the tree",
        Scope.MERGED, rank=30, group="view"),
    Key("merged.libraries", "z", "z", "libraries", "library",
        "show or hide the standard library's frames", Scope.MERGED, rank=35, group="view"),
    Key("merged.shallower", "<", "<", "depth(-1)", "depth", "cut the tree after fewer calls",
        Scope.MERGED, rank=40, group="view"),
    Key("merged.deeper", ">", ">", "depth(1)", "depth", "cut the tree after more calls",
        Scope.MERGED, group="view"),
    Key("merged.fold", "left", "←", "fold(1)", "fold", "hide what is below a call",
        Scope.MERGED, rank=45, group="view"),
    Key("merged.unfold", "right", "→", "fold(0)", "unfold", "show what is below a call",
        Scope.MERGED, group="view"),
)  # fmt: skip

GLOBAL = (
    Key("view.overview", "1", "1", "view('overview')", "overview", "Overview", group="view"),
    Key("view.thread", "2", "2", "view('thread')", "thread", "Thread", group="view"),
    Key("view.waits", "3", "3", "view('waits')", "waits", "Waits", group="view"),
    Key("view.findings", "4", "4", "view('findings')", "findings", "Findings", group="view"),
    Key("view.crash", "5", "5", "view('crash')", "crash", "Crash", group="view"),
    Key("view.merged", "6", "6", "view('merged')", "merged", "Merged stacks", group="view"),
    Key("pane.next", "tab", "Tab", "app.focus_next", "pane", "next pane", rank=15),
    Key("pane.previous", "shift+tab", "Shift+Tab", "app.focus_previous", "pane",
        "previous pane"),
    Key("thread.previous", "[", "[", "thread(-1)", "thread",
        "previous thread, of merged stacks: group", group="thread"),
    Key("thread.next", "]", "]", "thread(1)", "thread",
        "next thread, of merged stacks: group", group="thread"),
    Key("capture.previous", "{", "{", "history(-1)", "capture", "previous capture",
        group="capture"),
    Key("capture.next", "}", "}", "history(1)", "capture", "next capture", group="capture"),
    Key("filter.open", "/", "/", "filter", "filter", "filter the list, or search the stack",
        rank=20, group="view"),
    Key("filter.next", "n", "n", "find(1)", "next", "next match of the search"),
    Key("filter.previous", "N", "N", "find(-1)", "previous", "previous match of the search"),
    Key("capture.new", "r", "r", "capture", "capture", "take a new capture", rank=60,
        group="capture"),
    Key("capture.family", "f", "f", "family", "family",
        "capture the processes that it started, too", rank=62, group="capture"),
    Key("capture.auto", "space", "Space", "auto", "auto", "keep taking new captures",
        rank=65, group="capture"),
    Key("capture.slower", "+", "+", "interval(1)", "slower", "a longer time between captures",
        group="capture"),
    Key("capture.faster", "-", "-", "interval(-1)", "faster", "a shorter time between captures",
        group="capture"),
    Key("capture.cancel", "ctrl+k", "^K", "cancel", "stop", "give up the capture being taken",
        group="capture"),
    Key("capture.changes", "D", "D", "changes", "moved", "what moved since the previous capture",
        rank=68, group="capture"),
    Key("view.theme", "", "", "next_theme", "theme", "other colours", group="view"),
    Key("capture.native", "", "", "native", "native", "native stacks by gdb, from a copy",
        group="capture"),
    Key("copy.item", "y", "y", "copy('item')", "copy", "the item under the cursor", rank=75,
        group="copy"),
    Key("copy.pane", "Y", "Y", "copy('pane')", "copy pane", "the whole pane", group="copy"),
    Key("share", "C", "C", "share", "share",
        "a paragraph: what hangs, and how that is known", rank=58, group="copy"),
    Key("export.all", "e", "e", "export", "export",
        "capture, report, Markdown and JSON as files", rank=70, group="export"),
    Key("export.svg", "", "", "export_as('svg')", "picture", "picture of this screen (SVG)",
        group="export"),
    Key("export.mermaid", "", "", "export_as('mermaid')", "Mermaid", "waits for Mermaid",
        group="export"),
    Key("export.dot", "", "", "export_as('dot')", "DOT", "waits for Graphviz (DOT)",
        group="export"),
    Key("notices.open", "!", "!", "notices", "notices", "what is missing, and how to get it",
        rank=80, group="view"),
    Key("palette.open", ":,ctrl+p", ": ^P", "command_palette", "commands", "all commands",
        rank=85),
    Key("help.open", "?", "?", "help", "help", "these keys", rank=90, group="view"),
    Key("back", "escape", "Esc", "peel", "back", "one step back", rank=95),
    Key("redraw", "ctrl+l", "^L", "redraw", "redraw", "redraw the screen", group="view"),
    Key("suspend", "ctrl+z", "^Z", "suspend_process", "suspend", "suspend hangtui",
        group="hangtui"),
    Key("quit", "q", "q", "quit", "quit", "quit", rank=97, group="hangtui"),
    Key("quit.at-once", "ctrl+c", "^C", "quit", "quit", "quit", priority=True),
)  # fmt: skip

KEYS = (*MACHINE, *OVERVIEW, *THREAD, *WAITS, *FINDINGS, *CRASH, *MERGED, *LIST, *MOVING, *GLOBAL)
