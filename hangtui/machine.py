"""All Python processes of a machine over time: what is known of each, and whom to look into next.

A glance (`Sighting`) costs next to nothing and comes every few seconds; a look into a process is a
capture with its diagnosis. Nothing is said of a process that was not looked into.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from enum import IntEnum

from hangtui.analysis.coverage import gaps
from hangtui.dataclass import dataclass
from hangtui.diagnosis import Diagnosis
from hangtui.model import Finding, Severity, Sighting

GONE_S = 60.0
"""How long one that ended stays in the list."""
NEW_S = 10.0
_SETTLED_S = 1.0
_FIRST_AGAIN_S, _LAST_AGAIN_S = 15.0, 300.0
"""After what time one of which nothing changed is looked into again: at first, and at last."""
_STILL_S = 6.0
"""Who ran before and used no processor for so long may hang since."""
_RAN_S = 0.05
"""So much processor time is more than a timer that comes round."""
_REST = 60.0
"""Looks may take one part of so many of the time: below 2 % of a processor with the glances."""
_HURRY = 5.0
"""The same while somebody new was never looked into; those of the first glance wait for nobody."""
_FIRST, _NEXT, _AT_ONCE = 8, 24, 64
"""Processes in one capture: in the first one, so that there is a verdict soon, in those that follow
at once, and later."""
_UNREAD = "it could not be read"


class Rank(IntEnum):
    """In which order processes are listed."""

    ERROR = 0
    WARNING = 1
    NOTE = 2
    UNKNOWN = 3
    """Nobody has looked into it, or it could not be read."""
    WELL = 4
    """Looked into, and nothing was found, or it was found to work or to rest."""
    GONE = 5


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a look into a process said."""

    rank: Rank
    id: str
    """Of the worst finding; empty: there is none."""
    text: str
    looked_at: float
    """When, by the caller's clock, in seconds."""
    since: float
    """Since when looks have said the same."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One process, and what became of it."""

    sighting: Sighting
    first_seen: float
    moved_at: float
    """When its processor time was last seen to grow, or it was first seen."""
    moved: bool = False
    """Whether it grew since then at all."""
    verdict: Verdict | None = None
    again_s: float = _FIRST_AGAIN_S
    stirred: bool = False
    """It began or ceased to run since it was looked into."""
    gone_at: float | None = None
    problem: str = ""
    """Why a look into it brought nothing."""

    @property
    def rank(self) -> Rank:
        """Its place among the others."""
        if self.gone_at is not None:
            return Rank.GONE
        return self.verdict.rank if self.verdict else Rank.UNKNOWN

    def still_s(self, now: float) -> float | None:
        """How long it has used no processor; None: not known yet."""
        return now - self.moved_at if now > self.first_seen else None


class Machine:
    """What is known of all processes; every method is told the time, in seconds."""

    def __init__(self) -> None:
        self._entries: dict[tuple[int, int], Entry] = {}
        self._free_at = 0.0
        """When the next look may begin."""
        self._hurried_at = 0.0
        """The same while somebody new was never looked into."""
        self._began: float | None = None
        """When the first glance came."""
        self.glanced_at: float | None = None

    def glance(self, sightings: Iterable[Sighting], now: float) -> None:
        """Take over what is seen now."""
        seen = {(one.pid, one.started): one for one in sightings}
        self.glanced_at = now
        if self._began is None:
            self._began = now
        for key, entry in list(self._entries.items()):
            if key in seen:
                continue
            if entry.gone_at is None:
                self._entries[key] = replace(entry, gone_at=now)
            elif now - entry.gone_at > GONE_S:
                del self._entries[key]
        for key, one in seen.items():
            known = self._entries.get(key)
            self._entries[key] = _glanced(known, one, now) if known else Entry(one, now, now)

    def due(self, now: float, looking: Collection[int] = ()) -> tuple[int, ...]:
        """Whom to look into now: PIDs; empty: nobody, or it is too early.

        *looking*: who is being looked into. Others are looked into at the same time only until all
        of the first glance were.
        """
        alive = [
            one
            for one in self._entries.values()
            if one.gone_at is None and one.sighting.pid not in looking
        ]
        fresh = [one for one in alive if _is_fresh(one)]
        initial = any(one.first_seen == self._began for one in fresh)
        early = now < (self._hurried_at if fresh else self._free_at)
        if not initial and (looking or early):
            return ()
        wanted = fresh or [one for one in alive if _is_due(one, now)]
        wanted.sort(key=lambda one: (one.rank, one.verdict.looked_at if one.verdict else 0.0))
        started = looking or any(one.verdict or one.problem for one in alive)
        most = _FIRST if not started else _NEXT if initial else _AT_ONCE
        return tuple(one.sighting.pid for one in wanted[:most])

    def looked(
        self,
        pids: Iterable[int],
        diagnosis: Diagnosis | None,
        began: float,
        now: float,
        problem: str = "",
    ) -> None:
        """Take over what a look into *pids* said, which *began* then.

        *problem*: why there is nothing.
        """
        took = now - began
        self._hurried_at = now + _HURRY * took
        self._free_at = max(self._free_at, now) + _REST * took  # what others took is paid first
        asked = set(pids)
        verdicts = verdicts_of(diagnosis, now) if diagnosis else {}
        told = _notices(diagnosis) if diagnosis else {}
        for key, entry in self._entries.items():
            new = verdicts.get(key[0])
            if new is not None and entry.gone_at is None:
                self._entries[key] = _judged(entry, new)
            elif key[0] in asked:
                why = "" if entry.verdict else told.get(key[0]) or problem or _UNREAD
                self._entries[key] = replace(entry, problem=why, stirred=False)

    def entries(self) -> list[Entry]:
        """All, worst first; among equals the one that stands longest, then the oldest."""
        return sorted(
            self._entries.values(),
            key=lambda one: (
                one.rank,
                one.verdict.since if one.verdict else 0.0,
                -one.sighting.age_s,
                one.sighting.pid,
            ),
        )


