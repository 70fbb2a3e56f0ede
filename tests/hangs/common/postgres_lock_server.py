"""Lets everybody log in like a PostgreSQL, and knows nothing but one advisory lock."""

import socketserver
import struct
import threading

lock = threading.Lock()


def message(kind, body=b""):
    return kind + struct.pack(">I", len(body) + 4) + body


class Handler(socketserver.StreamRequestHandler):
    held = False

    def release(self):
        if self.held:
            self.held = False
            lock.release()

    def run(self, query):
        if b"pg_advisory_lock" in query and not self.held:
            self.held = lock.acquire()
        elif b"pg_advisory_unlock" in query:
            self.release()
        self.wfile.write(message(b"C", b"SELECT 0\0") + message(b"Z", b"I"))

    def handle(self):
        (size,) = struct.unpack(">I", self.rfile.read(4))
        self.rfile.read(size - 4)
        greeting = message(b"R", struct.pack(">I", 0))
        for name, value in (("server_version", "15.4"), ("client_encoding", "UTF8")):
            greeting += message(b"S", f"{name}\0{value}\0".encode())
        self.wfile.write(greeting + message(b"K", bytes(8)) + message(b"Z", b"I"))
        while (kind := self.rfile.read(1)) not in (b"", b"X"):
            (size,) = struct.unpack(">I", self.rfile.read(4))
            body = self.rfile.read(size - 4)
            if kind == b"Q":
                self.run(body)
        self.release()


server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler)
print(server.server_address[1])
server.serve_forever()
