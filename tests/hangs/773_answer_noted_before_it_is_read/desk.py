import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Desk(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        answer = b"a table for two, at eight\n" * 4000
        self.send_response(200)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    do_HEAD = do_GET

    def log_message(self, *arguments):
        pass


def open_desk():
    desk = ThreadingHTTPServer(("127.0.0.1", 0), Desk)
    threading.Thread(target=desk.serve_forever, name="desk", daemon=True).start()
    return "http://127.0.0.1:%d" % desk.server_address[1]
