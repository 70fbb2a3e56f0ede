"""An MQTT broker that sends a request again and again and confirms every answer."""

import socketserver
import struct
import threading
import time


def publish(topic, payload):
    body = struct.pack(">H", len(topic)) + topic + payload
    return b"\x30" + bytes([len(body)]) + body


class Handler(socketserver.StreamRequestHandler):
    def length(self):
        total, shift = 0, 0
        while True:
            (part,) = self.rfile.read(1)
            total |= (part & 127) << shift
            if part < 128:
                return total
            shift += 7

    def ask(self):
        while True:
            time.sleep(0.2)
            self.wfile.write(publish(b"requests", b"well?"))

    def handle(self):
        while head := self.rfile.read(1):
            body = self.rfile.read(self.length())
            kind = head[0] >> 4
            if kind == 1:
                self.wfile.write(b"\x20\x02\x00\x00")
            elif kind == 8:
                self.wfile.write(b"\x90\x03" + body[:2] + b"\x00")
                threading.Thread(target=self.ask, daemon=True).start()
            elif kind == 3:
                size = struct.unpack(">H", body[:2])[0]
                self.wfile.write(b"\x40\x02" + body[2 + size : 4 + size])


server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler)
print(server.server_address[1])
server.serve_forever()
