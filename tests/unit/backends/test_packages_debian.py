from pathlib import Path

import pytest

from hangtui.backends.door import Root
from hangtui.backends.packages.debian import debian_packages


@pytest.fixture
def root(tmp_path: Path) -> Root:
    info = tmp_path / "var/lib/dpkg/info"
    info.mkdir(parents=True)
    (info / "libc6:amd64.list").write_text("/.\n/lib\n/lib/x/libc.so.6\n")
    (info / "python3.list").write_text("/.\n/usr/bin/python3\n")
    (info / "coreutils.list").write_text("/.\n/usr/bin/sleep\n/usr/local/bin/x\n")
    (info / "broken.list").write_bytes(b"\xff\n/usr/bin/odd\xff\n")
    status = "Package: libc6\nVersion: 2.36-9\n\nPackage: python3\nStatus: ok\n"
    (tmp_path / "var/lib/dpkg/status").write_text(status)
    return Root.of_folder(str(tmp_path))


def test_files_belong_to_packages(root: Root) -> None:
    paths = ["/usr/lib/x/libc.so.6", "/usr/bin/python3 (deleted)", "/usr/bin/python", "[vdso]"]

    assert debian_packages(paths, root) == {
        "/usr/lib/x/libc.so.6": "libc6 2.36-9",
        "/usr/bin/python3 (deleted)": "python3",
    }


def test_packages_are_also_called_unlike_their_files(root: Root) -> None:
    paths = ["/usr/lib/x/libc.so.6", "/usr/bin/sleep"]
    assert debian_packages(paths, root)["/usr/bin/sleep"] == "coreutils"


def test_what_is_local_belongs_to_no_package(root: Root) -> None:
    assert debian_packages(["/usr/local/bin/x"], root) == {}


def test_another_system(tmp_path: Path) -> None:
    assert debian_packages(["/usr/lib/libc.so.6"], Root.of_folder(str(tmp_path))) == {}
