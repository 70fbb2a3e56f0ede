"""What one rank's flight recorder has written, as pickle or JSON (torch 2.5 to 2.13,
``torch/csrc/distributed/c10d/FlightRecorderDetail.hpp``)."""

import json
import os
import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, BinaryIO

from hangtui.backends.flightrecorder.plain_pickle import plain
from hangtui.model import Capture, Collective, InputError, PythonFrame, clean

_PICKLE = (b"\x80\x02", b"\x80\x03", b"\x80\x04", b"\x80\x05")
_JSON = re.compile(rb'\s*\{[^\[]{0,300}"(?:entries|pg_config|pg_status)"\s*:')
_RANK = re.compile(r"(\d{1,7})(?:\.\w{1,10})?$")
_MESSAGE = re.compile(r"(?P<operation>send|recv) \d{1,7}(?:->|<-)(?P<peer>\d{1,7})")
_WATCHDOG_NS = 2 * 10**9
"""It looks every 100 ms, and may have to wait for its turn."""
_NEW_S = 5.0
"""Writing it, with the lines of all calls, takes seconds where others compute."""
_MOST_BYTES = 64 << 20
_NOT_DESCRIBED = "undefined"
"""What torch writes for a group that its maker has not described."""
_KEPT = 64
"""So many of the last operations of each group: where ranks part is among them, or too long ago."""
_FRAMES, _SIZES = 64, 16
_RANKS = 100_000


def is_record(head: bytes) -> bool:
    """Whether a file that begins so may be one."""
    return head.startswith(_PICKLE) or _JSON.match(head) is not None


def read_record(file: BinaryIO, path: str) -> Capture:
    """A capture without processes, of what the rank in the name of *path* has called.

    Raises:
        InputError: it is damaged, or no such record, or the name does not end in a rank.
    """
    found = _RANK.search(path)
    if found is None:
        raise InputError(
            "a record of torch's flight recorder, whose name does not end in the rank",
            "name it like trace_rank_3",
        )
    data = file.read(_MOST_BYTES + 1)
    if len(data) > _MOST_BYTES:
        raise InputError(f"it holds more than {_MOST_BYTES >> 20} MB")
    written = os.fstat(file.fileno()).st_mtime
    taken_at = datetime.fromtimestamp(written, UTC).isoformat(timespec="milliseconds")
    rank = int(found[1])
    return Capture(
        taken_at,
        "",
        collectives=tuple(_collectives(_data(data), rank, clean(path), written)),
        origin=clean(path),
    )


def _data(data: bytes) -> Mapping[str, Any]:
    try:
        whole = plain(data) if data.startswith(_PICKLE) else json.loads(data)
    except (ValueError, RecursionError) as error:
        raise InputError("damaged, or no record of a flight recorder") from error
    if not isinstance(whole, dict) or not isinstance(whole.get("entries"), list):
        raise InputError("no record of torch's flight recorder: it has no list of entries")
    return whole


def _collectives(
    whole: Mapping[str, Any], rank: int, path: str, written: float
) -> Iterator[Collective]:
    """*written*: when the file was, in seconds."""
    ranks = _groups(whole.get("pg_config"))
    kept: dict[str, list[Collective]] = {}
    for entry in whole["entries"]:
        if not isinstance(entry, dict):
            continue
        name, group = _group(entry)
        message = _message(entry, ranks.get(name, ()))
        number = _integer(entry.get("p2p_seq_id" if entry.get("is_p2p") else "collective_seq_id"))
        if number < 1 or (entry.get("is_p2p") and message is None):
            continue
        operation, peer = message or (_operation(entry), None)
        kept.setdefault(f"{group} {peer is None}", []).append(
            Collective(
                rank,
                group,
                ranks.get(name, ()),
                number,
                operation,
                _shape(entry),
                _done(entry),
                _stack(entry.get("frames")),
                path,
                peer,
                _is_new(entry, written),
            )
        )
    if _is_whole(whole["entries"]):
        yield Collective(rank, "", ranks.get("", ()), 0, "", "", done=True, file=path)
    for those in kept.values():
        yield from sorted(those, key=lambda one: one.number)[-_KEPT:]


