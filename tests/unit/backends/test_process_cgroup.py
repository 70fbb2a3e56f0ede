"""Where the memory of a cgroup is accounted for."""

from pathlib import Path

import pytest

from hangtui.backends.process.cgroup import MemoryGroup, folders

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


@pytest.mark.parametrize(
    ("files", "kills"),
    [
        ({"memory.events.local": "oom_kill 1", "memory.events": "oom 3\noom_kill 2"}, 1),
        ({"memory.events": "oom 3\noom_kill 2\n"}, 2),
        ({"memory.oom_control": "oom_kill_disable 0\nunder_oom 0\noom_kill 4\n"}, 4),
        ({"memory.oom_control": "oom_kill_disable 0\nunder_oom 0\n"}, None),
        ({}, None),
    ],
)
def test_kills_are_those_of_the_group_itself_where_the_kernel_tells_them_apart(
    files: dict[str, str], kills: int | None, tmp_path: Path
) -> None:
    for name, content in files.items():
        (tmp_path / name).write_text(content)

    assert MemoryGroup(tmp_path, None).kills() == kills
