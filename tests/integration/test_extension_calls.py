"""Threads inside of methods that are written in C, and leave no frame."""

import pytest

from tests.integration.capturing import diagnose
from tests.integration.targets import Interpreter, interpreters, running

VERSIONS = ("3.8", "3.9", "3.10", "3.11", "3.12", "3.13", "3.14", "3.15")


@pytest.mark.every_python
@pytest.mark.parametrize("interpreter", interpreters(VERSIONS), ids=lambda one: one.id)
def test_a_method_of_an_extension_is_known_by_its_object(interpreter: Interpreter) -> None:
    with running("extension_calls", interpreter.path) as target:
        found = diagnose(target.pid)

    calling = {one.name: one.calling for one in found.capture.threads() if one.is_python}
    assert calling == {
        "MainThread": None,
        "receives": "mpi4py.MPI.Intracomm.recv",
        "asks_first": None,
        "keeps": None,
        "another": None,
        "takes": "zmq.Socket(PULL).recv",
        "without_sort": None,
    }
