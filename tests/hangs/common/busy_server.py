"""Answers every other request; the others are told to come again after as many seconds as given."""

import http.server
import sys

counts = {"requests": 0}


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        counts["requests"] += 1
        self.send_response(429 if counts["requests"] % 2 else 200)
        if counts["requests"] % 2:
            self.send_header("Retry-After", sys.argv[1])
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, *args):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_address[1])
server.serve_forever()
