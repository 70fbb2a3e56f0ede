import http.server
import threading


class Reports(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    lines = ("# made on monday", "tea;2.50", "pie;4.00")

    def do_GET(self):
        size = sum(len(line) + 1 for line in self.lines)
        self.send_response(200)
        self.send_header("Content-Length", str(size))
        self.end_headers()
        for line in self.lines:
            if not line.startswith("#"):
                self.wfile.write(line.encode() + b"\n")

    def log_message(self, *args):
        pass


def serve():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Reports)
    threading.Thread(target=server.serve_forever, name="reports", daemon=True).start()
    return server.server_address[1]
