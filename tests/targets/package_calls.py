"""A program that asks an installed package for something, and waits there for a limited time, again
and again: the same calls with answers that come, and that never do.

Usage: package_calls.py rpc|jobs slow|silent|died|locked
"""

import asyncio
import json
import socket
import sys
import threading
import time
from pathlib import Path

from ready import ready

sys.path.insert(0, str(Path(__file__).with_name("package_calls_of") / "site-packages"))
import jobkit
import wirecall

KIND, STATE = sys.argv[1:3]


def answer(line):
    """The server, in a thread of the same process."""
    for text in line.makefile():
        if STATE == "silent":
            continue
        time.sleep(0.9)
        number = json.loads(text)["number"]
        line.sendall(json.dumps({"number": number, "value": 1}).encode() + b"\n")


def ask():
    mine, theirs = socket.socketpair()
    threading.Thread(target=answer, args=(theirs,), name="server", daemon=True).start()
    client = wirecall.Client(mine)
    ready()
    while True:
        client.call("price")


async def bake(oven):
    if STATE == "died":
        raise ValueError(STATE)
    if STATE == "locked":
        async with oven:
            pass
    await asyncio.sleep(0.8)


async def run():
    runner, oven = jobkit.Runner(), asyncio.Lock()
    if STATE == "locked":
        await oven.acquire()
    asyncio.get_running_loop().call_later(1, ready)
    while True:
        for _ in range(2):
            runner.submit(lambda: bake(oven))
        await runner.drain()


if KIND == "rpc":
    ask()
else:
    asyncio.run(run())
