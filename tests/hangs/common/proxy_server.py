"""A web proxy: refuses every CONNECT after a moment ("slow"), or never answers ("silent")."""

import socketserver
import sys
import threading
import time

REFUSED = b"HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"


class Handler(socketserver.StreamRequestHandler):
    def handle(self):
        while self.rfile.readline().strip():
            continue
        if sys.argv[1] == "silent":
            threading.Event().wait()
        time.sleep(0.4)
        self.wfile.write(REFUSED)


class Server(socketserver.ThreadingTCPServer):
    daemon_threads = True


server = Server(("127.0.0.1", 0), Handler)
print(server.server_address[1])
server.serve_forever()
