import asyncio
import os
import signal
import sys
from types import SimpleNamespace

import pytest
import pytest_asyncio

signal.alarm(120)


async def deliver(mailbox):
    while True:
        await asyncio.sleep(0.02)
        if mailbox.letters:
            mailbox.letters.pop()
            mailbox.sent.set()


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def mailbox():
    box = SimpleNamespace(letters=[], sent=asyncio.Event())
    task = asyncio.create_task(deliver(box), name="deliver")
    yield box
    task.cancel()


@pytest.mark.asyncio(loop_scope="session")
async def test_mail_is_sent(mailbox):
    while True:
        mailbox.sent.clear()
        mailbox.letters.append("hello")
        await mailbox.sent.wait()


if __name__ == "__main__":
    print("MARK main pid=%d" % os.getpid())
    options = ["-q", "-s", "-p", "no:cacheprovider", "-c", os.devnull, "--noconftest"]
    sys.exit(pytest.main([*options, __file__]))
