"""Captures survive the way into a file and back; other files are refused in one line."""

import gzip
import os
import stat
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import msgspec
import pytest

from hangtui import capture_file, foreign_capture
from hangtui.model import (
    Capture,
    DatabaseLock,
    InputError,
    NativeFrame,
    Notice,
    Scheduler,
    Syscall,
    UsageError,
)
from tests.unit.factories import abba, capture, native_frame, python_frame, thread


def rich_capture() -> Capture:
    made = abba()
    first = made.processes[0]
    odd = thread(
        "odd ümläut", 199, native=[NativeFrame(None, None, 2**63 + 5)], syscall=Syscall("read", "0")
    )
    return replace(
        made,
        processes=(replace(first, threads=(*first.threads, odd)),),
        notices=(Notice("gdb", "is not installed", "apt install gdb", 100),),
        pending=("gdb",),
    )


def packed(path: Path, raw: object) -> Path:
    path.write_bytes(gzip.compress(msgspec.json.encode(raw)))
    return path


def as_json(value: Capture) -> dict[str, object]:
    result: dict[str, object] = msgspec.json.decode(capture_file.encode(value))
    return result


def message_of(path: Path) -> str:
    with pytest.raises(InputError) as caught:
        capture_file.load(path)
    assert "\n" not in caught.value.message
    return caught.value.message


def test_a_capture_comes_back_equal_from_a_file(tmp_path: Path) -> None:
    made = rich_capture()
    capture_file.save(made, tmp_path / "x.hang")

    assert as_json(capture_file.load(tmp_path / "x.hang")) == as_json(made)
    assert capture_file.load(tmp_path / "x.hang").processes == made.processes


def test_lists_of_processes_and_nodes_come_back_from_a_file(tmp_path: Path) -> None:
    made = rich_capture()
    made = replace(
        made,
        resources=tuple(replace(one, sharers=(100, 101)) for one in made.resources),
        waits=tuple(replace(one, answering=(one.waiter,)) for one in made.waits),
        database_locks=(DatabaseLock("/srv/shop.db", 100, writes=True, users=(100, 101)),),
    )
    capture_file.save(made, tmp_path / "x.hang")

    assert as_json(capture_file.load(tmp_path / "x.hang")) == as_json(made)
    far = tuple(replace(one, sharers=(2**40,)) for one in made.resources)
    capture_file.save(replace(made, resources=far), tmp_path / "y.hang")
    assert "a number out of range (pid)" in message_of(tmp_path / "y.hang")


def test_how_many_of_something_there_are_comes_back_from_a_file(tmp_path: Path) -> None:
    def back(state: str, many: int = 2) -> Path:
        scheduler = Scheduler(100, None, 3, ((state, many), ("RUNNING", 1)))
        made = replace(rich_capture(), schedulers=(scheduler,))
        capture_file.save(made, tmp_path / "x.hang")
        return tmp_path / "x.hang"

    for state, told in (("WAITING", "WAITING"), ("a\x1bb", "a\ufffdb")):
        (scheduler,) = capture_file.load(back(state)).schedulers
        assert scheduler.states == ((told, 2), ("RUNNING", 1))
    assert "a number out of range" in message_of(back("WAITING", 2**64))


def test_a_capture_comes_back_equal_from_a_pipe() -> None:
    made = rich_capture()
    back = capture_file.decode(capture_file.encode(made))

    assert back.processes == made.processes
    assert (back.waits, back.holds, back.resources) == (made.waits, made.holds, made.resources)
    assert b"\n" not in capture_file.encode(made)


def test_a_file_is_private_and_leaves_nothing_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "x.hang"
    path.write_text("old")
    path.chmod(0o644)
    capture_file.save(abba(), path)

    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [entry.name for entry in tmp_path.iterdir()] == ["x.hang"]


def test_a_failed_write_keeps_the_old_file_and_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "x.hang"
    path.write_text("old")

    def fail(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "rename", fail)
    with pytest.raises(UsageError, match="No space left on device"):
        capture_file.save(abba(), path)

    assert path.read_text() == "old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["x.hang"]


