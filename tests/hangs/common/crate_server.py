"""Enough of an object store to download one object of three megabytes."""

import http.server


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_HEAD(self):
        self.send_response(200)
        self.send_header("Content-Length", "3000000")
        self.send_header("ETag", '"1"')
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(b"x" * 3_000_000)

    do_GET = do_HEAD

    def log_message(self, *args):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(server.server_address[1])
server.serve_forever()
