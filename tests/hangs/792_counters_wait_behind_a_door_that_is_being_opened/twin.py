import os
import signal
import socket
import struct
import threading
import time

from psycopg2.pool import ThreadedConnectionPool

signal.alarm(120)


def message(kind, body):
    return kind + struct.pack("!i", len(body) + 4) + body


ROW = struct.pack("!h", 1) + b"count\0" + struct.pack("!ihihih", 0, 0, 20, 8, -1, 0)
ROWS = (
    message(b"T", ROW)
    + message(b"D", struct.pack("!hi", 1, 1) + b"4")
    + message(b"C", b"SELECT 1\0")
)


def answer(asked):
    if b"SELECT" in asked:
        return ROWS + message(b"Z", b"T")
    return message(b"C", b"BEGIN\0") + message(b"Z", b"T" if b"BEGIN" in asked else b"I")


def serve(client):
    client.recv(4096)
    client.sendall(
        message(b"R", struct.pack("!i", 0))
        + message(b"S", b"client_encoding\0UTF8\0")
        + message(b"S", b"server_version\0" + b"15.1\0")
        + message(b"S", b"standard_conforming_strings\0on\0")
        + message(b"S", b"DateStyle\0ISO\0")
        + message(b"Z", b"I")
    )
    while asked := client.recv(4096):
        time.sleep(0.05)
        client.sendall(answer(asked))


def accept(door):
    while True:
        client, _ = door.accept()
        threading.Thread(target=serve, args=(client,), daemon=True).start()


class Registry:
    def __init__(self, port):
        self.pool = ThreadedConnectionPool(
            0, 4, host="127.0.0.1", port=port, user="town", dbname="people", sslmode="disable"
        )

    def count(self, street):
        while True:
            connection = self.pool.getconn()
            try:
                with connection.cursor() as cursor:
                    cursor.execute("SELECT count(*) FROM people WHERE street = %s", (street,))
                    cursor.fetchone()[0]
            finally:
                self.pool.putconn(connection)


if __name__ == "__main__":
    door = socket.create_server(("127.0.0.1", 0))
    threading.Thread(target=accept, args=(door,), name="database", daemon=True).start()
    registry = Registry(door.getsockname()[1])
    counters = [
        threading.Thread(target=registry.count, args=(street,), name="counter-" + street)
        for street in ("elm", "oak", "ash")
    ]
    for counter in counters:
        counter.start()
    print("MARK main pid=%d" % os.getpid(), flush=True)
    for counter in counters:
        counter.join()
