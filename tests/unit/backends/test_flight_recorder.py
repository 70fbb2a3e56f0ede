"""Records of torch's flight recorders. Those in ``flight/`` were written by three ranks of gloo
(torch 2.13): rank 1 stays away from the third operation, or calls a barrier instead; and by two of
NCCL (torch 2.11, one H200): both receive, or rank 1 stays away from the second operation. The
pickles were written anew with other names of folders."""

import io
import json
import os
import pickle
import struct
from pathlib import Path
from typing import Any

import pytest

from hangtui.backends.flightrecorder.plain_pickle import plain
from hangtui.capture_file import packed, read
from hangtui.cli.files import load
from hangtui.cli.several import combine
from hangtui.diagnosis import diagnose
from hangtui.model import Capture, Certainty, Finding, InputError, Severity

FOLDER = Path(__file__).parent / "flight"


def of_all(name: str, ranks: tuple[int, ...] = (0, 1, 2)) -> Capture:
    return combine([load(str(FOLDER / f"{name}_{rank}")) for rank in ranks])


def told(capture: Capture) -> Finding:
    (finding,) = diagnose(capture).findings
    return finding


def test_the_rank_that_never_called_what_the_others_wait_in() -> None:
    finding = told(of_all("absent"))

    assert (finding.id, finding.severity) == ("collective-order", Severity.WARNING)
    assert finding.certainty is Certainty.CERTAIN
    assert finding.title == (
        "Ranks 0, 2 wait in all_reduce at train.py:21 (train_step), which rank 1 never called"
    )
    assert "number 3 of default_pg" in finding.sentence
    assert "number 2, broadcast at train.py:22 (train_step), which was done" in finding.sentence


def test_a_rank_in_another_operation() -> None:
    finding = told(of_all("mismatch"))

    assert finding.title == (
        "Rank 1 and ranks 0, 2 called different operations as number 3 of default_pg"
    )
    assert "Rank 1 called barrier at train.py:34 (<module>)" in finding.sentence
    assert "ranks 0, 2 called all_reduce at train.py:35" in finding.sentence


def test_two_that_wait_for_messages_of_one_another() -> None:
    finding = told(of_all("receive", (0, 1)))

    assert (finding.id, finding.severity) == ("message-unmatched", Severity.WARNING)
    assert finding.title == (
        "Ranks 0-1 wait in recv at train.py:70 (both_receive), and each of them waits for another "
        "one"
    )
    assert (
        "Rank 0 waits in recv at train.py:70 (both_receive) to receive from rank 1, which has "
        in (finding.sentence)
    )
    assert diagnose(of_all("receive", (0,))).findings == (), "what rank 1 does is not known"


def of_message(tmp_path: Path, rank: int, **change: object) -> Capture:
    """The record of a rank that receives, with something else in that entry."""
    record = pickle.loads((FOLDER / f"receive_{rank}").read_bytes())
    record["entries"][-1].update(change)
    path = tmp_path / f"trace_{rank}"
    path.write_bytes(pickle.dumps(record, protocol=4))
    return load(str(path))


@pytest.mark.parametrize(
    "change",
    [
        {"profiling_name": "nccl:send 1->0"},
        {"retired": True},
        {"profiling_name": "nccl:send 1->0", "retired": True},
        {"profiling_name": "nccl:coalesced"},
    ],
)
def test_messages_that_match_or_are_done_are_no_finding_of_their_rank(
    change: dict[str, object], tmp_path: Path
) -> None:
    other = of_message(tmp_path, 1, **change)
    found = diagnose(combine([load(str(FOLDER / "receive_0")), other])).findings
    sends = change == {"profiling_name": "nccl:send 1->0"}
    assert [one.title[:6] for one in found] == ([] if sends else ["Rank 0"])


def test_what_nccl_calls_completed_while_it_is_asked_is_not_done(tmp_path: Path) -> None:
    entry = pickle.loads((FOLDER / "receive_0").read_bytes())["entries"][-1]
    assert (entry["state"], entry["retired"]) == ("completed", False)
    soon = entry["time_created_ns"] + 10**8
    (message,) = (
        one for one in of_message(tmp_path, 0, time_discovered_completed_ns=soon).collectives
        if one.peer is not None
    )  # fmt: skip
    assert message.done
    assert (message.operation, message.peer, message.number) == ("recv", 1, 1)


def test_a_rank_of_nccl_that_stays_away() -> None:
    finding = told(of_all("nccl_absent", (0, 1)))
    assert finding.title == (
        "Rank 0 waits in all_reduce at train.py:62 (missing_rank), which rank 1 never called"
    )


def test_json_has_the_same_without_lines() -> None:
    capture = combine([load(str(FOLDER / "absent_0.json")), load(str(FOLDER / "absent_1"))])
    finding = told(capture)

    assert finding.title == "Rank 0 waits in all_reduce, which rank 1 never called"
    assert finding.unknown[0] == "what rank 2 called: their records were not given"


