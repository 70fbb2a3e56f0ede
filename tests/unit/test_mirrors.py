"""Where packages come from: the system says it, and nothing in this repository does."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DEB822 = """\
Types: deb deb-src
# http://remark.example/debian
URIs: http://first.example/debian/ https://second.example/mirrors/debian
Suites: trixie trixie-updates
Components: main

Enabled: no
Types: deb
URIs: http://disabled.example/debian
Suites: trixie
Components: main
"""
ONE_LINE = """\
# deb http://remark.example/debian bookworm main
deb [arch=amd64 trusted=yes] http://old.example/debian bookworm main contrib
deb http://old.example/debian bookworm-updates main
deb-src [trusted=yes] http://old.example/debian bookworm main
"""
HOSTS = (
    r"(deb|security|snapshot|ftp|archive|ports)\.(debian|ubuntu)\.(org|com)"
    r"|pypi\.org|pythonhosted\.org|anaconda\.org|registry\.npmjs\.org|rubygems\.org"
    r"|crates\.io|docker\.io|(hub|download)\.docker\.com|quay\.io|ghcr\.io|mcr\.microsoft\.com"
    r"|alpinelinux\.org|fedoraproject\.org|proxy\.golang\.org"
    r"|mirrors?\.[a-z0-9-]+\.(org|com|net)"
)
"""Hosts of package registries, archives and their mirrors."""


@pytest.mark.skipif(shutil.which("apt-get") is None, reason="no apt-get here")
@pytest.mark.parametrize(
    ("name", "text", "mirrors"),
    [
        (
            "parts/debian.sources",
            DEB822,
            {"http://first.example/debian", "https://second.example/mirrors/debian"},
        ),
        ("sources.list", ONE_LINE, {"http://old.example/debian"}),
        ("parts/third.list", ONE_LINE, {"http://old.example/debian"}),
    ],
    ids=["deb822", "one-line", "one-line-part"],
)
def test_the_mirrors_are_those_of_apt(
    tmp_path: Path, name: str, text: str, mirrors: set[str]
) -> None:
    (tmp_path / "parts").mkdir()
    (tmp_path / name).write_text(text)

    done = asked(tmp_path)

    assert (done.returncode, set(done.stdout.split()), done.stderr) == (0, mirrors, "")


@pytest.mark.skipif(shutil.which("apt-get") is None, reason="no apt-get here")
def test_where_apt_has_no_archive_one_line_says_so(tmp_path: Path) -> None:
    done = asked(tmp_path)

    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1)


def asked(folder: Path) -> subprocess.CompletedProcess[str]:
    """What the script says where apt is configured in *folder*."""
    return subprocess.run(
        [
            ROOT / "script" / "debian-mirrors",
            *("-o", f"Dir::Etc::SourceList={folder}/sources.list"),
            *("-o", f"Dir::Etc::SourceParts={folder}/parts"),
        ],
        capture_output=True,
        text=True,
    )


@pytest.mark.parametrize("script", ["debian-packages", "debian-source"])
def test_what_fetches_asks_the_system_for_its_mirror(script: str) -> None:
    assert '$("$root/script/debian-mirrors")' in (ROOT / "script" / script).read_text()


def test_no_host_of_a_package_registry_stands_in_the_repository() -> None:
    found = searched("grep", "--untracked", "-nIiE", HOSTS)
    if found.returncode > 1:
        pytest.skip(f"not a git checkout: {found.stderr}")

    assert len(searched("grep", "-lI", "import").stdout.splitlines()) > 500, "git searches files"
    assert found.stdout == ""


def searched(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True)


@pytest.mark.parametrize(
    "host",
    ["deb debian org", "files pythonhosted org", "pypi org", "quay io", "archive ubuntu com"],
)
def test_the_search_finds_such_a_host(host: str) -> None:
    assert re.search(HOSTS, f"https://{host.replace(' ', '.')}/simple")
