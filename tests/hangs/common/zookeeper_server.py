"""Enough of ZooKeeper for a session, paths that can be made, and one setting to read."""

import socketserver
import struct

PING, CREATE, EXISTS, GET, CLOSE = 11, 1, 3, 4, -11
STAT = bytes(68)
NO_NODE = -101


class Handler(socketserver.StreamRequestHandler):
    def receive(self):
        head = self.rfile.read(4)
        return self.rfile.read(int.from_bytes(head, "big")) if len(head) == 4 else b""

    def send(self, body):
        self.wfile.write(struct.pack(">i", len(body)) + body)

    def handle(self):
        self.receive()
        self.send(struct.pack(">iiqi", 0, 60_000, 7, 16) + bytes(16) + b"\x00")
        made = set()
        while request := self.receive():
            number, kind = struct.unpack(">ii", request[:8])
            error, answer = 0, b""
            if kind in (CREATE, EXISTS, GET):
                size = int.from_bytes(request[8:12], "big")
                path = request[12 : 12 + size]
                if kind == CREATE:
                    made.add(path)
                    answer = struct.pack(">i", size) + path
                elif kind == GET:
                    answer = struct.pack(">i", 2) + b"en" + STAT
                elif path in made:
                    answer = STAT
                else:
                    error = NO_NODE
            self.send(struct.pack(">iqi", number, 1, error) + answer)
            if kind == CLOSE:
                return


class Server(socketserver.ThreadingTCPServer):
    daemon_threads = True


server = Server(("127.0.0.1", 0), Handler)
print(server.server_address[1])
server.serve_forever()
