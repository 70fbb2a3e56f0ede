"""A chat service that gives out a WebSocket and, with an argument, pings so often a second."""

import base64
import hashlib
import http.server
import sys
import time

PACE = float(sys.argv[1])
GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        key = self.headers["Sec-WebSocket-Key"] + GUID
        self.send_response(101, "Switching Protocols")
        self.send_header("Upgrade", "websocket")
        self.send_header("Connection", "Upgrade")
        digest = hashlib.sha1(key.encode()).digest()
        self.send_header("Sec-WebSocket-Accept", base64.b64encode(digest).decode())
        self.end_headers()
        while PACE:
            time.sleep(1 / PACE)
            self.wfile.write(b"\x89\x01p")
        self.rfile.read()

    def log_message(self, *line):
        pass


http.server.ThreadingHTTPServer.handle_error = lambda *about: None
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_address[1], flush=True)
server.serve_forever()
