"""Which distribution a file belongs to."""

import csv
from pathlib import Path

import pytest

from hangtui.backends.door import Root
from hangtui.backends.packages.python import package_of

HERE = Root.of_folder("/")


def _install(folder: Path, name: str, version: str, *files: str) -> None:
    info = folder / f"{name}-{version}.dist-info"
    info.mkdir(parents=True)
    (info / "RECORD").write_text("".join(f"{file},sha256=x,1\n" for file in files))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A site-packages folder below a root."""
    path = tmp_path / "usr/lib/python3.12/site-packages"
    _install(path, "torch", "2.1.0+cpu", "torch/lib/libtorch.so", "functorch/_C.so")
    _install(path, "scikit_image", "0.22.0", "skimage/_io.so", "scikit_image.libs/libgomp.so.1")
    (path / "old_net-1.0-py3.12.egg-info").mkdir()
    return path


@pytest.mark.parametrize(
    ("inside", "expected"),
    [
        ("torch/lib/libtorch.so", "torch 2.1.0+cpu"),
        ("functorch/_C.so", "torch 2.1.0+cpu"),
        ("skimage/_io.so", "scikit-image 0.22.0"),
        ("scikit_image.libs/libgomp.so.1", "scikit-image 0.22.0"),
        ("torch/made_later.py", "torch 2.1.0+cpu"),
        ("old_net/_net.so", "old-net 1.0"),
        ("unknown/_x.so", None),
    ],
)
def test_by_record_else_by_name(inside: str, expected: str | None, folder: Path) -> None:
    assert package_of(str(folder / inside), HERE) == expected


def test_below_a_root(folder: Path, tmp_path: Path) -> None:
    path = f"/{(folder / 'torch/lib/libtorch.so').relative_to(tmp_path)}"
    assert package_of(path, Root.of_folder(str(tmp_path))) == "torch 2.1.0+cpu"


def test_elsewhere_nothing_is_claimed() -> None:
    assert package_of("/usr/lib/libc.so.6", HERE) is None
    assert package_of("/usr/lib/python3.12/threading.py", HERE) is None
    assert package_of(None, HERE) is None


def test_a_path_is_looked_up_once(folder: Path) -> None:
    path = str(folder / "torch/lib/libtorch.so")
    with Root.of_folder("/") as root:
        assert package_of(path, root) == "torch 2.1.0+cpu"
        files = root.budget.files
        assert package_of(path, root) == "torch 2.1.0+cpu"
        assert root.budget.files == files


@pytest.mark.parametrize("inside", ["x/a,b.py", 'x/a"b.py', "x/c.py", "torch/first.py"])
def test_rows_of_a_record(tmp_path: Path, inside: str) -> None:
    info = tmp_path / "site-packages/x-1.0.dist-info"
    info.mkdir(parents=True)
    with (info / "RECORD").open("w", newline="") as file:
        csv.writer(file).writerows([["torch/first.py", "", ""], ["x/a,b.py", "s", "1"]])
        csv.writer(file).writerows([['x/a"b.py', "s", "1"], ["x/c.py", "s", "1"]])
    (tmp_path / "site-packages/x-2.0.dist-info").mkdir()

    with Root.of_folder(str(tmp_path)) as root:
        assert package_of(f"/site-packages/{inside}", root) == "x 1.0"
        assert package_of(f"/site-packages/{inside[:-1]}", root) is None
