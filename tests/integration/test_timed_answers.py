"""Packages that wait for a peer with a timeout: what that does is read and told all the same."""

from pathlib import Path

import pytest

from hangtui.analysis.waitgraph import build
from hangtui.backends.capture.collector import collect
from hangtui.findings import run
from hangtui.model import Finding
from hangtui.provider import CaptureRequest
from tests.integration.targets import running
from tests.waiting import until


def told(how: str, kind: str, python: Path, settled: str) -> Finding:
    """What is said of the one that asked, once *settled* is in it."""
    with running("installed_clients", python, arguments=(how,)) as target:

        def found() -> Finding | None:
            *_, capture = collect(CaptureRequest(pids=(target.pid,), follow=True))
            findings = run(capture, build(capture))
            return next((f for f in findings if f.id == kind and settled in f.sentence), None)

        return until(found)


def test_who_gives_up_after_a_while_is_told_with_who_owes_the_answer(some_python: Path) -> None:
    found = told("asks", "nobody-left-to-wake", some_python, "(load_price)")
    assert found.title.endswith("(load_price), in pricelib")
    assert "; MainThread of process " in found.title


def test_a_queue_that_is_full_is_no_connection_yet(some_python: Path) -> None:
    found = told("knocks", "nobody-left-to-wake", some_python, "nobody accepts")
    assert "(load_price), in pricelib" in found.sentence
    assert ", for the TCP port 127.0.0.1:" in found.sentence
    assert " to answer." in found.sentence


@pytest.mark.every_python
def test_a_timer_far_ahead_does_not_hide_whose_answer_is_due(some_python: Path) -> None:
    found = told("asks_in_loop", "quiet", some_python, "There, ")
    assert "(load_in_loop), in pricelib, for an answer over the TCP connection to " in found.title
    assert "There, MainThread of process " in found.sentence
    assert ", which a timer in 60 min may end; process " in found.title
    assert "A timer of its loop comes due in 60 min" in found.sentence


def test_a_tls_handshake_is_told_as_that(some_python: Path) -> None:
    if some_python.name.endswith("3.6"):
        pytest.skip("its loop has no such timeout")
    found = told("shakes_in_loop", "quiet", some_python, "There, ")
    assert "in pricelib, for its peer's part of the TLS handshake over the TCP conn" in found.title
    assert "awaits its peer's part of the TLS handshake on the TCP connection to" in found.sentence
