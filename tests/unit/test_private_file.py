"""A file is written anew, whole and for its owner alone; what lies there is not followed."""

import os
import signal
import stat
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from hangtui import private_file
from hangtui.private_file import write, writing


@pytest.fixture(params=["without a name", "with a name"])
def either_way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """With files that have no name at first, and as where the file system has none."""
    if request.param == "with a name":

        def has_none(_folder: int) -> int:
            raise OSError(95, "Operation not supported")

        monkeypatch.setattr(private_file, "_nameless", has_none)


@pytest.fixture(params=[0o000, 0o022, 0o777])
def any_umask(request: pytest.FixtureRequest) -> Iterator[None]:
    """Whatever the umask is."""
    before = os.umask(request.param)
    yield
    os.umask(before)


def refusal(path: Path | str, *, replace: bool = True) -> str:
    """Why nothing is written there, and that nothing was."""
    with pytest.raises(OSError) as caught:  # noqa: PT011  its words are what is asked for
        write(path, b"new", replace=replace)
    assert caught.value.strerror
    return caught.value.strerror


@pytest.mark.usefixtures("either_way", "any_umask")
@pytest.mark.parametrize("replace", [True, False])
def test_a_new_file_is_its_owner_s_alone(tmp_path: Path, replace: bool) -> None:
    write(tmp_path / "x", b"data", replace=replace)

    assert stat.S_IMODE((tmp_path / "x").stat().st_mode) == 0o600
    assert (tmp_path / "x").read_bytes() == b"data"
    assert os.listdir(tmp_path) == ["x"]


