"""A directory: takes every bind; a search is "slow" and finds nothing, or "silent" for ever."""

import socketserver
import sys
import threading
import time

BIND, BOUND = 0x60, 0x61
SEARCH, FOUND = 0x63, 0x65
SUCCESS = b"\x0a\x01\x00\x04\x00\x04\x00"


class Handler(socketserver.StreamRequestHandler):
    def handle(self):
        while head := self.rfile.read(2):
            size = head[1]
            if size & 0x80:
                size = int.from_bytes(self.rfile.read(size & 0x7F), "big")
            body = self.rfile.read(size)
            number, rest = body[: 2 + body[1]], body[2 + body[1] :]
            if rest[0] == BIND:
                self.answer(number, BOUND)
            elif rest[0] == SEARCH:
                if sys.argv[1] == "silent":
                    threading.Event().wait()
                time.sleep(0.4)
                self.answer(number, FOUND)

    def answer(self, number, operation):
        body = number + bytes((operation, len(SUCCESS))) + SUCCESS
        self.wfile.write(bytes((0x30, len(body))) + body)


class Server(socketserver.ThreadingTCPServer):
    daemon_threads = True


server = Server(("127.0.0.1", 0), Handler)
print(server.server_address[1])
server.serve_forever()
