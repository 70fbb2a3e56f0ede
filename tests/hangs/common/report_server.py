"""Sends a report of so many bytes for every line it reads, "slow" in two pieces."""

import socketserver
import sys
import time


class Handler(socketserver.StreamRequestHandler):
    def handle(self):
        size = int(sys.argv[1])
        for _ in self.rfile:
            self.wfile.write(b"x" * (size // 2))
            time.sleep(0.3 * (sys.argv[2:] == ["slow"]))
            self.wfile.write(b"x" * (size - size // 2))


server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler)
print(server.server_address[1])
server.serve_forever()
