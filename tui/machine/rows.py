"""The rows of the list of all processes."""

from collections import Counter
from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

from rich.text import Text

from hangtui.machine import NEW_S, Entry, Rank
from hangtui.model import Severity, clean
from hangtui.tui.cells import cut, cut_middle, pad
from hangtui.tui.rows.labels import duration, plural
from hangtui.tui.rows.row import Row
from hangtui.tui.status import WIDE
from hangtui.tui.theme import MUTED, SEVERITY_SIGNS, SEVERITY_STYLES

_STOOD_S = 2.0
"""Less than that is told by nobody: glances are as far apart."""
_NAME, _NAME_LEAST, _WHERE = 18, 10, 22
_ROOMY = 60
"""From this width on the times have room beside the verdict."""
_LOUD = {
    Rank.ERROR: Severity.ERROR,
    Rank.WARNING: Severity.WARNING,
    Rank.NOTE: Severity.NOTE,
}


class Told(NamedTuple):
    """What stands in the row of a process; equal ones need not be painted again."""

    key: str
    rank: Rank
    pid: str
    name: str
    where: str
    age: str
    stood: str
    words: str
    search: str


def told(entry: Entry, now: float, began: float) -> Told:
    """What there is to tell of a process; *began*: when the list did."""
    seen, verdict = entry.sighting, entry.verdict
    facts = (
        *(str(seen.pid), seen.title, seen.cmdline, seen.user, seen.container),
        verdict.text if verdict else "",
    )
    return Told(
        key=f"{seen.pid}:{seen.started}",
        rank=entry.rank,
        pid=str(seen.pid),
        name=clean(seen.title),
        where=clean(seen.container or seen.user or ""),
        age=duration(seen.age_s),
        stood=_stood(entry, now),
        words=_words(entry, now, began),
        search=" ".join(clean(fact) for fact in facts if fact),
    )


def machine_rows(processes: Sequence[Told]) -> list[Row]:
    """A row for each process."""
    return [Row(one.key, partial(_paint, one), one.search) for one in processes]


def heading(width: int) -> Text:
    """What the columns are."""
    where = pad("CONTAINER OR USER", _WHERE) + " " if width >= WIDE else ""
    line = f"  {pad('PID', 7, right=True)} {pad('NAME', _name_room(width))} {where}"
    times = f"{pad('AGE', 4, right=True)} {pad('STOOD', 5, right=True)} "
    return Text(cut(f"{line}{times if width >= _ROOMY else ''}VERDICT", width))


def _name_room(width: int) -> int:
    return _NAME if width >= _ROOMY else _NAME_LEAST


def _paint(one: Told, width: int) -> list[Text]:
    severity = _LOUD.get(one.rank)
    loud = severity is not None and one.rank < Rank.UNKNOWN
    style = SEVERITY_STYLES[severity] if severity and loud else MUTED
    sign = SEVERITY_SIGNS[severity] if severity and loud else " "
    room = _name_room(width)
    name = pad(cut_middle(one.name, room), room)
    line = Text.assemble((sign, style), f" {pad(one.pid, 7, right=True)} {name} ")
    if width >= WIDE:
        line.append(pad(cut_middle(one.where, _WHERE), _WHERE) + " ", MUTED)
    if width >= _ROOMY:
        line.append(pad(one.age, 4, right=True) + " ", MUTED)
        line.append(pad(one.stood, 5, right=True) + " ")
    alarming = one.rank in (Rank.ERROR, Rank.WARNING)
    line.append(cut(one.words, max(width - line.cell_len, 0)), style if alarming else "")
    if one.rank is Rank.GONE:
        line.stylize(MUTED)
    return [line]


def _stood(entry: Entry, now: float) -> str:
    """How long it has used no processor."""
    still = entry.still_s(now)
    if entry.gone_at is not None or still is None:
        return ""
    return f"≥{duration(still)}" if still >= _STOOD_S else "ran"


def _words(entry: Entry, now: float, began: float) -> str:
    if entry.gone_at is not None:
        said = f"; was: {entry.verdict.text}" if entry.verdict else ""
        return f"ended {duration(now - entry.gone_at)} ago{clean(said)}"
    verdict = entry.verdict
    new = "new: " if now - entry.first_seen < NEW_S < entry.first_seen - began else ""
    if verdict is None:
        return new + (clean(entry.problem) if entry.problem else "not looked into yet")
    lasts = now - verdict.since
    since = ""
    if verdict.rank in (Rank.ERROR, Rank.WARNING) and lasts >= _STOOD_S:
        since = f"{duration(lasts)}+: "
    stirred = "(ran since) " if entry.stirred and verdict.rank in (Rank.ERROR, Rank.WARNING) else ""
    return f"{new}{stirred}{since}{clean(verdict.text)}"


def counts(entries: Sequence[Entry]) -> str:
    """``50 processes · 2 hung · 1 suspicious · 3 not looked into``."""
    found = Counter(one.rank for one in entries)
    alive = len(entries) - found[Rank.GONE]
    words = [plural(alive, "process")]
    named = ((Rank.ERROR, "hung"), (Rank.WARNING, "suspicious"), (Rank.UNKNOWN, "not looked into"))
    words += [f"{found[rank]} {word}" for rank, word in named if found[rank]]
    return " · ".join(words)
