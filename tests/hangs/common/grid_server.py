"""A grid of browsers: "free" gives one and opens pages, "full" keeps everybody in its queue."""

import http.server
import json
import sys
import threading
import time


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if sys.argv[1] == "full":
            threading.Event().wait()
        time.sleep(0.1)
        value = None
        if self.path.endswith("/session"):
            value = {"sessionId": "s1", "capabilities": {"browserName": "chrome"}}
        body = json.dumps({"value": value}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_GET = do_DELETE = do_POST

    def log_message(self, *args):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_address[1])
server.serve_forever()
