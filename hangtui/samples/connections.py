"""A pool of two connections, and two requests that each keep one and want a second."""

import sqlite3
import threading
from contextlib import contextmanager

from sample import ready


class ConnectionPool:
    def __init__(self, size):
        self.free = threading.BoundedSemaphore(size)
        self.connections = [
            sqlite3.connect(":memory:", check_same_thread=False) for _ in range(size)
        ]

    @contextmanager
    def connection(self):
        with self.free:
            connection = self.connections.pop()
            try:
                yield connection
            finally:
                self.connections.append(connection)


pool = ConnectionPool(2)
all_have_one = threading.Barrier(3)


def audit(message):
    with pool.connection() as connection:
        connection.execute("select ?", (message,))


def handle_request(number):
    with pool.connection() as connection:
        connection.execute("select ?", (number,))
        all_have_one.wait()
        audit(f"request {number}")


requests = [
    threading.Thread(target=handle_request, args=(number,), name=f"request-{number}")
    for number in (1, 2)
]
for request in requests:
    request.start()
all_have_one.wait()
ready()
for request in requests:
    request.join()
