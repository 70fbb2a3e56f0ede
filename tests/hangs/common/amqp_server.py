"""Speaks enough AMQP to open channels; "blocked" takes messages and never confirms, "slow" does."""

import socketserver
import struct
import sys
import time

from pika import spec
from pika.frame import Method, decode_frame


ABLE = ("connection.blocked", "publisher_confirms", "basic.nack")
TABLES = {"capabilities": dict.fromkeys(ABLE, True)}


class Handler(socketserver.StreamRequestHandler):
    def send(self, channel, method):
        self.wfile.write(Method(channel, method).marshal())

    def handle(self):
        self.rfile.read(8)
        self.send(
            0,
            spec.Connection.Start(0, 9, TABLES, "PLAIN", "en_US"),
        )
        tag = 0
        while head := self.rfile.read(7):
            (size,) = struct.unpack(">I", head[3:])
            frame = decode_frame(head + self.rfile.read(size + 1))[1]
            method = getattr(frame, "method", None)
            if isinstance(method, spec.Connection.StartOk):
                self.send(0, spec.Connection.Tune(10, 131072, 0))
            elif isinstance(method, spec.Connection.Open):
                self.send(0, spec.Connection.OpenOk())
            elif isinstance(method, spec.Channel.Open):
                self.send(frame.channel_number, spec.Channel.OpenOk())
            elif isinstance(method, spec.Confirm.Select):
                self.send(frame.channel_number, spec.Confirm.SelectOk())
            elif isinstance(method, spec.Basic.Publish):
                tag += 1
                if sys.argv[1] == "blocked":
                    self.send(0, spec.Connection.Blocked("low on memory"))
                else:
                    time.sleep(0.1)
                    self.send(frame.channel_number, spec.Basic.Ack(tag))


server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler)
print(server.server_address[1])
server.serve_forever()
