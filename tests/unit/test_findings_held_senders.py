"""Tasks that wait until another process reads, and what they have meanwhile."""

from dataclasses import replace

import pytest

from hangtui.analysis.waitgraph import build
from hangtui.findings.outside.held_senders import told_unread
from hangtui.findings.words import words_of
from hangtui.model import Ends, NodeKind, Task, TaskState, Traffic, Unattended, Watched
from tests.unit.factories import capture, holds, lock, python_frame, thread, waits

CLIENT, SERVER = 100, 200
ADDRESS = "10.0.0.2:4444"


def told(*, paused: str | None, peer: int) -> str:
    server = thread("MainThread", SERVER, SERVER)
    free = lock("Model.free", 5, NodeKind.LOCK, pid=SERVER)
    sends, needs = (
        Task(
            SERVER,
            address,
            name,
            "generate",
            TaskState.WAITING,
            9,
            SERVER,
            (python_frame("generate", 20 + address),),
            awaits,
            ends=Ends(None, ADDRESS),
            sends=address == 1,
        )
        for address, name, awaits in (
            (1, "Task-1", f"its peer {ADDRESS} to read what it has sent (drain)"),
            (2, "Task-2", "Model.free"),
        )
    )
    made = capture(
        thread("MainThread", CLIENT, CLIENT),
        server,
        resources=[free],
        waits=[waits(needs.id, free)],
        holds=[holds(free, sends.id)],
    )
    unread = Traffic(sent_s=9.0, received_s=9.0, sent_last=False, unread=8000)
    made = replace(
        made,
        tasks=(sends, needs),
        watched=(Watched(server.id, "", peers=(peer,), ends=Ends(None, ADDRESS)),),
        unattended=(
            Unattended(CLIENT, "TCP connection to 10.0.0.1:80", "fd 8", unread, paused=paused),
        ),
    )
    return told_unread(CLIENT, words_of(made, build(made)), "aiohttp")


def test_who_waits_for_what_the_sender_has_is_told() -> None:
    text = told(paused="aiohttp's ResponseHandler", peer=CLIENT)

    assert "of process 200 awaits at main.py:21 (generate) its peer 10.0.0.2:4444 to read" in text
    assert "and holds Model.free, for which task generate (Task-2) waits at main.py:22" in text


@pytest.mark.parametrize(("paused", "peer"), [(None, CLIENT), ("a", 300)])
def test_senders_to_others_are_not_told(paused: str | None, peer: int) -> None:
    assert "At the other end" not in told(paused=paused, peer=peer)
