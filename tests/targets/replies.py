"""Clients whose replies are handed out by a receiver of their own, which hang without it:
``replies.py NAME``."""

import asyncio
import concurrent.futures
import contextlib
import inspect
import os
import queue
import socket
import sys
import tempfile
import threading
import time

from ready import ready


class Client:
    """One thread or task asks, another one reads the replies."""

    def __init__(self, reader, writer):
        self.reader, self.writer = reader, writer
        self.pending = {}

    def receive(self):
        for line in self.reader:
            self.pending.pop(line).set_result(line)

    def request(self, text):
        answer = self.pending[text] = concurrent.futures.Future()
        self.writer.sendall(text)
        return answer.result()

    async def receive_in_loop(self):
        while True:
            line = await self.reader.readline()
            self.pending.pop(line).set_result(line)

    async def request_in_loop(self, text):
        answer = self.pending[text] = asyncio.get_event_loop().create_future()
        self.writer.write(text)
        await self.writer.drain()
        return await answer


def serve(server, delay):
    connection, _ = server.accept()
    for line in connection.makefile("rb"):
        time.sleep(delay)
        connection.sendall(line)


def connected(delay=0.0):
    server = socket.socket()
    server.bind(("127.0.0.1", 0))
    server.listen(1)
    threading.Thread(target=serve, args=(server, delay), name="server", daemon=True).start()
    connection = socket.create_connection(server.getsockname())
    return Client(connection.makefile("rb"), connection)


def receiver_that_was_not_started():
    client = connected()
    ready()
    client.request(b"tea\n")


def receiver_that_fails():
    client = connected()
    receiver = threading.Thread(target=client.receive, name="receiver", daemon=True)
    receiver.start()
    ready()
    client.pending = {}
    client.request(b"te\na\n")


def receiver_of_a_slow_server():
    """Healthy: the server takes its time."""
    client = connected(600)
    threading.Thread(target=client.receive, name="receiver", daemon=True).start()
    ready()
    client.request(b"tea\n")


async def serve_in_loop(reader, writer, delay=0.0):
    while True:
        line = await reader.readline()
        await asyncio.sleep(delay)
        writer.write(line)


async def connected_in_loop(delay=0.0, kind=Client):
    server = await asyncio.start_server(
        lambda reader, writer: serve_in_loop(reader, writer, delay), "127.0.0.1", 0
    )
    host, port = server.sockets[0].getsockname()
    return kind(*await asyncio.open_connection(host, port))


async def ask_without_a_receiver(kind=Client):
    client = await connected_in_loop(kind=kind)
    ready()
    await client.request_in_loop(b"tea\n")


def task_that_was_not_started():
    asyncio.run(ask_without_a_receiver())


def installed_client():
    """The same class, of a package that is installed."""
    with tempfile.TemporaryDirectory() as folder:
        packages = os.path.join(folder, "site-packages")
        os.mkdir(packages)
        with open(os.path.join(packages, "askclient.py"), "w") as file:
            file.write("import asyncio\nimport concurrent.futures\n\n\n")
            file.write(inspect.getsource(Client))
        sys.path.insert(0, packages)
        import askclient

        return askclient.Client


def task_of_a_package_that_was_not_started():
    asyncio.run(ask_without_a_receiver(installed_client()))


async def ask_a_receiver_that_fails():
    client = await connected_in_loop()
    receiver = asyncio.ensure_future(client.receive_in_loop())
    client.receiver = receiver
    del receiver
    client.writer.write(b"unknown\n")
    ready()
    await client.request_in_loop(b"tea\n")


def task_that_fails():
    asyncio.run(ask_a_receiver_that_fails())


async def ask_a_slow_server():
    client = await connected_in_loop(600)
    client.receiver = asyncio.ensure_future(client.receive_in_loop())
    ready()
    await client.request_in_loop(b"tea\n")


def task_of_a_slow_server():
    """Healthy: the server takes its time."""
    asyncio.run(ask_a_slow_server())


class Rates:
    """Asks once for all who want the same."""

    def __init__(self):
        self.pending = {}

    async def rate(self, name):
        if name in self.pending:
            return await self.pending[name]
        self.pending[name] = asyncio.get_event_loop().create_future()
        await asyncio.sleep(0.5)
        self.pending.pop(name).set_result(2)
        return 2


async def ask_for_rates():
    rates = Rates()
    with contextlib.suppress(asyncio.TimeoutError):
        await asyncio.wait_for(rates.rate("rye"), 0.05)
    ready()
    while True:
        await rates.rate("rye")


def question_shared_with_one_who_gave_up():
    asyncio.run(ask_for_rates())


class Actor:
    """Does what lies in its inbox, one after the other."""

    def __init__(self, name, pause=0.0):
        self.inbox = queue.Queue()
        self.pause = pause
        threading.Thread(target=self.run, name=name, daemon=True).start()

    def run(self):
        while True:
            function, answer = self.inbox.get()
            answer.set_result(function())

    def ask(self, function):
        answer = concurrent.futures.Future()
        self.inbox.put((function, answer))
        return answer.result()

    def balance(self):
        time.sleep(self.pause)
        return 5


def book(actor):
    return actor.ask(actor.balance)


def actor_that_asks_itself():
    ledger = Actor("ledger")
    ready()
    ledger.ask(lambda: book(ledger))


def actor_that_asks_a_slow_one():
    """Healthy: the other one takes its time."""
    ledger, bank = Actor("ledger"), Actor("bank", 600)
    ready()
    ledger.ask(lambda: book(bank))


class Debounced:
    def __init__(self):
        self.done = threading.Event()
        self.timer = threading.Timer(0.05, self.run_action)
        self.timer.start()

    def run_action(self):
        self.done.set()


def leave_editor(saving):
    ready()
    saving.done.wait()


def timer_that_was_cancelled():
    saving = Debounced()
    saving.timer.cancel()
    saving.timer.join()
    leave_editor(saving)


class Slow(Debounced):
    def run_action(self):
        time.sleep(600)
        self.done.set()


def timer_that_is_slow():
    """Healthy: what it calls takes its time."""
    leave_editor(Slow())


if __name__ == "__main__":
    globals()[sys.argv[1]]()
