"""Answers like a standalone MongoDB that stores nothing."""

import socketserver
import struct

import bson

HELLO = {"helloOk": True, "isWritablePrimary": True, "ismaster": True, "maxWireVersion": 21,
         "minWireVersion": 0, "maxBsonObjectSize": 1 << 24, "maxMessageSizeBytes": 48000000,
         "maxWriteBatchSize": 100000, "ok": 1.0}  # fmt: skip


class Handler(socketserver.StreamRequestHandler):
    def handle(self):
        while head := self.rfile.read(16):
            size, number, _, code = struct.unpack("<iiii", head)
            body = self.rfile.read(size - 16)
            if code == 2004:  # OP_QUERY, in which the first hello comes
                reply = struct.pack("<iqii", 8, 0, 0, 1) + bson.encode(HELLO)
                self.send(number, 1, reply)
                continue
            (length,) = struct.unpack("<i", body[5:9])
            command = bson.decode(body[5 : 5 + length])
            name = next(iter(command))
            answer = dict(HELLO) if name in ("hello", "ismaster") else {"n": 1, "ok": 1.0}
            if name == "find":
                answer = {"cursor": {"firstBatch": [{"_id": 1}], "id": 0, "ns": "a.b"}, "ok": 1.0}
            self.send(number, 2013, bytes(5) + bson.encode(answer))

    def send(self, number, code, body):
        self.wfile.write(struct.pack("<iiii", 16 + len(body), 1, number, code) + body)


class Server(socketserver.ThreadingTCPServer):
    daemon_threads = True


server = Server(("127.0.0.1", 0), Handler)
print(server.server_address[1])
server.serve_forever()
