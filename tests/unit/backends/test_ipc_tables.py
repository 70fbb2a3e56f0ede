"""What the kernel's tables say: TCP, Unix sockets, file locks, descriptors."""

import os
import socket
import struct
from pathlib import Path

import pytest

from hangtui.backends.ipc import addresses, sock_diag, unixsockets
from hangtui.backends.ipc.addresses import TcpTable
from hangtui.backends.ipc.descriptors import DescriptorInfo, Descriptors
from hangtui.backends.ipc.file_lock import FileLock, held_lock, record_lock
from hangtui.backends.ipc.sharers import shared_identity
from hangtui.backends.memory.mappings import Mapping
from tests.unit.backends.fakes import LiteralMemory

EVERYTHING = (0, 1 << 63)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("0100007F:1F90", "127.0.0.1:8080"),
        ("00000000000000000000000001000000:0050", "[::1]:80"),
        ("0000000000000000FFFF00000100007F:0016", "127.0.0.1:22"),
    ],
)
def test_addresses(text: str, shown: str) -> None:
    assert str(addresses.parse(text)) == shown


def test_the_other_end_and_the_listener_of_a_connection() -> None:
    with (
        socket.create_server(("127.0.0.1", 0)) as listener,
        socket.create_connection(listener.getsockname()) as client,
    ):
        table = TcpTable(os.getpid())
        own = table.socket(_inode(client))
        assert own is not None
        waiting = table.other_end(own)
        assert waiting is not None
        assert waiting.inode == 0
        assert waiting.unaccepted
        (found,) = table.listeners(own.remote)
        assert found.inode == _inode(listener)
        accepted, _ = listener.accept()
        with accepted:
            other = TcpTable(os.getpid()).other_end(own)
            assert other is not None
            assert other.inode == _inode(accepted)


def test_the_other_end_of_a_unix_socket(tmp_path: Path) -> None:
    path = str(tmp_path / "control")
    left, right = socket.socketpair()
    with left, right:
        found = unixsockets.find(_inode(left))
        assert found is not None
        assert (found.peer, found.name, found.connects_two) == (_inode(right), None, True)
    with socket.socket(socket.AF_UNIX) as listener, socket.socket(socket.AF_UNIX) as client:
        listener.bind(path)
        listener.listen()
        client.connect(path)
        own = unixsockets.find(_inode(client))
        assert own is not None
        assert own.peer == 0
        (answer,) = (one for one in unixsockets.listeners() if _inode(client) in one.pending)
        assert (answer.inode, answer.name) == (_inode(listener), path)


@pytest.mark.parametrize(
    ("address", "name"),
    [
        (b"\1\0/run/control\0left over", "/run/control"),
        (b"\1\0\0control", "@control"),
        (b"\1\0relative", "relative"),
        (b"\1\0", ""),
    ],
)
def test_the_name_in_an_address(address: bytes, name: str) -> None:
    assert unixsockets.name_of(address) == name


def test_datagrams_may_come_from_anybody() -> None:
    left, right = socket.socketpair(type=socket.SOCK_DGRAM)
    with left, right:
        found = unixsockets.find(_inode(left))
        assert found is not None
        assert not found.connects_two


def test_a_socket_that_is_no_unix_socket() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        assert unixsockets.find(_inode(listener)) is None


@pytest.mark.parametrize("cut", range(60))
def test_a_cut_answer_is_read_as_far_as_it_goes(cut: int) -> None:
    message = struct.pack("<BBBBI8xHHI", 1, 1, 1, 0, 77, 8, 2, 99)
    whole = struct.pack("<IHHII", 16 + len(message), 20, 0, 1, 0) + message
    found = [one for _, one in sock_diag.framed(whole[:cut])]
    assert len(found) == (cut >= 16)
    assert all(one == message[: cut - 16] for one in found)
    ((_, message),) = sock_diag.framed(whole)
    assert sock_diag.attributes(message[16:]) == {2: b"\x63\0\0\0"}


def _inode(one: socket.socket) -> int:
    return os.fstat(one.fileno()).st_ino


def _info(text: str) -> DescriptorInfo:
    pairs = (line.partition(":") for line in text.splitlines())
    return DescriptorInfo(tuple((key.strip(), value.strip()) for key, _, value in pairs))


