import os
import socket
import socketserver
import time


class Enquiry(socketserver.StreamRequestHandler):
    def handle(self):
        for line in self.rfile:
            kind, _, name = line.decode().strip().partition(" ")
            self.wfile.write((self.answer(kind, name) + "\n").encode())

    def answer(self, kind, name):
        if kind == "street":
            return "Elm Street"
        return "%s lives in %s" % (name, self.street(name))

    def street(self, name):
        time.sleep(0.2)
        if not self.server.asks:
            return "Oak Street"
        with socket.create_connection(self.server.server_address) as line:
            line.sendall(("street %s\n" % name).encode())
            with line.makefile("r") as answer:
                return answer.readline().strip()


class Registry(socketserver.ForkingTCPServer):
    allow_reuse_address = True
    max_children = 2

    def __init__(self, asks):
        super().__init__(("127.0.0.1", 0), Enquiry)
        self.asks = asks
        self.began = os.getpid()
