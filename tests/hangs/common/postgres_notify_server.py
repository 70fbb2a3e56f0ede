"""Like a PostgreSQL that says yes to every command and tells everybody of an order now and then."""

import socketserver
import struct
import threading
import time


def message(kind, body=b""):
    return kind + struct.pack(">I", len(body) + 4) + body


class Handler(socketserver.StreamRequestHandler):
    def notify(self):
        while True:
            time.sleep(0.3)
            self.wfile.write(message(b"A", struct.pack(">I", 7) + b"orders\x00 42\x00"))

    def handle(self):
        (size,) = struct.unpack(">I", self.rfile.read(4))
        self.rfile.read(size - 4)
        greeting = message(b"R", struct.pack(">I", 0))
        for name, value in (("server_version", "15.4"), ("client_encoding", "UTF8")):
            greeting += message(b"S", f"{name}\0{value}\0".encode())
        self.wfile.write(greeting + message(b"K", bytes(8)) + message(b"Z", b"I"))
        while kind := self.rfile.read(1):
            (size,) = struct.unpack(">I", self.rfile.read(4))
            text = self.rfile.read(size - 4)
            if kind == b"Q":
                self.wfile.write(message(b"C", b"SELECT 0\0") + message(b"Z", b"I"))
                if text.lower().startswith(b"listen"):
                    threading.Thread(target=self.notify, daemon=True).start()


class Server(socketserver.ThreadingTCPServer):
    daemon_threads = True

    def handle_error(self, request, client_address):
        pass


server = Server(("127.0.0.1", 0), Handler)
print(server.server_address[1])
server.serve_forever()
