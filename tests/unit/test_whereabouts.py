"""Where the application stands, as each finding has it."""

from dataclasses import replace
from pathlib import Path

import pytest

from hangtui import findings
from hangtui.analysis.whereabouts import Whereabouts, told, where_of
from hangtui.backends.capture.versions import Versions
from hangtui.backends.door import Root
from hangtui.model import Finding, PythonFrame, Severity, Task, TaskState, Where
from tests.unit.factories import capture, holds, lock, python_frame, thread, waits

SITE = "/srv/.venv/lib/python3.12/site-packages"
WAITS = python_frame("Condition.wait", 355, "/usr/lib/python3.12/threading.py")
CLIENT = python_frame("urlopen", 7, f"{SITE}/urllib3/pool.py")
ENTRY = replace(python_frame("Engine.connect", 9, f"{SITE}/sqlalchemy/engine.py"))
OWN = python_frame("load_price", 31, "/srv/shop.py")


def test_the_package_that_was_called_is_told_with_its_version() -> None:
    entry = replace(ENTRY, package="SQLAlchemy 2.0.51")
    where = where_of((WAITS, CLIENT, entry, OWN))
    assert where == Where("load_price", "/srv/shop.py", 31, "SQLAlchemy", "2.0.51")
    assert told(where) == "shop.py:31 (load_price), in SQLAlchemy 2.0.51"


@pytest.mark.parametrize(
    ("stack", "words"),
    [
        ((WAITS, ENTRY, OWN), "shop.py:31 (load_price), in sqlalchemy"),
        ((WAITS, OWN), "shop.py:31 (load_price)"),
        ((WAITS, ENTRY), "engine.py:9 (Engine.connect), in sqlalchemy"),
    ],
    ids=["no version", "no package", "no application"],
)
def test_what_is_not_known_is_left_out(stack: tuple[PythonFrame, ...], words: str) -> None:
    where = where_of(stack)
    assert where is not None
    assert told(where) == words


def test_a_stack_of_the_standard_library_alone_tells_of_no_place() -> None:
    assert where_of((WAITS,)) is None


def test_who_is_in_the_application_comes_before_who_is_in_a_library() -> None:
    service = thread("service", 101, python=[WAITS, ENTRY])
    main = thread("MainThread", 100, python=[WAITS, OWN])
    where = Whereabouts(capture(service, main)).of((service.id, main.id))
    assert where is not None
    assert where.function == "load_price"


def test_findings_carry_it() -> None:
    a, b = lock("a", 1), lock("b", 2)
    main = thread("MainThread", 100, python=[WAITS, OWN])
    other = thread("other", 101, python=[WAITS])
    made = capture(
        main, other, resources=[a, b],
        waits=[waits(main, b), waits(other, a)], holds=[holds(a, main), holds(b, other)],
    )  # fmt: skip
    (finding,) = findings.run(made)
    assert isinstance(finding, Finding)
    assert finding.severity is Severity.ERROR
    assert finding.where == Where("load_price", "/srv/shop.py", 31)


def test_versions_are_read_for_the_frames_that_enter_a_package(tmp_path: Path) -> None:
    site = tmp_path / "lib/python3.12/site-packages"
    record = site / "sqlalchemy-2.0.51.dist-info/RECORD"
    record.parent.mkdir(parents=True)
    record.write_text("sqlalchemy/engine.py,,\nsqlalchemy/pool.py,,\n")
    names = ("sqlalchemy/pool.py", "sqlalchemy/engine.py")
    stack = [WAITS, *(python_frame("f", 1, f"{site}/{name}") for name in names), OWN]
    bare = thread("b", python=[WAITS, OWN])
    with Root.of_folder("/") as root:
        versions = Versions(root)
        found = versions.of(thread("a", python=stack)).python_stack
        assert versions.of(bare) is bare
    assert found is not None
    assert [frame.package for frame in found] == [None, None, "sqlalchemy 2.0.51", None]


def test_a_task_of_a_library_is_not_where_the_program_runs_its_loop() -> None:
    main = thread("MainThread", 100, python=[WAITS, OWN])
    address, loop = 0x10, 0x20
    reader = Task(100, address, "reader", "read", TaskState.WAITING, loop, 100, (WAITS,))
    made = replace(capture(main), tasks=(reader,))
    where = Whereabouts(made).of((reader.id, main.id))
    assert where is None or where.function != "load_price"
