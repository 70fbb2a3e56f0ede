import os
import socket as blocking

import eventlet
from eventlet.green import socket
from eventlet.pools import Pool


class Lines(Pool):
    def __init__(self, address):
        self.address = address
        super().__init__(max_size=1)

    def create(self):
        eventlet.sleep(0.2)
        return socket.create_connection(self.address)


class Exchange:
    def __init__(self, address):
        self.lines = Lines(address)
        self.calls = []

    def call(self, caller):
        with self.lines.item() as line:
            line.sendall(caller.encode())
            self.calls.append(line.recv(100))

    def attempt(self, caller):
        try:
            self.call(caller)
        except OSError as error:
            self.calls.append(error)

    def connect_all(self, callers):
        attempts = [eventlet.spawn(self.attempt, caller) for caller in callers]
        for attempt in attempts:
            attempt.wait()


def echo(listener):
    while True:
        connection, _ = listener.accept()
        eventlet.spawn(repeat, connection)


def repeat(connection):
    while words := connection.recv(100):
        eventlet.sleep(0.05)
        connection.sendall(words)


def free_port():
    with blocking.create_server(("127.0.0.1", 0)) as probe:
        return probe.getsockname()[1]


def run_exchange(open_far_end):
    address = ("127.0.0.1", free_port())
    if open_far_end:
        eventlet.spawn(echo, eventlet.listen(address))
    exchange = Exchange(address)
    print("MARK main pid=%d" % os.getpid(), flush=True)
    while True:
        exchange.connect_all(["ida", "jon"])
        del exchange.calls[:]


if __name__ == "__main__":
    run_exchange(open_far_end=False)
