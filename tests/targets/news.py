"""One who subscribes to the news of a broker that nobody has told any, and rests.

Usage: news.py thread|task thread|task: the subscriber, and the broker, in a process of its own.
"""

import asyncio
import os
import socket
import sys
import threading

from ready import ready

SUBSCRIBER, BROKER = sys.argv[1:3]


class Broker:
    def __init__(self):
        self.subscribers = []

    def take(self, line, file):
        if line.startswith(b"subscribe"):
            self.subscribers.append(file)
            file.write(b"ok\n")
        else:
            for one in self.subscribers:
                one.write(line)

    def handle(self, link):
        with link.makefile("rwb", buffering=0) as file:
            for line in file:
                self.take(line, file)

    def serve(self, listener):
        while True:
            link, _ = listener.accept()
            threading.Thread(target=self.handle, args=(link,), daemon=True).start()

    async def handle_in_a_task(self, reader, writer):
        async for line in reader:
            self.take(line, writer)

    async def serve_in_a_task(self, listener):
        await asyncio.start_server(self.handle_in_a_task, sock=listener)
        await asyncio.Event().wait()


def subscribe(port):
    file = socket.create_connection(("127.0.0.1", port)).makefile("rwb", buffering=0)
    file.write(b"subscribe\n")
    file.readline()
    ready()
    for line in file:
        print(line)


async def subscribe_in_a_task(port):
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"subscribe\n")
    await reader.readline()
    ready()
    async for line in reader:
        print(line)


def main():
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen()
    port = listener.getsockname()[1]
    if os.fork() == 0:
        broker = Broker()
        if BROKER == "thread":
            broker.serve(listener)
        else:
            asyncio.run(broker.serve_in_a_task(listener))
        return
    listener.close()
    if SUBSCRIBER == "thread":
        subscribe(port)
    else:
        asyncio.run(subscribe_in_a_task(port))


if __name__ == "__main__":
    main()
