"""What is known of libraries, as data."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from hangtui.backends.cpython.libraries import Library, Term, by_class, libraries

ROOT = Path(__file__).parents[3]
FOLDER = ROOT / "backends" / "cpython" / "libraries"
KEYS = {
    *(
        "package",
        "class",
        "kind",
        "lends",
        "size",
        "out",
        "waiting",
        "made",
        "failed",
        "things",
        "among",
        "resting",
    ),
    *("borrowers", "through", "using", "acquire", "returned", "release", "timeout"),
}


def test_the_page_is_up_to_date() -> None:
    command = [sys.executable, str(ROOT / "script" / "library-pages"), "--check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)

    assert (done.returncode, done.stdout) == (0, "")


@pytest.mark.parametrize("file", sorted(FOLDER.glob("*.json")), ids=lambda file: file.stem)
def test_no_key_is_misspelt(file: Path) -> None:
    data = json.loads(file.read_text())

    assert data.keys() == {"library", "package", "install", "tried", "resources"}
    for resource in data["resources"]:
        assert resource.keys() <= KEYS
        assert {"class", "lends", "acquire", "release"} <= resource.keys()
        for thing in resource.get("things", ()):
            assert thing.keys() <= {"package", "class", "pool", "lent"}


@pytest.mark.parametrize("library", libraries(), ids=lambda library: library.name)
def test_who_has_one_is_told_in_some_way(library: Library) -> None:
    for one in library.resources:
        assert one in by_class()[one.class_name]
        assert one.lends


def test_sums_are_read_as_they_are_written() -> None:
    (pool, _) = next(one for one in libraries() if one.package == "sqlalchemy").resources

    assert pool.out == (
        Term(1, ("_pool", "maxsize")),
        Term(-1, ("_pool", "queue"), "len"),
        Term(1, ("_overflow",)),
    )
