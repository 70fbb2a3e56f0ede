import os
import signal
import socketserver
import struct
import threading
import time

from psycopg_pool import ConnectionPool

signal.alarm(120)


class Database(socketserver.StreamRequestHandler):
    def say(self, kind, body=b""):
        self.wfile.write(kind + struct.pack(">I", len(body) + 4) + body)

    def handle(self):
        (size,) = struct.unpack(">I", self.rfile.read(4))
        self.rfile.read(size - 4)
        self.say(b"R", struct.pack(">I", 0))
        self.say(b"S", b"client_encoding\0UTF8\0")
        self.say(b"Z", b"I")
        while kind := self.rfile.read(1):
            (size,) = struct.unpack(">I", self.rfile.read(4))
            self.rfile.read(size - 4)
            if kind == b"Q":
                time.sleep(0.02)
                self.say(b"I")
                self.say(b"Z", b"I")


class Server(socketserver.ThreadingTCPServer):
    daemon_threads = True


class Ledger:
    def __init__(self, address):
        self.pool = ConnectionPool(
            address, min_size=1, max_size=4, timeout=86400, reconnect_timeout=86400, open=True
        )

    def is_open(self):
        with self.pool.connection() as connection:
            connection.pgconn.exec_(b"")
            return not connection.closed


def watch_ledger(ledger):
    while ledger.is_open():
        time.sleep(0.01)


if __name__ == "__main__":
    server = Server(("127.0.0.1", 0), Database)
    threading.Thread(target=server.serve_forever, name="database", daemon=True).start()
    ledger = Ledger(
        "postgresql://ledger@127.0.0.1:%d/ledger?sslmode=disable&gssencmode=disable"
        % server.server_address[1]
    )
    print("MARK main pid=%d" % os.getpid(), flush=True)
    watch_ledger(ledger)
