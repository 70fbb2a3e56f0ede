import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Pages(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    edition = "short"

    def write(self, text):
        data = text.encode()
        self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))

    def notices(self):
        yield "moved to another shelf"
        while self.edition == "long":
            time.sleep(0.2)
            yield "please follow the sign"

    def move_on(self):
        self.send_response(302)
        self.send_header("Location", self.path.replace("/goods/", "/shelf/"))
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for line in self.notices():
            self.write(line)
        self.write("")

    def do_GET(self):
        if self.path.startswith("/goods/"):
            return self.move_on()
        self.send_response(200)
        self.send_header("Content-Length", "3")
        self.end_headers()
        self.wfile.write(b"4.5")

    def log_message(self, *_):
        pass


if __name__ == "__main__":
    Pages.edition = sys.argv[1]
    server = ThreadingHTTPServer(("127.0.0.1", 0), Pages)
    print(server.server_port, flush=True)
    server.serve_forever()
