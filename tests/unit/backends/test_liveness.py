"""Which local variables a frame still reads before it sets them anew."""

import dis
import sys
from collections.abc import Callable
from typing import Any

from hangtui.backends.cpython.bytecode import Bytecode
from hangtui.backends.cpython.liveness import live
from hangtui.backends.limits import Spending
from tests.unit.backends.test_cpython_wakers import code_of


def at_call(function: Callable[..., Any], name: str) -> frozenset[str]:
    """Those that matter where the method of this name is called."""
    found, fetched = 0, False
    for one in dis.get_instructions(function):
        if one.argval == name:
            fetched = True
        elif fetched and one.opname.startswith("CALL"):
            found = one.offset
            break
    bytecode = Bytecode(sys.version_info[:3], Spending())
    return live(bytecode, code_of(function), found)


def serve(listener: Any, start: Any) -> None:
    while True:
        sock, address = listener.accept()
        start(sock, address)


def finish(listener: Any, start: Any) -> None:
    sock = listener.open()
    try:
        listener.accept()
    finally:
        start(sock)


def shared(listener: Any, start: Any) -> None:
    sock = listener.open()
    start(lambda: sock)
    listener.accept()


def test_what_a_loop_sets_anew_does_not_matter() -> None:
    assert at_call(serve, "accept") == {"listener", "start"}


def test_what_only_an_exception_leads_to_matters() -> None:
    assert at_call(finish, "accept") == {"sock", "start"}


def test_what_another_function_has_too_matters() -> None:
    assert at_call(shared, "accept") == {"sock"}
