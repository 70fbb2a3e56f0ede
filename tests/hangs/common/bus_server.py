"""A D-Bus with one service on it: "deaf" never answers what it is asked, "slow" does later."""

import socketserver
import sys
import time

from jeepney import HeaderFields, MessageType, Parser, new_method_return

PATH, MODE = sys.argv[1:]


class Handler(socketserver.StreamRequestHandler):
    def handle(self):
        self.request.recv(1)
        while (line := self.rfile.readline()) and not line.startswith(b"BEGIN"):
            self.wfile.write(b"OK 0123456789abcdef0123456789abcdef\r\n")
        parser, serial = Parser(), 0
        while data := self.rfile.read1(4096):
            for message in parser.feed(data):
                if message.header.message_type is MessageType.method_call:
                    serial += 1
                    self.answer(message, serial)

    def answer(self, message, serial):
        hello = message.header.fields[HeaderFields.member] == "Hello"
        if MODE == "deaf" and not hello:
            return
        time.sleep(0 if hello else 0.05)
        reply = new_method_return(message, "s", (":1.7",))
        self.wfile.write(reply.serialise(serial=serial))


class Server(socketserver.ThreadingUnixStreamServer):
    daemon_threads = True


with Server(PATH, Handler) as server:
    print(0, flush=True)
    server.serve_forever()
