"""The Java side of py4j with one object; "lost" answers a single call, "busy" every one, slowly."""

import socketserver
import sys
import threading
import time

calls = {"count": 0}


class Handler(socketserver.StreamRequestHandler):
    def handle(self):
        while line := self.rfile.readline():
            command = [line.strip()]
            while (line := self.rfile.readline().strip()) != b"e":
                command.append(line)
            self.wfile.write(self.answer(command) + b"\n")

    def answer(self, command):
        if command[0] != b"c" or command[2] != b"countOrders":
            return b"!yv"
        calls["count"] += 1
        if sys.argv[1] == "lost" and calls["count"] > 1:
            threading.Event().wait()
        time.sleep(0.1)
        return b"!yi12"


class Server(socketserver.ThreadingTCPServer):
    daemon_threads = True


server = Server(("127.0.0.1", 0), Handler)
print(server.server_address[1])
server.serve_forever()
