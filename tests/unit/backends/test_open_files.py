"""Whether all file descriptors of a process are in use."""

import subprocess
import sys
from pathlib import Path

import pytest

from hangtui.backends.process import open_files
from hangtui.model import OpenFiles

_PROGRAM = """
import os, resource, sys
places = [os.dup(0) for _ in range(20)]
more = int(sys.argv[1])
resource.setrlimit(resource.RLIMIT_NOFILE, (places[-1] + 1 + more, places[-1] + 1 + more))
print("ready", flush=True)
sys.stdin.read()
"""


@pytest.mark.parametrize("free", [0, 1])
def test_what_is_open_where_nothing_more_may_be(free: int) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", _PROGRAM, str(free)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as program:
        assert program.stdout is not None
        program.stdout.readline()
        found = open_files.used_up(Path(f"/proc/{program.pid}"))
        assert program.stdin is not None
        program.stdin.close()

    if free:
        assert found is None
    else:
        assert isinstance(found, OpenFiles)
        assert found.kinds[0].name == "ends of pipes"
        assert found.kinds[0].count >= 21


def test_the_limit_may_be_lower_than_what_is_open_already(tmp_path: Path) -> None:
    (tmp_path / "limits").write_text(
        "Max open files            3                    9      files\n"
    )
    (tmp_path / "fd").mkdir()
    for number, target in ((0, "/dev/null"), (2, "socket:[7]"), (9, "/srv/a")):
        (tmp_path / "fd" / str(number)).symlink_to(target)
    assert open_files.used_up(tmp_path) is None

    (tmp_path / "fd" / "1").symlink_to("pipe:[9]")
    found = open_files.used_up(tmp_path)
    assert found is not None
    assert found.limit == 3
    assert {(one.name, one.count) for one in found.kinds} == {
        ("in /dev", 1), ("sockets", 1), ("ends of pipes", 1)
    }  # fmt: skip
