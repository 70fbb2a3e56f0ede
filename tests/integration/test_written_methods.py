"""Methods of the program that would end a wait, where no stack comes to one."""

import re
from pathlib import Path

import pytest

from hangtui import findings
from hangtui.cli.series import Looks, take
from hangtui.model import Finding, Severity
from hangtui.provider import CaptureRequest
from tests.integration.capturing import diagnose
from tests.integration.targets import Interpreter, interpreters, running

EACH = pytest.mark.parametrize(
    "interpreter",
    interpreters(("3.8", "3.10", "3.12", "3.13", "3.14")),
    ids=lambda one: one.id,
)
METHODS = {
    "itself": (
        "hear",
        "answered.set()  # sets",
        "which this wait is inside of: nobody else runs that.",
    ),
    "nobody": ("open", "# sets, too", "which nobody runs."),
    "queued": ("run", "# sets of a queue", "which nobody runs."),
    "batch": ("flush", "# sets each", "which nobody runs."),
    "taken_out": ("answer", "# takes out, and sets", "which nobody runs."),
    "item": ("answer", "# sets an item", "which nobody runs."),
    "first": ("call", "# sets the first", "which nobody runs."),
    "variable": ("answer", "# sets a variable", "which nobody runs."),
    "later": ("sort", "# sets, further on", "which this wait is inside of: nobody else runs that."),
}


@pytest.mark.every_python
@EACH
@pytest.mark.parametrize("name", METHODS)
def test_the_method_that_would_set_it_is_told(name: str, interpreter: Interpreter) -> None:
    method, line, says = METHODS[name]
    with running("written_methods", interpreter.path, arguments=(name,)) as target:
        found = diagnose(target.pid).findings
        place = target.line(line)

    told = " ".join(one.sentence for one in found)
    assert f"{method} (written_methods.py:{place}), {says}" in told


@pytest.mark.parametrize("interpreter", interpreters(("3.12", "3.14")), ids=lambda one: one.id)
def test_a_function_defined_beside_the_one_that_waits_is_told(interpreter: Interpreter) -> None:
    with running("written_methods", interpreter.path, arguments=("beside",)) as target:
        found = diagnose(target.pid).findings
        place = target.line("# sets, beside")

    told = " ".join(one.sentence for one in found)
    assert f"The program does so in resume (written_methods.py:{place}), which nobody runs." in told
    assert "Gate.__init__" not in told  # that sets what it has made itself


FUNCTIONS = {
    "wait_paid": ("payment_came", "hooks.py", "# sets"),
    "announce": ("Desk.take", "hooks.py", "# takes"),
    "wait_done": ("Board.finish", "state.py", "# notifies"),
}


@pytest.mark.every_python
@EACH
@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_of_a_module_that_no_stack_runs_is_told(
    name: str, interpreter: Interpreter
) -> None:
    function, file, mark = FUNCTIONS[name]
    with running("written_elsewhere", interpreter.path, arguments=(name,)) as target:
        found = diagnose(target.pid).findings
    lines = (Path(__file__).parents[1] / "targets/elsewhere" / file).read_text().splitlines()
    place = next(number for number, line in enumerate(lines, 1) if mark in line)

    told = " ".join(one.sentence for one in found)
    pattern = rf"{function.rpartition('.')[2]} \({file}:{place}\)"
    assert re.search(rf"The program does so in (\w+\.)?{pattern}, which nobody runs\.", told), told


@pytest.mark.every_python
@EACH
def test_a_method_that_another_process_is_inside_of_is_told(interpreter: Interpreter) -> None:
    program = "written_elsewhere_forked"
    with running(program, interpreter.path, arguments=("event",)) as target:
        found = diagnose(target.pid, children=True).findings
        place = target.line("# sets")

    first = found[0]
    assert first.title.startswith("Nobody is left to set")
    assert "has only a copy of it" in first.title
    assert f"bake (written_elsewhere_forked.py:{place}), which MainThread of" in first.sentence
    assert "memory of its own" in first.sentence
    assert "multiprocessing.Event()" in first.advice[0]


def watch(pid: int) -> tuple[Finding, ...]:
    """What is found by several looks at a process and its children."""
    return findings.run(take(CaptureRequest(pids=(pid,), follow=True), Looks(4, 2.0)))


@EACH
def test_a_flag_that_another_process_changes_is_told(interpreter: Interpreter) -> None:
    program = "written_elsewhere_forked"
    with running(program, interpreter.path, asleep=False, arguments=("flag",)) as target:
        found = watch(target.pid)
        place = target.line("# changes")

    told = " ".join(one.sentence for one in found)
    assert f"bake (written_elsewhere_forked.py:{place}), which MainThread of" in told
    assert "another process, whose memory is its own" in told
    assert "which nobody runs" not in told


@pytest.mark.every_python
@EACH
def test_a_reader_of_answers_that_asks_waits_for_itself(interpreter: Interpreter) -> None:
    with running("reader_asks", interpreter.path) as target:
        found = watch(target.pid)
        sets = target.line("# sets")

    first = found[0]
    assert (first.id, first.severity) == ("mutual-wait", Severity.ERROR), first.title
    assert "listen waits for itself" in first.title
    assert f"(answer.set_result(), reader_asks.py:{sets} in " in first.sentence
