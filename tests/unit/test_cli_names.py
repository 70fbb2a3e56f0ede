"""Names of processes on the command line."""

import pytest

from hangtui.cli import names
from hangtui.model import Process, UsageError


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["python3.12", "-u", "/srv/server.py", "-p", "1"], ("server.py", "server", "python3.12")),
        (["python3", "-X", "dev", "-m", "celery.bin", "w"], ("celery.bin", "celery", "python3")),
        (["/opt/py/bin/python", "/opt/py/bin/gunicorn", "app:app"], ("gunicorn", "python")),
        (["gunicorn: worker [app:app]"], ("gunicorn",)),
        (["VLLM::EngineCore"], ("VLLM::EngineCore",)),
        (["ray::Cart.reserve"], ("ray::Cart.reserve",)),
        (["python", "-c", "import server.py"], ("python",)),
        (["python"], ("python",)),
        (["python", "-W", "ignore", "-"], ("python",)),
        ([""], ()),
        ([], ()),
    ],
)  # fmt: skip
def test_what_a_process_may_be_called(words: list[str], expected: tuple[str, ...]) -> None:
    assert names.names_of(words) == expected


@pytest.mark.parametrize(
    ("words", "title"),
    [
        (("/opt/bin/python3.11", "/opt/bin/vllm", "serve", "tiny", "--log", "x.py"), "vllm"),
        (("python3", "-u", "main.py"), "main.py"),
        (("python3", "-m", "torch.distributed.run", "train.py"), "torch.distributed.run"),
        (("python3", "-c", "import os"), "python3"),
        (("/usr/bin/uwsgi", "--wsgi-file", "/srv/app.py"), "app.py"),
        ((), "[7]"),
    ],
)
def test_the_short_name_of_a_process(words: tuple[str, ...], title: str) -> None:
    assert Process(7, 1, words, "S").title == title


def _runs(monkeypatch: pytest.MonkeyPatch, *found: tuple[int, tuple[str, ...]]) -> None:
    monkeypatch.setattr(names, "running", lambda: iter(found))


def test_one_process_of_that_name(monkeypatch: pytest.MonkeyPatch) -> None:
    _runs(monkeypatch, (7, ("server.py", "server")), (8, ("other.py", "other")))
    assert names.pid_of("server") == 7


def test_several_processes_of_that_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """The one that has started the others leads to all of them."""
    _runs(monkeypatch, *((pid, ("gunicorn",)) for pid in (9, 7, 8)))
    monkeypatch.setattr(names, "_parents", lambda _: {7: 1, 8: 7, 9: 7})
    with pytest.raises(UsageError) as caught:
        names.pid_of("gunicorn")
    assert caught.value.message == "3 Python processes are called 'gunicorn': 7, 8, 9"
    assert caught.value.fix == "--children 7   (all of them)"


def test_several_strangers_of_that_name(monkeypatch: pytest.MonkeyPatch) -> None:
    _runs(monkeypatch, (7, ("server",)), (8, ("server",)))
    monkeypatch.setattr(names, "_parents", lambda _: {7: 1, 8: 2})
    with pytest.raises(UsageError) as caught:
        names.pid_of("server")
    assert caught.value.fix == "7   (or another one)"


def test_nothing_of_that_name(monkeypatch: pytest.MonkeyPatch) -> None:
    _runs(monkeypatch, (7, ("server",)))
    with pytest.raises(UsageError, match="no Python process is called 'serv\ufffd'"):
        names.pid_of("serv\x1b")
