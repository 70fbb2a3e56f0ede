"""The rows of the merged stacks: a tree of calls, and the classes of equal stacks."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import partial
from os.path import commonprefix

from rich.text import Text

from hangtui.analysis.ranks import Call, CallNode, StackClass
from hangtui.analysis.states import ThreadState
from hangtui.dataclass import dataclass
from hangtui.model import NodeId, Thread, clean
from hangtui.tui.cells import cut, pad, wrap
from hangtui.tui.rows import labels
from hangtui.tui.rows.row import Row
from hangtui.tui.session import CaptureView
from hangtui.tui.theme import ABSENT, CURRENT, FOLDED, HEADING, MUTED, OPEN, SHARE, STATE_STYLES

_COUNT, _CLASS = 6, 4
_BAR = 12
_WHO = 24
_WIDE = 88
"""From this width on there are bars and names."""
_MEMBERS = 40
_INDENTS = 24


@dataclass(frozen=True, slots=True)
class NamedClass:
    """A class of equal stacks with the letter that stands for it."""

    letter: str
    stack: StackClass
    pids: tuple[int, ...]
    """The processes that have such a thread."""
    targets: str
    """What they wait for, the most common first."""


def named_classes(view: CaptureView, classes: Sequence[StackClass]) -> list[NamedClass]:
    """Those in trouble first, then the rarest."""

    def order(one: StackClass) -> tuple[bool, bool, int, int]:
        worst = _worst(view, one.threads)
        return worst.rank > ThreadState.DEADLOCK.rank, not one.calls, len(one.threads), worst.rank

    ordered = sorted(classes, key=order)
    return [
        NamedClass(_letter(index), one, one.pids, _targets(view, one.threads))
        for index, one in enumerate(ordered)
    ]


def _letter(index: int) -> str:
    """A to Z, then AA, AB, ..."""
    head = _letter(index // 26 - 1) if index >= 26 else ""
    return head + chr(ord("A") + index % 26)


def _worst(view: CaptureView, threads: Sequence[Thread]) -> ThreadState:
    states = [view.states.get(thread.id, ThreadState.UNKNOWN) for thread in threads]
    return min(states, key=lambda state: state.rank)


# --- the tree ------------------------------------------------------------------------------------


def tree_rows(
    view: CaptureView,
    nodes: Sequence[CallNode],
    classes: Sequence[NamedClass],
    folded: Collection[str],
) -> list[Row]:
    """The tree, outermost call first; below a folded node nothing is shown."""
    letters = {t.id: one.letter for one in classes for t in one.stack.threads}
    total = sum(len(node.threads) for node in nodes)
    return [
        Row(
            node.id,
            partial(_paint_node, view, node, indent, letters, total),
            f"{node.call.place} {node.call.function}",
        )
        for node, indent in _walk(nodes, folded, 0)
    ]


def _walk(
    nodes: Sequence[CallNode], folded: Collection[str], depth: int
) -> Iterator[tuple[CallNode, str]]:
    """Each node with what stands before it: a sign where calls part, nothing along a chain."""
    chain = len(nodes) == 1 and depth > 0
    for node in nodes:
        hidden = node.id in folded and bool(node.children)
        sign = FOLDED if hidden else " " if chain else OPEN if node.children else ABSENT
        yield node, "  " * min(depth, _INDENTS) + sign
        if not hidden:
            # A call that leads to one call only needs no indentation of its own.
            step = 0 if len(node.children) == 1 and not node.ends and depth else 1
            yield from _walk(node.children, folded, depth + step)


def tree_heading(width: int) -> Text:
    """The names of the columns."""
    wide = width >= _WIDE
    room = _room(width)
    bar = f" {pad('', _BAR)}" if wide else ""
    who = f" {pad('WHO', _WHO)}" if wide else ""
    return Text(
        f"{pad('CALL, OUTERMOST FIRST', room)}{bar} {pad('COUNT', _COUNT, right=True)} "
        f"{pad('CL', _CLASS)}{who}"
    )


def _room(width: int) -> int:
    """Cells for the call."""
    rest = _COUNT + _CLASS + 2 + (_BAR + _WHO + 2 if width >= _WIDE else 0)
    return max(width - rest, 8)


def _paint_node(
    view: CaptureView,
    node: CallNode,
    indent: str,
    letters: Mapping[NodeId, str],
    total: int,
    width: int,
) -> list[Text]:
    room = _room(width)
    found = dict.fromkeys(letters.get(thread.id, "") for thread in node.threads)
    label = f"{indent} {call_label(node.call)}"
    text = Text(pad(label, room), "bold" if node.ends else "")
    text.no_wrap = True
    if width >= _WIDE:
        filled = max(round(_BAR * len(node.threads) / max(total, 1)), 1)
        text.append(f" {pad(SHARE * filled, _BAR)}", MUTED)
    text.append(f" {pad(str(len(node.threads)), _COUNT, right=True)} ")
    text.append(pad(" ".join(found) if len(found) < 3 else f"{len(found)}", _CLASS), HEADING)
    if width >= _WIDE:
        text.append(" " + pad(who(view, node.threads), _WHO), MUTED)
    return [text]


def call_label(call: Call) -> str:
    """``train.py:12 step``, ``ncclAllReduce libnccl.so``."""
    place, function = clean(call.place), clean(call.function)
    return f"{function} {place}" if call.native else f"{place} {function}"


def who(view: CaptureView, threads: Sequence[Thread]) -> str:
    """The names of the threads, as far as they have something in common."""
    pids = sorted({thread.pid for thread in threads})
    several = len(view.capture.processes) > 1
    if len(threads) == 1:
        name = clean(threads[0].name)
        return f"{name} {threads[0].tid}"
    names = [clean(thread.name) for thread in threads]
    common = commonprefix(names).rstrip("0123456789")  # noqa: RUF071  names are no paths
    text = f"{common}…" if len(common) > 2 else labels.plural(len(threads), "thread")
    return f"{text} in {labels.listed(map(str, pids), 3)}" if several else text


# --- the classes ---------------------------------------------------------------------------------


def class_rows(view: CaptureView, classes: Sequence[NamedClass]) -> list[Row]:
    """One row of two lines for each class."""
    return [
        Row(one.letter, partial(_paint_class, view, one), _class_search(view, one), 2)
        for one in classes
    ]


def _class_search(view: CaptureView, one: NamedClass) -> str:
    names = " ".join(
        f"{clean(thread.name)} {thread.pid} {thread.tid}" for thread in one.stack.threads[:_MEMBERS]
    )
    calls = " ".join(map(call_label, one.stack.calls))
    return f"{labels.state_label(_worst(view, one.stack.threads))} {names} {calls}"


def _paint_class(view: CaptureView, one: NamedClass, width: int) -> list[Text]:
    threads = one.stack.threads
    state = _worst(view, threads)
    count = f"{len(threads)} × " if len(threads) > 1 else ""
    badge = labels.state_label(state)
    room = max(width - len(one.letter) - len(badge) - 3, 1)
    head = Text.assemble(
        (one.letter, HEADING), "  ", (badge, STATE_STYLES[state]), " ",
        (cut(f"{count}{who(view, threads)}", room), "bold"),
    )  # fmt: skip
    return [head, Text(cut(f"   {_where(one)}", width), MUTED)]


def _where(one: NamedClass) -> str:
    """What the threads of a class are in, and what they wait for."""
    if not one.stack.calls:
        return labels.top_frame(one.stack.threads[0]) or "nothing was read of it"
    where = call_label(one.stack.calls[-1])
    return f"{where} · waits for {one.targets}" if one.targets else where


def _targets(view: CaptureView, threads: Sequence[Thread]) -> str:
    """What they wait for, the most common first."""
    waits = [wait for thread in threads if (wait := view.graph.wait_of(thread.id)) is not None]
    one_of = {wait.target: wait for wait in waits}  # thousands wait for few things
    named = {target: labels.wait_label(view, wait) for target, wait in one_of.items()}
    found = Counter(label for wait in waits if (label := named[wait.target]))
    return labels.listed((label for label, _ in found.most_common()), 2)


def class_lines(view: CaptureView, one: NamedClass, width: int) -> list[Text]:
    """All of a class: its stack, innermost first, and its members."""
    return list(_class_lines(view, one, width))


def _class_lines(view: CaptureView, one: NamedClass, width: int) -> Iterator[Text]:
    threads = one.stack.threads
    pids = one.pids
    of = f" in {labels.plural(len(pids), 'process')}" if len(pids) > 1 else ""
    what = "with this stack" if one.stack.calls else "of which no stack was read"
    yield Text(cut(f"{labels.plural(len(threads), 'thread')}{of} {what}", width), HEADING)
    if one.targets:
        yield from (Text(line) for line in wrap(f"waits for {one.targets}", width))
    yield Text()
    for index, call in enumerate(reversed(one.stack.calls)):
        sign = CURRENT if index == 0 else " "
        yield Text(cut(f"{sign} {call_label(call)}", width), MUTED if call.library else "")
    if one.stack.calls:
        yield Text()
    for thread in threads[:_MEMBERS]:
        state = view.states.get(thread.id, ThreadState.UNKNOWN)
        badge = pad(labels.state_label(state), 9)
        room = max(width - 10, 1)
        yield Text.assemble(
            (badge, STATE_STYLES[state]), " ",
            cut(f"{thread.pid} {thread.tid} {clean(thread.name)}", room),
        )  # fmt: skip
    if len(threads) > _MEMBERS:
        yield Text(f"… {len(threads) - _MEMBERS} more", MUTED)
