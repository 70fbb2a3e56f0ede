"""Enough of an object store: a picture that comes in four parts."""

import http.server
import time


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Length", "4000000")
        self.send_header("ETag", '"1"')
        self.end_headers()
        try:
            for _ in range(4):
                self.wfile.write(b"x" * 1_000_000)
                self.wfile.flush()
                time.sleep(0.05)
        except ConnectionError:
            return

    def log_message(self, *args):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_address[1], flush=True)
server.serve_forever()
