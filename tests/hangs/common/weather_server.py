"""A station that says the wind a while after it is asked; with "silent" it never does."""

import socketserver
import sys
import threading
import time


class Handler(socketserver.StreamRequestHandler):
    def handle(self):
        for _ in self.rfile:
            if sys.argv[1:] == ["silent"]:
                threading.Event().wait()
            time.sleep(0.5)
            self.wfile.write(b"4 m/s\n")


socketserver.ThreadingTCPServer.daemon_threads = True
server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler)
print(server.server_address[1])
server.serve_forever()
