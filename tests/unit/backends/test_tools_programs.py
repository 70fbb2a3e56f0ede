"""Which programs are started, and with what."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from hangtui.backends.tools import programs


@pytest.fixture
def tool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A program in the folder that we stand in."""
    path = tmp_path / "hangtui-tool"
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    monkeypatch.chdir(tmp_path)
    return path


def test_it_is_found_on_the_path(tool: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", f"/nonexistent:{tool.parent}")
    assert programs.find("hangtui-tool") == str(tool)


@pytest.mark.parametrize("path", ["", ":", ".", "/bin:", ":/bin", "/bin::/bin", "./", "../x"])
def test_it_is_not_found_in_the_current_folder(
    tool: Path, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", path)
    assert programs.find(tool.name) is None


def test_it_is_not_found_where_everybody_may_write(
    tool: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tool.parent))
    tool.parent.chmod(0o1777)
    assert programs.find(tool.name) is None
    tool.parent.chmod(0o755)
    tool.chmod(0o777)
    assert programs.find(tool.name) is None


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away, and trusts so few")
def test_root_takes_no_program_of_another_user(tool: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tool.parent))
    os.chown(tool, 65534, 65534)
    assert programs.find(tool.name) is None


def test_few_variables_are_passed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LD_PRELOAD", "LD_AUDIT", "PYTHONPATH", "PYTHONHOME", "BASH_ENV", "GDBHISTFILE"):
        monkeypatch.setenv(name, "/elsewhere")
    monkeypatch.setenv("LC_TIME", "C")
    monkeypatch.setenv("LD_LIBRARY_PATH", ":.:/opt/lib:lib")

    passed = programs.environment()

    assert passed["LC_TIME"] == "C"
    assert "/elsewhere" not in passed.values()
    assert "LD_LIBRARY_PATH" not in passed
    assert programs.python_environment()["LD_LIBRARY_PATH"] == "/opt/lib"


def test_our_own_interpreter_takes_no_code_from_where_we_stand(
    tool: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("hangtui", "msgspec", "runpy", "sitecustomize"):
        (tool.parent / f"{name}.py").write_text("raise SystemExit('from here')\n")
    monkeypatch.setenv("PYTHONPATH", str(tool.parent))

    done = subprocess.run(
        programs.python("hangtui"),
        env=programs.python_environment(),
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
    )

    assert "from here" not in done.stderr
    assert programs.python("hangtui")[0] == sys.executable
    assert "hangtui" in done.stdout + done.stderr