def test_ranks_that_have_called_the_same_are_no_finding() -> None:
    assert diagnose(of_all("absent", (0, 2))).findings == ()


def test_it_is_kept_in_a_capture() -> None:
    capture = of_all("mismatch")

    assert read(io.BytesIO(packed(capture))).collectives == capture.collectives


def edited(tmp_path: Path, rank: int, change: dict[str, Any]) -> Capture:
    """Rank 1 of those that wait in one all_reduce, with something else in its last entry."""
    record = pickle.loads((FOLDER / "absent_0").read_bytes())
    record["entries"][-1].update(change)
    path = tmp_path / f"trace_{rank}"
    path.write_bytes(pickle.dumps(record, protocol=4))
    return load(str(path))


def test_other_sizes(tmp_path: Path) -> None:
    other = edited(tmp_path, 1, {"input_sizes": [[16]]})
    finding = told(combine([of_all("absent", (0, 2)), other]))

    assert "with other sizes as number 3" in finding.title
    assert "rank 1 called all_reduce (Float [16])" in finding.sentence.replace("Rank", "rank")


def test_what_all_have_done_hangs_nobody(tmp_path: Path) -> None:
    both = [edited(tmp_path, 3, {"retired": True}), edited(tmp_path, 4, {"retired": True})]
    other = edited(tmp_path, 5, {"retired": True, "profiling_name": "gloo:barrier"})

    assert diagnose(combine([*both, other])).findings == ()


@pytest.mark.parametrize(
    "entry", [7, {}, {"collective_seq_id": "x"}, {"collective_seq_id": 1, "frames": 5}]
)
def test_entries_of_other_kinds_cost_themselves(tmp_path: Path, entry: object) -> None:
    path = tmp_path / "trace_0"
    path.write_bytes(pickle.dumps({"entries": [entry], "pg_config": [], "version": 1}, 2))

    assert sum(one.number > 0 for one in load(str(path)).collectives) <= 1


def test_the_rank_is_in_the_name(tmp_path: Path) -> None:
    path = tmp_path / "trace"
    path.write_bytes((FOLDER / "absent_0").read_bytes())

    with pytest.raises(InputError, match="does not end in the rank"):
        load(str(path))


# -- pickles of strangers -----------------------------------------------------------------------


class Runs:
    """Runs a command when it is unpickled by the standard library."""

    def __reduce__(self) -> tuple[Any, ...]:
        return print, ("it ran",)


def memo_bomb() -> bytes:
    return b"\x80\x02Nr" + struct.pack("<I", 2**31 - 1) + b"."


def doubled(levels: int) -> bytes:
    """A tuple of two of the tuple before, as the key of a dictionary: its hash takes for ever."""
    steps = b"".join(b"0h\x00h\x00\x86q\x00" for _ in range(levels))
    return b"\x80\x02}(K\x01q\x00" + steps.replace(b"0", b"", 1) + b"K\x01u."


