"""A web server: /small answers, /big sends megabytes, /slow trickles, /silent never answers."""

import http.server
import threading
import time


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        if self.path.startswith("/silent"):
            threading.Event().wait()
        size = 8_000_000 if self.path.startswith("/big") else 20
        self.send_response(200)
        self.send_header("Content-Length", str(size))
        self.end_headers()
        if self.path.startswith("/slow"):
            for _ in range(size):
                time.sleep(0.05)
                self.wfile.write(b"x")
        else:
            self.wfile.write(b"x" * size)

    do_POST = do_GET

    def log_message(self, *args):
        pass


class Server(http.server.ThreadingHTTPServer):
    def handle_error(self, request, client_address):
        pass


server = Server(("127.0.0.1", 0), Handler)
print(server.server_address[1])
server.serve_forever()
