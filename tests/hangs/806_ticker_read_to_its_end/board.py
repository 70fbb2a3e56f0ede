import http.server
import threading
import time


class Board(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        for _ in range(self.server.lines):
            self.wfile.write(b": nothing new\n\n")
            time.sleep(0.2)

    def log_message(self, *args):
        pass


def start_board(lines):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Board)
    server.lines = lines
    threading.Thread(target=server.serve_forever, name="board", daemon=True).start()
    return "http://127.0.0.1:%d/prices" % server.server_address[1]