@pytest.mark.parametrize("protocol", range(6))
def test_what_would_run_something_is_refused(
    protocol: int, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(InputError, match=r"more than data|neither a text"):
        plain(pickle.dumps({"entries": [Runs()]}, protocol))
    assert "it ran" not in capsys.readouterr().out


@pytest.mark.parametrize(
    "data",
    [
        b"cos\nsystem\n(S'id'\ntR.",
        b"\x80\x02cbuiltins\neval\nX\x01\x00\x00\x001\x85R.",
        b"\x80\x04\x8c\x02os\x8c\x06system\x93.",
        b"\x80\x02\x82\x01.",
        b"(i__builtin__\neval\n.",
        b"\x80\x02X\x01\x00\x00\x00aQ.",
        b"\x80\x02}(K\x01\x85K\x02u.",
        doubled(60),
        b"\x80\x02X\xff\xff\xff\xffa.",
        b"\x80\x02\x8a\xffa.",
        b"\x80\x02h\x05.",
        b"\x80\x02e.",
        b"\x80\x02t.",
        b"\x80\x02Ns.",
        b"\x80\x02(.",
        b"\x80\x02]a.",
        b"\x80\x02",
        b"\x80",
        b"",
    ],
)
def test_attacks_and_damage_are_one_clear_line(data: bytes) -> None:
    with pytest.raises(InputError) as caught:
        plain(data)
    assert "\n" not in caught.value.message


def test_the_index_of_a_memo_costs_nothing() -> None:
    assert plain(memo_bomb()) is None


def test_a_pickle_that_never_ends_is_cut_off() -> None:
    with pytest.raises(InputError, match="more values than any record"):
        plain(b"\x80\x02" + b"N" * 3_000_000)


@pytest.mark.parametrize("protocol", [2, 3, 4, 5])
def test_plain_data_comes_out_as_it_is(protocol: int) -> None:
    data = {
        "a": [1, -5, 2**40, -(2**70), 300, 70000, 1.5, None, True, False, "é" * 300],
        "b": ((), (1,), (1, 2), (1, 2, 3), (1, 2, 3, 4)),
        7: {"x": [[], {}]},
    }
    assert plain(pickle.dumps(data, protocol)) == data


def test_each_record_cut_off_anywhere_is_refused(tmp_path: Path) -> None:
    whole = (FOLDER / "absent_0").read_bytes()
    for end in range(2, len(whole), 7):
        path = tmp_path / "trace_1"
        path.write_bytes(whole[:end])
        with pytest.raises(InputError):
            load(str(path))


def of_gloo(tmp_path: Path, rank: int, *called: str, dropped: int = 0) -> Capture:
    """A record as gloo writes it: ``1 all_reduce!`` is an operation of group 1 that is not done."""
    counts: dict[str, int] = {}
    entries = []
    for record, text in enumerate(called, dropped):
        group, operation = text.split()
        counts[group] = counts.get(group, 0) + 1
        entries.append(
            {
                "record_id": record,
                "process_group": [group, "default_pg" if group == "0" else "undefined"],
                "collective_seq_id": counts[group],
                "profiling_name": f"gloo:{operation.removesuffix('!')}",
                "retired": not operation.endswith("!"),
            }
        )
    config = {"": {"name": "", "desc": "", "ranks": "[0, 1]"}}  # of the group made last
    path = tmp_path / f"trace_rank_{rank}.json"
    path.write_text(json.dumps({"version": "2.10", "pg_config": config, "entries": entries}))
    return load(str(path))


def test_a_rank_that_has_called_nothing_at_all(tmp_path: Path) -> None:
    others = [of_gloo(tmp_path, rank, "0 barrier!") for rank in (1, 2, 3)]

    finding = told(combine([of_gloo(tmp_path, 0), *others]))

    assert finding.title == "Ranks 1-3 wait in barrier, which rank 0 never called"
    assert "its record has none of that group" in finding.sentence
    assert diagnose(combine(others)).findings == (), "what rank 0 did is not known"


def test_of_a_rank_whose_first_operations_are_left_out_nothing_is_said(tmp_path: Path) -> None:
    full = of_gloo(tmp_path, 0, "1 all_reduce", dropped=2000)

    assert diagnose(combine([full, of_gloo(tmp_path, 1, "0 barrier!")])).findings == ()


def test_groups_of_rows_and_of_columns_in_different_orders(tmp_path: Path) -> None:
    rows, columns = ("1", "1", "2", "2"), ("3", "4", "3", "4")
    first = [columns[rank] if rank in (1, 2) else rows[rank] for rank in range(4)]
    ranks = [
        of_gloo(
            tmp_path,
            rank,
            f"{rows[rank]} all_reduce",
            f"{columns[rank]} all_reduce",
            f"{first[rank]} all_reduce!",
        )
        for rank in range(4)
    ]

    finding = told(combine(ranks))

    assert finding.title == "Ranks 0-3 wait for one another in all_reduce of different groups"
    assert "rank 0 in all_reduce, number 2 of group 1, which rank 1 never called" in (
        finding.sentence
    )
    apart = combine([*ranks[:3], of_gloo(tmp_path, 3, "2 all_reduce", "4 all_reduce")])
    assert [one.title for one in diagnose(apart).findings] == [
        "Rank 1 waits in all_reduce, which rank 3 never called",
        "Rank 0 waits in all_reduce, which rank 1 never called",
        "Rank 2 waits in all_reduce, which rank 0 never called",
    ]


def test_what_an_absent_rank_waits_in_is_told(tmp_path: Path) -> None:
    waiting = of_gloo(tmp_path, 0, "0 barrier!")
    absent = of_gloo(tmp_path, 1, "1 all_reduce!")

    finding = told(combine([waiting, absent]))

    assert finding.title == "Rank 0 waits in barrier, which rank 1 never called"
    assert "Rank 1 waits in all_reduce, number 1 of group 1." in finding.sentence


def test_what_was_called_right_before_the_record_was_written_is_no_wait(tmp_path: Path) -> None:
    """torch's debug server writes records of jobs at work, one rank after the other."""
    for rank in range(3):
        whole = pickle.loads((FOLDER / f"absent_{rank}").read_bytes())
        (tmp_path / f"trace_{rank}").write_bytes(pickle.dumps(whole, protocol=4))
    made = max(entry["time_created_ns"] for entry in whole["entries"]) / 1e9

    def found(after_s: float) -> list[str]:
        for path in tmp_path.iterdir():
            os.utime(path, (made + after_s, made + after_s))
        captures = [load(str(tmp_path / f"trace_{rank}")) for rank in range(3)]
        return [one.id for one in diagnose(combine(captures)).findings]

    assert found(600.0) == ["collective-order"]
    assert found(0.2) == []
