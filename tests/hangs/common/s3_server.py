"""Enough of an object store for a download: "silent" never sends the object, "slow" does."""

import http.server
import sys
import threading
import time


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_HEAD(self):
        if self.command == "GET":
            time.sleep(0.1)
            if sys.argv[1] == "silent":
                threading.Event().wait()
        self.send_response(200)
        self.send_header("Content-Length", "1000")
        self.send_header("ETag", '"1"')
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(b"x" * 1000)

    do_GET = do_HEAD

    def log_message(self, *args):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_address[1])
server.serve_forever()
