import socketserver
import struct
import threading

from pika import spec
from pika.frame import Body, Header, Method, decode_frame


class Broker(socketserver.StreamRequestHandler):
    def send(self, channel, method):
        self.wfile.write(Method(channel, method).marshal())

    def deliver(self, channel, tag):
        self.send(channel, spec.Basic.Deliver(self.consumer, tag, False, "", "letters"))
        self.wfile.write(Header(channel, 5, spec.BasicProperties()).marshal())
        self.wfile.write(Body(channel, b"dear ").marshal())

    def answer(self, channel, method):
        if isinstance(method, spec.Connection.StartOk):
            self.send(0, spec.Connection.Tune(10, 131072, 0))
        elif isinstance(method, spec.Connection.Open):
            self.send(0, spec.Connection.OpenOk())
        elif isinstance(method, spec.Channel.Open):
            self.send(channel, spec.Channel.OpenOk())
        elif isinstance(method, spec.Basic.Qos):
            self.send(channel, spec.Basic.QosOk())
        elif isinstance(method, spec.Basic.Consume):
            self.consumer = method.consumer_tag
            self.send(channel, spec.Basic.ConsumeOk(self.consumer))
            self.deliver(channel, 1)
        elif isinstance(method, spec.Basic.Ack):
            self.deliver(channel, method.delivery_tag + 1)

    def handle(self):
        self.rfile.read(8)
        self.send(0, spec.Connection.Start(0, 9, {}, "PLAIN", "en_US"))
        while head := self.rfile.read(7):
            (size,) = struct.unpack(">I", head[3:])
            frame = decode_frame(head + self.rfile.read(size + 1))[1]
            self.answer(frame.channel_number, getattr(frame, "method", None))


def open_broker():
    server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Broker)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, name="broker", daemon=True).start()
    return server.server_address[1]