def _operation(entry: Mapping[str, Any]) -> str:
    return _text(entry.get("profiling_name")).rpartition(":")[2]


def _message(entry: Mapping[str, Any], ranks: tuple[int, ...]) -> tuple[str, int] | None:
    """Whether it is sent or received, and the rank at the other end; None: it is no message.

    A group's ranks are numbered from 0 within it; *ranks*: as the job numbers them.
    """
    match = _MESSAGE.fullmatch(_operation(entry)) if entry.get("is_p2p") else None
    if match is None:
        return None
    peer = int(match["peer"])
    return match["operation"], ranks[peer] if peer < len(ranks) else peer


def _done(entry: Mapping[str, Any]) -> bool:
    """Whether it has ended.

    NCCL's watchdog retires what has. What it has not is asked for while the record is written, and
    then counts as done as well if its kernel was not even started, because NCCL still connects: so
    such an answer counts only for what was new.
    """
    if entry.get("retired"):
        return True
    made = _integer(entry.get("time_created_ns"))
    found = _integer(entry.get("time_discovered_completed_ns"))
    late = made > 0 and found - made > _WATCHDOG_NS
    return entry.get("state") == "completed" and not (late and _is_of_nccl(entry))


def _is_new(entry: Mapping[str, Any], written: float) -> bool:
    """Whether it was called right before the record was written: of a job at work each has such an
    operation now and then. Who copies the file may change its time, to a later one."""
    return abs(written - _integer(entry.get("time_created_ns")) / 1e9) < _NEW_S


def _is_of_nccl(entry: Mapping[str, Any]) -> bool:
    return _text(entry.get("profiling_name")).startswith("nccl:")


def _group(entry: Mapping[str, Any]) -> tuple[str, str]:
    """The name of its process group, and how it is told of."""
    pair = entry.get("process_group")
    name, *rest = pair if isinstance(pair, (list, tuple)) and pair else ("",)
    called = _text(rest[0]) if rest else ""
    named = called if called != _NOT_DESCRIBED else f"group {_text(name)}"
    return _text(name), named or _text(name) or "default"


def _groups(config: object) -> dict[str, tuple[int, ...]]:
    """The ranks of each process group, by its name; they are written as a text: ``[0, 1, 2]``.

    gloo (torch 2.13) writes those of one group alone, without a name: of the one made last.
    """
    found: dict[str, tuple[int, ...]] = {}
    for name, one in config.items() if isinstance(config, dict) else ():
        text = one.get("ranks") if isinstance(one, dict) else None
        if isinstance(text, str) and len(text) <= 10 * _RANKS:
            found[_text(name)] = tuple(int(word) for word in re.findall(r"\d{1,7}", text)[:_RANKS])
    return found


def _is_whole(entries: list[Any]) -> bool:
    """Whether nothing that the rank has called has been left out for want of room."""
    numbers = [_integer(one.get("record_id")) for one in entries if isinstance(one, dict)]
    return min(numbers, default=0) == 0


def _shape(entry: Mapping[str, Any]) -> str:
    kinds, sizes = entry.get("input_dtypes"), entry.get("input_sizes")
    if not isinstance(kinds, (list, tuple)) or not isinstance(sizes, (list, tuple)):
        return ""
    parts = [
        f"{_text(kind)} {[_integer(n) for n in size[:_SIZES]]}"
        for kind, size in zip(kinds[:_SIZES], sizes[:_SIZES], strict=False)
        if isinstance(size, (list, tuple))
    ]
    return ", ".join(parts)


def _stack(frames: object) -> tuple[PythonFrame, ...]:
    return tuple(
        PythonFrame(_text(one.get("name")), _text(one.get("filename")), _integer(one.get("line")))
        for one in (frames[:_FRAMES] if isinstance(frames, list) else ())
        if isinstance(one, dict)
    )


def _text(value: object) -> str:
    return clean(value, 200) if isinstance(value, str) else ""


def _integer(value: object) -> int:
    return value if isinstance(value, int) and abs(value) < 1 << 63 else 0
