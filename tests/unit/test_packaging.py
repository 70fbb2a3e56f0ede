import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from importlib.util import find_spec
from pathlib import Path, PurePosixPath

import pytest

from hangtui import __version__

ROOT = Path(__file__).parents[2]
BUILD = ROOT / "script" / "build-dist"
EPOCH = {"SOURCE_DATE_EPOCH": "1764057600"}
DATA = {".tcss", ".json", ".typed"}

pytestmark = pytest.mark.slow


def run(*command: str | Path, **environment: str) -> str:
    done = subprocess.run(
        command, capture_output=True, text=True, env={**os.environ, **environment}, cwd="/"
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of what belongs to the project, as a clone would have it."""
    if not (ROOT / ".git").exists():
        pytest.skip("not a clone")
    folder = tmp_path_factory.mktemp("sources")
    listed = run("git", "-C", ROOT, "ls-files", "-z", "--cached", "--others", "--exclude-standard")
    for name in filter(None, listed.split("\0")):
        source, target = ROOT / name, folder / name
        if source.is_symlink() or source.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target, follow_symlinks=False)
    return folder


@pytest.fixture(scope="module")
def built(sources: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sdist, and the wheel that was built from the sdist."""
    folder = tmp_path_factory.mktemp("dist")
    run(sys.executable, BUILD, "--source", sources, "-o", folder, **EPOCH)
    return folder


def modules(sources: Path) -> set[PurePosixPath]:
    """Every file that an installation must have, by the path that it must have there."""
    found = set()
    for name in ("hangtui", "hangtui/tui", "hangtui/backends"):
        for path in (sources / name).rglob("*"):
            is_data = path.suffix in DATA or path.name == "py.typed"
            is_data |= path.parent.name == "shells"
            if path.is_file() and (path.suffix == ".py" or is_data):
                found.add(PurePosixPath(path.relative_to(sources)))
    return found


def test_the_wheel_holds_everything_and_nothing_else(sources: Path, built: Path) -> None:
    (wheel,) = built.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = {PurePosixPath(name) for name in archive.namelist()}

    apart = (".dist-info", ".data")
    installed = {name for name in names if not name.parts[0].endswith(apart)}
    shared = {str(PurePosixPath(*name.parts[2:])) for name in names if "share" in name.parts}

    assert PurePosixPath("hangtui/tui/app.py") in installed
    assert PurePosixPath("hangtui/backends/minicore/stacks.py") in installed
    assert PurePosixPath("hangtui/py.typed") in installed
    assert installed == modules(sources)
    assert shared == {
        "share/bash-completion/completions/hangtui.bash",
        "share/fish/vendor_completions.d/hangtui.fish",
        "share/man/man1/hangtui.1",
        "share/zsh/site-functions/_hangtui",
    }


def test_two_builds_are_equal_byte_for_byte(sources: Path, built: Path, tmp_path: Path) -> None:
    """Whatever the time zone, the locale, the umask, the folder and the files' own times are."""
    moved = tmp_path / "elsewhere"
    shutil.copytree(sources, moved, symlinks=True, copy_function=shutil.copyfile)
    other = {"TZ": "Asia/Tokyo", "LANG": "de_DE.UTF-8", "PYTHONHASHSEED": "7", **EPOCH}
    command = f"umask 077; exec {sys.executable} {BUILD} --source {moved} -o {tmp_path}"
    for path in moved.glob("script/*"):
        path.chmod((sources / "script" / path.name).stat().st_mode)

    run("sh", "-c", command, **other)

    assert [path.name for path in sorted(built.iterdir())] == [
        path.name for path in sorted(tmp_path.iterdir()) if path.is_file()
    ]
    for path in built.iterdir():
        assert path.read_bytes() == (tmp_path / path.name).read_bytes(), path.name


def test_an_index_would_take_the_files(built: Path) -> None:
    if find_spec("twine") is None:
        pytest.skip("twine is missing: script/release has it")
    run(sys.executable, "-m", "twine", "check", "--strict", *built.iterdir())


def test_the_version_has_its_part_of_the_changelog() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.search(
        rf"^## {re.escape(__version__)} \(\d{{4}}-\d\d-\d\d\)$", changelog, re.MULTILINE
    )


def test_the_wheel_names_its_licence(built: Path) -> None:
    (wheel,) = built.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        assert any(name.endswith(".dist-info/licenses/LICENSE") for name in archive.namelist())


def test_the_sdist_holds_no_second_copy(built: Path) -> None:
    (sdist,) = built.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        tops = {PurePosixPath(name).parts[1:2] for name in archive.getnames()}

    assert tops.isdisjoint({("tui",), ("backends",)})


def test_the_installed_wheel_runs(built: Path, tmp_path: Path) -> None:
    (wheel,) = built.glob("*.whl")
    site = tmp_path / "site"
    run(sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index",
        "--disable-pip-version-check", "--target", site, wheel)  # fmt: skip
    program = (
        "import hangtui, hangtui.tui.app, hangtui.backends.capture.collector\n"
        "print(hangtui.__file__)"
    )

    place = run(sys.executable, "-P", "-c", program, PYTHONPATH=str(site))

    assert Path(place.strip()) == site / "hangtui" / "__init__.py"
    hangtui, found = site / "bin" / "hangtui", {"PYTHONPATH": str(site)}
    assert run(hangtui, "--version", **found).startswith("hangtui ")
    assert "compdef" in run(hangtui, "completion", "zsh", **found)
    assert "teller-1 and teller-2 wait for each other" in run(
        hangtui, "demo", "locks", "dump", **found
    )
