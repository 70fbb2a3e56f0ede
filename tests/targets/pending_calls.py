"""A client with a table of calls that wait, whose reader hands the answers out, beside a server
that has one connection and one thread.

Usage: pending_calls.py thread-event|thread-queue|thread-future|async-event|async-queue|async-future
hung|lost|idle

hung: the server leaves the third call unanswered; lost: that is also in the table no more;
idle: after two calls the program waits until it is told to end.
"""

import asyncio
import json
import os
import queue
import signal
import socket
import sys
import threading
from concurrent.futures import Future

from ready import ready

KIND, STATE = sys.argv[1:3]


def serve(connection):
    number = 0
    with connection.makefile("rwb") as file:
        for line in file:
            number += 1
            question = json.loads(line)
            if number == 3:
                continue
            file.write(json.dumps({"id": question["id"]}).encode() + b"\n")
            file.flush()


class Call:
    def __init__(self):
        self.done = threading.Event() if KIND == "thread-event" else asyncio.Event()


class Client:
    def __init__(self, connection):
        self.file = connection.makefile("rwb")
        self.pending = {}
        threading.Thread(target=self.read_answers, name="reader", daemon=True).start()

    def read_answers(self):
        for line in self.file:
            self.dispatch(json.loads(line))

    def dispatch(self, message):
        slot = self.pending.pop(message["id"], None)
        if KIND == "thread-event":
            slot.done.set()
        elif KIND == "thread-queue":
            slot.put(message)
        else:
            slot.set_result(message)

    def call(self, number):
        kinds = {"thread-event": Call, "thread-queue": queue.Queue, "thread-future": Future}
        slot = self.pending[number] = kinds[KIND]()
        self.file.write(json.dumps({"id": number}).encode() + b"\n")
        self.file.flush()
        if number == 3:
            if STATE == "lost":
                self.pending.clear()
            soon()
        if KIND == "thread-event":
            slot.done.wait()
        elif KIND == "thread-queue":
            slot.get()
        else:
            slot.result()


class Peer:
    """The same in an event loop."""

    def __init__(self):
        self.pending = {}

    async def start(self, connection):
        self.reader, self.writer = await asyncio.open_connection(sock=connection)
        self.reading = asyncio.ensure_future(self.read_answers())

    async def read_answers(self):
        while True:
            message = json.loads(await self.reader.readline())
            slot = self.pending.pop(message["id"], None)
            if KIND == "async-event":
                slot.done.set()
            elif KIND == "async-queue":
                await slot.put(message)
            else:
                slot.set_result(message)

    async def call(self, number):
        future = asyncio.get_event_loop().create_future
        kinds = {"async-event": Call, "async-queue": asyncio.Queue, "async-future": future}
        slot = self.pending[number] = kinds[KIND]()
        self.writer.write(json.dumps({"id": number}).encode() + b"\n")
        if number == 3:
            if STATE == "lost":
                self.pending.clear()
            soon()
        if KIND == "async-event":
            await slot.done.wait()
        elif KIND == "async-queue":
            await slot.get()
        else:
            await slot


def soon():
    threading.Timer(0.3, ready).start()


async def work(connection):
    peer = Peer()
    await peer.start(connection)
    stop = asyncio.Event()
    asyncio.get_event_loop().add_signal_handler(signal.SIGTERM, stop.set)
    for number in (1, 2):
        await peer.call(number)
    if STATE == "idle":
        soon()
        await stop.wait()
    await peer.call(3)


def main():
    ours, theirs = socket.socketpair()
    if os.fork() == 0:
        ours.close()
        serve(theirs)
        return
    theirs.close()
    if KIND.startswith("async"):
        asyncio.new_event_loop().run_until_complete(work(ours))
        return
    client = Client(ours)
    stop = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: stop.set())
    for number in (1, 2):
        client.call(number)
    if STATE == "idle":
        soon()
        stop.wait()
    client.call(3)


main()
