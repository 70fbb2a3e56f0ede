"""A broker that gives every message to its sender again, and a first one."""

import socketserver
import struct


def publish(topic, payload):
    body = struct.pack(">H", len(topic)) + topic + payload
    return b"\x30" + bytes([len(body)]) + body


class Handler(socketserver.StreamRequestHandler):
    def handle(self):
        while head := self.rfile.read(2):
            body = self.rfile.read(head[1])
            kind = head[0] >> 4
            if kind == 1:
                self.wfile.write(b"\x20\x02\x00\x00")
            elif kind == 8:
                self.wfile.write(b"\x90\x03" + body[:2] + b"\x00")
                self.wfile.write(publish(b"garden/valve", b"open"))
            elif kind == 3:
                size = struct.unpack(">H", body[:2])[0]
                self.wfile.write(publish(body[2 : 2 + size] + b"/value", b"3"))
                self.wfile.write(publish(b"garden/valve", b"open"))
            elif kind == 12:
                self.wfile.write(b"\xd0\x00")


socketserver.ThreadingTCPServer.daemon_threads = True
server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler)
print(server.server_address[1], flush=True)
server.serve_forever()
