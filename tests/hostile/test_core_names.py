"""A stranger's core file says which files were mapped, and where it wants them read."""

import os
import shutil
import stat
import struct
from pathlib import Path

import pytest

from hangtui.backends.arch import X86_64
from hangtui.backends.capture.core_collector import read_core
from hangtui.backends.coredump import elf_format
from hangtui.backends.memory.mappings import Mapping
from hangtui.model import Capture
from tests.hostile.attacks import opens

BASE, STACK = 0x10000000, 0x7FFF0000
SECRET = b"the secret of whoever reads the core\n" * 8


def made(path: str, place: Path, first_page: bytes = b"", offset: int = 0, at: int = 0x40) -> Path:
    """A core of a process that died at *at* in a mapping of *path* from *offset* on."""
    mapped = Mapping(BASE, BASE + 0x1000, "r--p", 0, 1, path)
    rest = Mapping(BASE + 0x1000, BASE + 0x5000, "r--p", offset, 1, path)
    fault = BASE + 0x1000 + at
    registers = [0] * 27
    registers[15], registers[16], registers[19] = 2**64 - 1, fault, STACK
    for index, number in enumerate((11, 12, 13, 14)):
        registers[number] = fault + 8 * index
    signal = struct.pack("<iiixxxxQ", 11, 0, 1, fault).ljust(128, b"\0")
    notes = b"".join(
        (
            elf_format.note(
                elf_format.NT_PRSTATUS,
                elf_format.thread_status(X86_64, 4242, struct.pack("<27Q", *registers), 11, 1),
            ),
            elf_format.note(
                elf_format.NT_PRPSINFO, elf_format.process_info(4242, 1, b"python3", b"python3 x")
            ),
            elf_format.note(elf_format.NT_SIGINFO, signal),
            elf_format.note(elf_format.NT_AUXV, struct.pack("<QQ", 9, BASE + 0x80)),
            elf_format.note(elf_format.NT_FILE, elf_format.files([(mapped, path), (rest, path)])),
        )
    )
    segments, content = [elf_format.Segment(STACK, 0x1000, 0x1000)], bytes(0x1000)
    if first_page:
        segments.insert(0, elf_format.Segment(BASE, 0x1000, 0x1000))
        content = first_page.ljust(0x1000, b"\0") + content
    place.write_bytes(elf_format.head(X86_64, notes, segments) + content)
    return place


def bytes_of(capture: Capture) -> bytes:
    """What the report shows of the memory around the fault."""
    assert capture.crash is not None
    return bytes.fromhex(capture.crash.data)


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    path = tmp_path / "secret"
    path.write_bytes(SECRET.ljust(0x8000, b"s"))
    path.chmod(0o600)
    return path


@pytest.fixture
def program(tmp_path: Path) -> Path:
    """An ELF file to which somebody appended what nobody else knows."""
    path = tmp_path / "program"
    shutil.copy(shutil.which("true") or "/bin/true", path)
    size = -(-path.stat().st_size // 4096) * 4096
    os.truncate(path, size)
    with path.open("ab") as file:
        file.write(SECRET.ljust(0x4000, b"s"))
    return path


@pytest.mark.parametrize("known", [0, 4096])
def test_what_is_no_program_is_never_read(secret: Path, tmp_path: Path, known: int) -> None:
    core = made(str(secret), tmp_path / "core", secret.read_bytes()[:known], offset=0)

    capture = read_core(str(core))

    assert SECRET[:16] not in bytes_of(capture)
    assert "secret" in " ".join(notice.message for notice in capture.notices)


def test_what_is_appended_to_a_known_program_is_never_read(program: Path, tmp_path: Path) -> None:
    end = program.stat().st_size - 0x4000
    core = made(str(program), tmp_path / "core", program.read_bytes()[:4096], offset=end)

    assert bytes_of(read_core(str(core))) == b""


def test_what_is_loaded_of_a_known_program_is_read(program: Path, tmp_path: Path) -> None:
    head = program.read_bytes()
    core = made(str(program), tmp_path / "core", head[:4096], offset=0)

    shown = bytes_of(read_core(str(core)))

    assert shown
    assert shown in head[:4096]


def test_another_build_at_the_same_place_is_not_read(program: Path, tmp_path: Path) -> None:
    head = bytearray(program.read_bytes()[:4096])
    at = head.index(b"GNU\0", head.index(b"\x14\0\0\0\x03\0\0\0GNU\0")) + 4
    head[at] ^= 1
    capture = read_core(str(made(str(program), tmp_path / "core", bytes(head))))

    assert bytes_of(capture) == b""
    assert any("was made with build id" in notice.message for notice in capture.notices)


@pytest.mark.parametrize("name", ["/../../secret", "/../secret", "/inside/../../secret", "/link"])
def test_nothing_outside_of_the_sysroot_is_opened(secret: Path, tmp_path: Path, name: str) -> None:
    root = tmp_path / "root"
    (root / "inside").mkdir(parents=True)
    (root / "link").symlink_to(secret)
    core = made(name, tmp_path / "core")

    with opens([secret]) as seen:
        capture = read_core(str(core), str(root))

    assert not seen
    assert bytes_of(capture) == b""


def test_pipes_and_devices_are_not_opened(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    nodes = [pipe]
    if os.geteuid() == 0:
        nodes.append(tmp_path / "device")
        os.mknod(nodes[-1], 0o600 | stat.S_IFCHR, os.makedev(1, 8))
    for node in nodes:
        core = made(str(node), tmp_path / "core")
        with opens([node]) as seen:
            capture = read_core(str(core))
        assert not seen
        assert bytes_of(capture) == b""


def test_views_of_the_kernel_are_not_read(tmp_path: Path) -> None:
    for name in ("/proc/self/environ", "/proc/1/root/etc/passwd", "/sys/kernel/notes"):
        assert bytes_of(read_core(str(made(name, tmp_path / "core")))) == b""
