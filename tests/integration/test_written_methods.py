"""Methods of the program that would end a wait, where no stack comes to one."""

import pytest

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