@pytest.mark.parametrize(
    ("flags", "reads", "writes"),
    [("0100000", True, False), ("02000001", False, True), ("02", True, True)],
)
def test_how_a_descriptor_was_opened(flags: str, reads: bool, writes: bool) -> None:
    info = _info(f"pos:\t0\nflags:\t{flags}\nmnt_id:\t15")
    assert (info.reads, info.writes) == (reads, writes)


def test_locks_of_a_descriptor() -> None:
    lines = (
        "1: FLOCK  ADVISORY  WRITE 359 00:13:11691 0 EOF",
        "2: POSIX  ADVISORY  READ 359 fe:00:11691 5 14",
        "garbage",
    )
    assert [held_lock(line) for line in lines] == [
        ((0, 0x13, 11691), FileLock("FLOCK", True, EVERYTHING, 359)),
        ((0xFE, 0, 11691), FileLock("POSIX", False, (5, 15), 359)),
        None,
    ]


@pytest.mark.parametrize(
    ("one", "other", "excludes"),
    [
        (("FLOCK", True, EVERYTHING), ("FLOCK", False, EVERYTHING), True),
        (("FLOCK", False, EVERYTHING), ("FLOCK", False, EVERYTHING), False),
        (("FLOCK", True, EVERYTHING), ("POSIX", True, EVERYTHING), False),
        (("POSIX", True, (0, 5)), ("OFDLCK", True, (4, 9)), True),
        (("POSIX", True, (0, 5)), ("POSIX", True, (5, 9)), False),
        (("LEASE", True, EVERYTHING), ("POSIX", True, EVERYTHING), False),
    ],
)
def test_which_locks_exclude_each_other(
    one: tuple[str, bool, tuple[int, int]],
    other: tuple[str, bool, tuple[int, int]],
    excludes: bool,
) -> None:
    assert FileLock(*one).excludes(FileLock(*other)) is excludes
    assert FileLock(*other).excludes(FileLock(*one)) is excludes


@pytest.mark.parametrize(
    ("mode", "whence", "start", "length", "wanted"),
    [
        (1, 0, 5, 10, FileLock("POSIX", True, (5, 15))),
        (0, 0, 5, 0, FileLock("POSIX", False, (5, 1 << 63))),
        (1, 0, 20, -10, FileLock("POSIX", True, (10, 20))),
        (1, 2, 5, 10, FileLock("POSIX", True, EVERYTHING)),
        (2, 0, 0, 0, None),
    ],
)
def test_the_lock_that_is_asked_for(
    mode: int, whence: int, start: int, length: int, wanted: FileLock | None
) -> None:
    raw = struct.pack("<hh4xqq", mode, whence, start, length)
    assert record_lock("POSIX", raw) == wanted


def test_who_has_the_ends_of_a_pipe() -> None:
    reader, writer = os.pipe()
    try:
        descriptors = Descriptors()
        link = descriptors.link(os.getpid(), reader)
        assert link is not None
        assert set(descriptors.holders(link)[os.getpid()]) == {reader, writer}
        assert descriptors.info(os.getpid(), writer).writes
    finally:
        os.close(reader)
        os.close(writer)


def test_a_descriptor_of_a_process_that_is_gone() -> None:
    descriptors = Descriptors()
    assert descriptors.link(0, 0) is None
    assert descriptors.info(0, 0).lines == ()


def test_shared_words_have_one_identity_wherever_they_are_mapped() -> None:
    one, other = LiteralMemory((0x1000, b"x")), LiteralMemory((0x8000, b"x"))
    one.mappings = (Mapping(0x1000, 0x3000, "rw-s", 0x2000, 7, "/dev/zero", "00:01"),)
    other.mappings = (Mapping(0x8000, 0x9000, "rw-s", 0x3000, 7, "/dev/zero", "00:01"),)
    one._starts, other._starts = [0x1000], [0x8000]
    assert shared_identity(one, 0x2010) == shared_identity(other, 0x8010) == "00:01:7:0x3010"
    assert shared_identity(one, 0x5000) is None


def test_private_words_have_none() -> None:
    assert shared_identity(LiteralMemory((0x1000, b"x")), 0x1000) is None
