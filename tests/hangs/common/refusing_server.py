"""Takes uploads: "refuses" answers and reads none of the body, "slow" reads small parts."""

import http.server
import sys
import threading
import time


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_PUT(self):
        status = 413
        if sys.argv[1] == "slow":
            status = 201
            for _ in range(int(self.headers["Content-Length"]) // 10_000):
                self.rfile.read(10_000)
                time.sleep(0.02)
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()
        if status == 413:
            threading.Event().wait()

    def log_message(self, *args):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_address[1])
server.serve_forever()
