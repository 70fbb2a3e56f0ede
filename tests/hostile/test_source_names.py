"""A frame says that its source is a file that its user must not see."""

import os
from pathlib import Path

import pytest

from hangtui.backends.debugger import sources
from hangtui.backends.door import Root
from hangtui.model import TargetError
from tests.hostile.attacks import (
    NOBODY,
    SYSTEM_PYTHON,
    needs_root,
    needs_system_python,
    nobodys,
    opens,
)

WAIT = "import time; print('ready', flush=True); time.sleep(60)"


def shown(root: Root, path: Path) -> str:
    """What the screen would show of the first line."""
    return sources.read(root, str(path), 1, None).lines[0]


@needs_root
@needs_system_python
def test_only_what_the_process_may_read_is_shown(tmp_path: Path) -> None:
    for above in tmp_path.parents:
        if above != Path("/"):
            above.chmod(above.stat().st_mode | 0o011)
    tmp_path.chmod(0o711)
    (tmp_path / "closed").mkdir(mode=0o700)
    (tmp_path / "closed").chmod(0o700)
    modes = {
        "everybodys": (0, 0, 0o644),
        "roots": (0, 0, 0o640),
        "its": (NOBODY, 0, 0o400),
        "its_groups": (0, NOBODY, 0o040),
        "not_its_own": (NOBODY, 0, 0o044),
        "not_its_groups": (0, NOBODY, 0o604),
        "closed/everybodys": (0, 0, 0o644),
    }
    for name, (user, group, mode) in modes.items():
        path = tmp_path / name
        path.write_text("x = 1\n")
        os.chown(path, user, group)
        path.chmod(mode)
    (tmp_path / "link").symlink_to(tmp_path / "roots")
    refused = ["roots", "not_its_own", "not_its_groups", "closed/everybodys", "link"]

    with nobodys(SYSTEM_PYTHON, "-c", WAIT) as process, Root.of_process(process.pid) as root:
        for name in ("everybodys", "its", "its_groups"):
            assert shown(root, tmp_path / name) == "x = 1"
        with opens([tmp_path / name for name in refused[:-1]]) as seen:
            for name in refused:
                with pytest.raises(TargetError, match="the process's user may not"):
                    shown(root, tmp_path / name)
    assert not seen


@needs_root
@needs_system_python
def test_a_process_that_got_another_user_meanwhile(tmp_path: Path) -> None:
    with nobodys(SYSTEM_PYTHON, "-c", WAIT) as process, Root.of_process(os.getpid()) as root:
        (tmp_path / "roots").write_text("x = 1\n")
        (tmp_path / "roots").chmod(0o600)
        assert shown(root, tmp_path / "roots") == "x = 1"
        root._seen_by = process.pid  # as if it had been root's when it was opened first
        root.settle()
        with pytest.raises(TargetError, match="not everybody may"):
            shown(root, tmp_path / "roots")


def test_for_a_core_only_what_everybody_may_read(tmp_path: Path) -> None:
    private = tmp_path / "private.py"
    private.write_text("x = 1\n")
    private.chmod(0o600)

    with Root.of_everybody("/") as root, opens([private]) as seen:
        with pytest.raises(TargetError, match="not everybody may"):
            shown(root, private)
        assert shown(root, Path("/etc/passwd"))
    assert not seen
    with Root.of_folder(str(tmp_path)) as root:
        assert shown(root, Path("/private.py")) == "x = 1"
