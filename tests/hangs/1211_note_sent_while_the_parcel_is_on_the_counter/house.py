from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class House(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self, text):
        self.send_response(200)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def do_GET(self):
        self.answer(b"teapot, blue" * 2000)

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        self.answer(b"noted")

    def log_message(self, *_):
        pass


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", 0), House)
    print(server.server_port, flush=True)
    server.serve_forever()
