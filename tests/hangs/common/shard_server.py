"""Serves a file of rows; "stalls" sends the first part of it and then nothing more, "whole" all."""

import http.server
import sys
import threading

WORDS = b"word " * 80
ROWS = b"".join(b'{"text": "row %d of %s"}\n' % (number, WORDS) for number in range(70000))
NEVER = threading.Event()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_HEAD(self):
        self.send_response(200)
        self.send_header("Content-Length", str(len(ROWS)))
        self.send_header("Accept-Ranges", "bytes")
        self.end_headers()

    def do_GET(self):
        first, last = self.headers.get("Range", "bytes=0-")[len("bytes=") :].split("-")
        first, last = int(first), min(int(last or len(ROWS)), len(ROWS) - 1)
        self.send_response(206)
        self.send_header("Content-Length", str(last + 1 - first))
        self.send_header("Content-Range", "bytes %d-%d/%d" % (first, last, len(ROWS)))
        self.end_headers()
        if first and sys.argv[1] == "stalls":
            self.wfile.write(ROWS[first : first + 1000])
            NEVER.wait()
        self.wfile.write(ROWS[first : last + 1])

    def log_message(self, *args):
        pass


class Server(http.server.ThreadingHTTPServer):
    def handle_error(self, request, client):
        pass


server = Server(("127.0.0.1", 0), Handler)
print(server.server_address[1])
server.serve_forever()