def test_a_place_that_does_not_exist_is_a_usage_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="No such file or directory"):
        capture_file.save(abba(), tmp_path / "missing" / "x.hang")


@pytest.mark.parametrize(
    "content", [b"", b"\x7fELF\x02\x01", b"hello\n", b"[1]", b'{"a": 1}', b'{"schema": 5}']
)
def test_foreign_files_are_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "x.hang"
    path.write_bytes(content)

    assert "not a hangtui capture" in message_of(path)


def test_unparsable_json_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.hang"
    path.write_bytes(b'{"schema": "hangtui.capture/1"')

    assert "not a readable capture" in message_of(path)


@pytest.mark.parametrize("keep", [1, 2, 5, 20, -9, -1])
def test_a_cut_file_is_refused(tmp_path: Path, keep: int) -> None:
    path = tmp_path / "x.hang"
    capture_file.save(abba(), path)
    path.write_bytes(path.read_bytes()[:keep])

    message = message_of(path)
    assert "damaged or cut off" in message or "not a hangtui capture" in message


def test_a_flipped_byte_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.hang"
    capture_file.save(abba(), path)
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 0xFF
    path.write_bytes(data)

    message_of(path)


def test_a_newer_schema_is_refused_with_the_way_out(tmp_path: Path) -> None:
    raw = as_json(abba()) | {"schema": "hangtui.capture/2"}

    with pytest.raises(InputError, match="newer hangtui") as caught:
        capture_file.load(packed(tmp_path / "x.hang", raw))
    assert caught.value.fix == "update hangtui"


def test_a_wrong_type_is_refused_with_its_place(tmp_path: Path) -> None:
    raw = as_json(abba()) | {"processes": [{"pid": "one"}]}

    assert "processes" in message_of(packed(tmp_path / "x.hang", raw))


def test_added_keys_are_ignored(tmp_path: Path) -> None:
    raw = as_json(abba()) | {"from_the_future": [1, {"a": None}]}

    assert capture_file.load(packed(tmp_path / "x.hang", raw)).host == "gpu-17"


def test_deep_nesting_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.hang"
    path.write_bytes(b'{"a":' + b"[" * 200_000)

    message_of(path)


def test_a_bomb_is_refused_before_it_is_unpacked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(foreign_capture, "MAX_BYTES", 4 * 2**20)
    path = tmp_path / "x.hang"
    path.write_bytes(gzip.compress(b"{" + b" " * (8 * 2**20)))

    assert "holds more than 4 MiB" in message_of(path)


def test_texts_from_a_file_are_cleaned(tmp_path: Path) -> None:
    evil = capture(thread("a\x1b[31mb", native=[native_frame("f\u202eg", "/x\n/y.so")]))
    capture_file.save(evil, tmp_path / "x.hang")
    (loaded,) = capture_file.load(tmp_path / "x.hang").threads()

    assert loaded.name == "a\ufffd[31mb"
    assert loaded.native_stack == (NativeFrame("f\ufffdg", "/x /y.so", 0x1000),)


def test_control_characters_in_a_file_name_do_not_reach_the_message(tmp_path: Path) -> None:
    assert "\x1b" not in message_of(tmp_path / "\x1b[31m.hang")


def test_a_directory_is_refused(tmp_path: Path) -> None:
    assert "it is a directory" in message_of(tmp_path)


def test_what_stands_in_many_frames_is_cleaned_in_each() -> None:
    python = [python_frame("run\x1b[2J", 3), python_frame("run", 3)]
    threads = [
        thread(f"t{n}", 100 + n, python=python, native=[native_frame("f\x07")]) for n in range(4)
    ]
    again = capture_file.read(BytesIO(capture_file.packed(capture(*threads))))

    for one in again.threads():
        assert [frame.function for frame in one.python_stack or ()] == ["run\ufffd[2J", "run"]
        assert [frame.function for frame in one.native_stack or ()] == ["f\ufffd"]


def test_a_machine_whose_clock_was_never_set(tmp_path: Path) -> None:
    """It starts in 1970."""
    path = tmp_path / "early.hang"
    early = "1970-01-01T00:00:27.710+00:00"
    capture_file.save(Capture(early, "vm"), path)
    assert capture_file.load(path).taken_at == early
