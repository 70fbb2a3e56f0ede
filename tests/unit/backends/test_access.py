import os
from pathlib import Path

import pytest

from hangtui.backends import access


@pytest.fixture
def as_user(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """We are an ordinary user and the process is ours; returns Yama's setting."""
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    monkeypatch.setattr(access, "_owner", lambda _: 1000)
    setting = tmp_path / "ptrace_scope"
    monkeypatch.setattr(access, "_YAMA", setting)
    return setting


def test_what_may_be_traced() -> None:
    assert access.may_trace(os.getpid())
    assert not access.may_trace(99_999_999)


@pytest.mark.parametrize(
    ("scope", "expected"),
    [
        ("1\n", "sudo sysctl kernel.yama.ptrace_scope=0"),
        ("3\n", "reboot"),
        ("0\n", "sudo hangtui 42"),
        ("odd", "sudo hangtui 42"),
    ],
)
def test_the_fix_for_our_own_process(as_user: Path, scope: str, expected: str) -> None:
    as_user.write_text(scope)

    assert expected in access.fix(42)


def test_the_fix_without_yama(as_user: Path) -> None:
    assert not as_user.exists()
    assert "yama" not in access.fix(42)


def test_the_fix_for_a_foreign_process(as_user: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    as_user.write_text("1\n")
    monkeypatch.setattr(access, "_owner", lambda _: 0)

    assert "another user" in access.fix(42)


def test_the_fix_for_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)

    assert "--cap-add SYS_PTRACE" in access.fix(42)