def _glanced(entry: Entry, seen: Sighting, now: float) -> Entry:
    grew = seen.processor_s - entry.sighting.processor_s
    ran = grew >= _RAN_S
    stood = now - entry.moved_at
    rank = entry.verdict.rank if entry.verdict else Rank.UNKNOWN
    # A hung one that runs again, and a running one that stands, are not what they were.
    stirred = entry.stirred or (
        ran if rank in (Rank.ERROR, Rank.WARNING) else entry.moved and not ran and stood > _STILL_S
    )
    return replace(
        entry,
        sighting=seen,
        moved_at=now if grew > 0 else entry.moved_at,
        moved=ran or (entry.moved and stood <= _STILL_S),
        stirred=stirred,
        gone_at=None,
    )


def _is_fresh(entry: Entry) -> bool:
    """Nobody looked into it, and it is not about to become another program."""
    unseen = entry.verdict is None and not entry.problem
    return unseen and entry.sighting.age_s >= _SETTLED_S


def _is_due(entry: Entry, now: float) -> bool:
    looked = entry.verdict.looked_at if entry.verdict else entry.first_seen
    return entry.stirred or now - looked >= entry.again_s


def _judged(entry: Entry, new: Verdict) -> Entry:
    old = entry.verdict
    if old is not None and old.id == new.id and old.rank is new.rank:
        again = min(2 * entry.again_s, _LAST_AGAIN_S)
        new = replace(new, since=old.since)
    else:
        again = _FIRST_AGAIN_S
    return replace(entry, verdict=new, again_s=again, stirred=False, problem="")


def verdicts_of(diagnosis: Diagnosis, now: float) -> Mapping[int, Verdict]:
    """What a diagnosis says of each process that it covers, by PID."""
    worst: dict[int, Finding] = {}
    for finding in diagnosis.findings:
        for pid in dict.fromkeys(ref.pid for ref in (*finding.threads, *finding.victims)):
            worst.setdefault(pid, finding)
    found = {}
    for process in diagnosis.capture.processes:
        pid = process.pid
        if told := worst.get(pid):
            found[pid] = Verdict(_rank(told), told.id, _short(told.title, pid), now, now)
        elif missing := gaps(diagnosis.capture, process):
            text = f"not read: {missing[0].what} ({missing[0].reason})"
            found[pid] = Verdict(Rank.UNKNOWN, "", text, now, now)
        elif process.python:
            found[pid] = Verdict(Rank.WELL, "", "no finding", now, now)
    return found


def _short(title: str, pid: int) -> str:
    """*title* beside the number of its process."""
    shorter = title.removeprefix(f"Process {pid} ").replace(f" of process {pid}", "")
    return shorter.replace(f"; process {pid} ", "; it ")


def _notices(diagnosis: Diagnosis) -> Mapping[int, str]:
    """What is said of processes that could not be read, and what mends it."""
    found: dict[int, str] = {}
    for one in diagnosis.capture.notices:
        if one.pid is not None:
            found.setdefault(one.pid, f"{one.message}   {one.fix}" if one.fix else one.message)
    return found


def _rank(finding: Finding) -> Rank:
    if finding.severity is Severity.ERROR:
        return Rank.ERROR
    if finding.severity is Severity.WARNING:
        return Rank.WARNING
    return Rank.WELL if finding.is_well else Rank.NOTE
