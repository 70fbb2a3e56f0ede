import os
import signal
import socket
import threading

from psycopg2.pool import ThreadedConnectionPool

signal.alarm(120)


class Registry:
    def __init__(self, port):
        self.pool = ThreadedConnectionPool(
            0, 4, host="127.0.0.1", port=port, user="town", dbname="people", sslmode="disable"
        )

    def count(self, street):
        connection = self.pool.getconn()
        try:
            with connection.cursor() as cursor:
                cursor.execute("SELECT count(*) FROM people WHERE street = %s", (street,))
                return cursor.fetchone()[0]
        finally:
            self.pool.putconn(connection)


def database():
    door = socket.create_server(("127.0.0.1", 0))
    return door, door.getsockname()[1]


if __name__ == "__main__":
    door, port = database()
    registry = Registry(port)
    counters = [
        threading.Thread(target=registry.count, args=(street,), name="counter-" + street)
        for street in ("elm", "oak", "ash")
    ]
    for counter in counters:
        counter.start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    for counter in counters:
        counter.join()
