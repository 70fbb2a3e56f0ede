"""The screens in a browser: who is let in, and what is run for them."""

import argparse
import os
import subprocess
import sys
from pathlib import Path

import pytest

from hangtui.backends.tools import programs
from hangtui.cli import serve
from hangtui.cli.admission import Admission
from hangtui.model import UsageError
from hangtui.powers import USUAL, Console, Powers, user_name
from tests.serving import answer, let_in, serving

ROOT = Path(__file__).parents[2]
CAPTURE = ROOT / "snapshots" / "abba.hang"


def arguments(*words: str, **options: bool) -> argparse.Namespace:
    given = {"children": False, "allow_console": False, "allow_stop": False, **options}
    return argparse.Namespace(targets=list(words), port=0, **given)


def test_what_is_run_for_a_window() -> None:
    isolated = programs.python("hangtui")

    assert serve.command(arguments()) == [*isolated, "--served"]
    assert serve.command(arguments("4711", children=True)) == [
        *(*isolated, "4711", "--children", "--served")
    ]
    assert serve.command(arguments("1", allow_console=True, allow_stop=True)) == [
        *(*isolated, "1", "--served", "--allow-console", "--allow-stop")
    ]
    with pytest.raises(UsageError, match="cannot be served together"):
        serve.command(arguments("4711", "x.hang"))


@pytest.mark.parametrize("name", ["x y.hang", "-x.hang", "$(id).hang", "a;id.hang", "'q\".hang"])
def test_a_file_is_one_absolute_word(name: str) -> None:
    *_, word, served = serve.command(arguments(f"./{name}"))

    assert word == f"{Path.cwd()}/{name}"
    assert served == "--served"


def test_the_children_of_a_server_can_do_what_it_says() -> None:
    said = {
        words: " ".join(serve.holder(Powers.of(served=True, **words_of(words)), Path("/srv/x")))
        for words in ("", "stop", "console")
    }

    assert "they stop no process, not even for milliseconds" in said[""]
    assert "they run no command" in said[""]
    assert "/srv/x" in said[""]
    assert "they may stop processes, for 30 s at a time (--allow-stop)" in said["stop"]
    assert "they run no command" in said["stop"]
    assert f"a shell as {user_name()} (--allow-console)" in said["console"]


def words_of(word: str) -> dict[str, bool]:
    return {name: name == word for name in ("stop", "console")}


def test_powers_of_the_screens() -> None:
    assert Powers.of(console=False, stop=False, served=False) == USUAL
    assert Powers.of(console=False, stop=False, served=True) == Powers(
        Console.NOTHING, stop=False, folder=str(Path.cwd())
    )
    assert Powers.of(console=False, stop=True, served=True).console is Console.NOTHING
    assert Powers.of(console=True, stop=False, served=True).stop
    assert Powers.of(console=True, stop=False, served=False).console is Console.ANYTHING


def test_a_port_that_cannot_be_had() -> None:
    with pytest.raises(UsageError, match="cannot listen on port 99999"):
        serve._free_port(99999)


@pytest.mark.parametrize("host", ["127.0.0.1:8042", "localhost:8042", "[::1]:8042"])
def test_hosts_of_this_machine(host: str) -> None:
    assert Admission.port(host) == "8042"


@pytest.mark.parametrize(
    "host",
    [
        *("evil.example:8042", "127.0.0.1.evil.example", "127.0.0.1:8042@evil", "evil:127.0.0.1"),
        *(
            "",
            ":8042",
            "127.0.0.1:",
            "127.0.0.1:80420000",
            "127.0.0.1:x",
            "0.0.0.0:1",
            "localhost.",
        ),
        *("127.0.0.1:8042\n", "127.0.0.1:1:2", " 127.0.0.1", "127.1", "2130706433"),
    ],
)
def test_hosts_that_are_not(host: str) -> None:
    assert Admission.port(host) is None


def test_a_cookie_is_good_for_its_port_and_its_server() -> None:
    one, other = Admission("token"), Admission("token")
    name, value = one.cookie("8042")

    assert name == "hangtui-8042"
    assert "token" not in value
    assert one.has_cookie("8042", {name: value})
    assert not one.has_cookie("9999", {name: value, "hangtui-9999": value})
    assert not one.has_cookie("8042", {name: "token", "hangtui": value})
    assert not one.has_cookie("8042", {name: "\udcff"})
    assert not other.has_cookie("8042", {name: value})
    assert one.folder != other.folder
    assert not one.is_token("tokem")
    assert not one.is_token("\udcff")


@pytest.mark.processes
def test_nobody_is_let_in_without_the_token() -> None:
    with serving(str(CAPTURE)) as (port, token):
        folder, cookie = let_in(port, token)
        origin = f"http://127.0.0.1:{port}"
        for path in ("/", "/x", folder, f"{folder}ws", f"{folder}static/js/textual.js", "/?token="):
            assert answer(port, path).status == 403
            assert answer(port, path, Cookie=f"hangtui-{port}={token}").status == 403
            assert answer(port, path, Cookie=cookie, Host=f"evil.example:{port}").status == 403
            assert answer(port, path, Cookie=cookie, Origin="http://evil.example").status == 403
            assert answer(port, path, Cookie=cookie, Host="127.0.0.1:1").status == 403
        for wrong in ("wrong", "%ff%fe", token[:-1], f"{token}x"):
            assert answer(port, f"/?token={wrong}").status == 403
        assert answer(port, f"/?token={token}", Host="evil.example").status == 403
        assert answer(port, f"{folder}?token={token}").status == 403
        for origin_sent in ("null", "http://127.0.0.1:1", f"https://127.0.0.1:{port}"):
            assert answer(port, f"{folder}ws", Cookie=cookie, Origin=origin_sent).status == 403
        assert answer(port, f"{folder}ws", Cookie=cookie).status == 403

        page = answer(port, folder, Cookie=cookie)
        assert page.status == 200
        assert "default-src 'none'" in page.headers["Content-Security-Policy"]
        assert answer(port, f"{folder}nothing", Cookie=cookie).status == 404
        assert answer(port, f"{folder}ws", Cookie=cookie, Origin=origin).status == 400  # no socket


@pytest.mark.processes
def test_the_cookie_goes_to_no_other_folder() -> None:
    with serving(str(CAPTURE)) as (port, token):
        welcome = answer(port, f"/?token={token}")

    said = welcome.headers["Set-Cookie"]
    assert f"Path={welcome.headers['Location'].rstrip('/')}" in said
    assert len(welcome.headers["Location"]) > 20
    assert token not in said + welcome.headers["Location"]
    assert "HttpOnly" in said
    assert "SameSite=Strict" in said
    assert welcome.headers["Referrer-Policy"] == "no-referrer"


@pytest.mark.processes
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
    assert "--allow-stop" in done.stdout
    assert "a shell as you" in done.stdout
