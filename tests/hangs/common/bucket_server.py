"""An object store: "empty" never has the object that is asked for, "late" has it a little later."""

import http.server
import sys
import time

asked = {}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_HEAD(self):
        first = asked.setdefault(self.path, time.monotonic())
        there = sys.argv[1] == "late" and time.monotonic() - first > 1.5
        self.send_response(200 if there else 404)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *args):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_address[1])
server.serve_forever()
