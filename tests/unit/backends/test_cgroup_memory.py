"""Where the memory of a cgroup is accounted for."""

from pathlib import Path

import pytest

from hangtui.backends.process.cgroup import folders

CGROUPS = Path("/sys/fs/cgroup")


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("0::/a.slice/b", [CGROUPS / "a.slice/b", CGROUPS / "unified/a.slice/b", CGROUPS]),
        ("4:memory:/a", [CGROUPS / "memory/a", CGROUPS / "memory"]),
        ("3:cpu,cpuacct:/a", []),
        ("0::/../../../tmp/its", []),
        ("4:memory:/a/../../b", []),
        ("0::/a..b", [CGROUPS / "a..b", CGROUPS / "unified/a..b", CGROUPS]),
    ],
)
def test_folders_lie_below_the_cgroups(line: str, expected: list[Path]) -> None:
    assert folders(line) == expected
