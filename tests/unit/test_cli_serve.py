"""The screens in a browser: who is let in, and what is run for them."""

import argparse
import os
import subprocess
import sys
from pathlib import Path

import pytest

from hangtui.cli import serve
from hangtui.model import UsageError
from tests.serving import answer, serving

ROOT = Path(__file__).parents[2]
CAPTURE = ROOT / "snapshots" / "abba.hang"


def arguments(*words: str, port: int = 0, children: bool = False) -> argparse.Namespace:
    return argparse.Namespace(targets=list(words), port=port, children=children)


def test_what_is_run_for_a_window() -> None:
    assert serve.command(arguments("4711", children=True)).endswith("-m hangtui 4711 --children")
    assert serve.command(arguments("x y.hang")).endswith("-m hangtui open 'x y.hang'")
    with pytest.raises(UsageError, match="cannot be served together"):
        serve.command(arguments("4711", "x.hang"))


def test_a_port_that_cannot_be_had() -> None:
    with pytest.raises(UsageError, match="cannot listen on port 99999"):
        serve._free_port(99999)


def test_nobody_is_let_in_without_the_token() -> None:
    with serving(str(CAPTURE)) as (port, token):
        cookie = f"hangtui={token}"
        assert answer(port, "/").status == 403
        assert answer(port, "/ws").status == 403
        assert answer(port, "/static/js/textual.js").status == 403
        assert answer(port, "/?token=wrong").status == 403
        assert answer(port, "/", Cookie="hangtui=wrong").status == 403
        # Another page in the same browser, and a name that was made to point here.
        assert answer(port, "/ws", Cookie=cookie, Origin="http://evil.example").status == 403
        assert answer(port, "/", Cookie=cookie, Host=f"evil.example:{port}").status == 403

        welcome = answer(port, f"/?token={token}")
        assert welcome.status == 302
        assert welcome.headers["Location"] == "/"
        assert "HttpOnly" in welcome.headers["Set-Cookie"]
        assert "SameSite=Strict" in welcome.headers["Set-Cookie"]
        page = answer(port, "/", Cookie=cookie)
        assert page.status == 200
        assert "default-src 'none'" in page.headers["Content-Security-Policy"]


def test_it_listens_on_this_machine_only() -> None:
    with serving(str(CAPTURE)) as (port, _token):
        wanted = f":{port:04X}"
        found = [
            line.split()[1]
            for name in ("tcp", "tcp6")
            for line in Path(f"/proc/net/{name}").read_text().splitlines()[1:]
            if line.split()[1].endswith(wanted) and line.split()[3] == "0A"
        ]
        assert found == [f"0100007F{wanted}"]


def test_help_names_it() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "hangtui", "serve", "--help"],
        capture_output=True,
        text=True,
        timeout=60,
        cwd=ROOT,
        env={**os.environ, "COLUMNS": "100"},
    )
    assert done.returncode == 0
    assert "127.0.0.1" in done.stdout
