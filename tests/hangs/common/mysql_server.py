"""A MySQL whose ALTER TABLE takes a moment and waits for the open transactions of others."""

import socketserver
import struct
import threading
import time

OK = bytes((0, 0, 0, 2, 0, 0, 0))
CAPABILITIES = 0x0008F20F  # protocol 4.1, transactions, secure connection, plugin authentication
NATIVE = b"mysql_native_password"
SALT = b"abcdefghijklmnopqrst"
COM_QUIT, COM_QUERY = 1, 3
open_transactions = set()
changed = threading.Condition()


def greeting():
    low, high = struct.pack("<H", CAPABILITIES & 0xFFFF), struct.pack("<H", CAPABILITIES >> 16)
    start = b"\x0a8.0.99\x00" + struct.pack("<I", 7) + SALT[:8] + b"\x00" + low
    state = b"\x2d\x02\x00" + high + bytes((21,)) + bytes(10)
    return start + state + SALT[8:] + b"\x00" + NATIVE + b"\x00"


class Handler(socketserver.StreamRequestHandler):
    def send(self, number, body):
        self.wfile.write(struct.pack("<I", len(body))[:3] + bytes((number,)) + body)

    def receive(self):
        head = self.rfile.read(4)
        return self.rfile.read(int.from_bytes(head[:3], "little")) if len(head) == 4 else b""

    def run_query(self, text):
        verb = text.split()[0].upper()
        with changed:
            if verb == b"ALTER":
                changed.wait_for(lambda: not open_transactions - {self})
            elif verb == b"UPDATE":
                open_transactions.add(self)
            elif verb in (b"COMMIT", b"ROLLBACK"):
                open_transactions.discard(self)
                changed.notify_all()
        if verb == b"ALTER":
            time.sleep(0.5)

    def handle(self):
        self.send(0, greeting())
        self.receive()
        self.send(2, OK)
        while (request := self.receive()) and request[0] != COM_QUIT:
            if request[0] == COM_QUERY:
                self.run_query(request[1:].lstrip(b"\x00\x01"))
            self.send(1, OK)
        self.run_query(b"ROLLBACK")


class Server(socketserver.ThreadingTCPServer):
    daemon_threads = True


server = Server(("127.0.0.1", 0), Handler)
print(server.server_address[1])
server.serve_forever()
