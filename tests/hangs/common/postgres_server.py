"""Lets everybody log in like a PostgreSQL and says that every command was done."""

import socketserver
import struct


def message(kind, body=b""):
    return kind + struct.pack(">I", len(body) + 4) + body


class Handler(socketserver.StreamRequestHandler):
    def handle(self):
        (size,) = struct.unpack(">I", self.rfile.read(4))
        self.rfile.read(size - 4)
        greeting = message(b"R", struct.pack(">I", 0))
        for name, value in (("server_version", "15.4"), ("client_encoding", "UTF8")):
            greeting += message(b"S", f"{name}\0{value}\0".encode())
        self.wfile.write(greeting + message(b"K", bytes(8)) + message(b"Z", b"I"))
        while kind := self.rfile.read(1):
            (size,) = struct.unpack(">I", self.rfile.read(4))
            self.rfile.read(size - 4)
            if kind == b"Q":
                self.wfile.write(message(b"C", b"SELECT 0\0") + message(b"Z", b"I"))


class Server(socketserver.ThreadingTCPServer):
    daemon_threads = True


server = Server(("127.0.0.1", 0), Handler)
print(server.server_address[1])
server.serve_forever()