@pytest.mark.usefixtures("either_way")
def test_a_file_of_ours_is_replaced_and_not_written_into(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(b"old")
    path.chmod(0o666)
    with path.open("rb") as reader:
        write(path, b"new")
        assert reader.read() == b"old"

    assert path.read_bytes() == b"new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.usefixtures("either_way")
def test_what_fails_in_the_midst_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(b"old")
    with pytest.raises(KeyboardInterrupt), writing(path) as file:  # noqa: PT012
        file.write(b"half")
        file.flush()
        raise KeyboardInterrupt

    assert path.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["x"]


_KILLED = """
import os, signal, sys
from pathlib import Path
from hangtui import private_file
if sys.argv[2] == "with a name":
    def has_none(folder): raise OSError(95, "Operation not supported")
    private_file._nameless = has_none
else:
    private_file.os.rename = lambda *_, **__: os.kill(os.getpid(), signal.SIGKILL)
with private_file.writing(Path(sys.argv[1]) / "x") as file:
    file.write(b"secret")
    file.flush()
    if sys.argv[2] == "with a name":
        os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.parametrize("way", ["without a name", "with a name"])
def test_what_a_killed_one_left_goes_with_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    (tmp_path / "x").write_bytes(b"old")
    (tmp_path / ".hangtui-notes").write_bytes(b"not ours to remove")
    done = subprocess.run([sys.executable, "-c", _KILLED, tmp_path, way], check=False)
    assert done.returncode == -signal.SIGKILL
    assert (tmp_path / "x").read_bytes() == b"old"
    assert len(os.listdir(tmp_path)) == 3
    monkeypatch.setattr(private_file, "_NEW_S", 0.0)
    with writing(tmp_path / "x") as file:
        file.write(b"new")
        write(tmp_path / "x", b"other")  # what is being written is locked, and stays

    assert (tmp_path / "x").read_bytes() == b"new"
    assert sorted(os.listdir(tmp_path)) == [".hangtui-notes", "x"]


@pytest.mark.usefixtures("either_way")
def test_what_comes_meanwhile_is_not_replaced_if_that_is_not_wanted(tmp_path: Path) -> None:
    path = tmp_path / "x"
    with pytest.raises(FileExistsError), writing(path, replace=False) as file:  # noqa: PT012
        file.write(b"new")
        path.symlink_to(tmp_path / "victim")

    assert os.listdir(tmp_path) == ["x"]
    assert not (tmp_path / "victim").exists()


@pytest.mark.usefixtures("either_way")
def test_a_link_that_comes_meanwhile_is_not_followed(tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_bytes(b"precious")
    with writing(tmp_path / "x") as file:
        file.write(b"new")
        (tmp_path / "x").symlink_to(victim)

    assert victim.read_bytes() == b"precious"
    assert not (tmp_path / "x").is_symlink()


@pytest.mark.usefixtures("either_way")
def test_the_folder_cannot_be_swapped_meanwhile(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "victim").mkdir()
    with writing(tmp_path / "folder" / "x") as file:
        file.write(b"new")
        (tmp_path / "folder").rename(tmp_path / "old")
        (tmp_path / "folder").symlink_to(tmp_path / "victim")

    assert os.listdir(tmp_path / "victim") == []
    assert (tmp_path / "old" / "x").read_bytes() == b"new"


def linked(path: Path) -> None:
    path.with_name("victim").write_bytes(b"precious")
    path.symlink_to("victim")


def dangling(path: Path) -> None:
    path.symlink_to("victim")


def hard_linked(path: Path) -> None:
    path.write_bytes(b"precious")
    path.with_name("victim").hardlink_to(path)


@pytest.mark.parametrize(
    ("lay", "reason"),
    [
        (linked, "a link"),
        (dangling, "a link"),
        (hard_linked, "other names"),
        (Path.mkdir, "a folder"),
    ],
)
def test_what_is_no_plain_file_is_refused(
    tmp_path: Path, lay: Callable[[Path], None], reason: str
) -> None:
    path = tmp_path / "x"
    lay(path)
    before = sorted(os.listdir(tmp_path))

    assert reason in refusal(path)
    assert sorted(os.listdir(tmp_path)) == before
    assert not os.path.lexists(tmp_path / "victim") or (
        (tmp_path / "victim").read_bytes() == b"precious"
    )


@pytest.mark.parametrize("name", ["", ".", "..", "folder/"])
def test_a_name_is_needed(tmp_path: Path, name: str) -> None:
    assert "folder" in refusal(f"{tmp_path}/{name}")


@pytest.mark.parametrize("device", ["/dev/zero", "/dev/random", "/dev/mem", "/dev/kmsg"])
def test_a_device_is_not_opened(device: str) -> None:
    if not Path(device).exists():
        pytest.skip(f"no {device} here")
    assert refusal(device) == "a device is there"


def test_what_takes_everything_takes_it() -> None:
    write("/dev/null", b"data")
    with pytest.raises(OSError, match="No space left"):
        write("/dev/full", b"data")


def test_a_stream_that_we_were_given_is_written_into() -> None:
    reading, writing_end = os.pipe()
    os.set_inheritable(writing_end, True)
    write(f"/dev/fd/{writing_end}", b"data")
    os.close(writing_end)

    with os.fdopen(reading, "rb") as reader:
        assert reader.read() == b"data"


def test_a_stream_of_our_own_is_not() -> None:
    reading, writing_end = os.pipe()

    assert "given" in refusal(f"/dev/fd/{writing_end}")
    assert "given" in refusal("/dev/fd/99999")
    os.close(reading)
    os.close(writing_end)


def test_a_fifo_of_ours_is_written_into_once_somebody_reads(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "x")
    tmp_path.chmod(0o700)
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append((tmp_path / "x").read_bytes()))
    reader.start()
    write(tmp_path / "x", b"data" * 50_000)
    reader.join()

    assert read == [b"data" * 50_000]


def test_a_fifo_that_nobody_reads_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(private_file, "_READER_S", 0.2)
    os.mkfifo(tmp_path / "x")

    assert "nobody reads" in refusal(tmp_path / "x")


@pytest.mark.parametrize("mode", [0o777, 0o1777, 0o770])
def test_a_fifo_where_others_may_write_is_refused(tmp_path: Path, mode: int) -> None:
    os.mkfifo(tmp_path / "x")
    tmp_path.chmod(mode)

    assert "where others may write" in refusal(tmp_path / "x")


def test_a_link_of_ours_on_the_way_is_followed(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "way").symlink_to("real")
    tmp_path.chmod(0o1777)
    write(tmp_path / "way" / "x", b"data")

    assert (tmp_path / "real" / "x").read_bytes() == b"data"


def test_a_file_in_the_present_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write("x", b"data")

    assert (tmp_path / "x").read_bytes() == b"data"
